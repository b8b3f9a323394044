import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { CurrentRow, Domain } from "../../../../core/record/scoreboard/Settled.ts"

/** The rows of a settled listing, and a digest of the listing that they are of. */
export type Settled = Readonly<{ of: number; rows: ReadonlyArray<CurrentRow> }>
type Board = ReadonlyArray<readonly [ticker: string, Settled]>

/** Where the generated record is kept from start to start: what is read is whole, and of the same program. By default nowhere. */
export class RowFiles extends Context.Reference<RowFiles>()("market-signals/lanes/markets/RowFiles", {
  defaultValue: () => ({
    read: (_domain: Domain): Effect.Effect<Board> => Effect.succeed([]),
    write: (_domain: Domain, _board: Board): Effect.Effect<void> => Effect.void,
  }),
}) {}
