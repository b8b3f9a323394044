import * as Either from "effect/Either"
import { hour } from "../../../time.ts"
import type { Variable } from "../signal/temperature.ts"

/*
 * Text bulletins of station guidance: the National Blend of Models (NBS, NBE, and NBP with percentiles) and Model Output
 * Statistics (GFS, NAM, ECMWF). A bulletin has a heading, a row of times, and rows of values that are right-aligned under the
 * times. For the layout see the "text card" of each product (Meteorological Development Laboratory, National Weather Service).
 */

/** An extreme of a bulletin: the maximum of the day, or the minimum of the night, that ends about `validAt`. */
interface BulletinExtreme {
  readonly variable: Variable
  /** Epoch milliseconds: 00:00 UTC for a maximum, 12:00 UTC for a minimum. */
  readonly validAt: number
  /** Whole degrees Fahrenheit. */
  readonly tempF: number
  /** Standard deviation of the forecast, degrees Fahrenheit, if the bulletin has it. */
  readonly sigmaF?: number
  /** The 10th, 25th, 50th, 75th and 90th percentiles, if the bulletin has them; `tempF` is then the mean. */
  readonly percentilesF?: ReadonlyArray<number>
}

export interface Bulletin {
  /** The identifier in the heading, mostly an ICAO one. */
  readonly station: string
  /** `NBM NBS`, `GFS MOS`, `GFSX MOS`, … */
  readonly product: string
  /** Epoch milliseconds of the model's run. */
  readonly issuedAt: number
  /** In order of time. */
  readonly extremes: ReadonlyArray<BulletinExtreme>
}

const heading =
  /^\W*([A-Z0-9]{3,8})\s+(NBM|[A-Z]{3,4})(?: V\d+\.\d+(?:\.\d+)?)? (NB[SEP]|MOS) GUIDANCE\s+(\d{1,2})\/(\d{1,2})\/(\d{4})\s+(\d{2})(\d{2}) UTC\s*$/

/** The station, product and run of a heading; undefined for any other line. */
export const parseHeading = (line: string): Pick<Bulletin, "station" | "product" | "issuedAt"> | undefined => {
  const [, station, model, product, month, date, year, hours, minutes] = heading.exec(line) ?? []
  if (station === undefined) return undefined
  const issuedAt = Date.UTC(Number(year), Number(month) - 1, Number(date), Number(hours), Number(minutes))
  const isDate = new Date(issuedAt).getUTCDate() === Number(date) && Number(hours) < 24
  return isDate ? { station, product: `${model} ${product}`, issuedAt } : undefined
}

/** A cell has at most four characters: a space, bar or sign, and three digits. */
const cellWidth = 4
const missingMarks = new Set(["999", "-99"])
/** Records of the country are −80 and 134 °F. */
const plausibleF = [-80, 140] as const
const minColumns = 6

const percentileRows = ["TXNP1", "TXNP2", "TXNP5", "TXNP7", "TXNP9"]

/** The rows of a bulletin by name; the column of names has `nameWidth` characters. */
const splitRows = (lines: ReadonlyArray<string>, nameWidth: number): ReadonlyMap<string, string> => {
  const rows = new Map<string, string>()
  for (const line of lines) {
    const name = line.slice(0, nameWidth).trim()
    if (name !== "" && !rows.has(name)) rows.set(name, line.trimEnd())
  }
  return rows
}

interface Columns {
  readonly nameWidth: number
  readonly ends: ReadonlyArray<number>
  /** Epoch milliseconds. */
  readonly times: ReadonlyArray<number>
}

/** The positions at which the numbers of a row end. */
const findColumnEnds = (row: string, nameWidth: number): ReadonlyArray<number> =>
  Array.from(row.slice(nameWidth).matchAll(/\d+/g), ({ index, 0: digits }) => nameWidth + index + digits.length - 1)

