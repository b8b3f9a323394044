import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { closes } from "../../adapters/lanes/crypto/mock/tape.ts"
import { layerStore } from "../../adapters/store/record/Settled.ts"
import { probabilityScale } from "../../core/record/scoreboard/calibration.ts"
import { pool } from "../../core/record/scoreboard/pool.ts"
import { SettledStore } from "../../core/record/scoreboard/SettledStore.ts"
import { day, hour, minute } from "../../core/time.ts"
import { clockAt } from "../support/clock.ts"
import { type LiveServer, liveServer } from "../support/liveServer.ts"
import { settledRow } from "../support/settledRows.ts"
import { begin, today, world } from "../support/worldSources.ts"

const upstreams = ["nws", "iem", "nbm", "mdl", "coinbase", "kraken", "kalshi", "polymarket"] as const

interface Settled {
  readonly series: string
  readonly instrument: string
  readonly strike_type: string
  readonly floor_strike?: number
  readonly cap_strike?: number
  readonly close_time: string
  readonly captured_at: string
  readonly model_prob: number
  readonly market_prob: number
  readonly pooled_prob: number
  readonly pool_weight: number
  readonly result: "yes" | "no"
}

interface Law {
  readonly station?: string
  readonly asset?: string
  readonly variable?: string
  readonly lead_days?: number
  readonly n: number
  readonly crps: number
  readonly pit: ReadonlyArray<number>
  readonly coverage_50: number
  readonly coverage_80: number
  readonly coverage_90: number
}

/** Twenty contracts of each week or day at even odds: the model says .65 and .35 of what comes to .6 and .4. */
const earned = (domain: "crypto" | "weather", apart: number, groups: number) =>
  Array.from({ length: 20 * groups }, (_, at) => {
    const closeTime = begin - 2 * day - Math.floor(at / 20) * apart
    const isAbove = at % 2 === 0
    const result = Math.floor((at % 20) / 2) < 6 === isAbove ? ("yes" as const) : ("no" as const)
    return settledRow({
      ...{
        domain,
        series: `EARNED-${domain}`,
        ticker: `${domain}-${at}`,
        event: `${domain}-${at}`,
        captureId: `${domain}-${at}`,
      },
      ...{ model: isAbove ? 650_000 : 350_000, quotes: { yesBid: 4_900, yesAsk: 5_100, noAsk: 5_100 } },
      ...{ closeTime, capturedAt: closeTime - hour, settledAt: closeTime + minute, result, sourceResult: result },
    })
  })

const brier = (rows: ReadonlyArray<Settled>, of: (row: Settled) => number): number =>
  rows.reduce((sum, row) => sum + (of(row) - (row.result === "yes" ? 1 : 0)) ** 2, 0) / rows.length

