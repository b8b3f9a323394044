import { ifDefined } from "../../../ifDefined.ts"
import { type HeadingLines, isClock, reject } from "./climateHeading.ts"

/** Where a table's columns start, counted from 0, according to its WEATHER ITEM line. */
export interface Columns {
  readonly observed: number
  /** The end of the word OBSERVED. */
  readonly observedEnd: number
  /** The start of the next header word; infinite without one. */
  readonly next: number
  readonly time: number | undefined
}

export type TemperatureMark = "estimated" | "missing" | "record"
export type AmountMark = TemperatureMark | "annotated" | "trace"

export interface Reading<Mark extends string> {
  readonly value?: number
  readonly time?: string
  readonly marks: ReadonlyArray<Mark>
}

export const missingReading: Reading<"missing"> = { marks: ["missing"] }

interface Token {
  readonly text: string
  readonly start: number
}

export const splitTokens = (line: string, from: number): ReadonlyArray<Token> =>
  Array.from(line.slice(from).matchAll(/\S+/g), ({ 0: text, index }) => ({ text, start: from + index }))

export const findColumns = ({ padded }: HeadingLines, at: number): Columns => {
  const tokens = splitTokens(padded[at]!, 0)
  const index = tokens.findIndex((token) => token.text === "OBSERVED")
  const observed = tokens[index]
  if (observed === undefined) return reject("The WEATHER ITEM header has no OBSERVED column.", at)
  return {
    observed: observed.start,
    observedEnd: observed.start + observed.text.length,
    next: tokens[index + 1]?.start ?? Number.POSITIVE_INFINITY,
    time: tokens.find((token) => token.text === "TIME" && token.start > observed.start)?.start,
  }
}

interface Row {
  /** The token under OBSERVED with its mark (`12.0 R` becomes `12.0R`); undefined without one. */
  readonly observed: string | undefined
  readonly time: string | undefined
  /** Whether there is text to the right of the label. */
  readonly filled: boolean
}

/** Some offices set values up to this many columns left of the header word that they belong to. */
const valueReach = 2

const layoutError = "The line has an unknown column layout"
const looseMark = /^(?:R|E|\(E\)|\*)$/
/** A time starts up to 3 columns left of the word TIME (`11:29 PM` by 2), which is 4 long. */
const timeReach = 3
const timeWidth = 4

/**
 * Assigns the tokens right of the label to columns by position: RECORD, YEAR and NORMAL may be blank, so counting words
 * would read a normal as an observation. A line that contradicts the header is rejected.
 */
const readRow = ({ padded }: HeadingLines, at: number, label: string, columns: Columns): Row => {
  const line = padded[at]!
  const tokens = splitTokens(line, line.indexOf(label) + label.length)
  if (tokens.length === 0) return { observed: undefined, time: undefined, filled: false }
  if (tokens[0]!.start < columns.observed - valueReach) reject(`${layoutError}: a value left of OBSERVED.`, at)

  const half = tokens.findIndex((token) => token.text === "AM" || token.text === "PM")
  const clock = half < 1 ? undefined : tokens[half - 1]
  if (half >= 0) {
    const right = (clock?.start ?? Number.NaN) - (columns.time ?? Number.NaN)
    if (!(right >= -timeReach && right < timeWidth)) reject(`${layoutError}: a time that is not under TIME.`, at)
    if (!isClock(clock!.text)) reject("The time is not a 12-hour time.", at)
  }

  let observed: Token | undefined
  let mark = ""
  for (const token of tokens) {
    if (token === clock || token === tokens[half]) continue
    // Two lines may have run together; the second would be lost.
    if (/[A-Z]{3}/.test(token.text)) reject(`${layoutError}: a word among the values.`, at)
    if (observed !== undefined && mark === "" && looseMark.test(token.text)) {
      if (token.start === observed.start + observed.text.length + 1) {
        mark = token.text
        continue
      }
    }
    // A value belongs to the header word that it overlaps or is nearest to.
    const isNext =
      token.start >= columns.next - valueReach && columns.next - token.start <= token.start - columns.observedEnd
    if (token.start < columns.next && !isNext) {
      if (observed !== undefined) reject(`${layoutError}: more than one value under OBSERVED.`, at)
      observed = token
      continue
    }
    const underTime =
      columns.time !== undefined && token.start >= columns.time - valueReach && token.start < columns.time + timeWidth
    if (underTime && !/^MM?$/.test(token.text)) reject(`${layoutError}: the value under TIME is not a time.`, at)
  }
  return {
    observed: observed === undefined ? undefined : observed.text + mark,
    time: clock === undefined ? undefined : `${clock.text} ${tokens[half]!.text}`,
    filled: true,
  }
}

