import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Asset } from "../../../../core/lanes/crypto/endpoints.ts"
import { CandleStore, Tape, type Window } from "../../../../core/lanes/crypto/ports.ts"
import * as Step from "../../../../core/Step.ts"
import { allAs, inTransaction } from "../../../sql/engine/storage.ts"
import { Transactions } from "../../../sql/engine/Transactions.ts"
import { oneAtATime } from "../../../sql/upkeep/locks.ts"

const lock = (sql: SqlClient.SqlClient) => oneAtATime(sql, "crypto/tape")

/** Write side of the tape job. */
export const layerStore: Layer.Layer<CandleStore, never, SqlClient.SqlClient> = Layer.effect(
  CandleStore,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    minutes: (asset, from) =>
      allAs(
        sql<{
          minute: number
        }>`SELECT minute FROM candles WHERE asset = ${asset} AND minute >= ${from} ORDER BY minute`,
        ({ minute }) => minute,
      ),
    append: (asset, source, candles) =>
      candles.length === 0
        ? Effect.succeed(0)
        : inTransaction(
            sql,
            Effect.gen(function* () {
              yield* lock(sql)
              let stored = 0
              for (const { minute, high, low, close, volume } of candles) {
                const rows = yield* sql`
                  INSERT INTO candles ${sql.insert({ asset, minute, high, low, close, volume, source })}
                  ON CONFLICT DO NOTHING RETURNING minute`
                stored += rows.length
              }
              if (stored > 0) {
                yield* sql`
                  INSERT INTO tapes (asset, version) VALUES (${asset}, 1)
                  ON CONFLICT (asset) DO UPDATE SET version = tapes.version + 1`
              }
              return stored
            }),
          ),
    prune: (minute) =>
      inTransaction(
        sql,
        Effect.gen(function* () {
          yield* lock(sql)
          const rows = yield* sql`DELETE FROM candles WHERE minute < ${minute} RETURNING minute`
          if (rows.length > 0) yield* sql`UPDATE tapes SET version = version + 1`
          return rows.length
        }),
      ),
    recordComparison: ({ asset, minute, primary, secondary, gap }) =>
      inTransaction(
        sql,
        Effect.gen(function* () {
          yield* lock(sql)
          yield* sql`
            INSERT INTO tape_agreements ${sql.insert({
              asset,
              minute,
              primary_source: primary,
              secondary_source: secondary,
              gap,
            })} ON CONFLICT (asset, minute) DO UPDATE SET gap = ${gap}`
          yield* sql`DELETE FROM tape_agreements WHERE minute < ${minute - 1440}`
          yield* sql`UPDATE tapes SET version = version + 1 WHERE asset = ${asset}`
        }),
      ),
  })),
)

/** A difference above 0.5 % between two sources flags both for 15 minutes. */
const disagreement = 0.005
const doubtful = 15

interface Candle {
  readonly minute: number
  readonly close: number
  readonly source: string
}

interface CachedCandles {
  readonly version: number
  readonly window: Window | undefined
}

/** The stored tape, read again only after a change. */
export const layerTape: Layer.Layer<Tape, never, Transactions> = Layer.effect(
  Tape,
  Effect.map(Transactions, ({ prepare, read }) => {
    const sql = {
      version: prepare<{ readonly version: number }>("SELECT version FROM tapes WHERE asset = ?"),
      candles: prepare<Candle>(`
        SELECT minute, close, source FROM candles
        WHERE asset = ? AND minute > (SELECT MAX(minute) FROM candles WHERE asset = ?) - ? ORDER BY minute`),
      doubt: prepare("SELECT gap FROM tape_agreements WHERE asset = ? AND minute > ? AND gap > ? LIMIT 1"),
    }
    const cache = new Map<string, CachedCandles>()

    const windowOf = Step.fn(function* (asset: Asset, minutes: number) {
      const rows = yield* sql.candles.all(asset, asset, minutes)
      const lastMinute = rows.at(-1)?.minute
      if (lastMinute === undefined) return undefined
      const first = lastMinute - minutes + 1
      const closes = new Float64Array(minutes).fill(Number.NaN)
      for (const { minute, close } of rows) closes[minute - first] = close
      const doubt = yield* sql.doubt.get(asset, lastMinute - doubtful, disagreement)
      return {
        closes,
        lastMinute,
        source: [...new Set(rows.map(({ source }) => source))].sort().join(", "),
        flags: doubt === undefined ? [] : ["sources_disagree"],
      } satisfies Window
    })

    const current = Step.fn(function* (asset: Asset, minutes: number) {
      // Read before the rows, so that rows which come meanwhile are read again.
      const version = (yield* sql.version.get(asset))?.version ?? 0
      const name = `${asset}/${minutes}`
      const before = cache.get(name)
      if (before?.version === version) return before.window
      const window = yield* windowOf(asset, minutes)
      cache.set(name, { version, window })
      return window
    })

    return { freshness: "live", window: (asset, minutes) => read(() => current(asset, minutes)) }
  }),
)
