import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Subject } from "../../call/Subject.ts"
import type { Failure } from "../../Failure.ts"
import { ifDefined } from "../../ifDefined.ts"
import { perObject } from "../../perObject.ts"
import {
  type MakeInputs,
  type Part,
  type RecordInputs,
  readShared,
  toPart,
  toText,
} from "../../record/captures/RecordInputs.ts"
import type { Sha256 } from "../../record/log/merkle.ts"
import { minute } from "../../time.ts"
import type { Asset } from "./fields.ts"
import type { Window } from "./ports.ts"

/** Closes are stored in blocks of a quarter of a UTC day, of which neighbouring signals share all but the outer ones. */
const blockMinutes = 360

const Closes = Schema.Array(Schema.NullOr(Schema.Finite))

const StoredInputs = Schema.Struct({
  /** Epoch milliseconds of the start of the minute in which the tape was read; the models use no finer time. */
  now: Schema.Int,
  source: Schema.String,
  flags: Schema.Array(Schema.String),
  /** Minutes since the epoch of the last close. */
  last_minute: Schema.Int,
  /** Hashes of the closes, oldest first; null in place of a minute without a candle. */
  closes: Schema.Array(Schema.String),
  /** The requested strikes; absent for the default grid. */
  strikes: Schema.optionalWith(Schema.Array(Schema.Finite), { exact: true }),
})

/** The start of the minute, epoch milliseconds. */
export const floorToMinute = (now: number): number => Math.floor(now / minute) * minute

/** The subject of a signal: an asset's price at the full minute nearest to the horizon. */
export const toSubject = (asset: Asset, horizonMinutes: number, now: number): Subject => ({
  _tag: "AssetAt",
  asset,
  at: floorToMinute(now + horizonMinutes * minute + 30_000),
})

const splitBlocks = ({ closes, lastMinute }: Window): ReadonlyArray<unknown> => {
  const first = lastMinute - closes.length + 1
  const blocks: Array<ReadonlyArray<number | null>> = []
  for (let from = first; from <= lastMinute; ) {
    const to = Math.min(lastMinute + 1, (Math.floor(from / blockMinutes) + 1) * blockMinutes)
    blocks.push(Array.from(closes.subarray(from - first, to - first), (close) => (Number.isNaN(close) ? null : close)))
    from = to
  }
  return blocks
}

/** The stored blocks of a window, made once for all signals of a minute. */
const toParts = perObject(
  (_closes: Float64Array, window: Window, sha256: Sha256): ReadonlyArray<Part> =>
    splitBlocks(window).map((block) => toPart(toText(sha256, block))),
)

/** The inputs of a signal, as stored: the tape, the minute, and the requested strikes. */
export const serializeInputs =
  (window: Window, now: number, strikes: ReadonlyArray<number> | undefined): MakeInputs =>
  (sha256) => {
    const blocks = toParts(window.closes, window, sha256)
    const kept = {
      now: floorToMinute(now),
      source: window.source,
      flags: window.flags,
      last_minute: window.lastMinute,
      closes: blocks.map(({ hash }) => hash),
      ...ifDefined("strikes", strikes),
    } satisfies typeof StoredInputs.Type
    return { ...toText(sha256, kept), putShared: blocks }
  }

export const readInputs = (
  value: unknown,
): Effect.Effect<{ readonly window: Window; readonly now: number }, Failure, RecordInputs> =>
  Effect.gen(function* () {
    const { now, source, flags, last_minute, closes } = yield* Effect.orDie(Schema.decodeUnknown(StoredInputs)(value))
    const blocks = yield* Effect.forEach(closes, (hash) =>
      Effect.flatMap(readShared(hash), (block) => Effect.orDie(Schema.decodeUnknown(Closes)(block))),
    )
    return {
      now,
      window: {
        closes: Float64Array.from(blocks.flat(), (close) => close ?? Number.NaN),
        lastMinute: last_minute,
        source,
        flags,
      },
    }
  })
