import { assert, describe, it } from "@effect/vitest"
import { h } from "preact"
import { renderToStaticMarkup } from "preact-render-to-string"
import * as tables from "../../../../adapters/web/scoreboard/tables.tsx"
import type { Score } from "../../../../adapters/web/scoreboard/verdict.ts"

/** The cells of all tables, row by row. */
const cellsOf = (html: string) =>
  [...html.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row]) =>
    [...row!.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell]) => cell!),
  )

const score: Score = {
  markets_scored: 1_234,
  brier_model: 0.2,
  brier_market: 0.25,
  model_beats_market: true,
  brier_difference: { estimate: -0.05, low: -0.08, high: 0.01, level: 0.95 },
  brier_pool: 0.24,
  pool_difference: { estimate: -0.01, low: -0.02, high: -0.003, level: 0.95 },
}

describe("the columns of a table", () => {
  it("have numbers, but for the first", () => {
    assert.deepStrictEqual(tables.columns("Name", "Size"), [
      { name: "Name", isNumber: false },
      { name: "Size", isNumber: true },
    ])
  })
})

describe("the table of scores", () => {
  it("has four digits, a minus sign, and dashes for what is not known", () => {
    assert.deepStrictEqual(cellsOf(renderToStaticMarkup(h(tables.Scores, { caption: "All", score }))), [
      ["Score", "Model", "Market", "Pool"],
      ["Brier score", "0.2000", "0.2500", "0.2400"],
      ["95 % interval from", "–", "–", "–"],
      ["95 % interval to", "–", "–", "–"],
      ["Against the market", "−0.0500", "", "−0.0100"],
      ["95 % interval from", "−0.0800", "", "−0.0200"],
      ["95 % interval to", "0.0100", "", "−0.0030"],
      ["Log score", "–", "–", "–"],
      ["Calibration error", "–", "–", "–"],
    ])
  })
})

describe("the table of subjects", () => {
  it("has all markets first", () => {
    const linked = (domain: string, name: string) => `<a href="/scoreboard/markets?domain=${domain}">${name}</a>`
    const few = { markets_scored: 7, brier_model: 0.3, brier_market: 0.25 }
    const none = { markets_scored: 0 }
    const html = renderToStaticMarkup(
      h(tables.Domains, { overall: score, domains: { weather: few, nfl: none, mlb: none, crypto: none } }),
    )
    assert.deepStrictEqual(cellsOf(html), [
      ["Subject", "Markets", "Model", "Market", "Pool"],
      ['<a href="/scoreboard/markets">All</a>', "1,234", "0.2000", "0.2500", "0.2400"],
      [linked("weather", "Weather"), "7", "0.3000", "0.2500", "–"],
      [linked("nfl", "Football"), "0", "–", "–", "–"],
      [linked("mlb", "Baseball"), "0", "–", "–", "–"],
      [linked("crypto", "Crypto"), "0", "–", "–", "–"],
    ])
  })
})

describe("the cells of a part", () => {
  it("have intervals where there are clusters enough", () => {
    const drawn = (low: number, high: number) => ({ low, high, level: 0.95 })
    const brier = { brier_model: 0.2, brier_market: 0.25, brier_pool: 0.24 }
    const small = { clusters: 9, markets_scored: 90, ...brier }
    const large = {
      ...{ ...small, clusters: 10, markets_scored: 1_234, model_interval: drawn(0.18, 0.22) },
      ...{ market_interval: drawn(0.24, 0.26), pool_interval: drawn(0.23, 0.25) },
    } as const
    assert.deepStrictEqual(tables.partCells(small), ["90", "0.2000", "0.2500", "0.2400"])
    assert.deepStrictEqual(tables.partCells(large), [
      "1,234",
      ...["0.2000 [0.1800, 0.2200]", "0.2500 [0.2400, 0.2600]", "0.2400 [0.2300, 0.2500]"],
    ])
  })
})

describe("the hypothetical ledger", () => {
  it("has dollars with two decimals", () => {
    const html = renderToStaticMarkup(
      h(tables.Ledger, {
        trades: 1_000,
        wins: 600,
        losses: 400,
        staked: 12_345.678,
        fees: 0,
        pnl_after_fees: -1_000.5,
        roi_after_fees: -0.08,
        curve: [{ day: "2026-11-24", trades: 2, pnl_after_fees: 3 }],
        pool: { trades: 0, wins: 0, losses: 0, staked: 0, fees: 0, pnl_after_fees: 0, unknown_fee: 7 },
      }),
    )
    assert.deepStrictEqual(cellsOf(html), [
      ["Total", "Model", "Pool"],
      ["Trades", "1,000", "0"],
      ["Won", "600", "0"],
      ["Lost", "400", "0"],
      ["Staked, USD", "12,345.68", "0.00"],
      ["Fees, USD", "0.00", "0.00"],
      ["Result after fees, USD", "−1,000.50", "0.00"],
      ["Per dollar staked", "−0.0800", "–"],
      ["Left out, fee not known", "0", "7"],
    ])
  })
})
