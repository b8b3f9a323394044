import * as Either from "effect/Either"
import {
  type AmountMark,
  amountAt,
  type Columns,
  missing,
  type Reading,
  type TemperatureMark,
  temperatureAt,
  tokensOf,
} from "./climateColumns.ts"
import { type HeadingLines, type ParseError, parseError } from "./climateHeading.ts"

const isRule = (bare: string): boolean => bare.startsWith(".....")
/** The lines that follow a table; station lists and normals below it repeat MAXIMUM, MINIMUM and PRECIPITATION. */
const afterTable = /^(?:WIND|HIGHEST|SKY|WEATHER|RELATIVE|SUNRISE|THE )/
const blockHeader = /^(?:TEMPERATURE|PRECIPITATION|SNOWFALL|DEGREE|HEATING|COOLING)/

/** `TEMPERATURE (F)`, `TEMPERATURE(F)` or `TEMPERATURE`, but not `TEMPERATURE NORMALS` or degrees Celsius. */
const temperatureHeader = (bare: ReadonlyArray<string>, from: number, until: number): number => {
  let rules = 0
  for (let at = from; at < until; at++) {
    const line = bare[at]!
    if (/^TEMPERATURE *(?:\(F\))?$/.test(line)) return at
    // The first dotted rule follows the header, the second closes the table.
    if (afterTable.test(line) || (isRule(line) && ++rules > 1)) return -1
  }
  return -1
}

const tableEnd = (bare: ReadonlyArray<string>, from: number, until: number): number => {
  let at = from
  while (at < until && !isRule(bare[at]!) && !afterTable.test(bare[at]!)) at++
  return at
}

const startsRow = (bare: string, label: string): boolean =>
  bare.startsWith(label) && (bare.length === label.length || bare[label.length] === " ")

/** A line with further years of a record, right of OBSERVED; it belongs to the previous item. */
const isContinuation = (line: string, columns: Columns): boolean => {
  const tokens = tokensOf(line, 0)
  return tokens[0]!.start >= columns.next && tokens.every((token) => /^(?:\d{1,4}|MM?)$/.test(token.text))
}

/** The values of a table's TEMPERATURE block, and the range of the table's lines below its label. */
export interface Temperatures {
  readonly label: "TODAY" | "YESTERDAY"
  readonly high: Reading<TemperatureMark>
  readonly highAt: number
  readonly low: Reading<TemperatureMark>
  readonly from: number
  readonly until: number
}

/** Reads the first TEMPERATURE block between the WEATHER ITEM line at `header` and the end of the section. */
export const temperaturesOf = (
  lines: HeadingLines,
  header: number,
  sectionEnd: number,
  columns: Columns,
): Either.Either<Temperatures, ParseError> => {
  const { bare, padded } = lines
  const block = temperatureHeader(bare, header + 1, sectionEnd)
  if (block < 0) return parseError("The table has no TEMPERATURE block.", header)
  const until = tableEnd(bare, block + 1, sectionEnd)
  let from = block + 1
  while (from < until && bare[from] === "") from++
  const label = from < until ? bare[from] : undefined
  if (label !== "TODAY" && label !== "YESTERDAY") {
    return parseError("Under TEMPERATURE is neither TODAY nor YESTERDAY.", Math.min(from, bare.length - 1))
  }
  let high: Reading<TemperatureMark> | undefined
  let highAt = from
  let low: Reading<TemperatureMark> | undefined
  for (let at = from + 1; at < until; at++) {
    const line = bare[at]!
    if (line === "" || startsRow(line, "AVERAGE")) continue
    if (blockHeader.test(line)) break
    const item = startsRow(line, "MAXIMUM") ? "MAXIMUM" : startsRow(line, "MINIMUM") ? "MINIMUM" : undefined
    if (item === undefined) {
      if (isContinuation(padded[at]!, columns)) continue
      // Skipping a garbled MAXIMUM would report it as missing.
      return parseError("The TEMPERATURE block has an unknown line.", at)
    }
    if ((item === "MAXIMUM" ? high : low) !== undefined) return parseError(`The block has ${item} twice.`, at)
    const reading = temperatureAt(lines, at, item, columns)
    if (Either.isLeft(reading)) return Either.left(reading.left)
    if (item === "MAXIMUM") {
      high = reading.right
      highAt = at
    } else low = reading.right
  }
  return Either.right({ label, high: high ?? missing, highAt, low: low ?? missing, from: from + 1, until })
}

/**
 * Reads one amount of the day in inches: the row of the block `name` under the label of the temperatures. Undefined when
 * the table has no such block. SNOW DEPTH, a row of the snowfall block, is ignored.
 */
export const amountOf = (
  lines: HeadingLines,
  name: "PRECIPITATION" | "SNOWFALL",
  { label, from, until }: Temperatures,
  columns: Columns,
  max: number,
): Either.Either<Reading<AmountMark> | undefined, ParseError> => {
  const { bare } = lines
  let at = from
  while (at < until && !bare[at]!.startsWith(name)) at++
  if (at >= until) return Either.right(undefined)
  let unit = bare[at]!.slice(name.length).trim()
  let reading: Reading<AmountMark> | undefined
  for (at++; at < until && !blockHeader.test(bare[at]!); at++) {
    const line = bare[at]!
    if (unit === "" && line.startsWith("(")) unit = line
    if (!startsRow(line, label)) continue
    if (unit !== "" && unit !== "(IN)" && unit !== "(INCHES)")
      return parseError(`The unit of ${name} is not inches.`, at)
    if (reading !== undefined) return parseError(`The ${name} block has ${label} twice.`, at)
    const amount = amountAt(lines, at, label, columns, max)
    if (Either.isLeft(amount)) return Either.left(amount.left)
    reading = amount.right
  }
  return Either.right(reading ?? missing)
}
