import * as Data from "effect/Data"
import * as Either from "effect/Either"
import { ifDefined } from "../../../ifDefined.ts"
import {
  catchRejection,
  type HeadingLines,
  parseHeading,
  parseIssueDay,
  readValidity,
  reject,
  type Section,
  splitLines,
  splitSections,
  toIdStamp,
  toIssueTime,
} from "./climateHeading.ts"
import {
  type AmountMark,
  findColumns,
  maxPrecipIn,
  maxSnowIn,
  type Reading,
  readAmount,
  readTemperatures,
  type TemperatureMark,
} from "./climateTable.ts"

/**
 * `preliminary`: not the final report of its day. `correction`: issued as a correction. `*_missing`: the report prints M or
 * MM, or omits the item from a block that it has. `*_trace`: less than can be measured; the number is 0. `*_record` (R): the
 * day's record was set or tied. `*_estimated` (E): an estimate. `*_annotated` (asterisk): explained in the report's remarks.
 */
export type QualityFlag =
  | "preliminary"
  | "correction"
  | `${"high" | "low"}_${TemperatureMark}`
  | `${"precip" | "snow"}_${AmountMark}`

/** One station's report of one climate day (local standard midnight to midnight, also in summer). */
export interface ClimateReport {
  /** Name of the station in the headline, without THE, e.g. `CENTRAL PARK NY`. */
  readonly station: string
  /** The climate day, YYYY-MM-DD, from the headline: the issue date says little, as a correction may come weeks later. */
  readonly day: string
  /** `final`: issued after the climate day, about YESTERDAY, without a VALID AS OF line. Only such a report settles. */
  readonly status: "final" | "preliminary"
  /** End of the period that a preliminary report covers, local time as printed: `0400 PM`. */
  readonly validAsOf?: string
  readonly correction: boolean
  /** Highest temperature of the day, whole degrees Fahrenheit, verbatim. */
  readonly highF?: number
  /** Lowest temperature of the day, whole degrees Fahrenheit, verbatim. */
  readonly lowF?: number
  /** Local standard time of the high, as printed: `347 PM`, `3:38 PM`, `0714 PM`. Absent if the high is. */
  readonly highTimeLocal?: string
  /** Local standard time of the low, as printed. Absent if the low is. */
  readonly lowTimeLocal?: string
  /** Inches of water; a trace is 0. Absent, without a flag, if the report has no such block. */
  readonly precipIn?: number
  /** Inches of snow that fell, never the depth on the ground; a trace is 0. Absent, without a flag, as above. */
  readonly snowIn?: number
  /** Sorted, without repetitions. */
  readonly flags: ReadonlyArray<QualityFlag>
}

/** One text product of an office, with a report per station in printed order. */
export interface ClimateProduct {
  /** Issue time (UTC), office, WMO heading, AWIPS id and amendment: `202607090626-KOKX-CDUS41-CLINYC`. */
  readonly productId: string
  /** Time of the WMO heading, epoch milliseconds. */
  readonly issuedAt: number
  /** The local day on the office's issue line, YYYY-MM-DD. If it was typed by hand, it may contradict `issuedAt`. */
  readonly issuedLocalDay: string
  /** CCCC, e.g. `KOKX`. */
  readonly office: string
  /** TTAAII, e.g. `CDUS41`. */
  readonly heading: string
  /** E.g. `CLINYC`. */
  readonly awipsId: string
  /** BBB: `CCA` a correction, `RRA` delayed, `AAA` an addition. */
  readonly amendment?: string
  readonly reports: ReadonlyArray<ClimateReport>
}

/** Why a text was rejected: the reason, the number of the line (from 1), and the line, cut at 120 characters. */
export class ClimateReportError extends Data.TaggedError("ClimateReportError")<{
  readonly reason: string
  readonly line: number
  readonly text: string
}> {
  override get message(): string {
    return `Line ${this.line}: ${this.reason}`
  }
}

