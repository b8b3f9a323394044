import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Confidence, Link } from "../../endpoint/Answer.ts"
import type * as Endpoint from "../../endpoint/Endpoint.ts"
import { present } from "../../endpoint/Field.ts"
import * as Lane from "../../endpoint/Lane.ts"
import { type Failure, fail } from "../../Failure.ts"
import { iso, minute } from "../../time.ts"
import { blendT1, type Distribution, lognormal120, type PriceModel } from "./distribution.ts"
import { type Asset, type CryptoMethods, endpoints } from "./endpoints.ts"
import { inputsOf, minuteOf, subjectOf } from "./inputs.ts"
import { Tape, type Window } from "./ports.ts"
import { strikesOf } from "./strikes.ts"
import { type RealizedVolatility, realizedVolatility } from "./volatility.ts"

export class Crypto extends Context.Tag("core/lanes/Crypto")<Crypto, CryptoMethods>() {
  static readonly lane: Lane.Lane<"crypto", typeof endpoints, Crypto> = Lane.make(
    "crypto",
    endpoints,
    Crypto,
    "Spot from a one-minute tape and the distribution of the price to come.",
  )

  /** Answers from the served model, with the textbook one beside it in counterfactuals. */
  static readonly layer: Layer.Layer<Crypto, never, Tape> = Layer.suspend(() => Crypto.layerOf(blendT1, lognormal120))

  /** The same with other models, for an embedder who has a better one. */
  static layerOf(model: PriceModel, baseline: PriceModel): Layer.Layer<Crypto, never, Tape> {
    return layerOf(model, baseline)
  }
}

type Signal = Endpoint.Results<typeof endpoints.signal>

/** Minutes that the volatility of a spot answer looks at, and those that the longest window of a signal needs. */
const spotMinutes = 120
export const signalMinutes = 7 * 1440 + 5
/** A tape whose last candle ended longer ago is stale. Seconds. */
const staleAfter = 120
/** A new candle is due within a minute. */
const nextCandle = { retryAfterMs: minute }

const tapeOf = ({ lastMinute, source }: Window, now: number): Endpoint.Results<typeof endpoints.spot>["tape"] => {
  const age = Math.max(0, now / 1000 - (lastMinute + 1) * 60)
  return { source, last_candle_age_s: Math.round(age * 10) / 10, stale: age > staleAfter }
}

const volatilityOf = (window: Window, spot: number) => {
  const { realized } = factsOf(window)
  if (realized === undefined) return undefined
  const { sigma1h, annualized, closes } = realized
  return {
    sigma_1h: sigma1h,
    expected_move_1h_usd: spot * sigma1h,
    annualized_est: annualized,
    window: `${closes} one-minute closes of the last ${spotMinutes} minutes`,
  }
}

const tooFew = (asset: Asset): Failure =>
  fail("data_freshness_stale", {
    detail: `The ${asset} tape has too few closes: 60 of the last 120 minutes are needed, 30 of them next to another.`,
    ...nextCandle,
  })

const linksOf = (asset: Asset): ReadonlyArray<Link> => [
  { id: asset, endpoints: [`/v1/crypto/spot?asset=${asset}`, `/v1/crypto/signal?asset=${asset}`] },
]

/** What of a window does not change with the question: found once, kept as long as the window is. */
interface Facts {
  readonly realized: RealizedVolatility | undefined
  /** Closes of the last two hours, and of the last week. */
  readonly recent: number
  readonly week: number
}

const countIn = (closes: Float64Array, minutes: number): number => {
  let count = 0
  for (let at = Math.max(0, closes.length - minutes); at < closes.length; at++) if (closes[at]! > 0) count++
  return count
}

const known = new WeakMap<Float64Array, Facts>()

const factsOf = (window: Window): Facts => {
  const { closes } = window
  const before = known.get(closes)
  if (before !== undefined) return before
  const facts = {
    realized: realizedVolatility(window),
    recent: countIn(closes, spotMinutes),
    week: countIn(closes, signalMinutes),
  }
  known.set(closes, facts)
  return facts
}

const doubtsOf = ({ flags }: Window): ReadonlyArray<string> => flags.map((flag) => `quality flag ${flag}`)

