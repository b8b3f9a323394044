import * as Either from "effect/Either"
import { type HeadingLines, isClock, type ParseError, parseError } from "./climateHeading.ts"

/** The starts of a table's columns, counted from 0, from its WEATHER ITEM line. */
export interface Columns {
  readonly observed: number
  /** The column after the word OBSERVED. */
  readonly observedEnd: number
  /** The column after OBSERVED, whichever it is. */
  readonly next: number
  readonly time: number | undefined
}

export type TemperatureMark = "estimated" | "missing" | "record"
export type AmountMark = TemperatureMark | "annotated" | "trace"

/** One observed value with its time and marks. */
export interface Reading<Mark extends string> {
  readonly value?: number
  readonly time?: string
  readonly marks: ReadonlyArray<Mark>
}

export const missing: Reading<"missing"> = { marks: ["missing"] }

interface Token {
  readonly text: string
  readonly start: number
}

export const tokensOf = (line: string, from: number): ReadonlyArray<Token> => {
  const tokens: Array<Token> = []
  const word = /\S+/g
  word.lastIndex = from
  for (let match = word.exec(line); match !== null; match = word.exec(line)) {
    tokens.push({ text: match[0], start: match.index })
  }
  return tokens
}

export const columnsOf = ({ padded }: HeadingLines, at: number): Either.Either<Columns, ParseError> => {
  const tokens = tokensOf(padded[at]!, 0)
  const index = tokens.findIndex((token) => token.text === "OBSERVED")
  const observed = tokens[index]
  if (observed === undefined) return parseError("The WEATHER ITEM header has no OBSERVED column.", at)
  return Either.right({
    observed: observed.start,
    observedEnd: observed.start + observed.text.length,
    next: tokens[index + 1]?.start ?? Number.POSITIVE_INFINITY,
    time: tokens.find((token) => token.text === "TIME" && token.start > observed.start)?.start,
  })
}

interface Row {
  /** The token under OBSERVED with its mark, `12.0 R` as `12.0R`; undefined without one. */
  readonly observed: string | undefined
  readonly time: string | undefined
  /** Whether there is text to the right of the label. */
  readonly filled: boolean
}

/** Some offices set values up to two columns left of the header word that they belong to. */
const reach = 2

const layout = "The line has an unknown column layout"
const looseMark = /^(?:R|E|\(E\)|\*)$/
/** A time starts up to 3 columns left of the word TIME (`11:29 PM` does by 2); the word is 4 long. */
const timeReach = 3
const timeWidth = 4

/**
 * Assigns the tokens right of the label to columns by position: RECORD, YEAR and NORMAL may be blank, so counting words
 * would read a normal as an observation. A line that contradicts the header is rejected.
 */
const rowAt = (
  { padded }: HeadingLines,
  at: number,
  label: string,
  columns: Columns,
): Either.Either<Row, ParseError> => {
  const line = padded[at]!
  const tokens = tokensOf(line, line.indexOf(label) + label.length)
  if (tokens.length === 0) return Either.right({ observed: undefined, time: undefined, filled: false })
  if (tokens[0]!.start < columns.observed - reach) return parseError(`${layout}: a value left of OBSERVED.`, at)

  const half = tokens.findIndex((token) => token.text === "AM" || token.text === "PM")
  const clock = half < 1 ? undefined : tokens[half - 1]
  if (half >= 0) {
    const { time } = columns
    if (
      clock === undefined ||
      time === undefined ||
      clock.start < time - timeReach ||
      clock.start >= time + timeWidth
    ) {
      return parseError(`${layout}: a time that is not under TIME.`, at)
    }
    if (!isClock(clock.text)) return parseError("The time is not a 12-hour time.", at)
  }

  let observed: Token | undefined
  let mark = ""
  for (const token of tokens) {
    if (token === clock || token === tokens[half]) continue
    // Two lines may have run together; the second would be lost.
    if (/[A-Z]{3}/.test(token.text)) return parseError(`${layout}: a word among the values.`, at)
    if (observed !== undefined && mark === "" && looseMark.test(token.text)) {
      if (token.start === observed.start + observed.text.length + 1) {
        mark = token.text
        continue
      }
    }
    // A value belongs to the header word that it overlaps or is nearest to.
    const isNext =
      token.start >= columns.next - reach && columns.next - token.start <= token.start - columns.observedEnd
    if (token.start < columns.next && !isNext) {
      if (observed !== undefined) return parseError(`${layout}: more than one value under OBSERVED.`, at)
      observed = token
      continue
    }
    const underTime =
      columns.time !== undefined && token.start >= columns.time - reach && token.start < columns.time + timeWidth
    if (underTime && !/^MM?$/.test(token.text)) return parseError(`${layout}: the value under TIME is not a time.`, at)
  }
  return Either.right({
    observed: observed === undefined ? undefined : observed.text + mark,
    time: clock === undefined ? undefined : `${clock.text} ${tokens[half]!.text}`,
    filled: true,
  })
}

