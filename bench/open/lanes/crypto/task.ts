import * as Schema from "effect/Schema"
import { BoundedMap } from "../../../../core/BoundedMap.ts"
import { getOrMake } from "../../../../core/getOrMake.ts"
import type { History } from "../../../../core/History.ts"
import { blendT2, lognormal120, type PriceModel } from "../../../../core/lanes/crypto/distribution.ts"
import {
  type Close,
  type CryptoQuestion,
  dayMinutes,
  dayVolatility,
  LogReturn,
  makeStrikes,
  toFacts,
} from "../../../../core/lanes/crypto/ownModel.ts"
import type { Closes } from "../../../../core/lanes/crypto/volatility.ts"
import type { Forecaster, Model } from "../../../../core/Model.ts"
import { mean } from "../../../../core/math/mean.ts"
import * as normal from "../../../../core/math/normal.ts"
import type { Pit } from "../../../../core/math/pit.ts"
import { brier, crpsNormal, crpsStudentT, logScore } from "../../../../core/math/score.ts"
import * as studentT from "../../../../core/math/studentT.ts"
import { byHour, partLabel } from "../../../../core/record/scoreboard/divisions.ts"
import { iso, minute as minuteMs } from "../../../../core/time.ts"
import { thirds } from "../../compare/divisions.ts"
import type { Case, Division, Entrant, Fields, Input, Measure, Occurrence, Task } from "../../compare/Task.ts"
import { blendT1 } from "./hourly.ts"

/** A tape of closes, as a file has it. */
export interface Archive extends Required<Closes> {
  readonly asset: string
  readonly input: Input
}

const probability = Schema.Number.pipe(Schema.between(0, 1))

/** The probabilities that the price is above each strike. */
const Above = Schema.Struct({
  pAbove: Schema.Array(probability).pipe(
    Schema.filter((all) => all.every((p, at) => at === 0 || p <= all[at - 1]!) || "rises with the strike"),
  ),
})

export const CryptoForecast = Schema.Union(Above, LogReturn)
export type CryptoForecast = typeof CryptoForecast.Type

/** The function of a custom model. */
export type CryptoForecaster = Forecaster<CryptoQuestion, Close, CryptoForecast>
export type CryptoModel = Model<CryptoQuestion, Close, CryptoForecast>
export type CryptoTask = Task<CryptoQuestion, Close, CryptoForecast, number>

/** Minutes ahead. */
export const horizons: ReadonlyArray<number> = [5, 15, 60, 240, 1440]

/** Probabilities are cut off here before their logarithm. */
const clip = 1e-4
/** The longest window of the served model, minutes. */
const memory = 10_085

const groupOf = (horizonMinutes: number): string => `${horizonMinutes} minutes`

/**
 * The questions of a tape. Origins are 5 minutes apart (15 on five-minute bars), from 24 hours after the first candle on,
 * wherever the bar and the bar at the horizon have a close. A day of UTC is a cluster, two days for 24 hours ahead.
 */
const casesOf = ({
  asset,
  closes,
  lastMinute,
  minutesPerBar,
}: Archive): ReadonlyArray<Case<CryptoQuestion, number>> => {
  const firstMinute = lastMinute - (closes.length - 1) * minutesPerBar
  const day = dayMinutes / minutesPerBar
  const stride = minutesPerBar === 1 ? 5 : 3
  const cases: Array<Case<CryptoQuestion, number>> = []
  for (let at = day; at < closes.length; at += stride) {
    const spot = closes[at]!
    const unit = dayVolatility(closes.subarray(0, at + 1), minutesPerBar)
    if (!(spot > 0 && unit > 0)) continue
    const minute = firstMinute + at * minutesPerBar
    const now = (minute + minutesPerBar) * minuteMs
    for (const horizonMinutes of horizons) {
      const outcome = closes[at + horizonMinutes / minutesPerBar]
      if (outcome === undefined || !(outcome > 0)) continue
      const perBlock = dayMinutes * (horizonMinutes >= dayMinutes ? 2 : 1)
      cases.push({
        id: `${asset}/${horizonMinutes}/${iso(now)}`,
        at: now,
        cluster: String(Math.floor(minute / perBlock)),
        groups: [groupOf(horizonMinutes)],
        question: {
          now,
          horizonMinutes,
          minutesPerBar,
          spot,
          strikes: makeStrikes(spot, unit, horizonMinutes),
        },
        outcome,
      })
    }
  }
  return cases
}

/** The closes known so far as a window of bars, kept from question to question. */
const windows = () => {
  let closes = new Float64Array(1 << 12).fill(Number.NaN)
  let first: number | undefined
  let learned = 0
  return (history: History<Close>, minutesPerBar: 1 | 5): Closes => {
    for (const { minute, close } of history.since(learned)) {
      first ??= minute
      const at = (minute - first) / minutesPerBar
      while (at >= closes.length) {
        const longer = new Float64Array(closes.length * 2).fill(Number.NaN)
        longer.set(closes)
        closes = longer
      }
      closes[at] = close
    }
    learned = history.length
    const lastMinute = history.at(-1)!.minute
    const last = (lastMinute - first!) / minutesPerBar
    return {
      closes: closes.subarray(Math.max(0, last + 1 - memory / minutesPerBar), last + 1),
      lastMinute,
      minutesPerBar,
    }
  }
}

