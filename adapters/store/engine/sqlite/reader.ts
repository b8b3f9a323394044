import type * as Effect from "effect/Effect"
import type { Failure } from "../../../../core/Failure.ts"
import * as Step from "../../../../core/Step.ts"
import { mapStorageErrors } from "../storage.ts"
import type { Sqlite } from "./client.ts"

/** Runs synchronous reads while no transaction is open: in the same turn, unless they have to wait. */
export const reader = (
  sqlite: Pick<Sqlite["Type"], "exclusive">,
): (<A>(work: () => A) => Effect.Effect<A, Failure>) => {
  const exclusive = Step.eager(sqlite.exclusive)
  return (work) => Step.suspend(() => mapStorageErrors(exclusive(work)))
}
