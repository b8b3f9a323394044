import type { Definition } from "../../../../core/lanes/Lane.ts"
import type { Levels } from "./ports.ts"
import { Toy } from "./Toy.ts"

export const toy: Definition<typeof Toy.lane, Levels> = { lane: Toy.lane, layer: Toy.layer, recomputations: {} }
