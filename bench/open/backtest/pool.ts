// What contracts are worth by model and price together, at recorded prices: rows with an expected gain above 0 by the weights
// that the record had earned by then, each month's by the rows settled before it, beside the model's own edges of 0.05:
// npm run backtest:pool -- --data DIR
import { parseArgs } from "node:util"
import { gainAt, pooledOf } from "../../../core/contracts/pooled.ts"
import { clusterBootstrapSteps } from "../../../core/math/bootstrap.ts"
import { clusterSums, leastClusters } from "../../../core/math/clusters.ts"
import { runToEnd } from "../../../core/math/runToEnd.ts"
import { xoshiro128 } from "../../../core/math/xoshiro128.ts"
import { anchorWeightSteps, type WeighedRow } from "../../../core/record/scoreboard/anchorWeight.ts"
import { clusterOf } from "../../../core/record/scoreboard/cluster.ts"
import { minEdge } from "../../../core/record/scoreboard/hypothetical.ts"
import { marketOf } from "../../../core/record/scoreboard/Settled.ts"
import { intervalCoverage, replicates, seed } from "../../../core/record/scoreboard/scores.ts"
import { iso } from "../../../core/time.ts"
import { aligned } from "../compare/aligned.ts"
import { recordedIn } from "../recorded.ts"
import { baseballWins, feeRate, footballWins, type Priced } from "./pricedWins.ts"
import { besideMarket, pricedHighs, recordedHighs } from "./weatherBeside.ts"

const { data } = parseArgs({ options: { data: { type: "string" } } }).values
if (data === undefined) {
  process.stderr.write("backtest:pool -- --data DIR\n")
  process.exit(2)
}
/** The weight in use in a month: of the rows settled before it. */
const weightsOf = (rows: ReadonlyArray<WeighedRow>): ((at: number) => number) => {
  const known = new Map<string, number>()
  return (at) => {
    const month = iso(at).slice(0, 7)
    const before = Date.parse(`${month}-01`)
    const found =
      known.get(month) ?? runToEnd(anchorWeightSteps(rows.filter(({ settledAt }) => settledAt < before))).weight
    known.set(month, found)
    return found
  }
}

interface Trade {
  readonly cluster: string
  readonly edge: number
  readonly expected: number
  readonly realised: number
}

const tradeOf = (row: Priced, expected: number): Trade => {
  const edge = row.model - marketOf(row.quotes)
  const realised = gainAt({ bidAsk: row.quotes, feeRate }, edge, row.result === "yes" ? 1e6 : 0)!
  return { cluster: clusterOf(row), edge: Math.abs(edge), expected, realised }
}

const mean = (values: ReadonlyArray<number>): number => values.reduce((sum, one) => sum + one, 0) / values.length

const intervalOf = (trades: ReadonlyArray<Trade>): string => {
  const clusters = trades.map(({ cluster }) => cluster)
  if (new Set(clusters).size < leastClusters) return "–"
  const sums = clusterSums(clusters, [trades.map(({ realised }) => realised), trades.map(() => 1)])
  const [found] = runToEnd(
    clusterBootstrapSteps(
      ...([[sums], 2, 1] as const),
      ([drawn], into) => {
        into[0] = drawn![0]! / drawn![1]!
      },
      ...([replicates, xoshiro128(seed), intervalCoverage] as const),
    ),
  )
  return `${found!.low.toFixed(4)} to ${found!.high.toFixed(4)}`
}

const sizes = [
  ["under 0.05", 0],
  ["0.05 to 0.10", minEdge],
  ["0.10 or more", 2 * minEdge],
] as const

const lines = (league: string, rule: string, trades: ReadonlyArray<Trade>): ReadonlyArray<ReadonlyArray<string>> =>
  sizes.map(([size, from], at) => {
    const own = trades.filter(({ edge }) => edge >= from && edge < (sizes[at + 1]?.[1] ?? Number.POSITIVE_INFINITY))
    const figures =
      own.length === 0
        ? ["–", "–", "–"]
        : [
            mean(own.map(({ expected }) => expected)).toFixed(4),
            mean(own.map(({ realised }) => realised)).toFixed(4),
            intervalOf(own),
          ]
    return [league, rule, size, String(own.length), ...figures]
  })

const leagueOf = (league: string, rows: ReadonlyArray<Priced>) => {
  const weightAt = weightsOf(rows)
  const all = rows.map((row) => {
    const contract = { bidAsk: row.quotes, feeRate }
    return [row, pooledOf(contract, row.model, weightAt(row.capturedAt))] as const
  })
  const pooled = all.flatMap(([row, { expected_gain: gain }]) => (gain! > 0 ? [tradeOf(row, gain!)] : []))
  const alone = rows.flatMap((row) => {
    const edge = row.model - marketOf(row.quotes)
    return Math.abs(edge) < minEdge ? [] : [tradeOf(row, gainAt({ bidAsk: row.quotes, feeRate }, edge, row.model)!)]
  })
  const months = new Map(all.map(([{ capturedAt }, { pool_weight }]) => [iso(capturedAt).slice(0, 7), pool_weight]))
  const inUse = [...months.values()].filter((weight) => weight > 0)
  return {
    summary: `${league}: ${rows.length} home wins; the weight is above 0 in ${inUse.length} of ${months.size} months.`,
    rows: [
      ...lines(league, "expected gain > 0", pooled),
      ...lines(league, "model alone, edge ≥ 0.05", alone).filter(([, , size]) => size !== sizes[0][0]),
    ],
  }
}

const highs = pricedHighs(await recordedHighs(recordedIn(data)))
const leagues = [leagueOf("NFL", await footballWins(data)), leagueOf("MLB", await baseballWins(data))]
process.stdout.write(
  `${[
    ...leagues.map(({ summary }) => summary),
    "",
    aligned([
      ["league", "rule", "size of edge", "contracts", "claimed", "realised", "95 % interval"],
      ...leagues.flatMap(({ rows }) => rows),
    ]),
    "",
    besideMarket(highs, weightsOf(highs)),
  ].join("\n")}\n`,
)
