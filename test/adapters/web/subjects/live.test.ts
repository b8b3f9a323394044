import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as contractStore from "../../../../adapters/lanes/markets/store/Contracts.ts"
import { layerStore } from "../../../../adapters/store/record/Settled.ts"
import * as Live from "../../../../adapters/web/subjects/live.ts"
import { ContractStore, MarketHistory, OpenContracts } from "../../../../core/lanes/markets/ports.ts"
import { Observations } from "../../../../core/lanes/weather/ports.ts"
import { byId } from "../../../../core/lanes/weather/stations.ts"
import { RecordLog } from "../../../../core/record/log/RecordLog.ts"
import { SettledStore } from "../../../../core/record/scoreboard/SettledStore.ts"
import { hour } from "../../../../core/time.ts"
import { clockAt } from "../../../support/clock.ts"
import { book, contract, noon } from "../../../support/contracts.ts"
import { leaf } from "../../../support/record.ts"
import { type Running, start } from "../../../support/running.ts"
import { settledRow } from "../../../support/settledRows.ts"

/** Probabilities of the open contracts that must not be on any page. */
const secrets = [0.517, 0.283]

const open = [
  contract({ model: secrets[0]! * 1e6, title: "High in New York on 2026-07-12: above 89 °F" }),
  contract({
    ...{ ticker: "KXHIGHNY-26JUL12-B88.5", title: "High in New York on 2026-07-12: 88 to 89 °F" },
    ...{ strikeType: "between", floorStrike: 88, capStrike: 89, model: secrets[1]! * 1e6, bidAsk: book(60, 64) },
  }),
]

/** Nine in ten that the ninth of July reaches 84 °F, one in ten that it reaches 86 °F. */
const law = { 83: 1, 84: 0.9, 85: 0.4, 86: 0.1, 87: 0 }

const salt = "AAAAAAAAAAAAAAAAAAAAAA"

/** Settled while its leaf is still sealed. */
const early = settledRow({
  ...{ instrument: "KMIA", series: "KXHIGHMIA", event: "KXHIGHMIA-26JUL09", ticker: "KXHIGHMIA-26JUL09-B84.5" },
  ...{ title: "High in Miami on 2026-07-09: 84 to 85 °F", captureId: "01J2ABCDEFGHJKMNPQRSTVWXY0" },
})

let running: Running
beforeAll(async () => {
  running = await start({ weather: "live", markets: "live" }, { clock: clockAt(noon) })
  await running.run(
    Effect.gen(function* () {
      const { captureId } = settledRow()
      yield* (yield* SettledStore).append([settledRow(), early])
      yield* (yield* ContractStore).replace("kalshi", "weather", open, noon)
      yield* (yield* RecordLog).append([
        leaf(0, {
          id: captureId,
          kind: "capture",
          body: { output: { high: law } },
          seal: { until: noon - 1, salt },
        }),
        leaf(1, {
          id: early.captureId,
          kind: "capture",
          body: { output: { high: law } },
          seal: { until: noon + 1, salt },
        }),
      ])
    }).pipe(Effect.provide(layerStore), Effect.provide(contractStore.layerStore)) as never,
  )
}, 120_000)
afterAll(() => running.stop())

const read = async (path: string) => {
  const response = await fetch(running.url + path, { headers: { accept: "text/html" } })
  return { status: response.status, html: await response.text() }
}

