import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { CurrentRow, Domain } from "../../../../core/record/scoreboard/Settled.ts"

/** The rows of a settled listing, and that listing's hash. */
export type Settled = Readonly<{ of: number; rows: ReadonlyArray<CurrentRow> }>
type Board = ReadonlyArray<readonly [ticker: string, Settled]>

/** Keeps the generated record between starts: only whole files of the same program are read. By default nowhere. */
export class RowFiles extends Context.Reference<RowFiles>()("market-signals/lanes/markets/RowFiles", {
  defaultValue: () => ({
    read: (_domain: Domain): Effect.Effect<Board> => Effect.succeed([]),
    write: (_domain: Domain, _board: Board): Effect.Effect<void> => Effect.void,
  }),
}) {}
