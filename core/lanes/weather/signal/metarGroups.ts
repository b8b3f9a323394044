import { day, hour, minute } from "../../../time.ts"
import type { CodedExtremes, Extremes, Observation } from "../ports.ts"
import { coldest, hottest } from "../reports/climateTable.ts"
import type { Span } from "./runningExtreme.ts"

const form = /^(?:([12])([01])(\d{3})|4([01])(\d{3})([01])(\d{3}))$/

/** Tenths of a degree Celsius with a sign digit. The thermometer has whole degrees Fahrenheit, which rounding restores. */
const fahrenheit = (sign: string, tenths: string): number =>
  Math.round(((sign === "1" ? -1 : 1) * Number(tenths) * 9) / 50 + 32)

const isThinkable = ({ high, low }: Extremes): boolean =>
  (high === undefined || (high >= coldest && high <= hottest)) &&
  (low === undefined || (low >= coldest && low <= hottest)) &&
  (high === undefined || low === undefined || low <= high)

/**
 * Reads the temperature groups of a coded observation (METAR); a message without remarks, or of another form, has none.
 *
 * @example
 * ```ts
 * import { parseGroups } from "./metarGroups.ts"
 *
 * parseGroups("KNYC 091751Z AUTO 10SM CLR 23/12 A3005 RMK AO2 T02280122 10244 20183") // { sixHours: { high: 76, low: 65 } }
 * ```
 */
export const parseGroups = (message: string): CodedExtremes => {
  const remarks = / RMK (.*)$/s.exec(message)?.[1]
  if (remarks === undefined) return {}
  let sixHours: Extremes = {}
  let ofDay: Extremes | undefined
  for (const word of remarks.split(/\s+/)) {
    const match = form.exec(word)
    if (match === null) continue
    const [, kind, sign = "", tenths = "", highSign = "", highTenths = "", lowSign = "", lowTenths = ""] = match
    if (kind === "1") sixHours = { ...sixHours, high: fahrenheit(sign, tenths) }
    else if (kind === "2") sixHours = { ...sixHours, low: fahrenheit(sign, tenths) }
    else ofDay = { high: fahrenheit(highSign, highTenths), low: fahrenheit(lowSign, lowTenths) }
  }
  return {
    ...(Object.keys(sixHours).length > 0 && isThinkable(sixHours) ? { sixHours } : {}),
    ...(ofDay !== undefined && isThinkable(ofDay) ? { day: ofDay } : {}),
  }
}

/** Tolerance for clocks that differ. */
const slack = minute
/** The day's group comes with an observation of its last hour. */
const lastHour = hour

/** The parts of a climate day that the groups of its observations cover. A group that begins in the day before is ignored. */
export const spansOfGroups = (readings: ReadonlyArray<Observation>, start: number): ReadonlyArray<Span> =>
  readings.flatMap(({ at, groups }) => {
    if (groups === undefined || at < start) return []
    const { sixHours, day: ofDay } = groups
    return [
      ...(sixHours !== undefined && at - 6 * hour >= start - slack
        ? [{ from: at - 6 * hour, to: at, ...sixHours }]
        : []),
      ...(ofDay !== undefined && at >= start + day - lastHour && at < start + day
        ? [{ from: start, to: at, ...ofDay }]
        : []),
    ]
  })