describe("the pages of a lane that is live", () => {
  it("show of what is open the market, and the number sealed with its price", async () => {
    const { status, html } = await read("/weather/KNYC")
    assert.strictEqual(status, 200)
    assert.match(html, /<h1>High in New York, 12 Jul 2026<\/h1>/)
    assert.match(
      html,
      /Sealed until it closes, or <a href="\/dashboard\/playground\/weather_signal\?station=KNYC">buy it for 0\.01 USD<\/a>/,
    )
    assert.include(html, '<td class="number">62 %</td>')
    assert.include(html, 'href="https://kalshi.com/markets/kxhighny"')
  })

  it("show what settled last with what was said before its close, of the leaf that has it", async () => {
    const { html } = await read("/weather/KNYC")
    assert.match(html, /We said<\/span><strong>42 %<\/strong>/)
    assert.include(html, "Happened: <strong>84 to 85 °F</strong>")
    assert.match(html, />84 °F<\/th><td[^>]*>50 %</)
    assert.match(html, /Written down<\/dt><dd>[\d\sdhmin]+ before the close, <a href="\/record\?leaf=/)
    assert.include(html, `href="/record?leaf=${settledRow().captureId}"`)
  })

  it("draw no leaf that is sealed still", async () => {
    const { html } = await read("/weather/KMIA")
    assert.include(html, "Happened: <strong>84 to 85 °F</strong>")
    assert.notInclude(html, "84 °F: 50 %")
  })

  it.each(["/", "/forecasts", "/weather/KNYC", "/markets/KXHIGHNY-26JUL12-T89"])(
    "show no number that is sold on %s, and of this lane no sample",
    async (path) => {
      const { status, html } = await read(path)
      assert.strictEqual(status, 200)
      const ours = path === "/forecasts" ? html.slice(html.indexOf('id="weather"'), html.indexOf('id="nfl"')) : html
      for (const p of secrets) assert.notMatch(ours, new RegExp(`${Math.round(100 * p)} %|${p}`))
      assert.notMatch(ours, /\(sample data\)|Sample data, not/)
    },
  )

  it("show a contract that has settled with both numbers, sold no more", async () => {
    const { status, html } = await read(`/markets/${settledRow().ticker}`)
    assert.strictEqual(status, 200)
    assert.match(html, /We said<\/span><strong>42 %<\/strong>.*Market<\/span><strong>31 %<\/strong>/)
    assert.notMatch(html, /Alert me|buy it/)
  })
})

describe("what everybody may see of a live lane", () => {
  const old = settledRow()
  const row = { market_ticker: old.ticker, event: old.event, venue: old.venue }
  const asked: Array<unknown> = []
  const publicOf = (freshness: "live" | "mock") =>
    Effect.provide(
      Live.make(
        {
          call: (_: unknown, input: unknown) => {
            asked.push(input)
            return Effect.succeed({ answer: { results: { rows: [row] } } })
          },
        } as never,
        () =>
          Effect.succeed({ rows: [{ ...row, market_ticker: "NEWER" }] as never, isGenerated: freshness === "mock" }),
      ),
      Layer.mergeAll(
        Layer.succeed(OpenContracts, { freshness, open: Effect.succeed({ contracts: [] }) } as never),
        Layer.succeed(MarketHistory, {
          captures: () =>
            Effect.succeed([{ at: noon, captureId: "cap_1", contract: contract({ ...old, closeTime: noon }) }]),
        } as never),
        Layer.succeed(RecordLog, {
          leafOf: (id: string) =>
            Effect.succeed(
              id === `kalshi/${old.ticker}/1` ? { id, text: JSON.stringify({ at: noon + 1 }) } : undefined,
            ),
        } as never),
        Layer.succeed(Observations, {
          freshness,
          since: (_: unknown, from: number) =>
            Effect.succeed([61, 74.5, 70.3].map((tempF, at) => ({ at: from + at * hour, tempF }))),
        } as never),
      ),
    )

  it("has the official extremes of the day so far, of real observations alone", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        const knyc = byId.get("KNYC")!
        const [live, mock] = [yield* publicOf("live"), yield* publicOf("mock")]
        const { high, low } = (yield* live.soFar(knyc, noon))!
        assert.deepStrictEqual([high, low], [74, 61])
        assert.isUndefined(yield* mock.soFar(knyc, noon))
      }),
    ))

  it("has a contract older than the rows that are kept, by one read from its close on", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        const { settledOf } = yield* publicOf("live")
        assert.deepStrictEqual(yield* settledOf(old.ticker, noon), [row as never])
        assert.deepStrictEqual(asked, [{ domain: "weather", limit: 500, before: "2026-07-11T12:00:00.001Z" }])
        assert.deepStrictEqual(yield* settledOf("NONE", noon), [])
      }),
    ))

  it("has the entries on it, the result first", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        const { entries } = yield* publicOf("live")
        assert.deepStrictEqual(yield* entries({ market: old.ticker }, noon), [
          { at: noon + 1, id: `kalshi/${old.ticker}/1`, name: `Result, ${old.ticker}` },
          { at: noon, id: "cap_1", name: "Forecast" },
        ])
      }),
    ))

  it("is nothing of generated markets", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        const { settled, settledOf, entries } = yield* publicOf("mock")
        assert.deepStrictEqual(yield* settled("weather"), { rows: [] })
        assert.deepStrictEqual([yield* settledOf(old.ticker, noon), yield* entries({ market: "A" }, noon)], [[], []])
      }),
    ))
})

describe("the pages of a lane that is live beside generated markets", () => {
  it("sell the number without a market, and show no generated one", async () => {
    const beside = await start({ weather: "live" }, { clock: clockAt(noon) })
    try {
      const get = async (path: string) => {
        const response = await fetch(beside.url + path, { headers: { accept: "text/html" } })
        return { status: response.status, html: await response.text() }
      }
      const { status, html } = await get("/weather/KNYC")
      assert.strictEqual(status, 200)
      assert.match(html, /<h1>High in New York<\/h1>.*buy it for 0\.01 USD.*no price/s)
      assert.notMatch(html, /sample data|Happened/i)
      const list = (await get("/forecasts")).html
      assert.include(list.slice(list.indexOf('id="weather"'), list.indexOf('id="nfl"')), 'href="/weather/KNYC"')
    } finally {
      await beside.stop()
    }
  }, 120_000)
})