const temperatureForm = /^(-?\d{1,3})(R?(?:E|\(E\))?)$/
const amountForm = /^(-?\d{1,3}(?:\.\d{1,2})?|T)(R?(?:E|\(E\))?)(\*?)$/

const isMissing = (observed: string): boolean => observed === "MM" || observed === "M"

const marksOf = (suffix: string): ReadonlyArray<"record" | "estimated"> => {
  if (suffix === "") return []
  const record = suffix.startsWith("R") ? (["record"] as const) : []
  return suffix.includes("E") ? [...record, "estimated"] : record
}

/** Bounds far beyond the records of the network, degrees Fahrenheit. */
export const coldest = -80
export const hottest = 140
/** Bounds far beyond the daily records of the network, inches. */
export const maxPrecipIn = 50
export const maxSnowIn = 100

export const temperatureAt = (
  lines: HeadingLines,
  at: number,
  label: string,
  columns: Columns,
): Either.Either<Reading<TemperatureMark>, ParseError> => {
  const row = rowAt(lines, at, label, columns)
  if (Either.isLeft(row)) return Either.left(row.left)
  const { observed, time, filled } = row.right
  if (observed === undefined)
    return filled ? parseError(`${layout}: nothing under OBSERVED.`, at) : Either.right(missing)
  // A missing extreme has no time.
  if (isMissing(observed)) return Either.right(missing)
  const match = temperatureForm.exec(observed)
  if (match === null) return parseError("The temperature under OBSERVED cannot be read.", at)
  // Adding 0 turns a printed -0 into 0.
  const value = Number(match[1]) + 0
  if (value < coldest || value > hottest)
    return parseError(`The temperature is outside ${coldest} to ${hottest} °F.`, at)
  return Either.right({ value, marks: marksOf(match[2]!), ...(time === undefined ? {} : { time }) })
}

export const amountAt = (
  lines: HeadingLines,
  at: number,
  label: string,
  columns: Columns,
  max: number,
): Either.Either<Reading<AmountMark>, ParseError> => {
  const row = rowAt(lines, at, label, columns)
  if (Either.isLeft(row)) return Either.left(row.left)
  const { observed, time } = row.right
  if (time !== undefined) return parseError(`${layout}: a time on the line of an amount.`, at)
  if (observed === undefined || isMissing(observed)) return Either.right(missing)
  const match = amountForm.exec(observed)
  if (match === null) return parseError("The amount under OBSERVED cannot be read.", at)
  const marks: ReadonlyArray<AmountMark> = match[3] === "*" ? [...marksOf(match[2]!), "annotated"] : marksOf(match[2]!)
  if (match[1] === "T") return Either.right({ value: 0, marks: ["trace", ...marks] })
  const value = Number(match[1])
  if (match[1]!.startsWith("-") || value > max) return parseError(`The amount is outside 0 to ${max} inches.`, at)
  return Either.right({ value, marks })
}
