import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { type ReceivedCandle, validateCandles } from "../../../core/lanes/crypto/candles.ts"
import type { Asset } from "../../../core/lanes/crypto/fields.ts"
import type { Candle, CandleSource } from "../../../core/lanes/crypto/ports.ts"
import { makeIdentityCheck } from "../../../core/sources/identity.ts"
import { minute } from "../../../core/time.ts"
import type * as Upstream from "../../runtime/upstream/Definition.ts"
import { toFailure } from "../../runtime/upstream/upstream.ts"

/** The minutes [from, to) of an asset, since the epoch. */
export interface Asked {
  readonly asset: Asset
  readonly from: number
  readonly to: number
}

/** The last full minutes of the first asset, for a probe. */
export const lastMinutes = (now: number): Asked => {
  const to = Math.floor(now / minute)
  return { asset: "BTC", from: to - 10, to }
}

/** With fewer candles their distance means nothing, since minutes without trades are left out. */
const minCandles = 5

/** The shortest distance between two candles, minutes; the requested one if there are too few. */
const findShortestSpacing = (printed: ReadonlyArray<ReceivedCandle>): number => {
  const minutes = [...new Set(printed.map((candle) => candle.minute))].sort((a, b) => a - b)
  return minutes.length < minCandles ? 1 : Math.min(...minutes.slice(1).map((at, before) => at - minutes[before]!))
}

const checkIdentity = makeIdentityCheck<Asked, ReadonlyArray<ReceivedCandle>>({
  name: ({ asset }) => `The candles of ${asset}`,
  says: { granularity: (printed) => [`${findShortestSpacing(printed)} minutes`, "1 minutes"] },
})

/** The requested candles; refused if they are of other minutes or implausible. */
export const checkCandles = (
  printed: ReadonlyArray<ReceivedCandle>,
  asked: Asked,
  now: number,
): Either.Either<ReadonlyArray<Candle>, string> =>
  Either.flatMap(validateCandles(printed, asked.from, asked.to, Math.floor(now / minute)), (candles) =>
    Either.map(checkIdentity(printed, asked, now), () => candles),
  )

export const candleSource = <Wire>(
  { ask, upstream: { name } }: Upstream.Source,
  question: Upstream.Question<Asked, Wire, ReadonlyArray<Candle>>,
  limits: Pick<CandleSource, "span" | "reach">,
): CandleSource => ({
  name,
  ...limits,
  candles: (asset, from, to) => Effect.mapError(ask(question, { asset, from, to }), toFailure),
})
