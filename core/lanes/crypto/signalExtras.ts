import * as Effect from "effect/Effect"
import type { Alternative, Counterfactual, Extras } from "../../endpoint/Answer.ts"
import type * as Endpoint from "../../endpoint/Endpoint.ts"
import { suggest } from "../answers.ts"
import type { Distribution, PriceModel } from "./distribution.ts"
import type { Asset, endpoints } from "./endpoints.ts"
import { minuteOf } from "./inputs.ts"
import type { Window } from "./ports.ts"

type Rows = Endpoint.Results<typeof endpoints.signal>["p_above"]

export const pAboveOf = ({ pAbove }: Distribution, strikes: ReadonlyArray<number>): Rows =>
  strikes.map((strike) => ({ strike, p_above: pAbove(strike) }))

/** The largest difference between two answers over the same strikes. */
const farthest = (a: Rows, b: Rows): number =>
  a.reduce((worst, { p_above }, at) => Math.max(worst, Math.abs(p_above - b[at]!.p_above)), 0)

/** The changed input: a tape with a tenth more volatility. */
const moreVolatility = 1.1

/** The tape with every log return multiplied; its last close stays. */
const wilder = ({ closes }: Window): Float64Array => {
  const last = closes.at(-1)!
  return closes.map((close) => last * (close / last) ** moreVolatility)
}

/** A served signal with the inputs of its model. */
export interface SignalParts {
  readonly asset: Asset
  readonly model: PriceModel
  readonly baseline: PriceModel
  readonly window: Window
  readonly horizonMinutes: number
  readonly now: number
  readonly strikes: ReadonlyArray<number>
  /** The plain volatility of an hour, as served. */
  readonly sigma1h: number
  readonly answer: Distribution
}

/** The textbook model on the same tape; none where it has no answer. */
const listAlternatives = (parts: SignalParts): ReadonlyArray<Alternative> => {
  const { baseline, window, horizonMinutes, now, strikes, answer } = parts
  const other = baseline.at(window, horizonMinutes, minuteOf(now))
  if (other === undefined) return []
  const apart = farthest(pAboveOf(other, strikes), pAboveOf(answer, strikes))
  return [
    {
      id: baseline.version,
      label: `Normal log returns with the plain volatility of the last two hours: sigma_ln ${other.sigmaLn.toPrecision(3)}`,
      score: 0,
      why: `The textbook model, baseline of the served one: no p_above differs by more than ${apart.toFixed(3)}.`,
    },
  ]
}

/** The same model on the tape with more volatility; no figures where it has no answer. */
const makeCounterfactual = (parts: SignalParts): Counterfactual => {
  const { model, window, horizonMinutes, now, strikes, sigma1h, answer } = parts
  const other = model.at({ ...window, closes: wilder(window) }, horizonMinutes, minuteOf(now))
  return {
    input: "realized_vol.sigma_1h",
    from: sigma1h,
    to: moreVolatility * sigma1h,
    ...(other === undefined
      ? { result: {}, delta: {} }
      : {
          result: { sigma_ln: other.sigmaLn },
          delta: {
            sigma_ln: other.sigmaLn - answer.sigmaLn,
            max_change_p_above: farthest(pAboveOf(other, strikes), pAboveOf(answer, strikes)),
          },
        }),
  }
}

export const makeExtras = (parts: SignalParts): Extras => ({
  alternatives: Effect.sync(() => listAlternatives(parts)),
  counterfactual: Effect.sync(() => makeCounterfactual(parts)),
  suggestions: [
    suggest("markets_edge", {}, "Contracts on which model and venue differ."),
    suggest("crypto_spot", { asset: parts.asset }, "Spot and plain volatility of the last two hours, free."),
  ],
})
