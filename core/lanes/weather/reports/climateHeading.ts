import * as Either from "effect/Either"
import { isDay, iso, minute } from "../../../time.ts"

/** Thrown to reject a text: the reason, and the index (from 0) of the offending line. */
class Rejection extends Error {
  readonly at: number
  constructor(reason: string, at: number) {
    super(reason)
    this.at = at
  }
}

export function reject(reason: string, at: number): never {
  throw new Rejection(reason, at)
}

/** Runs `read`; a rejection becomes a left. */
export const catchRejection = <A>(read: () => A): Either.Either<A, { readonly reason: string; readonly at: number }> =>
  Either.try({
    try: read,
    catch: (error) => {
      if (error instanceof Rejection) return { reason: error.message, at: error.at }
      throw error
    },
  })

/** The lines of a product, without control characters: `padded` as laid out, tabs expanded; `bare` trimmed. */
export interface HeadingLines {
  readonly padded: ReadonlyArray<string>
  readonly bare: ReadonlyArray<string>
}

const controlCharacters = /[^\P{Cc}\t]/gu
const untidyCharacters = /[^\P{Cc}\n]/u

/** Tab stops every 8 columns, as the offices' editors and printers set them. */
const expandTabs = (line: string): string =>
  line.split("\t").reduce((out, piece) => out + " ".repeat(8 - (out.length % 8)) + piece)

const tidy = (line: string): string => {
  const printable = line.replace(controlCharacters, "")
  return printable.includes("\t") ? expandTabs(printable) : printable
}

export const splitLines = (text: string): HeadingLines => {
  const raw = text.split("\n")
  const padded = untidyCharacters.test(text) ? raw.map(tidy) : raw
  return { padded, bare: padded.map((line) => line.trim()) }
}

const collapseSpaces = (line: string): string => (line.includes("  ") ? line.replace(/ +/g, " ") : line)

/** As products print them, January first. */
export const monthNames: ReadonlyArray<string> =
  "JANUARY FEBRUARY MARCH APRIL MAY JUNE JULY AUGUST SEPTEMBER OCTOBER NOVEMBER DECEMBER".split(" ")
const months = new Map(
  monthNames.flatMap((name, index) => [[name, index] as const, [name.slice(0, 3), index] as const]),
)

/** YYYY-MM-DD; undefined for an unknown month or an impossible date. Offices print months in full or by three letters. */
const parseDay = (name: string, date: string, year: string): string | undefined => {
  const month = months.get(name)
  const day = `${year}-${String((month ?? 0) + 1).padStart(2, "0")}-${date.padStart(2, "0")}`
  return month !== undefined && year >= "1800" && isDay(day) ? day : undefined
}

/** Whether a text is a 12-hour time: `347`, `0714`, `3:38`. */
export const isClock = (token: string): boolean => /^(?:0?[1-9]|1[0-2]):?[0-5]\d$/.test(token)

/** The identity of a product from its first two lines; `awipsAt` is the index of the second. */
export interface Heading {
  readonly heading: string
  readonly office: string
  /** Day of the month, hour and minute, UTC. */
  readonly dayHourMinute: string
  readonly amendment: string | undefined
  readonly awipsId: string
  readonly awipsAt: number
}

const wmoHeading = /^([A-Z]{4}\d{2}) ([A-Z][A-Z0-9]{3}) (\d{6})(?: ([A-Z]{3}))?$/
const dayHourMinuteForm = /^(?:0[1-9]|[12]\d|3[01])(?:[01]\d|2[0-3])[0-5]\d$/

const isHeading = (bare: string): boolean => bare.startsWith("CD") && wmoHeading.test(collapseSpaces(bare))

/** The first line from `from` on that is not blank and does not match `skip`. */
const findNextLine = (bare: ReadonlyArray<string>, from: number, skip?: RegExp): number => {
  let at = from
  while (at < bare.length && (bare[at] === "" || skip?.test(bare[at]!))) at++
  return at
}

/** A relay puts a sequence number before a product; the public interface puts `000`. */
const sequenceNumber = /^\d{1,5}$/

export const parseHeading = ({ bare }: HeadingLines): Heading => {
  const position = findNextLine(bare, 0, sequenceNumber)
  const [, heading = "", office = "", dayHourMinute = "", amendment] =
    wmoHeading.exec(collapseSpaces(bare[position] ?? "")) ??
    reject("The product does not begin with a WMO heading.", Math.min(position, bare.length - 1))
  // A Record Event Report is sometimes sent under the AWIPS id of a climate report.
  if (!heading.startsWith("CD")) reject(`This is not a climate product: its WMO heading is ${heading}.`, position)
  if (!dayHourMinuteForm.test(dayHourMinute)) reject("The WMO heading has an impossible time.", position)
  const awipsAt = findNextLine(bare, position + 1)
  const awipsId = bare[awipsAt] ?? ""
  if (!/^CLI[A-Z0-9]{3}$/.test(awipsId)) {
    reject("The line after the WMO heading is not a CLI AWIPS id.", Math.min(awipsAt, bare.length - 1))
  }
  return { heading, office, dayHourMinute, amendment, awipsId, awipsAt }
}

const issueForm =
  /^(\d{1,2}:?\d{2}) (?:AM|PM) [A-Za-z]{2,5} (?:SUN|MON|TUE|WED|THU|FRI|SAT) ([A-Z]{3,9}) (\d{1,2}) (\d{4})(?: ?\/.*)?$/

