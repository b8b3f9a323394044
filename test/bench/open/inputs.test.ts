import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { afterAll } from "vitest"
import { bundled } from "../../support/built.ts"

const folder = mkdtempSync(join(tmpdir(), "inputs-"))
mkdirSync(join(folder, "root", "weather"), { recursive: true })
writeFileSync(join(folder, "there.csv"), "")
afterAll(() => rmSync(folder, { recursive: true }))

const [gone, there, root] = ["gone", "there.csv", "root"].map((name) => join(folder, name)) as [string, string, string]
const forecasts = "day1_forecast_vs_actual_highs.csv.gz"

/** A program, its arguments, and the missing path in its error. */
const calls: ReadonlyArray<readonly [program: string, args: ReadonlyArray<string>, option: string, missing: string]> = [
  ["backtest/weather", ["--data", gone], "--data", join(gone, forecasts)],
  ["backtest/weather", ["--data", join(root, "weather")], "--data", join(root, "weather", forecasts)],
  ["backtest/weather", ["--data", root], "--data", join(root, "weather", forecasts)],
  ["backtest/crypto", ["--candles", gone, "--asset", "ETH"], "--candles", gone],
  ["backtest/football", ["--games", gone, "--team-stats", root], "--games", gone],
  ["train/football", ["--games", there, "--team-stats", gone], "--team-stats", gone],
  ["backtest/baseball", ["--odds", gone], "--odds", gone],
  ["train/baseball", ["--odds", there, "--innings", gone], "--innings", gone],
  ["train/baseball", ["--odds", there, "--retrosheet", gone], "--retrosheet", gone],
]

describe("a program with missing data", { timeout: 30_000 }, () => {
  for (const [program, args, option, missing] of calls) {
    it(`prints an error: ${program} ${option}, ${missing.slice(folder.length)}`, () => {
      const { status, stderr } = spawnSync(process.execPath, [bundled(`bench/open/${program}.ts`), ...args], {
        encoding: "utf8",
      })
      assert.deepStrictEqual([status, stderr], [2, `${option}: ${missing} does not exist.\n`])
    })
  }
})