const temperatureForm = /^(-?\d{1,3})(R?(?:E|\(E\))?)$/
const amountForm = /^(-?\d{1,3}(?:\.\d{1,2})?|T)(R?(?:E|\(E\))?)(\*?)$/

const isMissing = (observed: string): boolean => observed === "MM" || observed === "M"

const readMarks = (suffix: string): ReadonlyArray<"record" | "estimated"> => [
  ...(suffix.startsWith("R") ? (["record"] as const) : []),
  ...(suffix.includes("E") ? (["estimated"] as const) : []),
]

/** Bounds that no temperature of the network has reached, degrees Fahrenheit. */
export const minTemperatureF = -80
export const maxTemperatureF = 140
/** Bounds far above the daily records of the network, inches. */
export const maxPrecipIn = 50
export const maxSnowIn = 100

export const readTemperature = (
  lines: HeadingLines,
  at: number,
  label: string,
  columns: Columns,
): Reading<TemperatureMark> => {
  const { observed, time, filled } = readRow(lines, at, label, columns)
  if (observed === undefined && filled) reject(`${layoutError}: nothing under OBSERVED.`, at)
  // A missing extreme has no time.
  if (observed === undefined || isMissing(observed)) return missingReading
  const [, digits, suffix] =
    temperatureForm.exec(observed) ?? reject("The temperature under OBSERVED cannot be read.", at)
  // Adding 0 turns a printed -0 into 0.
  const value = Number(digits) + 0
  if (value < minTemperatureF || value > maxTemperatureF)
    reject(`The temperature is outside ${minTemperatureF} to ${maxTemperatureF} °F.`, at)
  return { value, marks: readMarks(suffix!), ...ifDefined("time", time) }
}

export const readAmountRow = (
  lines: HeadingLines,
  at: number,
  label: string,
  columns: Columns,
  max: number,
): Reading<AmountMark> => {
  const { observed, time } = readRow(lines, at, label, columns)
  if (time !== undefined) reject(`${layoutError}: a time on the line of an amount.`, at)
  if (observed === undefined || isMissing(observed)) return missingReading
  const [, amount = "", suffix = "", star] =
    amountForm.exec(observed) ?? reject("The amount under OBSERVED cannot be read.", at)
  const marks: ReadonlyArray<AmountMark> = star === "*" ? [...readMarks(suffix), "annotated"] : readMarks(suffix)
  if (amount === "T") return { value: 0, marks: ["trace", ...marks] }
  const value = Number(amount)
  if (amount.startsWith("-") || value > max) reject(`The amount is outside 0 to ${max} inches.`, at)
  return { value, marks }
}

const isRule = (bare: string): boolean => bare.startsWith(".....")
/** Lines that follow a table. Station lists and normals below them repeat MAXIMUM, MINIMUM and PRECIPITATION. */
const afterTable = /^(?:WIND|HIGHEST|SKY|WEATHER|RELATIVE|SUNRISE|THE )/
const blockHeader = /^(?:TEMPERATURE|PRECIPITATION|SNOWFALL|DEGREE|HEATING|COOLING)/

/** Finds `TEMPERATURE (F)`, `TEMPERATURE(F)` or `TEMPERATURE`, but not `TEMPERATURE NORMALS` or degrees Celsius; −1 if none. */
const findTemperatureHeader = (bare: ReadonlyArray<string>, from: number, until: number): number => {
  let rules = 0
  for (let at = from; at < until; at++) {
    const line = bare[at]!
    if (/^TEMPERATURE *(?:\(F\))?$/.test(line)) return at
    // The first dotted rule follows the header, the second closes the table.
    if (afterTable.test(line) || (isRule(line) && ++rules > 1)) return -1
  }
  return -1
}

