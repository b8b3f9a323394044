import * as Effect from "effect/Effect"
import type { Failure } from "../../../Failure.ts"
import {
  type InputsOf,
  type Part,
  part,
  partOf,
  type RecordInputs,
  textOf,
} from "../../../record/captures/RecordInputs.ts"
import { plain } from "../../../record/log/canonical.ts"
import type { Sha256 } from "../../../record/log/merkle.ts"
import type { Inputs } from "./outlook.ts"

/** What the days of a station share, and its next hours: kept under hashes of their own. */
type Shared = "grid" | "states"
type Kept = Omit<Inputs, Shared> & Readonly<Record<Shared, string>>

/** Grids and states, made once: signals share them as long as they are the same. */
const known = new WeakMap<object, Part>()
const shared = (sha256: Sha256, value: object): Part => {
  const found = known.get(value) ?? partOf(textOf(sha256, plain(value)))
  known.set(value, found)
  return found
}

/** What an outlook is computed from. */
export const inputsOf =
  ({ grid, states, ...rest }: Inputs): InputsOf =>
  (sha256) => {
    const parts = [shared(sha256, grid), shared(sha256, states)] as const
    const kept = { ...rest, grid: parts[0].hash, states: parts[1].hash } satisfies Kept
    return { ...textOf(sha256, plain(kept)), parts }
  }

/** The same again. */
export const read = (value: unknown): Effect.Effect<Inputs, Failure, RecordInputs> => {
  const kept = value as Kept
  return Effect.map(
    Effect.all({ grid: part(kept.grid), states: part(kept.states) }),
    (shared) => ({ ...kept, ...shared }) as Inputs,
  )
}