/**
 * How much a signal leans on: 0.9 for a fresh tape with a full week behind it at five minutes; less with every missing
 * close of the last two hours, with a shorter history (down to 0.7 of it), an older tape (gone at ten minutes), a longer
 * horizon (down to 0.8 of it at a day) and a tape in doubt (0.8 of it). Not a probability of being right.
 */
export const confidenceOf = (window: Window, ageSeconds: number, horizonMinutes: number): Confidence => {
  const { recent, week } = factsOf(window)
  const score =
    0.9 *
    (recent / spotMinutes) *
    (0.7 + 0.3 * Math.min(1, week / (7 * 1440))) *
    Math.max(0, 1 - Math.max(0, ageSeconds - 60) / 540) *
    (1 - (0.2 * Math.log(horizonMinutes / 5)) / Math.log(1440 / 5)) *
    (window.flags.length > 0 ? 0.8 : 1)
  return {
    score: Math.round(score * 100) / 100,
    label: "reasoned",
    factors: [
      `last candle ended ${Math.round(ageSeconds)} s ago`,
      `${recent} of the last ${spotMinutes} closes`,
      `${Math.floor(week / 1440)} days of history`,
      `horizon ${horizonMinutes} min`,
      ...doubtsOf(window),
    ],
  }
}

const venue = "CF Benchmarks BRTI, averaged over the 60 s before the hour"

const noteOf = (source: string): string =>
  `Priced from the last close of ${source}; the venue's hourly series settles on ${venue}. For a 'greater' contract with strike S use p_above at S.`

/** Whole millionths: what is served, recorded and scored is one number, and no model knows more. */
const pAboveOf = ({ pAbove }: Distribution, strikes: ReadonlyArray<number>): Signal["p_above"] =>
  strikes.map((strike) => ({ strike, p_above: Math.round(pAbove(strike) * 1e6) / 1e6 }))

/** The largest difference of two answers over the same strikes. */
const farthest = (a: Signal["p_above"], b: Signal["p_above"]): number =>
  a.reduce((worst, { p_above }, at) => Math.max(worst, Math.abs(p_above - b[at]!.p_above)), 0)

/** A distribution is asked for many times within a minute and changes once: kept as long as its window is. */
const remembered = (model: PriceModel): PriceModel["at"] => {
  const known = new WeakMap<Float64Array, Map<string, Distribution | undefined>>()
  return (window, horizonMinutes, nowMillis) => {
    const minute = minuteOf(nowMillis)
    const name = `${window.lastMinute}/${minute}/${horizonMinutes}`
    const found = known.get(window.closes) ?? new Map<string, Distribution | undefined>()
    known.set(window.closes, found)
    if (!found.has(name)) found.set(name, model.at(window, horizonMinutes, minute))
    return found.get(name)
  }
}

/** What is scored of a signal. */
export const outputOf = ({ spot, sigma_ln, p_above }: Pick<Signal, "spot" | "sigma_ln" | "p_above">) => ({
  spot,
  sigma_ln,
  p_above,
})