/** The local day on the office's issue line (`226 AM EDT THU JUL 09 2026`), above the first headline. */
export const parseIssueDay = ({ bare }: HeadingLines, from: number, until: number): string => {
  let resembling = -1
  for (let at = from; at < until; at++) {
    const line = bare[at]!
    if (!/^\d/.test(line)) continue
    const [, clock = "", month = "", date = "", year = ""] = issueForm.exec(collapseSpaces(line)) ?? []
    if (isClock(clock)) {
      return parseDay(month, date, year) ?? reject("The issue line has a date that does not exist.", at)
    }
    if (resembling < 0) resembling = at
  }
  return resembling < 0
    ? reject("There is no issue line before this.", Math.min(until, bare.length - 1))
    : reject("The issue line cannot be read.", resembling)
}

/**
 * The instant of a WMO heading, epoch milliseconds. The heading has only the day of the month; the month is the one that
 * puts that day closest to the printed local date and, in a tie, the later one, because UTC is ahead of local time.
 */
export const toIssueTime = (dayHourMinute: string, printed: string): number => {
  const [date, hours, minutes] = [0, 2, 4].map((from) => Number(dayHourMinute.slice(from, from + 2)))
  const [year, month] = printed.split("-").map(Number)
  const away = (midnight: number): number => Math.abs(midnight - Date.parse(printed))
  const best = [-1, 0, 1]
    .map((step) => Date.UTC(year!, month! - 1 + step, date))
    .filter((midnight) => new Date(midnight).getUTCDate() === date)
    .reduce((before, next) => (away(next) > away(before) ? before : next))
  return best + (hours! * 60 + minutes!) * minute
}

/** A time as product ids have it: `202607090626`. */
export const toIdStamp = (epochMs: number): string => iso(epochMs).replace(/[-T:]/g, "").slice(0, 12)

/** `...THE <station> CLIMATE SUMMARY FOR <day>...`, on one to three lines. */
interface Headline {
  readonly station: string
  readonly day: string
  readonly correction: boolean
  readonly at: number
  /** Index of the line after it. */
  readonly end: number
}

const summaryMarker = " CLIMATE SUMMARY "
const summaryDay = /^(?:FOR|FROM) ([A-Z]{3,9}) (\d{1,2}),? (\d{4})( CORRECT(?:ION|ED))? ?\.{2,}$/

/** The headline that begins at a line; undefined for other dotted lines, such as rules and `...MORNING CLIMATE DATA...`. */
const readHeadline = ({ bare }: HeadingLines, at: number): Headline | undefined => {
  const first = bare[at]!
  let dots = 0
  while (first[dots] === ".") dots++
  if (dots < 3 || dots === first.length) return undefined
  let joined = first.slice(dots)
  let end = at + 1
  while (end < at + 3 && !joined.endsWith("..")) {
    const next = bare[end] ?? ""
    if (next === "" || next.startsWith("...")) break
    joined += ` ${next}`
    end++
  }
  const line = collapseSpaces(joined.trim())
  const cut = line.indexOf(summaryMarker)
  if (cut < 0) return undefined
  const station = line.slice(4, cut)
  const [, month, date, year, correction] = summaryDay.exec(line.slice(cut + summaryMarker.length)) ?? []
  if (!line.startsWith("THE ") || station === "" || station.length > 80 || month === undefined) {
    return reject("The headline cannot be read.", at)
  }
  const day = parseDay(month, date!, year!) ?? reject("The headline has a date that does not exist.", at)
  return { station, day, correction: correction !== undefined, at, end }
}

const validPattern = /^VALID (?:TODAY |YESTERDAY )?AS OF (\d{1,2}:?\d{2}) ([AP]M)/

/** The VALID line, which makes a report preliminary, even with a time in words (`AS OF NOON`); undefined without one. */
export const readValidity = (
  { bare }: HeadingLines,
  from: number,
  until: number,
): { readonly asOf: string | undefined } | undefined => {
  const validLine = bare.findIndex((line, index) => index >= from && index < until && line.startsWith("VALID "))
  if (validLine < 0) return undefined
  const [, clock, half] = validPattern.exec(bare[validLine]!) ?? []
  if (clock === undefined) return { asOf: undefined }
  return isClock(clock) ? { asOf: `${clock} ${half}` } : reject("The VALID line has an impossible time.", validLine)
}

/** A headline, the index of its table, and that of the line after both. */
export interface Section {
  readonly headline: Headline
  table: number
  end: number
}

const closeSection = (section: Section | undefined, at: number): void => {
  if (section === undefined) return
  if (section.table < 0) reject("No table with a WEATHER ITEM header follows the headline.", section.headline.at)
  if (section.end < 0) section.end = at
}

/**
 * Splits a product into sections: every headline must have one table, and every table its own headline. Text from `&&` or
 * `$$` to the next headline is of no fixed form (cooperative observers, other stations' highs) and is ignored.
 */
export const splitSections = (lines: HeadingLines, from: number): ReadonlyArray<Section> => {
  const { bare } = lines
  const sections: Array<Section> = []
  for (let at = from; at < bare.length; at++) {
    const line = bare[at]!
    const section = sections.at(-1)
    const headline = line.startsWith("...") ? readHeadline(lines, at) : undefined
    if (headline !== undefined) {
      closeSection(section, at)
      sections.push({ headline, table: -1, end: -1 })
      at = headline.end - 1
    } else if (line.startsWith("WEATHER ITEM")) {
      if (section === undefined || section.table >= 0 || section.end >= 0) {
        return reject("The table has no climate summary headline of its own.", at)
      }
      section.table = at
    } else if (line.startsWith("&&") || line.startsWith("$$")) {
      if (section !== undefined && section.end < 0) section.end = at
    } else if (isHeading(line)) reject("A second product follows in the same text.", at)
  }
  closeSection(sections.at(-1), bare.length)
  const last = bare.findLastIndex((line) => line !== "")
  return sections.length > 0 ? sections : reject("There is no climate summary headline.", Math.max(0, last))
}