/** A model of prices, as the lane serves it, on the bench. */
export const benched = ({ version, at }: PriceModel): CryptoModel => ({
  name: version,
  version,
  start: () => {
    const windowOf = windows()
    return ({ now, horizonMinutes, minutesPerBar }, history) => {
      const law = at(windowOf(history, minutesPerBar), horizonMinutes, now)
      return law === undefined ? undefined : { scale: law.scale, nu: law.nu }
    }
  },
})

const isLaw = (forecast: CryptoForecast): forecast is typeof LogReturn.Type => "scale" in forecast

/** The distribution function of a standard law; those of a degree of freedom are made once. */
const standards = new BoundedMap<number, ReturnType<typeof makeStandard>>(64)
const makeStandard = (nu: number) => {
  const t = studentT.make(nu)
  return Number.isFinite(nu) ? { cdf: t.cdf, crps: crpsStudentT(t) } : { cdf: normal.cdf, crps: crpsNormal }
}
const standardOf = (nu: number) => getOrMake(standards, nu, makeStandard)

/** P(price > strike) for each strike. */
export const above = (
  forecast: CryptoForecast,
  { spot, strikes }: Pick<CryptoQuestion, "spot" | "strikes">,
): ReadonlyArray<number> => {
  if (!isLaw(forecast)) return forecast.pAbove
  const { scale, nu = Number.POSITIVE_INFINITY, location = 0 } = forecast
  const { cdf } = standardOf(nu)
  return strikes.map((strike) => {
    const distance = Math.log(spot / strike) + location
    return scale > 0 ? cdf(distance / scale) : distance > 0 ? 1 : 0
  })
}

const overStrikes =
  (score: (p: number, happened: boolean) => number) =>
  (forecast: CryptoForecast, price: number, question: CryptoQuestion): number =>
    mean(above(forecast, question).map((p, at) => score(p, price > question.strikes[at]!)))

export const scores: Readonly<Record<"brier" | "log" | "crps", Measure<CryptoQuestion, CryptoForecast, number>>> = {
  brier: { name: "Brier", unit: "", better: "lower", score: overStrikes(brier) },
  log: { name: "log score", unit: "nats", better: "lower", score: overStrikes((p, came) => logScore(p, came, clip)) },
  crps: {
    name: "CRPS",
    unit: "bp of log return",
    better: "lower",
    score: (forecast, price, { spot }) => {
      if (!isLaw(forecast)) return undefined
      const { scale, nu = Number.POSITIVE_INFINITY, location = 0 } = forecast
      const off = Math.log(price / spot) - location
      return 1e4 * (scale > 0 ? scale * standardOf(nu).crps(off / scale) : Math.abs(off))
    },
  },
}

const pit = (forecast: CryptoForecast, price: number, { spot }: CryptoQuestion): Pit | undefined => {
  if (!isLaw(forecast) || forecast.scale === 0) return undefined
  const { scale, nu = Number.POSITIVE_INFINITY, location = 0 } = forecast
  const p = standardOf(nu).cdf((Math.log(price / spot) - location) / scale)
  return { low: p, high: p }
}

/** Of the last 24 hours, per square root of a minute: the strikes are spaced by it. */
const volatility = ({ spot, strikes, horizonMinutes }: CryptoQuestion): number =>
  Math.log(strikes.at(-1)! / spot) / Math.sqrt(horizonMinutes)

const byVolatility: Division<CryptoQuestion, CryptoForecast, number> = (cases) => {
  const third = thirds(cases.map(({ question }) => volatility(question)))
  return ({ question }) => third(volatility(question))
}

const occurrences = (forecast: CryptoForecast, price: number, question: CryptoQuestion): ReadonlyArray<Occurrence> =>
  above(forecast, question).map((p, at) => ({ p, happened: price > question.strikes[at]! }))

const entrants: ReadonlyArray<Entrant<CryptoQuestion, Close, CryptoForecast>> = [
  { kind: "served", model: benched(blendT2) },
  { kind: "baseline", model: benched(blendT1) },
  { kind: "baseline", model: benched(lognormal120) },
]

export const cryptoQuestion: Fields<CryptoQuestion> = {
  now: true,
  horizonMinutes: true,
  minutesPerBar: true,
  spot: true,
  strikes: true,
}

/**
 * The price of an asset 5 minutes to 24 hours ahead: the served model, the one before it and the plain lognormal one at the
 * same origins and strikes.
 */
export const cryptoTask = (archive: Archive): CryptoTask => ({
  lane: "crypto",
  event: "the price is above the strike",
  inputs: [archive.input],
  facts: toFacts(archive),
  cases: casesOf(archive),
  groups: horizons.map(groupOf),
  entrants,
  measures: Object.values(scores),
  occurrences,
  pit,
  divisions: {
    hour:
      () =>
      ({ at }) =>
        partLabel(byHour, at),
    volatility: byVolatility,
  },
  forecast: CryptoForecast,
  question: cryptoQuestion,
  columns: ["scale", "nu", "location"],
})
