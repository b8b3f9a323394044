// Whether the law of a minute's average price is better than that of the close where a contract settles on the average:
// npm run backtest:average -- --candles FILE --asset BTC [--seed 1]
import { basename } from "node:path"
import { parseArgs } from "node:util"
import * as Effect from "effect/Effect"
import { blendT2 } from "../../../core/lanes/crypto/distribution.ts"
import { minute as minuteMs } from "../../../core/time.ts"
import { watched } from "../../../services/progress.ts"
import { compare } from "../compare/compare.ts"
import { table } from "../compare/table.ts"
import { walk } from "../compare/walk.ts"
import { present } from "../inputs.ts"
import { readCandles } from "../lanes/crypto/files.ts"
import { benched, type CryptoForecast, type CryptoTask, cryptoTask } from "../lanes/crypto/task.ts"
import { averaged, averages } from "./cryptoAverages.ts"

const { values } = parseArgs({
  options: {
    candles: { type: "string" },
    asset: { type: "string" },
    seed: { type: "string", default: "1" },
  },
})
const { candles, asset } = values
const seed = Number(values.seed)
if (candles === undefined || asset === undefined || !Number.isInteger(seed)) {
  process.stderr.write("backtest:average -- --candles FILE --asset BTC [--seed N]\n")
  process.exit(2)
}

/** Minutes ahead; further out a minute's average and its close are the same forecast. */
const horizons = [5, 15]

const program = Effect.gen(function* () {
  const { sha256, rows, ...tape } = readCandles(present("--candles", candles))
  const means = averages(candles)
  const whole = cryptoTask({ ...tape, asset, input: { name: basename(candles), sha256, rows } })
  const cases = whole.cases.filter(({ question }) => horizons.includes(question.horizonMinutes))
  const served = yield* walk({ facts: whole.facts, cases }, benched(blendT2).start())
  const of = (how: (forecast: CryptoForecast, horizonMinutes: number) => CryptoForecast) =>
    new Map(
      cases.flatMap(({ id, question }) => {
        const forecast = served.get(id)
        return forecast === undefined ? [] : [[id, how(forecast, question.horizonMinutes)] as const]
      }),
    )
  const task: CryptoTask = {
    ...whole,
    cases,
    groups: horizons.map((minutes) => `${minutes} minutes`),
    entrants: [{ kind: "served", name: blendT2.version, forecasts: of((forecast) => forecast) }],
  }
  const onAverage: CryptoTask = {
    ...task,
    cases: cases.flatMap((each) => {
      const { now, horizonMinutes } = each.question
      const outcome = means.get(now / minuteMs + horizonMinutes - 1)
      return outcome === undefined ? [] : [{ ...each, outcome }]
    }),
  }
  const own = [{ kind: "own" as const, name: "law of the average", forecasts: of(averaged) }]
  const lines: Array<string> = []
  for (const [basis, each] of [
    ["The last minute's (open + high + low + close) / 4, in place of its average", onAverage],
    ["The last minute's close", task],
  ] as const) {
    const { comparison } = yield* compare(each, own, { seed, replicates: 2_000 })
    lines.push(`Settled on: ${basis}`, table(comparison), "")
  }
  return lines.join("\n")
})

process.stdout.write(`${await Effect.runPromise(watched(program))}\n`)
