import * as Either from "effect/Either"
import { iso, minute } from "../../../time.ts"

/** The reason for rejecting a text, with the index (from 0) of the offending line. */
export interface ParseError {
  readonly reason: string
  readonly at: number
}

export const parseError = (reason: string, at: number): Either.Either<never, ParseError> => Either.left({ reason, at })

/** The lines of a product: as laid out in columns (control characters removed, tabs expanded), and without margins. */
export interface HeadingLines {
  readonly padded: ReadonlyArray<string>
  readonly bare: ReadonlyArray<string>
}

const control = /[^\P{Cc}\t]/gu
const untidy = /[^\P{Cc}\n]/u

/** Tab stops every 8 columns, as the offices' editors and printers set them. */
const expandTabs = (line: string): string =>
  line.split("\t").reduce((out, piece) => out + " ".repeat(8 - (out.length % 8)) + piece)

const tidy = (line: string): string => {
  const printable = line.replace(control, "")
  return printable.includes("\t") ? expandTabs(printable) : printable
}

export const linesOf = (text: string): HeadingLines => {
  const raw = text.split("\n")
  const padded = untidy.test(text) ? raw.map(tidy) : raw
  return { padded, bare: padded.map((line) => line.trim()) }
}

/** One space between words. */
const flat = (line: string): string => (line.includes("  ") ? line.replace(/ +/g, " ") : line)

/** As the products print them, January first. */
export const monthNames: ReadonlyArray<string> =
  "JANUARY FEBRUARY MARCH APRIL MAY JUNE JULY AUGUST SEPTEMBER OCTOBER NOVEMBER DECEMBER".split(" ")
const months = new Map(
  monthNames.flatMap((name, index) => [[name, index] as const, [name.slice(0, 3), index] as const]),
)

/** A calendar day; `month` counts from 0. */
export interface Day {
  readonly year: number
  readonly month: number
  readonly day: number
}

const daysIn = (year: number, month: number): number => {
  if (month === 1) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 3 || month === 5 || month === 8 || month === 10 ? 30 : 31
}

/** Undefined for an unknown month (full names and three letters are in use) and for a day that the month lacks. */
const dayOf = (name: string, dayText: string, yearText: string): Day | undefined => {
  const month = months.get(name)
  const day = Number(dayText)
  const year = Number(yearText)
  if (month === undefined || year < 1800 || day < 1 || day > daysIn(year, month)) return undefined
  return { year, month, day }
}

const twoDigits = (value: number): string => String(value).padStart(2, "0")

export const isoDay = ({ year, month, day }: Day): string => `${year}-${twoDigits(month + 1)}-${twoDigits(day)}`

/** `347`, `0714`, `3:38`: the hour of a 12-hour clock and the minute. */
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

const isHeading = (bare: string): boolean => bare.startsWith("CD") && wmoHeading.test(flat(bare))

/** The first line from `from` on that is not blank and does not match `skip`. */
const nextLine = (bare: ReadonlyArray<string>, from: number, skip?: RegExp): number => {
  let at = from
  while (at < bare.length && (bare[at] === "" || skip?.test(bare[at]!))) at++
  return at
}

/** The sequence number that a relay adds before a product, or the `000` of the public interface. */
const sequence = /^\d{1,5}$/

export const headingOf = ({ bare }: HeadingLines): Either.Either<Heading, ParseError> => {
  const at = nextLine(bare, 0, sequence)
  const match = wmoHeading.exec(flat(bare[at] ?? ""))
  if (match === null) return parseError("The product does not begin with a WMO heading.", Math.min(at, bare.length - 1))
  const [, heading = "", office = "", dayHourMinute = "", amendment] = match
  // A Record Event Report is sometimes sent under the AWIPS id of a climate report.
  if (!heading.startsWith("CD")) return parseError(`This is not a climate product: its WMO heading is ${heading}.`, at)
  if (!dayHourMinuteForm.test(dayHourMinute)) return parseError("The WMO heading has an impossible time.", at)
  const awipsAt = nextLine(bare, at + 1)
  const awipsId = bare[awipsAt] ?? ""
  if (!/^CLI[A-Z0-9]{3}$/.test(awipsId)) {
    return parseError("The line after the WMO heading is not a CLI AWIPS id.", Math.min(awipsAt, bare.length - 1))
  }
  return Either.right({ heading, office, dayHourMinute, amendment, awipsId, awipsAt })
}

const issueForm =
  /^(\d{1,2}:?\d{2}) (?:AM|PM) [A-Za-z]{2,5} (?:SUN|MON|TUE|WED|THU|FRI|SAT) ([A-Z]{3,9}) (\d{1,2}) (\d{4})(?: ?\/.*)?$/

/** The local day on the office's issue line (`226 AM EDT THU JUL 09 2026`), above the first headline. */
export const issueDayOf = ({ bare }: HeadingLines, from: number, until: number): Either.Either<Day, ParseError> => {
  let resembling = -1
  for (let at = from; at < until; at++) {
    const line = bare[at]!
    const first = line.charCodeAt(0)
    if (!(first >= 48 && first <= 57)) continue
    const match = issueForm.exec(flat(line))
    if (match !== null && isClock(match[1]!)) {
      const day = dayOf(match[2]!, match[3]!, match[4]!)
      return day === undefined ? parseError("The issue line has a date that does not exist.", at) : Either.right(day)
    }
    if (resembling < 0) resembling = at
  }
  return resembling < 0
    ? parseError("There is no issue line before this.", Math.min(until, bare.length - 1))
    : parseError("The issue line cannot be read.", resembling)
}