/** Whether every number of a row ends under a column. Behind the last column there may be climate normals, missing as 999. */
const isAligned = (row: string, { ends, nameWidth }: Columns): boolean => {
  const last = ends.at(-1)!
  return Array.from(row.matchAll(/\d+/g)).every(({ index, 0: digits }) => {
    const end = index + digits.length - 1
    if (index < nameWidth || index > last || ends.includes(end)) return true
    return end > last && /^(999)+$/.test(row.slice(last + 1, end + 1))
  })
}

/**
 * The cells of a row, one per column; an empty text for an empty cell.
 *
 * @returns left with the reason if the row is not aligned with the columns
 */
const splitCells = (name: string, row: string, columns: Columns): Either.Either<ReadonlyArray<string>, string> => {
  const { ends, nameWidth } = columns
  const cells = ends.map((end, column) => {
    const from = Math.max(nameWidth - 1, (ends[column - 1] ?? 0) + 1, end + 1 - cellWidth)
    return row.slice(from, end + 1)
  })
  const isNumber = (cell: string) => /^[ |]*(-?\d{1,3})?$/.test(cell)
  return isAligned(row, columns) && cells.every(isNumber)
    ? Either.right(cells.map((cell) => cell.replace(/[ |]/g, "")))
    : Either.left(`row ${name} is not aligned with the columns`)
}

/** The times of columns that have only the hour of the day: each is the first such hour after the previous column's time. */
const toColumnTimes = (hours: ReadonlyArray<number>, issuedAt: number): ReadonlyArray<number> => {
  let previous = issuedAt
  return hours.map((at) => {
    const since = (at - new Date(previous).getUTCHours() + 24) % 24 || 24
    previous = previous - (previous % hour) + since * hour
    return previous
  })
}

/** Reads the columns from the hours since the run, the hours of the day, or both, which then have to agree. */
const readColumns = (
  rows: ReadonlyMap<string, string>,
  nameWidth: number,
  issuedAt: number,
): Either.Either<Columns, string> => {
  const [since, clock] = [rows.get("FHR"), rows.get("UTC") ?? rows.get("HR")]
  const row = since ?? clock
  if (row === undefined) return Either.left("it has no row of times")
  const ends = findColumnEnds(row, nameWidth)
  if (ends.length < minColumns) return Either.left(`it has ${ends.length} columns`)
  const numbers = (text: string) => Array.from(text.slice(nameWidth).matchAll(/-?\d+/g), ([digits]) => Number(digits))
  // Hours have two digits: a single one has been cut off.
  if (clock !== undefined && /(?<!\d)\d(?!\d)/.test(clock.slice(nameWidth))) return Either.left("a time is cut off")
  const clocks = clock === undefined ? undefined : toColumnTimes(numbers(clock), issuedAt)
  const times = since === undefined ? clocks! : numbers(since).map((hours) => issuedAt + hours * hour)
  const isOrdered = times.every((time, at) => time > (times[at - 1] ?? issuedAt))
  const agrees =
    clock === undefined ||
    (findColumnEnds(clock, nameWidth).join() === ends.join() &&
      clocks!.every((time, at) => time % (24 * hour) === times[at]! % (24 * hour)))
  return isOrdered && agrees
    ? Either.right({ nameWidth, ends, times })
    : Either.left("its rows of times contradict each other")
}

const findVariable = (validAt: number): Variable | undefined =>
  ({ 0: "high", 12: "low" })[new Date(validAt).getUTCHours()] as Variable | undefined

/** The cells of a row that has to have one under each column. */
const splitFullRow = (rows: ReadonlyMap<string, string>, name: string, columns: Columns) =>
  Either.filterOrLeft(
    splitCells(name, rows.get(name) ?? "", columns),
    (cells) => !cells.includes(""),
    () => `row ${name} lacks a column`,
  )

/**
 * Reads the bulletin of one station.
 *
 * @param lines from the heading to the empty line after the bulletin
 * @returns left with the reason if it is refused, in words that can follow "the bulletin of …:"
 */
