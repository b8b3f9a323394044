import { gzipSync } from "node:zlib"
import { PCGRandom } from "effect/Utils"
import { type Fault, faults, type Payload, withFault } from "./faults.ts"
import { dropField, type Format, field, type Row, type Rows, renameField, setField } from "./payloadRows.ts"

/** What the rows of a source are like, so that they can be damaged. */
export interface Shape {
  readonly format: Format
  /** A column or field without which it cannot be read. */
  readonly needed: string
  /** Columns or fields with figures. */
  readonly figures: ReadonlyArray<string>
  /** The period of a row, growing with time; undefined: it is of none yet. */
  readonly periodOf?: (row: Row) => number | undefined
  readonly seasonOf?: (row: Row) => number
  /** The row as one of the next period. */
  readonly inNextPeriod?: (row: Row) => Row
  /** All its prices, which may be of another currency or product. */
  readonly prices?: ReadonlyArray<string>
  /** Moves the times of a row. */
  readonly move?: (row: Row, hours: number) => void
}

/** What is damaged. */
export interface Damageable {
  /** Absent: its text has no rows. */
  readonly shape?: Shape
  /** Its text, well-formed and of another question, by what is another; each is refused and tells so. */
  readonly others?: Readonly<Record<string, (text: string) => string>>
  /** The payload as it was before its newest period came; absent: it has none. */
  readonly earlier?: (good: Payload) => Payload
}

/** What is done to a source. */
export interface Damage {
  readonly name: string
  /** In the words of the table. */
  readonly title: string
  /** Another payload; undefined: there is nothing in this one to damage so. Absent: the payload itself is good. */
  readonly payload?: (good: Payload, of: Damageable, seed: number) => Payload | undefined
  /** Another way to deliver it. */
  readonly fault?: Fault
  /** What is delivered is right. */
  readonly isHarmless?: boolean
}

const textOf = ({ body }: Payload): string => (typeof body === "string" ? body : Buffer.from(body).toString())

/** The rows changed. */
const rewritten =
  (change: (rows: Rows["rows"], shape: Shape, random: PCGRandom) => boolean | undefined) =>
  (good: Payload, { shape }: Damageable, seed: number): Payload | undefined => {
    if (shape === undefined) return undefined
    const read = shape.format(textOf(good))
    if (read.rows.length === 0 || change(read.rows, shape, new PCGRandom(seed)) === false) return undefined
    return { ...good, body: read.text() }
  }

/** The rows without some. */
const without = (rows: Rows["rows"], isGone: (row: Row) => boolean): boolean => {
  const left = rows.filter((row) => !isGone(row))
  if (left.length === rows.length) return false
  rows.splice(0, rows.length, ...left)
  return true
}

const newest = (values: ReadonlyArray<number | undefined>): number =>
  Math.max(...values.filter((value) => value !== undefined))

const ofNewest = (rows: Rows["rows"], { periodOf }: Shape): ReadonlyArray<Row> => {
  if (periodOf === undefined) return []
  const last = newest(rows.map(periodOf))
  return rows.filter((row) => periodOf(row) === last)
}

/** Each figure in the place of the one before it. */
const shifted = (rows: Rows["rows"], figure: string): void => {
  const values = rows.map((row) => field(row, figure))
  for (const [at, row] of rows.entries()) setField(row, figure, values[(at + 1) % values.length])
}

const loginPage = "<!doctype html><html><head><title>Sign in</title></head><body><form></form></body></html>\n"

/** Compressed, with a length in its trailer that is another one. */
const lyingGzip = (good: Payload): Payload => {
  const bytes = gzipSync(Buffer.from(textOf(good)))
  bytes.writeUInt32LE(Math.floor(textOf(good).length / 2), bytes.length - 4)
  return { ...good, headers: { ...good.headers, "content-encoding": "gzip" }, body: bytes }
}

