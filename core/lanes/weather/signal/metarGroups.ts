import { day, hour, minute } from "../../../time.ts"
import type { CodedExtremes, Extremes, Observation } from "../ports.ts"
import { maxTemperatureF, minTemperatureF } from "../reports/climateTable.ts"
import type { Span } from "./runningExtreme.ts"

const groupPattern = /^(?:([12])([01])(\d{3})|4([01])(\d{3})([01])(\d{3}))$/

/** Converts tenths of a degree Celsius with a sign digit. Rounding restores the thermometer's whole degrees Fahrenheit. */
const toFahrenheit = (sign: string, tenths: string): number =>
  Math.round(((sign === "1" ? -1 : 1) * Number(tenths) * 9) / 50 + 32)

const isPlausible = ({ high, low }: Extremes): boolean =>
  (high === undefined || (high >= minTemperatureF && high <= maxTemperatureF)) &&
  (low === undefined || (low >= minTemperatureF && low <= maxTemperatureF)) &&
  (high === undefined || low === undefined || low <= high)

/** Reads the temperature groups of a coded observation (METAR); a message without remarks has none. */
export const parseGroups = (message: string): CodedExtremes => {
  const remarks = / RMK (.*)$/s.exec(message)?.[1]
  if (remarks === undefined) return {}
  let sixHours: Extremes = {}
  let dayExtremes: Extremes | undefined
  for (const word of remarks.split(/\s+/)) {
    const match = groupPattern.exec(word)
    if (match === null) continue
    const [, kind, sign = "", tenths = "", highSign = "", highTenths = "", lowSign = "", lowTenths = ""] = match
    if (kind === "1") sixHours = { ...sixHours, high: toFahrenheit(sign, tenths) }
    else if (kind === "2") sixHours = { ...sixHours, low: toFahrenheit(sign, tenths) }
    else dayExtremes = { high: toFahrenheit(highSign, highTenths), low: toFahrenheit(lowSign, lowTenths) }
  }
  return {
    ...(Object.keys(sixHours).length > 0 && isPlausible(sixHours) ? { sixHours } : {}),
    ...(dayExtremes !== undefined && isPlausible(dayExtremes) ? { day: dayExtremes } : {}),
  }
}

const clockTolerance = minute
/** The day's group comes with an observation in the last hour of the day. */
const lastHour = hour

/** The parts of a climate day for which observations have groups. A group that begins before the day is ignored. */
export const toSpans = (readings: ReadonlyArray<Observation>, start: number): ReadonlyArray<Span> =>
  readings.flatMap(({ at, groups }) => {
    if (groups === undefined || at < start) return []
    const { sixHours, day: ofDay } = groups
    return [
      ...(sixHours !== undefined && at - 6 * hour >= start - clockTolerance
        ? [{ from: at - 6 * hour, to: at, ...sixHours }]
        : []),
      ...(ofDay !== undefined && at >= start + day - lastHour && at < start + day
        ? [{ from: start, to: at, ...ofDay }]
        : []),
    ]
  })