export const readBulletin = (lines: ReadonlyArray<string>): Either.Either<Bulletin, string> =>
  Either.gen(function* () {
    const start = parseHeading(lines[0] ?? "")
    if (start === undefined)
      return yield* Either.left("its heading is not that of a guidance bulletin with a valid date")
    const { issuedAt, product } = start
    const hasPercentiles = product === "NBM NBP"
    const nameWidth = hasPercentiles ? 5 : 4
    const rows = splitRows(lines.slice(1), nameWidth)
    const columns = yield* readColumns(rows, nameWidth, issuedAt)
    const name = (hasPercentiles ? ["TXNMN"] : ["TXN", "N/X", "X/N"]).find((each) => rows.has(each))
    if (name === undefined) return yield* Either.left("it has no row of extremes")
    if (!hasPercentiles) yield* splitFullRow(rows, "TMP", columns)
    const percentiles: Array<ReadonlyArray<string>> = []
    for (const each of hasPercentiles ? percentileRows : []) percentiles.push(yield* splitFullRow(rows, each, columns))
    const values = yield* splitCells(name, rows.get(name)!, columns)
    const spread = hasPercentiles ? "TXNSD" : "XND"
    const hasSpreads = hasPercentiles || rows.has(spread)
    const spreads = hasSpreads ? yield* splitCells(spread, rows.get(spread) ?? "", columns) : []
    const first = values.findIndex((value) => value !== "")
    const extremes: Array<BulletinExtreme> = []
    for (const [column, validAt] of columns.times.entries()) {
      const value = values[column]!
      const variable = findVariable(validAt)
      if (value === "") {
        if (variable !== undefined && column > first) return yield* Either.left(`row ${name} lacks a column`)
        continue
      }
      if (variable === undefined)
        return yield* Either.left(`row ${name} has a value at ${new Date(validAt).getUTCHours()} UTC`)
      const columnPercentiles = percentiles.map((cells) => cells[column]!)
      if ([value, ...columnPercentiles].some((each) => missingMarks.has(each))) continue
      const tempF = Number(value)
      const percentilesF = columnPercentiles.map(Number)
      const [lowest = tempF, highest = tempF] = [percentilesF[0], percentilesF.at(-1)]
      for (const each of [tempF, lowest, highest])
        if (each < plausibleF[0] || each > plausibleF[1])
          return yield* Either.left(`${each} °F is not a plausible temperature`)
      if (percentilesF.some((each, at) => each < percentilesF[at - 1]!) || tempF < lowest || tempF > highest)
        return yield* Either.left(`the percentiles in column ${column + 1} contradict each other or the mean`)
      if (hasSpreads && spreads[column] === "") return yield* Either.left(`row ${spread} lacks a column`)
      const sigmaF = missingMarks.has(spreads[column] ?? "-99") ? 0 : Number(spreads[column])
      extremes.push({
        variable,
        validAt,
        tempF,
        ...(sigmaF > 0 && { sigmaF }),
        ...(hasPercentiles && { percentilesF }),
      })
    }
    return { ...start, extremes }
  })

/** Picks the bulletins of wanted stations from a text of thousands of them that arrives in pieces. */
export const makeBulletinReader = (isWanted: (station: string) => boolean) => {
  const bulletins: Array<Array<string>> = []
  let open: Array<string> | undefined
  let rest = ""
  const addLine = (text: string): void => {
    if (/ GUIDANCE /.test(text)) {
      open = isWanted(heading.exec(text)?.[1] ?? "") ? [text] : undefined
      if (open !== undefined) bulletins.push(open)
    } else if (text.trim() === "") open = undefined
    else open?.push(text)
  }
  return {
    push: (piece: string): void => {
      const lines = (rest + piece).split(/\r?\n/)
      rest = lines.pop()!
      for (const each of lines) addLine(each)
    },
    end: (): ReadonlyArray<ReadonlyArray<string>> => {
      addLine(rest)
      return bulletins
    },
  }
}
