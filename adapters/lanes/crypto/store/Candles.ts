import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ifDefined } from "../../../../core/ifDefined.ts"
import { keepByVersion } from "../../../../core/kept.ts"
import { maxDisagreement } from "../../../../core/lanes/crypto/candles.ts"
import type { Asset } from "../../../../core/lanes/crypto/fields.ts"
import {
  type Agreement,
  type Candle,
  CandleStore,
  type StoredClose,
  Tape,
  type Window,
} from "../../../../core/lanes/crypto/ports.ts"
import * as Step from "../../../../core/Step.ts"
import { makeSerialiseStep } from "../../../store/engine/locks.ts"
import { makeInserts } from "../../../store/engine/manyRows.ts"
import { Transactions } from "../../../store/engine/Transactions.ts"

export const layerStore: Layer.Layer<CandleStore, never, Transactions> = Layer.effect(
  CandleStore,
  Effect.map(Transactions, (store) => {
    const { prepare, read, write } = store
    const sql = {
      closes: prepare<StoredClose>(
        "SELECT minute, close, source FROM candles WHERE asset = ? AND minute >= ? ORDER BY minute",
      ),
      insert: makeInserts(
        store,
        "candles",
        ["asset", "minute", "high", "low", "close", "volume", "source"],
        // An exchange may revise its own candle.
        `ON CONFLICT (asset, minute) DO UPDATE SET high = excluded.high, low = excluded.low, close = excluded.close,
         volume = excluded.volume WHERE candles.source = excluded.source AND candles.close <> excluded.close`,
      ),
      appended: prepare(`
        INSERT INTO tapes (asset, version) VALUES (?, 1)
        ON CONFLICT (asset) DO UPDATE SET version = tapes.version + 1`),
      prune: prepare("DELETE FROM candles WHERE minute < ?"),
      pruned: prepare("UPDATE tapes SET version = version + 1"),
      compare: prepare(`
        INSERT INTO tape_agreements (asset, minute, primary_source, secondary_source, gap) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (asset, minute) DO UPDATE SET gap = excluded.gap`),
      forget: prepare("DELETE FROM tape_agreements WHERE minute < ?"),
      compared: prepare("UPDATE tapes SET version = version + 1 WHERE asset = ?"),
    }
    const lock = makeSerialiseStep(store)
    const lockTape = () => lock("crypto/tape")
    const append = Step.fn(function* (asset: Asset, source: string, candles: ReadonlyArray<Candle>) {
      yield* lockTape()
      const stored = yield* sql.insert.run(
        candles.map(({ minute, high, low, close, volume }) => [asset, minute, high, low, close, volume, source]),
      )
      if (stored > 0) yield* sql.appended.run(asset)
      return stored
    })
    const prune = Step.fn(function* (minute: number) {
      yield* lockTape()
      const pruned = yield* sql.prune.run(minute)
      if (pruned > 0) yield* sql.pruned.run()
      return pruned
    })
    const recordComparison = Step.fn(function* ({ asset, minute, primary, secondary, gap }: Agreement) {
      yield* lockTape()
      yield* sql.compare.run(asset, minute, primary, secondary, gap)
      yield* sql.forget.run(minute - 1440)
      yield* sql.compared.run(asset)
    })
    return {
      closes: (asset, from) => read(() => sql.closes.all(asset, from)),
      append: (asset, source, candles) =>
        candles.length === 0 ? Effect.succeed(0) : write(() => append(asset, source, candles)),
      prune: (minute) => write(() => prune(minute)),
      recordComparison: (comparison) => write(() => recordComparison(comparison)),
    }
  }),
)

/** A disagreement of two sources flags this many minutes. */
const doubtfulMinutes = 15

/** The stored tape, read again only after a change. */
export const layerTape: Layer.Layer<Tape, never, Transactions> = Layer.effect(
  Tape,
  Effect.map(Transactions, ({ prepare, read }) => {
    const sql = {
      version: prepare<{ readonly version: number }>("SELECT version FROM tapes WHERE asset = ?"),
      candles: prepare<StoredClose>(`
        SELECT minute, close, source FROM candles
        WHERE asset = ? AND minute > (SELECT MAX(minute) FROM candles WHERE asset = ?) - ? ORDER BY minute`),
      doubt: prepare<Omit<Agreement, "asset">>(`
        SELECT minute, primary_source AS "primary", secondary_source AS secondary, gap FROM tape_agreements
        WHERE asset = ? AND minute > ? AND gap > ? ORDER BY minute DESC LIMIT 1`),
    }
    const windows = keepByVersion<Window | undefined, SqlError>()

    const readWindow = Step.fn(function* (asset: Asset, minutes: number) {
      const rows = yield* sql.candles.all(asset, asset, minutes)
      const lastMinute = rows.at(-1)?.minute
      if (lastMinute === undefined) return undefined
      const first = lastMinute - minutes + 1
      const closes = new Float64Array(minutes).fill(Number.NaN)
      for (const { minute, close } of rows) closes[minute - first] = close
      const doubt = yield* sql.doubt.get(asset, lastMinute - doubtfulMinutes, maxDisagreement)
      return {
        closes,
        lastMinute,
        source: [...new Set(rows.map(({ source }) => source))].sort().join(", "),
        lastSource: rows.at(-1)!.source,
        flags: doubt === undefined ? [] : ["source_disagreement"],
        ...ifDefined("disagreement", doubt),
      } satisfies Window
    })

    const current = Step.fn(function* (asset: Asset, minutes: number) {
      const version = (yield* sql.version.get(asset))?.version ?? 0
      return yield* windows(`${asset}/${minutes}`, version, () => readWindow(asset, minutes))
    })

    return { freshness: "live", window: (asset, minutes) => read(() => current(asset, minutes)) }
  }),
)