const maxTextBytes = 65_536

const listFlags = <Item extends string, M extends string>(
  item: Item,
  reading: Reading<M> | undefined,
): ReadonlyArray<`${Item}_${M}`> =>
  reading === undefined ? [] : reading.marks.map((mark) => `${item}_${mark}` as const)

export const isHighBelowLow = (high: Reading<string>, low: Reading<string>): boolean =>
  high.value !== undefined && low.value !== undefined && high.value < low.value

/** The readings of a report, with what its headline and its issue time say about it. */
interface ReportReadings extends Pick<ClimateReport, "station" | "day" | "correction"> {
  readonly isFinal: boolean
  readonly validAsOf?: string | undefined
  readonly high: Reading<TemperatureMark>
  readonly low: Reading<TemperatureMark>
  readonly precip: Reading<AmountMark> | undefined
  readonly snow: Reading<AmountMark> | undefined
}

export const makeReport = (readings: ReportReadings): ClimateReport => {
  const { station, day, isFinal, validAsOf, correction, high, low, precip, snow } = readings
  const flags: Array<QualityFlag> = [
    ...listFlags("high", high),
    ...listFlags("low", low),
    ...listFlags("precip", precip),
    ...listFlags("snow", snow),
  ]
  if (correction) flags.push("correction")
  if (!isFinal) flags.push("preliminary")
  return {
    station,
    day,
    status: isFinal ? "final" : "preliminary",
    ...ifDefined("validAsOf", validAsOf),
    correction,
    ...ifDefined("highF", high.value),
    ...ifDefined("lowF", low.value),
    ...ifDefined("highTimeLocal", high.time),
    ...ifDefined("lowTimeLocal", low.time),
    ...ifDefined("precipIn", precip?.value),
    ...ifDefined("snowIn", snow?.value),
    flags: flags.sort(),
  }
}

const readSection = (
  lines: HeadingLines,
  { headline, table, end }: Section,
  corrected: boolean,
  issuedLocalDay: string,
): ClimateReport => {
  const validity = readValidity(lines, headline.end, table)
  const columns = findColumns(lines, table)
  const temperatures = readTemperatures(lines, table, end, columns)
  const precip = readAmount(lines, "PRECIPITATION", temperatures, columns, maxPrecipIn)
  const snow = readAmount(lines, "SNOWFALL", temperatures, columns, maxSnowIn)
  const { high, low, highAt } = temperatures
  if (isHighBelowLow(high, low)) reject("The maximum is below the minimum.", highAt)
  return makeReport({
    station: headline.station,
    day: headline.day,
    high,
    low,
    precip,
    snow,
    isFinal: temperatures.label === "YESTERDAY" && validity === undefined && issuedLocalDay > headline.day,
    validAsOf: validity?.asOf,
    correction: corrected || headline.correction,
  })
}

const toProduct = (lines: HeadingLines): ClimateProduct => {
  const { heading, office, dayHourMinute, amendment, awipsId, awipsAt } = parseHeading(lines)
  const sections = splitSections(lines, awipsAt + 1)
  const firstAt = sections[0]!.headline.at
  const issuedLocalDay = parseIssueDay(lines, awipsAt + 1, firstAt)
  const corrected =
    amendment?.startsWith("CC") === true ||
    lines.bare.slice(awipsAt + 1, firstAt).some((line) => line.startsWith("CLIMATE REPORT") && line.includes("CORRECT"))
  const reports = new Map<string, ClimateReport>()
  for (const section of sections) {
    const report = readSection(lines, section, corrected, issuedLocalDay)
    const previous = reports.get(report.station) ?? report
    if (previous !== report && JSON.stringify(previous) !== JSON.stringify(report)) {
      reject("The product has this station twice, with different values.", section.headline.at)
    }
    reports.set(report.station, previous)
  }
  const epochMs = toIssueTime(dayHourMinute, issuedLocalDay)
  const bbb = amendment === undefined ? "" : `-${amendment}`
  return {
    productId: `${toIdStamp(epochMs)}-${office}-${heading}-${awipsId}${bbb}`,
    issuedAt: epochMs,
    issuedLocalDay,
    office,
    heading,
    awipsId,
    ...ifDefined("amendment", amendment),
    reports: [...reports.values()],
  }
}

