import type * as Effect from "effect/Effect"
import * as Port from "../../endpoint/Port.ts"
import type { Failure } from "../../Failure.ts"
import { type LawRecord, noLaws } from "../../record/captures/LawScores.ts"
import type { Asset } from "./fields.ts"

/** One minute of trading, complete. */
export interface Candle {
  /** Minutes since the epoch at which the candle opens. */
  readonly minute: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}

/** The last minutes of a tape, up to its last candle. */
export interface Window {
  /** One close a minute, oldest first; a minute without a candle is NaN and never filled in. Do not modify. */
  readonly closes: Float64Array
  /** Minutes since the epoch of the last element. */
  readonly lastMinute: number
  readonly source: string
  /** The source of the last candle, if it is another one. */
  readonly lastSource?: string
  /** Quality flags, such as `source_disagreement`. */
  readonly flags: ReadonlyArray<string>
  /** The comparison in which the sources disagreed, if they did. */
  readonly disagreement?: Omit<Agreement, "asset">
}

/** Read port: the one-minute tape. */
export const Tape = Port.define("crypto/Tape")<{
  /** The last minutes of an asset's tape, at most `minutes`; undefined without any candle. */
  readonly window: (asset: Asset, minutes: number) => Effect.Effect<Window | undefined, Failure>
}>()
export type Tape = typeof Tape.Identifier

/** Source port: an exchange's recent candles, complete ones only, oldest first. */
export interface CandleSource {
  readonly name: string
  /** The longest range of one request, minutes. */
  readonly span: number
  /** The oldest available candle, minutes before now; absent without a limit. */
  readonly reach?: number
  /** The candles of the minutes from `from` up to `to`, excluded. Minutes without trades have none. */
  readonly candles: (asset: Asset, from: number, to: number) => Effect.Effect<ReadonlyArray<Candle>, Failure>
}

/** A stored close and the exchange that it comes from. */
export interface StoredClose extends Pick<Candle, "minute" | "close"> {
  readonly source: string
}

/** How far two sources differ. */
export interface Agreement {
  readonly asset: Asset
  readonly minute: number
  readonly primary: string
  readonly secondary: string
  /** Largest |ln(close / close)| over their common minutes. */
  readonly gap: number
}

/** Write port of the tape job. */
export const CandleStore = Port.plain("crypto/CandleStore")<{
  /** The stored closes from `from` on, ascending. */
  readonly closes: (asset: Asset, from: number) => Effect.Effect<ReadonlyArray<StoredClose>, Failure>
  /** Stores candles and returns the number of new rows. */
  readonly append: (asset: Asset, source: string, candles: ReadonlyArray<Candle>) => Effect.Effect<number, Failure>
  /** Deletes candles before `minute`; returns their number. */
  readonly prune: (minute: number) => Effect.Effect<number, Failure>
  readonly recordComparison: (agreement: Agreement) => Effect.Effect<void, Failure>
}>()
export type CandleStore = typeof CandleStore.Identifier

/** Read port: the captured hourly distributions, with their scores. */
export const CryptoLaws = Port.define("crypto/CryptoLaws")<LawRecord>(noLaws)
export type CryptoLaws = typeof CryptoLaws.Identifier
