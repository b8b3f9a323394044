import type { ClimatologyScores } from "./weatherClimatology.ts"
import type { StationScores } from "./weatherForecasts.ts"
import type { HourScores } from "./weatherSameDay.ts"

/** A figure and its limits: at most `must`, better `moonshot`, or within the two ends of `must`. */
export interface Bar {
  readonly name: string
  readonly value: number
  readonly must: number | readonly [low: number, high: number]
  readonly moonshot?: number
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

/** The rule's scores at its fitting, by hour: mean ranked probability scores on the same readings. */
const fittedRps: Readonly<Record<number, number>> = {
  7: 0.99,
  8: 0.94,
  9: 0.89,
  10: 0.83,
  11: 0.73,
  12: 0.58,
  13: 0.4,
  14: 0.28,
  15: 0.17,
  16: 0.12,
  17: 0.09,
  18: 0.07,
  20: 0.05,
}

const climatologyMust: Readonly<Record<string, number>> = { NYC: 4.2, MIA: 2.08, ORD: 5.4 }

/** All figures with a limit. */
export const barsOf = (
  forecasts: ReadonlyArray<StationScores>,
  hours: ReadonlyArray<HourScores>,
  climatologies: ReadonlyArray<ClimatologyScores>,
): ReadonlyArray<Bar> => [
  ...forecasts.flatMap(forecastBars),
  ...hours.map(({ hour, rps }) => ({
    name: `same day ${hour} h RPS`,
    value: rps.rule,
    must: 1.05 * fittedRps[hour]!,
    moonshot: 0.9 * fittedRps[hour]!,
  })),
  ...climatologies.flatMap(({ site, crps: value }) => {
    const must = climatologyMust[site]
    return must === undefined ? [] : [{ name: `climatology ${site} CRPS °F`, value, must }]
  }),
]