/**
 * Reads a daily climate report (CLI product) of the National Weather Service: the official high, low, precipitation and
 * snowfall of a climate day.
 *
 * Values are read by column position under the table's own WEATHER ITEM line, and only from the first TEMPERATURE,
 * PRECIPITATION and SNOWFALL block of a station's section. If the layout contradicts the header, or a value has an unknown
 * form, the whole text is rejected. Temperatures are degrees Fahrenheit, amounts inches, times local standard time as printed.
 *
 * The layout is that of CLI products since 2006; the known departures are those collected with the samples of the pyIEM
 * project (Iowa Environmental Mesonet).
 *
 * @param text one product, with or without the envelope of a relay (control characters, sequence number, CR CR LF); at
 *   most 65,536 UTF-16 units
 * @returns the product, or the reason and the line of the rejection; never throws
 *
 * @example
 * ```ts
 * import * as Either from "effect/Either"
 * import { parse } from "./ClimateReport.ts"
 *
 * const product = parse(`000
 * CDUS41 KXYZ 090626
 * CLIABC
 *
 * CLIMATE REPORT
 * NATIONAL WEATHER SERVICE SOMEWHERE NY
 * 226 AM EDT THU JUL 09 2026
 *
 * ...THE SOMEWHERE NY CLIMATE SUMMARY FOR JULY 8 2026...
 *
 * WEATHER ITEM   OBSERVED TIME   RECORD YEAR NORMAL
 *                 VALUE   (LST)  VALUE       VALUE
 * ..................................................
 * TEMPERATURE (F)
 *  YESTERDAY
 *   MAXIMUM         85    347 PM 100    1993  85
 *   MINIMUM         64    440 AM  56    1894  70
 * `)
 * Either.map(product, ({ productId }) => productId) // Right("202607090626-KXYZ-CDUS41-CLIABC")
 * Either.map(product, ({ reports }) => [reports[0]?.highF, reports[0]?.status]) // Right([85, "final"])
 * ```
 */
export const parse = (text: string): Either.Either<ClimateProduct, ClimateReportError> => {
  if (text.length > maxTextBytes) {
    return Either.left(new ClimateReportError({ reason: "The text is longer than 64 KiB.", line: 1, text: "" }))
  }
  const lines = splitLines(text)
  return Either.mapLeft(
    catchRejection(() => toProduct(lines)),
    ({ reason, at }) => new ClimateReportError({ reason, line: at + 1, text: (lines.bare[at] ?? "").slice(0, 120) }),
  )
}

/**
 * Splits products sent one after the other, each between the control characters SOH (U+0001) and ETX (U+0003). A text
 * without them is returned unchanged; blank pieces are dropped.
 *
 * @example
 * ```ts
 * import { splitProducts } from "./ClimateReport.ts"
 *
 * splitProducts("\u0001first\u0003\n\u0001second\u0003\n") // ["first", "second"]
 * ```
 */
export const splitProducts = (text: string): ReadonlyArray<string> =>
  text
    .split("\u0003")
    .flatMap((piece) => piece.split("\u0001"))
    .filter((piece) => piece.trim() !== "")

/**
 * Whether a text product has its end. A report that was cut off may still be readable and lack its low, or a digit; but the
 * reports of our stations end with `$$`, below the last table.
 */
export const hasEnd = (text: string): boolean => {
  const end = text.lastIndexOf("$$")
  return end >= 0 && end > text.lastIndexOf("WEATHER ITEM")
}
