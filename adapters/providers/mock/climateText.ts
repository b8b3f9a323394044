import { monthNames } from "../../../core/lanes/weather/climateHeading.ts"
import { addDays, climateDayStart, type Station } from "../../../core/lanes/weather/stations.ts"
import { normal, uniform } from "./hash.ts"

/** Mean high and low of January and July in degrees Fahrenheit, wet days per hundred and the month of the warmest day. */
interface Climate {
  readonly january: readonly [number, number]
  readonly july: readonly [number, number]
  readonly wet: number
  readonly office: string
  readonly heading: string
  readonly zone: readonly [string, string]
}

/** Rounded from the 1991–2020 U.S. Climate Normals (NOAA, public domain): plausible, not official. */
const climates: Readonly<Record<string, Climate>> = {
  KNYC: { january: [40, 28], july: [85, 70], wet: 34, office: "KOKX", heading: "CDUS41", zone: ["EST", "EDT"] },
  KMDW: { january: [33, 20], july: [85, 68], wet: 34, office: "KLOT", heading: "CDUS43", zone: ["CST", "CDT"] },
  KMIA: { january: [76, 62], july: [91, 78], wet: 38, office: "KMFL", heading: "CDUS42", zone: ["EST", "EDT"] },
  KAUS: { january: [62, 39], july: [96, 73], wet: 23, office: "KEWX", heading: "CDUS44", zone: ["CST", "CDT"] },
  KLAX: { january: [66, 50], july: [75, 64], wet: 10, office: "KLOX", heading: "CDUS46", zone: ["PST", "PDT"] },
  KDEN: { january: [45, 18], july: [90, 60], wet: 21, office: "KBOU", heading: "CDUS45", zone: ["MST", "MDT"] },
  KPHL: { january: [41, 27], july: [88, 70], wet: 33, office: "KPHI", heading: "CDUS41", zone: ["EST", "EDT"] },
  KBOS: { january: [37, 24], july: [82, 67], wet: 35, office: "KBOX", heading: "CDUS41", zone: ["EST", "EDT"] },
  KHOU: { january: [64, 46], july: [94, 76], wet: 27, office: "KHGX", heading: "CDUS44", zone: ["CST", "CDT"] },
}

const headlines: Readonly<Record<string, string>> = {
  KNYC: "CENTRAL PARK NY",
  KMDW: "CHICAGO-MIDWAY",
  KMIA: "MIAMI FL",
  KAUS: "AUSTIN BERGSTROM",
  KLAX: "LOS ANGELES INTL AIRPORT CA",
  KDEN: "DENVER CO",
  KPHL: "PHILADELPHIA PA",
  KBOS: "BOSTON MA",
  KHOU: "HOUSTON/HOBBY AIRPORT",
}

const dayOfYear = (day: string): number =>
  (Date.parse(`${day}T00:00:00Z`) - Date.parse(`${day.slice(0, 4)}-01-01T00:00:00Z`)) / 86_400_000

/** 0 in mid-January, 1 in mid-July. */
const season = (day: string): number => (1 - Math.cos((2 * Math.PI * (dayOfYear(day) - 15)) / 365.25)) / 2

const between = ([low, high]: readonly [number, number], share: number): number => low + (high - low) * share

/** Weather persists: a weighted sum of the last days' shocks, so that any day stands on its own. */
const anomaly = (station: string, day: string): number => {
  let sum = 0
  for (let lag = 0; lag < 5; lag++) sum += 0.6 ** lag * normal(station, addDays(day, -lag), "shock")
  // Winters vary more than summers. 0.8 = sqrt(1 − 0.6²) makes the sum's deviation about one.
  return sum * 0.8 * (8.5 - 4 * season(day))
}

interface Values {
  readonly high: number
  readonly low: number
  readonly highMinute: number
  readonly lowMinute: number
  readonly precip: number | "T" | "MM"
  readonly snow: number | "T" | "MM"
  readonly estimated: boolean
}

/** What one climate day was like. */
const valuesOf = (station: Station, day: string): Values => {
  const climate = climates[station.id]!
  const share = season(day)
  const [usualHigh, usualLow] = [0, 1].map((side) => between([climate.january[side]!, climate.july[side]!], share)) as [
    number,
    number,
  ]
  const wet = uniform(station.id, day, "wet") < climate.wet / 100
  const shift = anomaly(station.id, day) - (wet ? 2 : 0)
  const high = Math.round(usualHigh + shift + 1.5 * normal(station.id, day, "high"))
  const low = Math.min(high, Math.round(usualLow + 0.8 * shift + 2 * normal(station.id, day, "low")))
  const inches = wet ? Math.round(-35 * Math.log(uniform(station.id, day, "rain"))) / 100 : 0
  const odd = uniform(station.id, day, "odd")
  const cold = high + low < 66
  const trace = wet && inches === 0
  return {
    high,
    low,
    highMinute: Math.max(0, Math.min(1439, Math.round(14.8 * 60 + 70 * normal(station.id, day, "peak")))),
    lowMinute: Math.max(0, Math.min(1439, Math.round(5.8 * 60 + 60 * normal(station.id, day, "dawn")))),
    precip: odd < 0.004 ? "MM" : trace ? "T" : inches,
    snow: odd > 0.996 ? "MM" : cold && trace ? "T" : cold ? Math.round(inches * 100) / 10 : 0,
    estimated: odd > 0.5 && odd < 0.503,
  }
}

