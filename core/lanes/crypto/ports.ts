import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Freshness } from "../../endpoint/Answer.ts"
import type { Failure } from "../../Failure.ts"
import type { Asset } from "./endpoints.ts"

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
  /** One close a minute, oldest first; a minute without a candle is NaN and never filled in. Not to be written to. */
  readonly closes: Float64Array
  /** Minutes since the epoch of the last element. */
  readonly lastMinute: number
  /** Who printed the candles. */
  readonly source: string
  /** What is doubtful about them, such as two sources that disagree. */
  readonly flags: ReadonlyArray<string>
}

/** Read port: the one-minute tape. */
export class Tape extends Context.Tag("core/lanes/crypto/Tape")<
  Tape,
  {
    readonly freshness: Freshness
    /** At most the last `minutes` minutes; undefined when there is no candle at all. */
    readonly window: (asset: Asset, minutes: number) => Effect.Effect<Window | undefined, Failure>
  }
>() {}

/** Source port: an exchange's recent candles, complete ones only, oldest first. */
export interface CandleSource {
  readonly name: string
  /** The longest range that one request answers, minutes. */
  readonly span: number
  /** How far back it answers at all, minutes; absent: as far as we ask. */
  readonly reach?: number
  /** Candles of the minutes from `from` up to, not including, `to`. Minutes without trades have none. */
  readonly candles: (asset: Asset, from: number, to: number) => Effect.Effect<ReadonlyArray<Candle>, Failure>
}

/** How often two sources were compared, and how far apart they were at worst. */
export interface Agreement {
  readonly asset: Asset
  readonly minute: number
  readonly primary: string
  readonly secondary: string
  /** Largest |ln(close / close)| over the minutes that both had. */
  readonly gap: number
}

/** Write port: what the tape job keeps. A minute that was stored is never changed. */
export class CandleStore extends Context.Tag("core/lanes/crypto/CandleStore")<
  CandleStore,
  {
    /** The minutes stored from `from` on, ascending. */
    readonly minutes: (asset: Asset, from: number) => Effect.Effect<ReadonlyArray<number>, Failure>
    /** The number of candles that were new. */
    readonly append: (asset: Asset, source: string, candles: ReadonlyArray<Candle>) => Effect.Effect<number, Failure>
    /** Forgets candles before `minute`; the number forgotten. */
    readonly prune: (minute: number) => Effect.Effect<number, Failure>
    readonly note: (agreement: Agreement) => Effect.Effect<void, Failure>
  }
>() {}