describe("Kalshi's contracts that our laws price, over live lanes", () => {
  const clock = clockAt(begin, 10)
  let live: LiveServer
  let signal: { readonly ge: Readonly<Record<string, number>>; readonly below: number }
  const rows: Record<string, ReadonlyArray<Settled>> = {}

  const jobs = async (...names: ReadonlyArray<string>) => assert.deepStrictEqual(await live.jobs(names), [])
  const ok = async (path: string) => {
    const { status, json, text } = await live.server.get(path)
    assert.strictEqual(status, 200, text)
    return json
  }
  const settled = async (domain: string): Promise<ReadonlyArray<Settled>> => {
    const found: Array<Settled> = []
    for (let next = ""; ; ) {
      const page = await ok(`/v1/markets/settled?domain=${domain}&limit=500${next}`)
      found.push(...page.rows)
      if (page.next_before === undefined) return found
      next = `&before=${encodeURIComponent(page.next_before)}`
    }
  }

  beforeAll(async () => {
    const now = () => clock.unsafeCurrentTimeMillis()
    const routes = Object.entries(world().well(...upstreams)).map(([name, of]) => [name, of(now)])
    live = await liveServer({ weather: "live", crypto: "live", markets: "live" }, Object.fromEntries(routes), clock)
    const before = [...earned("weather", 7 * day, 20), ...earned("crypto", day, 20)]
    await live.server.run(
      Effect.provide(
        Effect.flatMap(SettledStore, ({ append }) => append(before)),
        layerStore,
      ),
    )
    await jobs("weather-reports", "weather-forecasts", "weather-guidance", "crypto-tape", "crypto-capture")
    await jobs("markets-settle", "markets-quotes", "markets-capture")
    const at = (begin - 50_000) / minute + 60
    const [price] = closes("BTC", at - 1, at)
    const { results } = await ok(`/v1/weather/signal?station=KNYC&target=${today}`)
    const law = (await ok(`/v1/crypto/signal?asset=BTC&horizon_minutes=60&strikes=${price}`)).results
    signal = { ge: results.probabilities.ge, below: 1 - law.p_above[0].p_above }
    clock.set(begin + 25 * hour)
    await jobs("weather-reports", "weather-scores", "crypto-tape", "crypto-scores", "markets-settle")
    for (const domain of ["weather", "crypto"]) rows[domain] = await settled(domain)
  }, 60_000)
  afterAll(() => live.stop())

  const captured = (domain: string) => rows[domain]!.filter(({ series }) => series.startsWith("KX"))

  it.each(["weather", "crypto"])("capture the weight that the record of %s has earned, and its pool", (domain) => {
    const all = captured(domain)
    assert.isAbove(all.length, 10)
    const { pool_weight: weight } = all[0]!
    assert.isTrue(weight > 0.3 && weight < 0.95, `${weight}`)
    for (const row of all) {
      assert.strictEqual(row.pool_weight, weight)
      const expected = pool(Math.round(row.model_prob * 1e6), Math.round(row.market_prob * 1e6), weight)
      assert.closeTo(row.pooled_prob, expected / probabilityScale, 1e-6)
    }
    assert.isTrue(all.some(({ pooled_prob, market_prob }) => Math.abs(pooled_prob - market_prob) > 0.01))
  })

  it.each(["weather", "crypto"] as const)("score model, market and pool of %s on the same rows", async (domain) => {
    const { brier_model, brier_market, brier_pool, markets_scored } = (await ok("/v1/markets/performance")).domains[
      domain
    ]
    const all = rows[domain]!
    assert.strictEqual(markets_scored, all.length)
    assert.closeTo(
      brier_model,
      brier(all, (row) => row.model_prob),
      1e-6,
    )
    assert.closeTo(
      brier_market,
      brier(all, (row) => row.market_prob),
      1e-6,
    )
    assert.closeTo(
      brier_pool,
      brier(all, (row) => row.pooled_prob),
      1e-6,
    )
    assert.notStrictEqual(brier_pool, brier_market)
  })

  it("have the law of the signal at their capture", () => {
    const ge = (degree: number): number => {
      const degrees = Object.keys(signal.ge).map(Number)
      return degree <= Math.min(...degrees) ? 1 : (signal.ge[degree] ?? 0)
    }
    const own = captured("weather").filter(({ series }) => series === "KXHIGHNY")
    assert.isNotEmpty(own)
    for (const { strike_type, floor_strike = 0, cap_strike = 0, model_prob } of own) {
      const expected = {
        greater: ge(floor_strike + 1),
        less: 1 - ge(cap_strike),
        between: ge(floor_strike) - ge(cap_strike + 1),
      }
      assert.closeTo(model_prob, expected[strike_type as "greater"], 2e-6, strike_type)
    }
  })

  const isRecord = (law: Law) => {
    assert.isAbove(law.n, 0)
    assert.isAbove(law.crps, 0)
    assert.closeTo(
      law.pit.reduce((sum, share) => sum + share, 0),
      1,
      1e-5,
    )
    assert.isTrue(law.coverage_50 <= law.coverage_80 && law.coverage_80 <= law.coverage_90, JSON.stringify(law))
  }

  it("give the record of the weather's laws, as issued", async () => {
    const laws: ReadonlyArray<Law> = (await ok("/v1/weather/performance")).rows
    for (const law of laws) isRecord(law)
    const own = laws.find((law) => law.station === "KNYC" && law.variable === "high" && law.lead_days === 0)!
    const { high_f } = (await ok(`/v1/weather/settlement?station=KNYC&day=${today}`)).results.settlement
    const degrees = Object.keys(signal.ge).map(Number)
    const crps = degrees.reduce(
      (sum, degree) => sum + ((signal.ge[degree + 1] ?? 0) - (degree < high_f ? 1 : 0)) ** 2,
      0,
    )
    assert.strictEqual(own.n, 1)
    assert.closeTo(own.crps, crps, 1e-4)
  })

  it("give the record of the prices' laws, as issued", async () => {
    const laws: ReadonlyArray<Law> = (await ok("/v1/crypto/performance")).rows
    for (const law of laws) isRecord(law)
    const own = laws.find(({ asset }) => asset === "BTC")!
    assert.strictEqual(own.n, 1)
    assert.strictEqual(own.pit.indexOf(1), Math.floor(10 * signal.below))
    assert.strictEqual(own.coverage_80, Number(Math.abs(signal.below - 0.5) <= 0.4))
  })
})