const weekdays = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"]

const clock = (minute: number): string => {
  const hour = Math.floor(minute / 60)
  return `${((hour + 11) % 12) + 1}${String(minute % 60).padStart(2, "0")} ${hour < 12 ? "AM" : "PM"}`
}

/** Value right-aligned under OBSERVED, the time under TIME; a mark such as (E) follows the value. */
const row = (label: string, value: number, mark: string, time: string): string =>
  `  ${label.padEnd(14)}${String(value).padStart(4)}${mark}${time.padStart(Math.max(10 - mark.length, time.length + 1))}`

const amount = (value: number | "T" | "MM", digits: number): string =>
  typeof value === "number" ? value.toFixed(digits).padStart(7) : value === "T" ? "   T   " : "  MM   "

/** One formatter a zone: making one takes longer than everything else in a text. */
const zones = new Map<string, Intl.DateTimeFormat>()
const zoneOf = (timeZone: string): Intl.DateTimeFormat => {
  const known = zones.get(timeZone) ?? new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" })
  zones.set(timeZone, known)
  return known
}

/** The office's clock: standard time, or daylight time from March to November as the zone keeps it. */
const local = (station: Station, at: number): { readonly shifted: Date; readonly zone: string } => {
  const standard = climates[station.id]!.zone
  const offset = zoneOf(station.tz)
    .formatToParts(at)
    .find((part) => part.type === "timeZoneName")!.value
  const hours = Number(/GMT([+-]\d{2})/.exec(offset)![1])
  return { shifted: new Date(at + hours * 3_600_000), zone: standard[hours === station.standardOffset ? 0 : 1] }
}

export type Kind = "preliminary" | "final" | "correction"

/** When a product of this kind is issued: about 16:30 local standard time, 01:20 of the next day, and 08:40 of the next day. */
export const issuedAt = (station: Station, day: string, kind: Kind): number => {
  const minute = { preliminary: 16.5 * 60, final: 25 * 60 + 20, correction: 32 * 60 + 40 }[kind]
  return climateDayStart(station, day) + (minute + Math.floor(25 * uniform(station.id, day, kind, "issued"))) * 60_000
}

/** Whether the mock office found an error in the first final report of a day. */
export const isCorrected = (station: Station, day: string): boolean => uniform(station.id, day, "corrected") < 0.02

/**
 * The text product that a mock office issues for a climate day, in the layout of the real ones. Deterministic per
 * station, day and kind; the first final of a corrected day is wrong by one to three degrees.
 */
export const textOf = (station: Station, day: string, kind: Kind): string => {
  const climate = climates[station.id]!
  const values = valuesOf(station, day)
  const at = issuedAt(station, day, kind)
  const { shifted, zone } = local(station, at)
  const label = kind === "preliminary" ? "TODAY" : "YESTERDAY"
  // By the afternoon the day's high may not be in, and rain may still fall.
  const early = kind === "preliminary" ? Math.round(Math.max(0, 1.2 * normal(station.id, day, "early"))) : 0
  const wrong =
    kind === "final" && isCorrected(station, day) ? 1 + Math.floor(3 * uniform(station.id, day, "error")) : 0
  const mark = values.estimated ? "(E)" : ""
  const utc = new Date(at).toISOString()
  const date = `${monthNames[Number(day.slice(5, 7)) - 1]} ${Number(day.slice(8))} ${day.slice(0, 4)}`
  const issue = `${clock(shifted.getUTCHours() * 60 + shifted.getUTCMinutes())} ${zone} ${weekdays[shifted.getUTCDay()]} ${monthNames[shifted.getUTCMonth()]!.slice(0, 3)} ${String(shifted.getUTCDate()).padStart(2, "0")} ${shifted.getUTCFullYear()}`
  return [
    "000",
    `${climate.heading} ${climate.office} ${utc.slice(8, 10)}${utc.slice(11, 13)}${utc.slice(14, 16)}${kind === "correction" ? " CCA" : ""}`,
    station.cliProduct,
    "",
    "CLIMATE REPORT",
    "MOCK WEATHER SERVICE",
    issue,
    "",
    "...................................",
    "",
    `...THE ${headlines[station.id]} CLIMATE SUMMARY FOR ${date}${kind === "correction" ? " CORRECTION" : ""}...`,
    ...(kind === "preliminary" ? ["VALID TODAY AS OF 0400 PM LOCAL TIME."] : []),
    "",
    "CLIMATE NORMAL PERIOD 1991 TO 2020",
    "",
    "WEATHER ITEM   OBSERVED TIME   RECORD YEAR NORMAL DEPARTURE LAST",
    "                VALUE   (LST)  VALUE       VALUE  FROM      YEAR",
    "                                                  NORMAL",
    "...................................................................",
    "TEMPERATURE (F)",
    ` ${label}`,
    row("MAXIMUM", Math.max(values.high - early - wrong, values.low), mark, clock(values.highMinute)),
    row("MINIMUM", values.low, mark, clock(values.lowMinute)),
    "",
    "PRECIPITATION (IN)",
    `  ${label.padEnd(14)}${amount(values.precip, 2)}`,
    "",
    "SNOWFALL (IN)",
    `  ${label.padEnd(14)}${amount(values.snow, 1)}`,
    "",
    "$$",
    "",
  ].join("\n")
}
