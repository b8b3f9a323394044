import { monthNames } from "../../../../core/lanes/weather/reports/climateHeading.ts"
import { byId, climateDayStart, type Station } from "../../../../core/lanes/weather/stations.ts"
import { hour, iso, minute } from "../../../../core/time.ts"
import { memoize } from "../../mock/draws.ts"
import { uniform } from "../../mock/hash.ts"
import { dailyExtremes, dailyNormals, drawPrecipitation } from "./climate.ts"
import { nearestOffice } from "./offices.ts"

/** By place. */
const issuingOffice = memoize((id: string): string => `K${nearestOffice(byId.get(id)!.coordinates).id}`)

/** Irregular values in a mock report, each on one day in 350. */
const oddities = [
  "high_missing",
  "low_missing",
  "temperatures_estimated",
  "precip_missing",
  "precip_estimated",
  "precip_annotated",
  "snow_missing",
  "snow_estimated",
  "snow_annotated",
] as const

type Oddity = (typeof oddities)[number]

const drawOddity = (id: string, day: string): Oddity | undefined => oddities[Math.floor(350 * uniform(id, day, "odd"))]

const weekdays = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"]

const clock = (minute: number): string => {
  const hour = Math.floor(minute / 60)
  return `${((hour + 11) % 12) + 1}${String(minute % 60).padStart(2, "0")} ${hour < 12 ? "AM" : "PM"}`
}

/** The value right-aligned under OBSERVED with its mark after it, the time under TIME, the normal under NORMAL. */
const row = (label: string, value: number | "MM", mark: string, minute: number, normal: number): string => {
  const observed = `  ${label.padEnd(14)}${String(value).padStart(4)}${value === "MM" ? "" : mark}`
  const time = value === "MM" ? "" : clock(minute)
  const columns = `${observed}${time.padStart(Math.max(30 - observed.length, time.length + 1))}`
  return `${columns.padEnd(43)}${String(Math.round(normal)).padStart(4)}`
}

/** Inches with a number of digits; a smaller amount than can be printed is a trace. */
const amount = (label: string, inches: number, digits: number, mark: string): string => {
  const least = 0.5 / 10 ** digits
  const text = mark === "MM" ? mark : `${inches > 0 && inches < least ? "T" : inches.toFixed(digits)}${mark}`
  return `  ${label.padEnd(14)}${text.padStart(8)}`
}

const amountMark = (item: "precip" | "snow", oddity: Oddity | undefined, isRecord: boolean): string =>
  oddity === `${item}_missing`
    ? "MM"
    : `${isRecord ? "R" : ""}${oddity === `${item}_estimated` ? "E" : ""}${oddity === `${item}_annotated` ? "*" : ""}`

/** One formatter a zone: making one takes longer than the rest of a text. */
const clockFormat = memoize((timeZone: string) => new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "short" }))

/** The abbreviation of the zone's current time, and its hours from UTC. */
const localTime = ({ tz, standardOffset }: Station, at: number) => {
  const zone = clockFormat(tz)
    .formatToParts(at)
    .find(({ type }) => type === "timeZoneName")!.value
  return { zone, hours: standardOffset + (/DT$/.test(zone) ? 1 : 0) }
}

export type Kind = "preliminary" | "final" | "correction"

/** Issue time by kind, local standard time: about 16:30, 01:20 of the next day, 08:40 of the next day. */
export const issuedAt = (station: Station, day: string, kind: Kind): number => {
  const clockMinute = { preliminary: 16.5 * 60, final: 25 * 60 + 20, correction: 32 * 60 + 40 }[kind]
  return (
    climateDayStart(station, day) + (clockMinute + Math.floor(25 * uniform(station.id, day, kind, "issued"))) * minute
  )
}

/** Whether the mock office found an error in the first final report of a day. */
export const isCorrected = (station: Station, day: string): boolean => uniform(station.id, day, "corrected") < 0.02

