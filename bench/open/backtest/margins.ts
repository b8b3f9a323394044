// How market-anchored laws take the margin from buckets, beside proportion and power, on recorded quotes of settled events:
// npm run backtest:margins -- --data DIR [--seed 1]
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { parse } from "csv-parse/sync"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { anchored, type QuotedSpan } from "../../../core/contracts/anchored.ts"
import { multiplicative, power } from "../../../core/math/devig.ts"
import { brier, logScore } from "../../../core/math/score.ts"
import { day } from "../../../core/time.ts"
import { compare } from "../compare/compare.ts"
import type { Task } from "../compare/Task.ts"
import { table } from "../compare/table.ts"
import { folderOf, present } from "../inputs.ts"
import { digestOf } from "../lanes/files.ts"

const { values } = parseArgs({ options: { data: { type: "string" }, seed: { type: "string", default: "1" } } })
const { data } = values
const seed = Number(values.seed)
if (data === undefined || !Number.isInteger(seed)) {
  process.stderr.write("backtest:margins -- --data DIR [--seed N]\n")
  process.exit(2)
}

interface Row {
  readonly series: string
  readonly ticker: string
  readonly event_date: string
  readonly result: string
  readonly mid: string
}

/** The buckets of an event from below, with the place of the one that came; undefined unless all six are quoted. */
const eventOf = (rows: ReadonlyArray<Row>) => {
  const strikes = rows
    .map(({ ticker, mid, result }) => {
      const [, kind, strike] = /-([BT])([\d.]+)$/.exec(ticker)!
      return { isOpen: kind === "T", strike: Number(strike), probability: Number(mid), came: result === "yes" }
    })
    .sort((a, b) => a.strike - b.strike)
  const isWhole =
    strikes.length === 6 && [true, false, false, false, false, true].every((open, at) => open === strikes[at]!.isOpen)
  if (!isWhole || strikes.filter(({ came }) => came).length !== 1) return undefined
  const buckets = strikes.map(({ isOpen, strike, probability }, at): QuotedSpan => {
    if (!isOpen) return { from: strike - 0.5, to: strike + 0.5, probability }
    // Both are strict.
    return at === 0
      ? { from: Number.NEGATIVE_INFINITY, to: strike - 1, probability }
      : { from: strike + 1, to: Number.POSITIVE_INFINITY, probability }
  })
  return { buckets, came: strikes.findIndex(({ came }) => came) }
}

type Shares = ReadonlyArray<number>

/** The shares of the buckets in the law that is served: a flat model has no part in them. */
const served = (buckets: ReadonlyArray<QuotedSpan>): Shares => {
  const [first, last] = [buckets[0]!.to - 4, buckets.at(-1)!.from + 4]
  const pmf = new Float64Array(last - first + 1).fill(1 / (last - first + 1))
  const { law } = anchored({ first, pmf }, buckets)!
  return buckets.map(({ from, to }) =>
    law.pmf.reduce((sum, p, at) => sum + (law.first + at >= from && law.first + at <= to ? p : 0), 0),
  )
}

const name = "kxhigh_settled_quotes_12h_before_close.csv"
const bytes = readFileSync(present("--data", join(folderOf("markets", data), name)))
const rows: ReadonlyArray<Row> = parse(bytes, { columns: true })
const events = Object.entries(Arr.groupBy(rows, ({ ticker }) => ticker.replace(/-[^-]+$/, ""))).flatMap(([id, of]) => {
  const event = eventOf(of)
  const at = Date.parse(of[0]!.event_date)
  // Stations share their weather, days of a week too.
  return event === undefined
    ? []
    : [{ id, at, cluster: String(Math.floor((at / day + 3) / 7)), groups: ["all"], ...event }]
})
const contender = (kind: "served" | "baseline", name: string, of: (buckets: ReadonlyArray<QuotedSpan>) => Shares) => ({
  kind,
  name,
  forecasts: new Map(events.map(({ id, buckets }) => [id, of(buckets)])),
})
const prices = (buckets: ReadonlyArray<QuotedSpan>): Shares => buckets.map(({ probability }) => probability)

const task: Task<ReadonlyArray<QuotedSpan>, never, Shares, number> = {
  lane: "markets",
  event: "the bucket comes",
  inputs: [{ name, sha256: digestOf(bytes), rows: rows.length }],
  facts: [],
  cases: events
    .sort((a, b) => a.at - b.at)
    .map(({ buckets, came, ...rest }) => ({ ...rest, question: buckets, outcome: came })),
  groups: ["all"],
  entrants: [
    contender("served", "served (Shin)", served),
    contender("baseline", "proportion", (buckets) => multiplicative(prices(buckets))),
    contender("baseline", "power", (buckets) => power(prices(buckets)).probabilities),
  ],
  measures: [
    {
      name: "log score of the bucket that came",
      unit: "nats",
      better: "lower",
      score: (shares, came) => logScore(shares[came]!, true, 1e-6),
    },
    {
      name: "Brier of a bucket",
      unit: "",
      better: "lower",
      score: (shares, came) => shares.reduce((sum, p, at) => sum + brier(p, at === came), 0) / shares.length,
    },
  ],
  occurrences: (shares, came) => shares.map((p, at) => ({ p, happened: at === came })),
  forecast: Schema.Array(Schema.Number),
  columns: [],
}

const { comparison } = await Effect.runPromise(compare(task, [], { seed, replicates: 2000 }))
const books = events.map(({ buckets }) => prices(buckets).reduce((sum, p) => sum + p, 0))
const mean = books.reduce((sum, book) => sum + book, 0) / books.length
process.stdout.write(
  `${events.length} events of six buckets, midpoints that sum to ${mean.toFixed(3)}\n${table(comparison)}\n`,
)
