import type { ClimatologyScores } from "./weatherClimatology.ts"
import type { StationScores } from "./weatherForecasts.ts"
import type { HourScores } from "./weatherSameDay.ts"

/** A figure and its limits: at most `must`, better `moonshot`, or within the two ends of `must`. */
export interface Bar {
  readonly name: string
  readonly value: number
  readonly must: number | readonly [low: number, high: number]
  readonly moonshot?: number
  /** Of a same-day answer against a truth that the served law itself drew: no measurement. */
  readonly isSelfConsistency?: true
}

export const verdictOf = ({ value, must, moonshot }: Bar): "MISSED" | "MUST" | "MOONSHOT" => {
  const met = typeof must === "number" ? value <= must : value >= must[0] && value <= must[1]
  if (!met) return "MISSED"
  return moonshot !== undefined && value <= moonshot ? "MOONSHOT" : "MUST"
}

const crps: Readonly<Record<string, readonly [must: number, moonshot: number]>> = {
  KNYC: [1.34, 1.2],
  KMIA: [0.98, 0.93],
  KMDW: [1.95, 1.8],
}

const forecastBars = ({ station, recalibrated }: StationScores): ReadonlyArray<Bar> => {
  const [must, moonshot] = crps[station]!
  return [
    { name: `${station} CRPS °F`, value: recalibrated.crps, must, moonshot },
    { name: `${station} c90`, value: recalibrated.c90, must: [0.87, 0.92] },
    { name: `${station} KS`, value: recalibrated.ks, must: 0.065, moonshot: 0.02 },
  ]
}

/** Mean ranked probability scores of the previous rule before noon, as served, on the same draws. */
const beforeNoon: Readonly<Record<"high" | "low", Readonly<Record<number, number>>>> = {
  high: { 7: 1.24, 8: 1.207, 9: 1.139, 10: 1.051, 11: 0.932 },
  low: { 7: 0.589, 8: 0.565, 9: 0.551, 10: 0.551, 11: 0.551 },
}

/** The probability that the final value goes beyond what is printed may differ so much from how often it does. */
const calibrated = 0.03
const evenings = [17, 22]

const extremeBars = (variable: "high" | "low", { hour, ...scores }: HourScores): ReadonlyArray<Bar> => {
  const { rps, beyond, happened, brier, constant } = scores[variable]
  const name = `same day ${variable} ${hour}:40`
  const before = beforeNoon[variable][hour]
  const bars: ReadonlyArray<Bar> = [
    ...(before === undefined ? [] : [{ name: `${name} RPS`, value: rps, must: before }]),
    ...(hour < 14 ? [] : [{ name: `${name} |P − came|`, value: Math.abs(beyond - happened), must: calibrated }]),
    ...(evenings.includes(hour) ? [{ name: `${name} Brier`, value: brier, must: constant }] : []),
  ]
  return bars.map((bar) => ({ ...bar, name: `self-consistency, ${bar.name}`, isSelfConsistency: true }))
}

const climatologyMust: Readonly<Record<string, number>> = { NYC: 4.2, MIA: 2.08, ORD: 5.4 }

/** All figures with a limit; `hours` of the truth that the served law draws. */
export const barsOf = (
  forecasts: ReadonlyArray<StationScores>,
  hours: ReadonlyArray<HourScores>,
  climatologies: ReadonlyArray<ClimatologyScores>,
): ReadonlyArray<Bar> => [
  ...forecasts.flatMap(forecastBars),
  ...(["high", "low"] as const).flatMap((variable) => hours.flatMap((hour) => extremeBars(variable, hour))),
  ...climatologies.flatMap(({ site, crps: value }) => {
    const must = climatologyMust[site]
    return must === undefined ? [] : [{ name: `climatology ${site} CRPS °F`, value, must }]
  }),
]