const contents: ReadonlyArray<Damage> = [
  { name: "empty", title: "empty", payload: (good) => ({ ...good, body: "" }) },
  { name: "object", title: "`{}`", payload: (good) => ({ ...good, body: "{}" }) },
  {
    name: "cut",
    title: "cut at a byte",
    payload: (good, _, seed) => {
      const bytes = Buffer.from(textOf(good))
      return { ...good, body: bytes.subarray(0, Math.floor(bytes.length * new PCGRandom(seed).number())) }
    },
  },
  {
    name: "cutRows",
    title: "cut after a row",
    payload: rewritten((rows, _, random) => {
      if (rows.length < 2) return false
      rows.length = Math.floor(rows.length * random.number())
      return true
    }),
  },
  {
    name: "renamed",
    title: "a column renamed",
    payload: rewritten((rows, { needed }) => {
      for (const row of rows) renameField(row, needed, `${needed.split(".").at(-1)!}_2`)
    }),
  },
  {
    name: "dropped",
    title: "a column dropped",
    payload: rewritten((rows, { needed }) => {
      for (const row of rows) dropField(row, needed)
    }),
  },
  {
    name: "seasonGone",
    title: "last season missing",
    payload: rewritten((rows, { seasonOf }) => {
      if (seasonOf === undefined) return false
      const last = newest(rows.map(seasonOf))
      return without(rows, (row) => seasonOf(row) === last)
    }),
  },
  {
    name: "periodGone",
    title: "last period missing",
    payload: rewritten((rows, shape) => {
      const gone = new Set(ofNewest(rows, shape))
      return without(rows, (row) => gone.has(row))
    }),
  },
  {
    name: "periodTwice",
    title: "last period twice",
    payload: rewritten((rows, shape) => {
      const last = ofNewest(rows, shape)
      rows.push(...structuredClone(last))
      return last.length > 0
    }),
  },
  {
    name: "periodRepeated",
    title: "the period before in place of the last one",
    payload: rewritten((rows, shape) => {
      const { inNextPeriod } = shape
      if (inNextPeriod === undefined) return false
      const last = new Set(ofNewest(rows, shape))
      without(rows, (row) => last.has(row))
      rows.push(...ofNewest(rows, shape).map((row) => inNextPeriod(structuredClone(row))))
      return true
    }),
  },
  {
    name: "moved",
    title: "times of another zone",
    payload: rewritten((rows, { move }) => {
      for (const row of rows) move?.(row, 5)
      return move !== undefined
    }),
  },
  {
    name: "scaled",
    title: "prices of another product, 2 % higher",
    payload: rewritten((rows, { prices = [] }) => {
      for (const row of rows) {
        for (const name of prices) {
          const value = field(row, name)
          setField(row, name, typeof value === "string" ? String(1.02 * Number(value)) : 1.02 * Number(value))
        }
      }
      return prices.length > 0
    }),
  },
  { name: "earlier", title: "an earlier file again", payload: (good, { earlier }) => earlier?.(good) },
  { name: "gzip", title: "gzip of another length", payload: lyingGzip },
]

/** There is no such file. */
export const gone: Damage = { name: "gone", title: "404", fault: withFault.status(404) }

const deliveries: ReadonlyArray<Damage> = [
  gone,
  { name: "forbidden", title: "403 with a page", fault: faults.forbidden },
  { name: "serverError", title: "500", fault: faults.serverError },
  {
    name: "redirect",
    title: "redirect to a login page",
    fault: (_, response) => void response.writeHead(302, { location: loginPath }).end(),
  },
  { name: "hang", title: "no answer", fault: faults.hang },
  { name: "slow", title: "slow", fault: withFault.delay(200), isHarmless: true },
]

/** Where a redirected request comes to. */
export const loginPath = "/login"
export const loginReply: Payload = { headers: { "content-type": "text/html" }, body: loginPage }

/** Each column of figures shifted by a row. */
const shifts = ({ shape }: Damageable): ReadonlyArray<Damage> =>
  (shape?.figures ?? []).map((figure) => ({
    name: `shifted ${figure}`,
    title: `\`${figure}\` shifted by a row`,
    payload: rewritten((rows) => {
      shifted(rows, figure)
      return true
    }),
  }))

/** The answer to another question. */
const strangers = ({ others = {} }: Damageable): ReadonlyArray<Damage> =>
  Object.entries(others).map(([what, change]) => ({
    name: `another ${what}`,
    title: `of another ${what}`,
    payload: (good) => {
      const body = change(textOf(good))
      return body === textOf(good) ? undefined : { ...good, body }
    },
  }))

/** Everything that is done to a source. */
export const damagesOf = (source: Damageable): ReadonlyArray<Damage> => [
  ...deliveries,
  ...contents,
  ...shifts(source),
  ...strangers(source),
]
