import { type Hole, tapeCoverage, windowMinutes } from "../../../../core/lanes/crypto/coverage.ts"
import type { Asset } from "../../../../core/lanes/crypto/fields.ts"
import * as Step from "../../../../core/Step.ts"
import type { Transactions } from "../../../store/engine/Transactions.ts"
import type { LaneFeed } from "../../feeds.ts"

interface Seen {
  readonly version: number
  readonly last: number | undefined
  readonly holes: ReadonlyArray<Hole>
}

/** What is there of an asset's tape; read again only after a change. */
export const coverageOf = (
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
  let cached: Seen | undefined
  const seen = Step.fn(function* () {
    const current = (yield* version.get(asset))?.version ?? 0
    if (cached?.version === current) return cached
    const newest = (yield* last.get(asset))?.minute ?? undefined
    const first = (newest ?? 0) + 1 - windowMinutes
    cached = {
      version: current,
      last: newest,
      holes: newest === undefined ? [] : yield* holes.all(first, asset, first),
    }
    return cached
  })
  return (now) => Step.map(read(seen), (tape) => tapeCoverage(tape.last, tape.holes, now))
}