const findTableEnd = (bare: ReadonlyArray<string>, from: number, until: number): number => {
  let at = from
  while (at < until && !isRule(bare[at]!) && !afterTable.test(bare[at]!)) at++
  return at
}

const isRowOf = (bare: string, label: string): boolean =>
  bare.startsWith(label) && (bare.length === label.length || bare[label.length] === " ")

/** Whether a line has only further years of a record, right of OBSERVED; it belongs to the previous item. */
const isContinuation = (line: string, columns: Columns): boolean => {
  const tokens = splitTokens(line, 0)
  return tokens[0]!.start >= columns.next && tokens.every((token) => /^(?:\d{1,4}|MM?)$/.test(token.text))
}

/** The values of a table's TEMPERATURE block, and the range of the table's lines below the block's label. */
export interface Temperatures {
  readonly label: "TODAY" | "YESTERDAY"
  readonly high: Reading<TemperatureMark>
  readonly highAt: number
  readonly low: Reading<TemperatureMark>
  readonly from: number
  readonly until: number
}

/** Reads the first TEMPERATURE block between the WEATHER ITEM line at `header` and the end of the section. */
export const readTemperatures = (
  lines: HeadingLines,
  header: number,
  sectionEnd: number,
  columns: Columns,
): Temperatures => {
  const { bare, padded } = lines
  const block = findTemperatureHeader(bare, header + 1, sectionEnd)
  if (block < 0) reject("The table has no TEMPERATURE block.", header)
  const until = findTableEnd(bare, block + 1, sectionEnd)
  let from = block + 1
  while (from < until && bare[from] === "") from++
  const label = from < until ? bare[from] : undefined
  if (label !== "TODAY" && label !== "YESTERDAY") {
    return reject("Under TEMPERATURE is neither TODAY nor YESTERDAY.", Math.min(from, bare.length - 1))
  }
  const read: { MAXIMUM?: Reading<TemperatureMark>; MINIMUM?: Reading<TemperatureMark> } = {}
  let highAt = from
  for (let at = from + 1; at < until; at++) {
    const line = bare[at]!
    if (line === "" || isRowOf(line, "AVERAGE")) continue
    if (blockHeader.test(line)) break
    const item = (["MAXIMUM", "MINIMUM"] as const).find((each) => isRowOf(line, each))
    if (item === undefined) {
      if (isContinuation(padded[at]!, columns)) continue
      // If a garbled MAXIMUM were skipped, it would be reported as missing.
      return reject("The TEMPERATURE block has an unknown line.", at)
    }
    if (read[item] !== undefined) reject(`The block has ${item} twice.`, at)
    read[item] = readTemperature(lines, at, item, columns)
    if (item === "MAXIMUM") highAt = at
  }
  return {
    label,
    high: read.MAXIMUM ?? missingReading,
    highAt,
    low: read.MINIMUM ?? missingReading,
    from: from + 1,
    until,
  }
}

/**
 * Reads one amount of the day in inches: the row of the block `name` with the same label as the temperatures. Undefined if
 * the table has no such block. SNOW DEPTH, a row of the snowfall block, is ignored.
 */
export const readAmount = (
  lines: HeadingLines,
  name: "PRECIPITATION" | "SNOWFALL",
  { label, from, until }: Temperatures,
  columns: Columns,
  max: number,
): Reading<AmountMark> | undefined => {
  const { bare } = lines
  let at = from
  while (at < until && !bare[at]!.startsWith(name)) at++
  if (at >= until) return undefined
  let unit = bare[at]!.slice(name.length).trim()
  let reading: Reading<AmountMark> | undefined
  for (at++; at < until && !blockHeader.test(bare[at]!); at++) {
    const line = bare[at]!
    if (unit === "" && line.startsWith("(")) unit = line
    if (!isRowOf(line, label)) continue
    if (unit !== "" && unit !== "(IN)" && unit !== "(INCHES)") reject(`The unit of ${name} is not inches.`, at)
    if (reading !== undefined) reject(`The ${name} block has ${label} twice.`, at)
    reading = readAmountRow(lines, at, label, columns, max)
  }
  return reading ?? missingReading
}
