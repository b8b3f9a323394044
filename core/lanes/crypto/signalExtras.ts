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

/** The changed inputs: a tape with a tenth more volatility, and one that stands higher by the expected move. */
const moreVolatility = 1.1
const moreSpotOf = ({ sigmaLn }: Distribution): number => 1 + sigmaLn

/** The tape with every log return multiplied; its last close stays. */
const wilder = ({ closes }: Window): Float64Array => {
  const last = closes.at(-1)!
  return closes.map((close) => last * (close / last) ** moreVolatility)
}

/** The tape with every price multiplied; its returns stay. */
const higher = ({ closes }: Window, by: number): Float64Array => closes.map((close) => close * by)

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

/** The same model on the tape with more volatility, and on the tape at a higher price. */
const makeCounterfactual = (parts: SignalParts): Counterfactual => {
  const { model, window, horizonMinutes, now, strikes, sigma1h, answer } = parts
  const served = pAboveOf(answer, strikes)
  const moreSpot = moreSpotOf(answer)
  const answers = [["volatility", wilder(window)] as const, ["spot", higher(window, moreSpot)] as const].flatMap(
    ([name, closes]) => {
      const other = model.at({ ...window, closes }, horizonMinutes, minuteOf(now))
      return other === undefined ? [] : [{ name, other, p_above: pAboveOf(other, strikes) }]
    },
  )
  return {
    input: "realized_vol.sigma_1h and spot, each changed alone",
    from: { volatility: sigma1h, spot: answer.spot },
    to: { volatility: moreVolatility * sigma1h, spot: moreSpot * answer.spot },
    result: Object.fromEntries(
      answers.map(({ name, other, p_above }) => [name, { spot: other.spot, sigma_ln: other.sigmaLn, p_above }]),
    ),
    delta: Object.fromEntries(
      answers.map(({ name, other, p_above }) => [
        name,
        { sigma_ln: other.sigmaLn - answer.sigmaLn, max_change_p_above: farthest(p_above, served) },
      ]),
    ),
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
