// Scores files of settled quotes with a model's probabilities like the scoreboard: npm run score -- FILE… [--fee-rate RATE] [--json]
import { fileURLToPath } from "node:url"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as secrets from "../../adapters/runtime/node/secrets.ts"
import { PlatformCrypto } from "../../core/account/PlatformCrypto.ts"
import { toFigures } from "../../core/lanes/markets/performance.ts"
import * as Board from "../../core/record/scoreboard/board.ts"
import { brier } from "../../core/record/scoreboard/calibration.ts"
import { priceScale } from "../../core/record/scoreboard/hypothetical.ts"
import { findPair } from "../../core/record/scoreboard/scores.ts"
import { runLine } from "../../services/cli/line.ts"
import * as Parameters from "../../services/cli/parameters.ts"
import { make } from "../../services/cli/parser.ts"
import { json, print, table } from "../../services/cli/shared.ts"
import { exitCode } from "../../services/exit.ts"
import { modelColumn, parseQuotes, type QuotedRow } from "./quotesFile.ts"

const boardOf = (rows: ReadonlyArray<QuotedRow>): Board.Board => {
  const board = Board.empty()
  for (const row of rows) Board.addScored(board, row)
  return board
}

const eventsOf = (rows: ReadonlyArray<QuotedRow>): number => new Set(rows.map(({ event }) => event)).size

const bySeries = (rows: ReadonlyArray<QuotedRow>) => {
  const series = [...new Set(rows.map((row) => row.series))].sort()
  return Object.fromEntries(
    series.map((name) => {
      const board = boardOf(rows.filter((row) => row.series === name))
      const { model, market } = findPair(board, "all")
      const contested = findPair(board, "contested").market.count
      return [name, { markets_scored: market.count, contested, brier_model: brier(model), brier_market: brier(market) }]
    }),
  )
}

/** The scoreboard's figures over a file's rows. */
const scoreRows = (rows: ReadonlyArray<QuotedRow>) => {
  const board = boardOf(rows)
  const { overall, contested, hypothetical } = toFigures(board)
  const { curve: _, unknown_fee: __, ...ledger } = hypothetical
  const { all, contested: disputed } = { all: findPair(board, "all"), contested: findPair(board, "contested") }
  return {
    overall: { ...overall, events: eventsOf(rows), yes: all.market.yes },
    contested: {
      ...contested,
      events: eventsOf(rows.filter(({ market }) => Board.isContested(market))),
      yes: disputed.market.yes,
    },
    series: bySeries(rows),
    hypothetical: ledger,
  }
}

type Scored = ReturnType<typeof scoreRows>

const number = (value: number | undefined, digits = 6): string => (value === undefined ? "–" : value.toFixed(digits))
const range = (interval: { readonly low: number; readonly high: number } | undefined): string =>
  interval === undefined ? "–" : `${number(interval.low, 4)} to ${number(interval.high, 4)}`

