// Walks through the open bench: a naive model in each of four lanes against the served one, from files alone.
// npm run bench:examples -- --data DIR [--out var/examples]
//
// DIR has the folders weather, crypto, football and baseball with files of the forms in bench/open/README.md.
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"

const { values } = parseArgs({
  options: { data: { type: "string" }, out: { type: "string", default: "var/examples" } },
})
const { data, out } = values
if (data === undefined) {
  process.stderr.write("bench:examples -- --data DIR [--out DIR]\n")
  process.exit(2)
}

const root = fileURLToPath(new URL("../../..", import.meta.url))
/** @param {ReadonlyArray<string>} words of a path below the folder of data */
const file = (...words) => join(data, ...words)

/** @type {ReadonlyArray<{ lane: string, says: string, files: ReadonlyArray<readonly [option: string, path: string]>, more?: ReadonlyArray<string> }>} */
const cells = [
  {
    lane: "weather",
    says: "The spread of all errors of the station so far, against the recalibrated law. How much is recalibration worth?",
    files: [["--data", file("weather", "day1_forecast_vs_actual_highs.csv.gz")]],
  },
  {
    lane: "crypto",
    says: "The volatility of the last hour, against a blend of five windows with seasons and heavy tails.",
    files: [["--data", file("crypto", "binance_ETHUSDT_1m_20250601_20250701.csv.gz")]],
    more: ["--asset", "ETH"],
  },
  {
    lane: "football",
    says: "Points of the last sixteen games, against the filter of expected points and the closing line.",
    files: [
      ["--games", file("football", "games", "nfl_games_1999_2025_merged.csv")],
      ["--team-stats", file("football", "team_stats")],
    ],
  },
  {
    lane: "baseball",
    says: "The share of the last hundred games won, against Pythagorean expectation with starters and the closing price.",
    files: [
      ["--odds", file("baseball", "odds", "mlb_sbr_odds_2010_2021_combined.csv.gz")],
      ["--innings", file("baseball", "odds", "mlb_sbr_innings_2010_2021.csv.gz")],
      ["--retrosheet", file("baseball", "retrosheet")],
      ["--skill", file("baseball", "skill")],
    ],
  },
]

let failed = 0
for (const { lane, says, files, more = [] } of cells) {
  process.stdout.write(`\n# ${lane}\n${says}\n`)
  const missing = files.find(([, path]) => !existsSync(path))
  if (missing !== undefined) {
    process.stdout.write(`Skipped: ${missing[1]} does not exist.\n`)
    continue
  }
  const model = join("bench", "open", "examples", `${lane}.mjs`)
  const words = [lane, ...files.flat(), ...more, "--model", model, "--out", join(out, lane)]
  process.stdout.write(`$ market-signals-bench ${words.join(" ")}\n`)
  const { status } = spawnSync(process.execPath, ["--import", "tsx", join(root, "bench", "open", "cli.ts"), ...words], {
    cwd: root,
    stdio: "inherit",
  })
  if (status !== 0) failed += 1
}
process.exit(failed === 0 ? 0 : 1)