/** The block from TEMPERATURE to SNOWFALL, measured up to a minute of the climate day. */
const table = (station: Station, day: string, kind: Kind, until: number): ReadonlyArray<string> => {
  const { id } = station
  const label = kind === "preliminary" ? "TODAY" : "YESTERDAY"
  const extremes = dailyExtremes(station, day, until)
  const usual = dailyNormals(station, day)
  const rain = drawPrecipitation(station, day)
  const inches = kind === "preliminary" ? rain.inches * uniform(id, day, "by the afternoon") : rain.inches
  const snow = rain.snow ? 10 * inches : 0
  const oddity = drawOddity(id, day)
  const corrected = isCorrected(station, day)
  const wrong = kind === "final" && corrected ? 1 + Math.floor(3 * uniform(id, day, "error")) : 0
  const estimated = oddity === "temperatures_estimated" ? "(E)" : ""
  const hot = extremes.highF >= usual.highF + 2.4 * usual.deviationF ? "R" : ""
  const cold = extremes.lowF <= usual.lowF - 2.2 * usual.deviationF ? "R" : ""
  // A correction replaces a wrong value, never a missing one.
  const high = oddity === "high_missing" && !corrected ? "MM" : Math.max(extremes.highF - wrong, extremes.lowF)
  const low = oddity === "low_missing" && !corrected ? "MM" : extremes.lowF
  return [
    "TEMPERATURE (F)",
    ` ${label}`,
    row("MAXIMUM", high, `${hot}${estimated}`, extremes.highMinute, usual.highF),
    row("MINIMUM", low, `${cold}${estimated}`, extremes.lowMinute, usual.lowF),
    "",
    "PRECIPITATION (IN)",
    amount(label, inches, 2, amountMark("precip", oddity, inches >= 1.6)),
    "",
    "SNOWFALL (IN)",
    amount(label, snow, 1, amountMark("snow", oddity, snow >= 8)),
  ]
}

/**
 * The text product that a mock office issues for a climate day, in the layout of the real ones. Deterministic per
 * station, day and kind. The first final report of a corrected day is wrong by one to three degrees; a preliminary
 * report is measured up to four in the afternoon.
 */
export const printReport = (station: Station, day: string, kind: Kind): string => {
  const issued = issuedAt(station, day, kind)
  const { zone, hours } = localTime(station, issued)
  const shifted = new Date(issued + hours * hour)
  const until = kind === "preliminary" ? (16 - (hours - station.standardOffset)) * 60 : 1439
  const utc = iso(issued)
  const date = `${monthNames[Number(day.slice(5, 7)) - 1]} ${Number(day.slice(8))} ${day.slice(0, 4)}`
  const issue = `${clock(shifted.getUTCHours() * 60 + shifted.getUTCMinutes())} ${zone} ${weekdays[shifted.getUTCDay()]} ${monthNames[shifted.getUTCMonth()]!.slice(0, 3)} ${String(shifted.getUTCDate()).padStart(2, "0")} ${shifted.getUTCFullYear()}`
  return [
    "000",
    `CDUS4${[1, 4, 5][-5 - station.standardOffset] ?? 6} ${issuingOffice(station.id)} ${utc.slice(8, 10)}${utc.slice(11, 13)}${utc.slice(14, 16)}${kind === "correction" ? " CCA" : ""}`,
    station.cliProduct,
    "",
    "CLIMATE REPORT",
    "MOCK WEATHER SERVICE",
    issue,
    "",
    "...................................",
    "",
    `...THE ${station.headline} ${station.state} CLIMATE SUMMARY FOR ${date}${kind === "correction" ? " CORRECTION" : ""}...`,
    ...(kind === "preliminary" ? ["VALID TODAY AS OF 0400 PM LOCAL TIME."] : []),
    "",
    "CLIMATE NORMAL PERIOD 1991 TO 2020",
    "",
    "WEATHER ITEM   OBSERVED TIME   RECORD YEAR NORMAL DEPARTURE LAST",
    "                VALUE   (LST)  VALUE       VALUE  FROM      YEAR",
    "                                                  NORMAL",
    "...................................................................",
    ...table(station, day, kind, until),
    "",
    "$$",
    "",
  ].join("\n")
}
