import { createHash } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import { afterAll } from "vitest"
import { parseQuotes } from "../../bench/tools/quotesFile.ts"
import { main } from "../../bench/tools/score.ts"
import { commandLine } from "../support/commandLine.ts"
import { describeRealData } from "../support/realData.ts"
import { makeFolder, removeFolder } from "../support/store.ts"

const folder = makeFolder()
afterAll(() => removeFolder(folder))
const { cli, parsed } = commandLine(join(folder, "never-opened.db"), {}, main)

const saved = (name: string, text: string): string => {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

const header = "series,ticker,event_date,result,mid,yes_bid,yes_ask,model_prob"
const line = "S,S-1-A,2026-07-09,yes,0.30,0.29,0.31,0.5"

describe("a file of quotes", () => {
  // Two events; by hand: market (0.7² + 0.2² + 0.5²) / 3, model (0.4² + 0.1² + 0.5²) / 3.
  const rows = [
    header,
    "S,S-1-A,2026-07-09,yes,0.30,0.29,0.31,0.6",
    "S,S-1-B,2026-07-09,no,0.2,0.18,0.22,0.1",
    "T,T-2-A,2026-07-10,no,0.50000000000000001,0.49,0.51,0.5",
  ].join("\n")

  it("is scored with its own model, and the store is not opened", async () => {
    const found = await parsed(`${saved("quotes.csv", rows)}`)
    assert.strictEqual(found.model.name, "model_prob")
    assert.deepStrictEqual(
      [found.overall.markets_scored, found.overall.events, found.overall.yes, found.contested.markets_scored],
      [3, 2, 1, 3],
    )
    assert.approximately(found.overall.brier_market, 0.78 / 3, 1e-15)
    assert.approximately(found.overall.brier_model, 0.42 / 3, 1e-15)
    assert.isTrue(found.overall.model_beats_market)
    assert.deepStrictEqual(Object.keys(found.series), ["S", "T"])
    assert.approximately(found.series.T.brier_market, 0.25, 1e-15)
    // Yes at .31: 1/.31 − 1 − .0483; no at .82: 1/.82 − 1 − .0126; agreement trades nothing.
    const { trades, wins, fees, pnl_after_fees } = found.hypothetical
    assert.deepStrictEqual([trades, wins, fees], [2, 2, 0.0609])
    assert.approximately(pnl_after_fees, 1 / 0.31 + 1 / 0.82 - 2.0609, 1e-14)
    assert.throws(() => readFileSync(join(folder, "never-opened.db")), /ENOENT/)
  })

  it("is read by people too, at another fee", async () => {
    const { code, stdout } = await cli(`${saved("quotes.csv", rows)} --fee-rate 0`)
    assert.strictEqual(code, 0)
    for (const said of [/market Brier +0\.260000/, /model_prob Brier +0\.140000/, /2 trades, 2 won, fees 0 USD/])
      assert.match(stdout, said)
  })

  for (const [what, text, said] of [
    ["nothing", "", /no rows/],
    ["a header alone", header, /no rows/],
    ["no result", `mid,yes_bid,yes_ask,model_prob\n0.3,0.2,0.4,0.5`, /column result is missing/],
    ["no prices", `result\nyes`, /column mid is missing.*column yes_bid is missing.*column yes_ask is missing/s],
    [
      "another result",
      `${header}\n${line}\n${line.replace("yes", "void")}`,
      /line 3: result must be yes or no, not "void"/,
    ],
    [
      "a price in cents",
      `${header}\n${line.replace("0.30", "30")}`,
      /line 2: mid must be a number from 0 to 1, not "30"/,
    ],
    ["an empty price", `${header}\n${line.replace("0.29", "")}`, /line 2: yes_bid must be a number/],
    ["text for a price", `${header}\n${line.replace("0.31", "n/a")}`, /line 2: yes_ask must be a number/],
    ["a crossed book", `${header}\n${line.replace("0.29", "0.35")}`, /line 2: yes_bid must not be above yes_ask/],
    ["a model above one", `${header}\n${line.replace("0.5", "1.5")}`, /line 2: model_prob must be/],
    [
      "no model",
      `${header}\n${line}`.replaceAll(/,[^,]*$/gm, ""),
      /column model_prob is missing: the probabilities to score/,
    ],
    ["an empty probability of the model", `${header}\n${line.replace("0.5", "")}`, /line 2: model_prob must be/],
    ["a row that is too short", `${header}\nS,S-1-A`, /record|columns/i],
    [
      "many bad lines",
      [header, ...Array.from({ length: 30 }, () => line.replace("yes", "?"))].join("\n"),
      /and 20 more/,
    ],
  ] as const) {
    it(`with ${what} is refused: ${said.source}`, async () => {
      const { code, stdout, stderr } = await cli(`${saved("bad.csv", text)}`)
      assert.deepStrictEqual([code, stdout], [1, ""])
      assert.match(stderr, said)
    })
  }

  it("that is not there, or a fee that is none, is said so", async () => {
    assert.match((await cli(`${join(folder, "missing.csv")}`)).stderr, /missing\.csv/)
    for (const rate of ["1.5", "0.00001", "-0.1"]) {
      const { code, stdout } = await cli(`${saved("quotes.csv", rows)} --fee-rate ${rate}`)
      assert.strictEqual(code, 2, `${rate}: ${stdout}`)
    }
  })

  it("takes events from a column of its own, or from the ticker", () => {
    const events = (text: string) => Either.getOrThrow(parseQuotes(text, 700)).map(({ event }) => event)
    assert.deepStrictEqual(events(`${header}\n${line}`), ["S-1"])
    assert.deepStrictEqual(events("event,result,mid,yes_bid,yes_ask,model_prob\nE,yes,0.3,0.2,0.4,0.5"), ["E"])
    assert.strictEqual(
      new Set(events("result,mid,yes_bid,yes_ask,model_prob\nyes,0.3,0.2,0.4,0.5\nno,0.3,0.2,0.4,0.5")).size,
      2,
    )
  })
})

describeRealData("1,188 settled quotes of daily highs", (root) => {
  // Computed in exact rationals by an independent script from the same file.
  const recorded = join(root, "markets/kxhigh_settled_quotes_12h_before_close.csv")
  /** The file with a model of no information: the midpoint plus a wave of ten cents. */
  const withWave = (): string => {
    const [names, ...rows] = readFileSync(recorded, "utf8").trimEnd().split(/\r?\n/)
    const at = names!.split(",").indexOf("mid")
    const wave = (row: string, index: number) =>
      Math.min(Math.max(Number(row.split(",")[at]) + 0.1 * Math.sin(index), 0), 1)
    return [`${names},model_prob`, ...rows.map((row, index) => `${row},${wave(row, index)}`)].join("\n")
  }
  const file = () => saved("with-wave.csv", withWave())
  const near = (value: number, exact: number, what: string) =>
    assert.isAtMost(Math.abs(value / exact - 1), 1e-12, `${what}: ${value}, not ${exact}`)

  it("match the reference to 1e-12", async () => {
    const { file: read, overall, contested, series, hypothetical, model } = await parsed(`${file()}`)
    assert.deepStrictEqual([read.name, read.rows, model.name], ["with-wave.csv", 1188, "model_prob"])
    const sha256 = createHash("sha256").update(readFileSync(recorded)).digest("hex")
    assert.strictEqual(sha256, "0d9339ad54c369dd1e7be22acac63725d4696f24fae244caec5846d9ed3a32a7")
    const count = ({ markets_scored, events, yes }: typeof overall) => [markets_scored, events, yes]
    assert.deepStrictEqual(
      [count(overall), count(contested)],
      [
        [1188, 201, 197],
        [504, 193, 181],
      ],
    )
    for (const [score, brier, log, error, parts, bin0] of [
      [
        ...([overall, 351_221 / 5_280_000, 0.21234526059754558, 0.029448653198653186] as const),
        {
          reliability: 0.0014260017756526028,
          resolution: 0.07318020778746415,
          uncertainty: 0.1383270131165754,
          within_bin_variance: 0.000521236312150903,
          within_bin_covariance: 0.0002874573145179966,
        },
        766,
      ],
      [
        ...([contested, 1_574_161 / 10_080_000, 0.4737693670508387, 0.044384920634920645] as const),
        {
          reliability: 0.0029320604920482674,
          resolution: 0.07690526498688595,
          uncertainty: 0.23015479339884098,
          within_bin_variance: 0.0006661265611532524,
          within_bin_covariance: 0.0003404747960703609,
        },
        98,
      ],
    ] as const) {
      const { market } = score
      near(score.brier_market, brier, "Brier")
      near(market.brier, brier, "Brier in full")
      near(market.log_score, log, "log score")
      near(market.calibration_error, error, "calibration error")
      for (const [name, value] of Object.entries(parts)) near(market.decomposition[name], value, name)
      assert.strictEqual(market.bins[0].count, bin0)
    }
    near(series.KXHIGHNY.brier_market, 1_181_961 / 15_880_000, "New York")
    near(series.KXHIGHCHI.brier_market, 418_147 / 5_280_000, "Chicago")
    near(series.KXHIGHLAX.brier_market, 724_587 / 15_800_000, "Los Angeles")
    assert.deepStrictEqual(
      Object.values(series as Record<string, { contested: number }>).map((each) => each.contested),
      [179, 163, 162],
    )
    near(overall.brier_model, 0.07070958332708946, "the wave")
    near(contested.brier_model, 0.16133165850974407, "the wave, contested")
    assert.isFalse(overall.model_beats_market)
    const { trades, wins, losses, staked, fees, pnl_after_fees, roi_after_fees } = hypothetical
    assert.deepStrictEqual([trades, wins, losses, staked, fees], [551, 159, 392, 551, 28.0277])
    // The reference rounds each fee up to a cent, which the venue did before 7 July 2026: 28.58 USD in all.
    const saved = 28.58 - 28.0277
    near(pnl_after_fees, -270.2658124536691 + saved, "result")
    near(roi_after_fees, -0.49050056706655015 + saved / 551, "result per dollar")
  })

  it("are refused without a model", async () => {
    const { code, stdout, stderr } = await cli(`${recorded}`)
    assert.deepStrictEqual([code, stdout], [1, ""])
    assert.match(stderr, /column model_prob is missing/)
  })

  it("have intervals by weeks", async () => {
    const { overall } = await parsed(`${file()}`)
    // ±1.96 standard errors of the mean over clusters by linearisation, 0.0044466; bounds of 2,000 draws vary by a twentieth.
    const { low, high } = overall.market.brier_interval
    assert.approximately((high - low) / (2 * 1.96 * 0.0044466), 1, 0.05)
    assert.isTrue(overall.brier_difference.low > 0 && overall.brier_difference.low < overall.brier_difference.estimate)
  })
})