/** The figures as text. */
const text = ({ overall, contested, series, hypothetical: ledger }: Scored, model: string): string => {
  const both = (label: string, of: (score: Scored["overall"]) => string) => [label, of(overall), of(contested)]
  const figures = table([
    ["", "all", "contested (.05 to .95)"],
    both("markets scored", ({ markets_scored }) => String(markets_scored)),
    both("events", ({ events }) => String(events)),
    both("came true", ({ yes }) => String(yes)),
    both("market Brier", ({ brier_market }) => number(brier_market)),
    both("  95 % interval", ({ market }) => range(market?.brier_interval)),
    both("  log score", ({ market }) => number(market?.log_score)),
    both("  calibration error", ({ market }) => number(market?.calibration_error)),
    both("  reliability", ({ market }) => number(market?.decomposition.reliability)),
    both("  resolution", ({ market }) => number(market?.decomposition.resolution)),
    both("  uncertainty", ({ market }) => number(market?.decomposition.uncertainty)),
    both(`${model} Brier`, ({ brier_model }) => number(brier_model)),
    both("  95 % interval", ({ model: found }) => range(found?.brier_interval)),
    both("  log score", ({ model: found }) => number(found?.log_score)),
    both("  calibration error", ({ model: found }) => number(found?.calibration_error)),
    both(`${model} − market`, ({ brier_difference }) => number(brier_difference?.estimate)),
    both("  95 % interval", ({ brier_difference }) => range(brier_difference)),
  ])
  const bins = table([
    ["market priced", "markets", "mean", "came true", "95 % band"],
    ...(overall.market?.bins ?? []).map(({ from, to, count, mean_probability, frequency, low, high }) => [
      `${from.toFixed(1)} to ${to.toFixed(1)}`,
      String(count),
      number(mean_probability, 4),
      number(frequency, 4),
      range(low === undefined || high === undefined ? undefined : { low, high }),
    ]),
  ])
  const parts = table([
    ["series", "markets", "contested", "market Brier", `${model} Brier`],
    ...Object.entries(series).map(([name, each]) => [
      name,
      String(each.markets_scored),
      String(each.contested),
      number(each.brier_market),
      number(each.brier_model),
    ]),
  ])
  const roi = ledger.roi_after_fees === undefined ? "" : ` (${(100 * ledger.roi_after_fees).toFixed(1)} %)`
  return [
    figures,
    bins,
    parts,
    `Hypothetical, 1 USD a trade where ${model} and market differ by .05 or more: ${ledger.trades} trades, ${ledger.wins} won, fees ${ledger.fees} USD, result ${ledger.pnl_after_fees.toFixed(2)} USD${roi}. No order was placed.`,
  ].join("\n\n")
}

const feeRate = Parameters.parsed(
  Parameters.text("fee-rate", "The venue's fee: rate · p · (1 − p) a contract."),
  (given) => {
    const parts = Number(given) * priceScale
    return Math.abs(parts - Math.round(parts)) < 1e-6 && parts >= 0 && parts <= priceScale
      ? Math.round(parts)
      : undefined
  },
  "fee-rate must be from 0 to 1 with at most four decimals.",
)

const scoreFile = (file: string, rate: number, asJson: boolean) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const { sha256 } = yield* PlatformCrypto
    const content = yield* fs.readFileString(file)
    const read = parseQuotes(content, rate)
    if (Either.isLeft(read)) {
      return yield* Effect.fail(
        new Error([`${file} cannot be scored:`, ...read.left.map((each) => `  ${each}`)].join("\n")),
      )
    }
    const rows = read.right
    const result = scoreRows(rows)
    const model = { name: modelColumn, definition: `column ${modelColumn}` }
    const named = { name: path.basename(file), sha256: yield* sha256(content), rows: rows.length }
    yield* print(
      asJson,
      { file: named, model, ...result },
      `${named.name}: ${named.rows} rows, SHA-256 ${named.sha256}\nmodel ${model.name}: ${model.definition}\n\n${text(result, model.name)}`,
    )
  })

const score = make(
  "score",
  "Score CSVs of settled quotes as the scoreboard would. Reads the files; writes nothing.",
  {
    files: { ...Parameters.repeated(Parameters.argument("file")), isRequired: true },
    feeRate: Parameters.withDefault(feeRate, Math.round(0.07 * priceScale)),
    json,
  },
  ({ files, feeRate: rate, json: asJson }) =>
    Effect.forEach(files, (file) => scoreFile(file, rate, asJson), { discard: true }).pipe(
      Effect.provide(secrets.layer),
    ),
)

/** @param argv with the process's first two words */
export const main = (argv: ReadonlyArray<string>) => runLine(argv, async () => score)

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  NodeRuntime.runMain(main(process.argv).pipe(Effect.provide(NodeContext.layer)), {
    disableErrorReporting: true,
    disablePrettyLogger: true,
    teardown: (exit, end) => end(exitCode(exit)),
  })
}