const layerOf = (model: PriceModel, baseline: PriceModel): Layer.Layer<Crypto, never, Tape> =>
  Layer.effect(
    Crypto,
    Effect.map(Tape, (tape) => {
      const distributionAt = remembered(model)

      /** The window and the time it is looked at. */
      const looked = (asset: Asset, minutes: number) =>
        Effect.zip(
          Effect.flatMap(tape.window(asset, minutes), (window) =>
            window === undefined
              ? Effect.fail(fail("upstream_unavailable", { detail: `There is no ${asset} tape yet.`, ...nextCandle }))
              : Effect.succeed(window),
          ),
          Clock.currentTimeMillis,
        )

      const spot: CryptoMethods["spot"] = Effect.fnUntraced(function* ({ asset }) {
        const [window, now] = yield* looked(asset, spotMinutes)
        const price = window.closes.at(-1)!
        const realized_vol = volatilityOf(window, price)
        if (realized_vol === undefined) return yield* tooFew(asset)
        const state = tapeOf(window, now)
        return {
          results: { asset, spot: price, realized_vol, tape: state },
          reasoning: [
            `Took the last close of the ${asset}-USD one-minute tape.`,
            "Took the root mean square of its one-minute log returns as volatility.",
          ],
          citations: [{ step: 1, source: window.source, locator: candleOf(asset, window) }],
          confidence: {
            score: state.stale || window.flags.length > 0 ? 0.9 : 1,
            label: "settlement",
            factors: [state.stale ? "the tape is stale" : "the tape is fresh", ...doubtsOf(window)],
          },
          links: linksOf(asset),
          freshness: tape.freshness,
          extras: {
            suggestions: [
              {
                endpoint: "crypto_signal",
                params: { asset },
                why: "Probabilities of the price above strikes in an hour.",
              },
            ],
          },
        }
      })

      const signal: CryptoMethods["signal"] = Effect.fnUntraced(function* ({ asset, horizon_minutes, strikes: asked }) {
        const [window, now] = yield* looked(asset, signalMinutes)
        const state = tapeOf(window, now)
        if (state.stale) {
          return yield* fail("data_freshness_stale", {
            detail: `The last ${asset} candle ended ${state.last_candle_age_s} s ago.`,
            ...nextCandle,
          })
        }
        const distribution = distributionAt(window, horizon_minutes, now)
        const realized_vol = volatilityOf(window, window.closes.at(-1)!)
        if (distribution === undefined || realized_vol === undefined) return yield* tooFew(asset)
        const { spot: price, sigmaLn } = distribution
        const strikes = asked === undefined ? strikesOf(price, sigmaLn) : [...new Set(asked)].sort((a, b) => a - b)
        const p_above = pAboveOf(distribution, strikes)
        return {
          results: {
            asset,
            spot: price,
            horizon_minutes,
            sigma_ln: sigmaLn,
            expected_move_1sd_usd: price * sigmaLn,
            annualized_vol_est: sigmaLn * Math.sqrt(525_600 / horizon_minutes),
            p_above,
            market_note: noteOf(window.source),
            model_version: model.version,
            realized_vol,
            tape: state,
            settlement_basis: { model_source: window.source, venue_source: venue, same: false },
            quality_flags: window.flags,
          },
          reasoning: [
            `Read the ${asset}-USD one-minute tape up to its last close.`,
            `Scaled its volatility to ${horizon_minutes} minutes with model ${model.version}.`,
            `Priced ${strikes.length} strikes.`,
          ],
          citations: [{ step: 1, source: window.source, locator: candleOf(asset, window) }],
          confidence: confidenceOf(window, state.last_candle_age_s, horizon_minutes),
          links: linksOf(asset),
          freshness: tape.freshness,
          record: {
            lane: Crypto.lane.name,
            endpoint: endpoints.signal.id,
            subject: subjectOf(asset, horizon_minutes, now),
            modelVersion: model.version,
            at: now,
            params: { asset, horizon_minutes, ...present("strikes", asked) },
            output: outputOf({ spot: price, sigma_ln: sigmaLn, p_above }),
            inputs: inputsOf(window, now, asked),
            closeTime: now + horizon_minutes * minute,
          },
          extras: {
            alternatives: Effect.succeed([
              {
                id: baseline.version,
                label: "Normal log returns with the plain volatility of the last two hours",
                score: 0,
                why: "The textbook answer, scored beside the served one.",
              },
            ]),
            counterfactual: Effect.suspend(() => {
              const other = baseline.at(window, horizon_minutes, now)
              if (other === undefined) return Effect.fail(tooFew(asset))
              const answer = pAboveOf(other, strikes)
              return Effect.succeed({
                input: "model",
                from: model.version,
                to: baseline.version,
                result: { sigma_ln: other.sigmaLn, p_above: answer },
                delta: { sigma_ln: other.sigmaLn - sigmaLn, largest_p_above: farthest(answer, p_above) },
              })
            }),
            suggestions: [
              { endpoint: "markets_edge", params: {}, why: "Where the model and the venue differ." },
              { endpoint: "crypto_spot", params: { asset }, why: "The raw volatility of the last two hours, free." },
            ],
          },
        }
      })

      return Crypto.of({ spot, signal })
    }),
  )

const candleOf = (asset: Asset, { lastMinute }: Window): string => `${asset}-USD 1m ${iso(lastMinute * minute)}`
