import type { SqlError } from "@effect/sql/SqlError"
import { keepByVersion } from "../../../../core/kept.ts"
import { type Hole, tapeCoverage, windowMinutes } from "../../../../core/lanes/crypto/coverage.ts"
import type { Asset } from "../../../../core/lanes/crypto/fields.ts"
import * as Step from "../../../../core/Step.ts"
import type { Transactions } from "../../../store/engine/Transactions.ts"
import type { LaneFeed } from "../../feeds.ts"

interface Seen {
  readonly last: number | undefined
  readonly holes: ReadonlyArray<Hole>
}

/** The coverage of an asset's tape; read again only after a change. */
export const makeCoverage = (
  { prepare, read }: Transactions["Type"],
  asset: Asset,
): NonNullable<LaneFeed["coverage"]> => {
  const version = prepare<{ readonly version: number }>("SELECT version FROM tapes WHERE asset = ?")
  const last = prepare<{ readonly minute: number | null }>("SELECT MAX(minute) AS minute FROM candles WHERE asset = ?")
  const holes = prepare<Hole>(`
    SELECT "from", "to" FROM (
      SELECT COALESCE(LAG(minute) OVER (ORDER BY minute) + 1, CAST(? AS BIGINT)) AS "from", minute AS "to"
      FROM candles WHERE asset = ? AND minute >= ?
    ) AS steps WHERE "to" > "from" ORDER BY "from"`)
  const tapes = keepByVersion<Seen, SqlError>()
  const see = Step.fn(function* () {
    const newest = (yield* last.get(asset))?.minute ?? undefined
    const first = (newest ?? 0) + 1 - windowMinutes
    return { last: newest, holes: newest === undefined ? [] : yield* holes.all(first, asset, first) }
  })
  const seen = Step.fn(function* () {
    return yield* tapes(asset, (yield* version.get(asset))?.version ?? 0, see)
  })
  return (now) => Step.map(read(seen), (tape) => tapeCoverage(tape.last, tape.holes, now))
}
