import type { Definition } from "../Definition.ts"
import { Filings } from "./Filings.ts"
import type { FilingArchive } from "./ports.ts"

export const filings: Definition<typeof Filings.lane, FilingArchive> = {
  lane: Filings.lane,
  layer: Filings.layer,
  recomputations: {},
}
