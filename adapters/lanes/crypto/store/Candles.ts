import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Asset } from "../../../../core/lanes/crypto/endpoints.ts"
import { CandleStore, Tape, type Window } from "../../../../core/lanes/crypto/ports.ts"
import { Sqlite } from "../../../sql/client.sqlite.ts"
import { reader } from "../../../sql/reader.ts"
import { inTransaction, mapStorageErrors } from "../../../sql/storage.ts"

/** Write side of the tape job. */
export const layerStore: Layer.Layer<CandleStore, never, SqlClient.SqlClient> = Layer.effect(
  CandleStore,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    minutes: (asset, from) =>
      mapStorageErrors(
        Effect.map(
          sql<{
            minute: number
          }>`SELECT minute FROM candles WHERE asset = ${asset} AND minute >= ${from} ORDER BY minute`,
          (rows) => rows.map(({ minute }) => minute),
        ),
      ),
    append: (asset, source, candles) =>
      candles.length === 0
        ? Effect.succeed(0)
        : inTransaction(
            sql,
            Effect.gen(function* () {
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
          const rows = yield* sql`DELETE FROM candles WHERE minute < ${minute} RETURNING minute`
          if (rows.length > 0) yield* sql`UPDATE tapes SET version = version + 1`
          return rows.length
        }),
      ),
    recordComparison: ({ asset, minute, primary, secondary, gap }) =>
      inTransaction(
        sql,
        Effect.gen(function* () {
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
export const layerTape: Layer.Layer<Tape, never, Sqlite> = Layer.effect(
  Tape,
  Effect.map(Sqlite, (sqlite) => {
    const { db } = sqlite
    const sql = {
      version: db.prepare("SELECT version FROM tapes WHERE asset = ?").pluck(),
      last: db.prepare("SELECT MAX(minute) FROM candles WHERE asset = ?").pluck(),
      candles: db.prepare("SELECT minute, close, source FROM candles WHERE asset = ? AND minute >= ? ORDER BY minute"),
      doubt: db.prepare("SELECT gap FROM tape_agreements WHERE asset = ? AND minute > ? AND gap > ? LIMIT 1"),
    }
    const reading = reader(sqlite)
    const cache = new Map<string, CachedCandles>()

    const read = (asset: Asset, minutes: number): Window | undefined => {
      const lastMinute = sql.last.get(asset) as number | null
      if (lastMinute === null) return undefined
      const first = lastMinute - minutes + 1
      const rows = sql.candles.all(asset, first) as ReadonlyArray<Candle>
      const closes = new Float64Array(minutes).fill(Number.NaN)
      for (const { minute, close } of rows) closes[minute - first] = close
      const isDoubtful = sql.doubt.get(asset, lastMinute - doubtful, disagreement) !== undefined
      return {
        closes,
        lastMinute,
        source: [...new Set(rows.map(({ source }) => source))].sort().join(", "),
        flags: isDoubtful ? ["sources_disagree"] : [],
      }
    }

    return {
      freshness: "live",
      window: (asset, minutes) =>
        reading(() => {
          const version = (sql.version.get(asset) as number | undefined) ?? 0
          const name = `${asset}/${minutes}`
          const before = cache.get(name)
          if (before?.version === version) return before.window
          const window = read(asset, minutes)
          cache.set(name, { version, window })
          return window
        }),
    }
  }),
)