/**
 * The instant of a WMO heading. The heading has only the day of the month; the month is the one that puts that day
 * closest to the printed local date, in a tie the later one, because UTC is ahead of the offices' clocks.
 */
export const issuedAt = (dayHourMinute: string, printed: Day): number => {
  const day = Number(dayHourMinute.slice(0, 2))
  const clock = (Number(dayHourMinute.slice(2, 4)) * 60 + Number(dayHourMinute.slice(4))) * minute
  const local = Date.UTC(printed.year, printed.month, printed.day)
  let best = Number.NaN
  for (const step of [-1, 0, 1]) {
    const count = printed.year * 12 + printed.month + step
    const year = Math.floor(count / 12)
    if (day > daysIn(year, count % 12)) continue
    const midnight = Date.UTC(year, count % 12, day)
    if (!(Math.abs(midnight - local) > Math.abs(best - local))) best = midnight
  }
  return best + clock
}

/** `202607090626` */
export const stamp = (epochMs: number): string => iso(epochMs).replace(/[-T:]/g, "").slice(0, 12)

/** `...THE <station> CLIMATE SUMMARY FOR <day>...`, on one to three lines. */
export interface Headline {
  readonly station: string
  readonly day: string
  readonly correction: boolean
  readonly at: number
  /** The line after it. */
  readonly end: number
}

const summary = " CLIMATE SUMMARY "
const summaryDay = /^(?:FOR|FROM) ([A-Z]{3,9}) (\d{1,2}),? (\d{4})( CORRECT(?:ION|ED))? ?\.{2,}$/

/** Undefined when the line does not open a climate headline: dotted rules, `...MORNING CLIMATE DATA...`. */
const headlineAt = ({ bare }: HeadingLines, at: number): Either.Either<Headline, ParseError> | undefined => {
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
  const line = flat(joined.trim())
  const cut = line.indexOf(summary)
  if (cut < 0) return undefined
  const station = line.slice(4, cut)
  const match = summaryDay.exec(line.slice(cut + summary.length))
  if (!line.startsWith("THE ") || station === "" || station.length > 80 || match === null) {
    return parseError("The headline cannot be read.", at)
  }
  const day = dayOf(match[1]!, match[2]!, match[3]!)
  if (day === undefined) return parseError("The headline has a date that does not exist.", at)
  return Either.right({ station, day: isoDay(day), correction: match[4] !== undefined, at, end })
}

const valid = /^VALID (?:TODAY |YESTERDAY )?AS OF (\d{1,2}:?\d{2}) ([AP]M)/

export interface ValidLine {
  readonly asOf: string | undefined
}

/** A VALID line makes a report preliminary, even with a time in words (`AS OF NOON`). */
export const validLine = (
  { bare }: HeadingLines,
  from: number,
  until: number,
): Either.Either<ValidLine | undefined, ParseError> => {
  for (let at = from; at < until; at++) {
    if (!bare[at]!.startsWith("VALID ")) continue
    const match = valid.exec(bare[at]!)
    if (match === null) return Either.right({ asOf: undefined })
    if (!isClock(match[1]!)) return parseError("The VALID line has an impossible time.", at)
    return Either.right({ asOf: `${match[1]} ${match[2]}` })
  }
  return Either.right(undefined)
}

/** A headline, its table, and the index of the line after both. */
export interface Section {
  readonly headline: Headline
  readonly table: number
  readonly end: number
}

/**
 * Every table must have its own headline, and every headline one table. Text from `&&` or `$$` to the next headline is
 * the office's own (cooperative observers, other stations' highs) and is ignored.
 */
export const sectionsOf = (lines: HeadingLines, from: number): Either.Either<ReadonlyArray<Section>, ParseError> => {
  const { bare } = lines
  const sections: Array<Section> = []
  let headline: Headline | undefined
  let table = -1
  let end = -1
  const close = (at: number): ParseError | undefined => {
    if (headline === undefined) return undefined
    if (table < 0) return { reason: "No table with a WEATHER ITEM header follows the headline.", at: headline.at }
    sections.push({ headline, table, end: end < 0 ? at : end })
    return undefined
  }
  let at = from
  while (at < bare.length) {
    const line = bare[at]!
    if (line.startsWith("...")) {
      const opened = headlineAt(lines, at)
      if (opened !== undefined) {
        if (Either.isLeft(opened)) return Either.left(opened.left)
        const refusal = close(at)
        if (refusal !== undefined) return Either.left(refusal)
        headline = opened.right
        table = -1
        end = -1
        at = headline.end
        continue
      }
    } else if (line.startsWith("WEATHER ITEM")) {
      if (headline === undefined || table >= 0 || end >= 0) {
        return parseError("The table has no climate summary headline of its own.", at)
      }
      table = at
    } else if (line.startsWith("&&") || line.startsWith("$$")) {
      if (end < 0) end = at
    } else if (isHeading(line)) {
      return parseError("A second product follows in the same text.", at)
    }
    at++
  }
  const refusal = close(at)
  if (refusal !== undefined) return Either.left(refusal)
  return sections.length === 0
    ? parseError(
        "There is no climate summary headline.",
        Math.max(
          0,
          bare.findLastIndex((line) => line !== ""),
        ),
      )
    : Either.right(sections)
}
