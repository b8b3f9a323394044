import * as Effect from "effect/Effect"
import type { Failure } from "../../endpoint/Failure.ts"
import { plain } from "../../record/canonical.ts"
import { type KeptInputs, part, RecordInputs } from "../../record/RecordInputs.ts"
import type { Inputs } from "./outlook.ts"

/** What the days of a station share, and its next hours: kept under hashes of their own. */
type Shared = "grid" | "states"
type Kept = Omit<Inputs, Shared> & Readonly<Record<Shared, string>>

/** What an outlook is computed from, on its way onto the record. */
export const inputsOf = ({ grid, states, ...rest }: Inputs): KeptInputs =>
  Effect.gen(function* () {
    const inputs = yield* RecordInputs
    const share = (value: object) =>
      Effect.map(
        inputs.parts(value, () => [plain(value)]),
        ([hash]) => hash!,
      )
    return yield* inputs.put(plain({ ...rest, grid: yield* share(grid), states: yield* share(states) } satisfies Kept))
  })

/** The same again. */
export const read = (value: unknown): Effect.Effect<Inputs, Failure, RecordInputs> => {
  const kept = value as Kept
  return Effect.map(
    Effect.all({ grid: part(kept.grid), states: part(kept.states) }),
    (shared) => ({ ...kept, ...shared }) as Inputs,
  )
}
