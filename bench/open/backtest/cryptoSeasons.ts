// What the seasons of quarters of an hour gain over those of hours, on every tape of the recorded data, and all together:
// npm run backtest:seasons -- --data DIR [--seed 1]
import { join } from "node:path"
import { parseArgs } from "node:util"
import * as Effect from "effect/Effect"
import { PCGRandom } from "effect/Utils"
import { blendT1, blendT2 } from "../../../core/lanes/crypto/distribution.ts"
import { watched } from "../../../services/progress.ts"
import { walk } from "../compare/walk.ts"
import { folderOf, present } from "../inputs.ts"
import { readCandles } from "../lanes/crypto/files.ts"
import { benched, cryptoTask, horizons, scores } from "../lanes/crypto/task.ts"
import { skillOf } from "./harness.ts"

const { values } = parseArgs({ options: { data: { type: "string" }, seed: { type: "string", default: "1" } } })
const { data } = values
const seed = Number(values.seed)
if (data === undefined || !Number.isInteger(seed)) {
  process.stderr.write("backtest:seasons -- --data DIR [--seed N]\n")
  process.exit(2)
}

/** One-minute tapes outside the months of the fit, and one of another asset within them. */
const tapes = [
  ["BTC, Binance, June 2025", "binance_BTCUSDT_1m_20250601_20250701.csv.gz"],
  ["ETH, Binance, June 2025", "binance_ETHUSDT_1m_20250601_20250701.csv.gz"],
  ["BTC, Binance.US, March 2023", "binanceus_BTCUSD_1m_20230301_20230321.csv.gz"],
  ["BTC, Kraken, early 2023, sparse", "kraken_XBTUSDC_1m_20230101_20230401_sparse.csv.gz"],
  ["BTC, Yahoo, March 2026", "yahoo_BTC-USD_1m_202603.csv.gz"],
  ["ETH, Yahoo, March 2026", "yahoo_ETH-USD_1m_202603.csv.gz"],
] as const
const inMonthsOfTheFit = ["ETH, Binance, half of 2024", "binance_ETHUSDT_5m_20240101_20240630.csv.gz"] as const

interface Row {
  readonly horizonMinutes: number
  readonly cluster: string
  readonly before: number
  readonly after: number
}

/** The log scores of both models, at the questions that both answer. */
const rowsOf = Effect.fnUntraced(function* (file: string) {
  const { sha256, rows, ...tape } = readCandles(present("--data", join(folderOf("crypto", data), file)))
  const task = cryptoTask({ ...tape, asset: file, input: { name: file, sha256, rows } })
  const [hours, quarters] = yield* Effect.forEach([blendT1, blendT2], (model) => walk(task, benched(model).start()))
  return task.cases.flatMap(({ id, cluster, question, outcome }): ReadonlyArray<Row> => {
    const [before, after] = [hours!.get(id), quarters!.get(id)]
    if (before === undefined || after === undefined) return []
    const [first, second] = [before, after].map((forecast) => scores.log.score(forecast, outcome, question)!)
    return [{ horizonMinutes: question.horizonMinutes, cluster, before: first!, after: second! }]
  })
})

const percent = (value: number): string => `${value > 0 ? "+" : ""}${(100 * value).toFixed(2)}`

/** Days are drawn together over all tapes, two days for 24 hours ahead. */
const lineOf = (name: string, rows: ReadonlyArray<Row>): string => {
  const cells = horizons.map((minutes) => {
    const of = rows.filter(({ horizonMinutes }) => horizonMinutes === minutes)
    const blocks = [...new Set(of.map(({ cluster }) => cluster))]
    const places = new Map(blocks.map((cluster, at) => [cluster, at]))
    const [before, after] = [new Float64Array(blocks.length), new Float64Array(blocks.length)]
    for (const row of of) {
      before[places.get(row.cluster)!]! += row.before
      after[places.get(row.cluster)!]! += row.after
    }
    const { value, low, high } = skillOf(after, before, new PCGRandom(seed), 2000)
    return `${percent(value)} [${percent(low)}, ${percent(high)}]`
  })
  return `| ${[name, rows.length, ...cells].join(" | ")} |`
}

const program = Effect.gen(function* () {
  const all = yield* Effect.forEach([...tapes, inMonthsOfTheFit], ([name, file]) =>
    Effect.map(rowsOf(file), (rows) => [name, rows] as const),
  )
  return [
    `| log skill of ${blendT2.version} over ${blendT1.version}, % | rows | ${horizons.join(" min | ")} min |`,
    `| ${["---", "---", ...horizons.map(() => "---")].join(" | ")} |`,
    ...all.map(([name, rows]) => lineOf(name, rows)),
    lineOf(
      "the six outside the months of the fit",
      all.slice(0, -1).flatMap(([, rows]) => rows),
    ),
  ].join("\n")
})

process.stdout.write(`${await Effect.runPromise(watched(program))}\n`)
