// Backtest of the crypto price models on an archive of candles:
// npm run backtest:crypto -- --candles FILE --asset BTC [--out var/backtest] [--seed 1]
import { mkdirSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { parseArgs } from "node:util"
import * as Effect from "effect/Effect"
import { blendT2, lognormal120 } from "../../../core/lanes/crypto/distribution.ts"
import { iso, minute } from "../../../core/time.ts"
import { present } from "../inputs.ts"
import { readCandles } from "../lanes/crypto/files.ts"
import { reliabilityDiagram } from "./diagram.ts"
import { backtest, horizons } from "./harness.ts"
import { table } from "./table.ts"

const { values } = parseArgs({
  options: {
    candles: { type: "string" },
    asset: { type: "string" },
    out: { type: "string", default: "var/backtest" },
    seed: { type: "string", default: "1" },
  },
})
const { candles, asset, out } = values
const seed = Number(values.seed)
if (candles === undefined || asset === undefined || !Number.isInteger(seed)) {
  process.stderr.write("backtest:crypto -- --candles FILE --asset BTC [--out DIR] [--seed N]\n")
  process.exit(2)
}

const replicates = 2000
const archive = readCandles(present("--candles", candles))
const results = await Effect.runPromise(
  backtest(archive, { baseline: lognormal120, model: blendT2, horizons, seed, replicates }),
)
const firstMinute = archive.lastMinute - (archive.closes.length - 1) * archive.minutesPerBar
const report = {
  asset,
  input: {
    file: basename(candles),
    sha256: archive.sha256,
    rows: archive.rows,
    minutes_per_bar: archive.minutesPerBar,
    first_bar: iso(firstMinute * minute),
    last_bar: iso(archive.lastMinute * minute),
  },
  baseline: lognormal120.version,
  model: blendT2.version,
  bootstrap: { seed, replicates, level: 0.95 },
  horizons: results,
}

mkdirSync(out, { recursive: true })
const name = join(out, `crypto-${basename(candles).replace(/\.csv(\.gz)?$/, "")}-${blendT2.version}`)
writeFileSync(`${name}.json`, `${JSON.stringify(report, undefined, 2)}\n`)
const panels = results.map(({ minutes, origins, ...scores }) => ({
  title: `${asset}, ${minutes} minutes`,
  cases: `${origins} origins`,
  ...scores,
}))
const event = "the price is above the strike"
writeFileSync(`${name}.svg`, reliabilityDiagram(event, lognormal120.version, blendT2.version, panels))
process.stdout.write(`${asset}, ${report.input.file}, ${archive.rows} candles of ${archive.minutesPerBar} min
sha256 ${archive.sha256}
${table(lognormal120.version, blendT2.version, results)}
${name}.json, ${name}.svg\n`)
