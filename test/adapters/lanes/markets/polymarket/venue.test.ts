import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as polymarket from "../../../../../adapters/lanes/markets/polymarket/venue.ts"
import type { PartialResult, Venue } from "../../../../../core/lanes/markets/ports.ts"
import { clockAt } from "../../../../support/clock.ts"
import { patient } from "../../../../support/policy.ts"
import { describeRealData } from "../../../../support/realData.ts"
import { json, type Replay, type Route, replay } from "../../../../support/replay.ts"
import { polymarketIds, seriesRoute } from "../../../../support/venues.ts"

const now = Date.UTC(2026, 2, 11, 15)

const market = (changes: Readonly<Record<string, unknown>> = {}) => ({
  slug: "bitcoin-above-64k-on-march-11",
  question: "Will the price of Bitcoin be above $64,000 on March 11?",
  outcomes: '["Yes", "No"]',
  endDate: "2026-03-11T16:00:00Z",
  active: true,
  closed: false,
  acceptingOrders: true,
  groupItemTitle: "64,000",
  description: 'The resolution source for this market is Binance, the BTC/USDT "Close" price. More words.',
  bestBid: 0.62,
  bestAsk: 0.635,
  feesEnabled: false,
  ...changes,
})

/** A page of events, the last one unless it names where the next begins. */
const events = (rows: ReadonlyArray<unknown>, next_cursor?: string) =>
  json({ events: rows, ...(next_cursor === undefined ? {} : { next_cursor }) })

const [btc, eth] = ["btc-multi-strikes-weekly", "ethereum-multi-strikes-weekly"] as const

/** Whether a query is for the events of a series. */
const of = (slug: keyof typeof polymarketIds) => (query: URLSearchParams) =>
  query.get("series_id") === polymarketIds[slug]

const noEvents: Route = { path: "/events/keyset", reply: events([]) }

const serving = (markets: ReadonlyArray<unknown>) =>
  replay([
    seriesRoute,
    {
      path: "/events/keyset",
      query: of(btc),
      // Others among ours.
      reply: events([
        { slug: "bitcoin-above-on-march-11", seriesSlug: "btc-multi-strikes-weekly", markets },
        { slug: "something-else", seriesSlug: "another", markets: [market({ slug: "other" })] },
        { slug: "no series", markets: [market({ slug: "other" })] },
        { slug: "no markets", seriesSlug: "btc-multi-strikes-weekly" },
        null,
      ]),
    },
    noEvents,
    { path: "/markets/keyset", reply: json({ markets }) },
  ])

const asking = <A, E>(upstream: Pick<Replay, "url">, body: (venue: Venue) => Effect.Effect<A, E>) =>
  Effect.flatMap(HttpClient.HttpClient, (client) => body(polymarket.make(client, upstream.url, patient))).pipe(
    Effect.provide(FetchHttpClient.layer),
    Effect.withClock(clockAt(now)),
  )

/** What is heard of it; nothing may be left without an answer. */
const whole = <A, E>(asked: Effect.Effect<PartialResult<A>, E>) =>
  Effect.map(asked, ({ items, failed }) => {
    assert.deepStrictEqual(failed, [])
    return items
  })

const open = (venue: Venue) => whole(venue.open("crypto"))
const outcomesOf =
  (...tickers: ReadonlyArray<string>) =>
  (venue: Venue) =>
    whole(venue.outcomes(tickers))

describe("open contracts at Polymarket", () => {
  it.scopedLive("are prices above a strike, of the series that have a model", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* asking(yield* serving([market()]), open), [
        {
          domain: "crypto",
          venue: "polymarket",
          series: "btc-multi-strikes-weekly",
          event: "bitcoin-above-on-march-11",
          ticker: "bitcoin-above-64k-on-march-11",
          title: "Will the price of Bitcoin be above $64,000 on March 11?",
          strikeType: "greater",
          floorStrike: 64_000,
          closeTime: Date.UTC(2026, 2, 11, 16),
          settlesOn: 'Binance, the BTC/USDT "Close" price',
          feeRate: 0,
          bidAsk: { yesBid: 6_200, yesAsk: 6_350, noAsk: 3_800 },
          quotedAt: now,
        },
      ])
    }),
  )

  const left: ReadonlyArray<readonly [what: string, row: unknown]> = [
    ["closed", market({ closed: true })],
    ["not active", market({ active: false })],
    ["takes no orders", market({ acceptingOrders: false })],
    ["other outcomes", market({ outcomes: '["Up", "Down"]' })],
    ["the outcomes the other way round", market({ outcomes: '["No", "Yes"]' })],
    ["outcomes that are no JSON", market({ outcomes: "Yes, No" })],
    ["no strike", market({ groupItemTitle: "<64,000" })],
    ["a strike that is not the question's", market({ groupItemTitle: "46,000" })],
    ["another asset", market({ question: "Will the price of Solana be above $64,000 on March 11?" })],
    ["another asset's source", market({ description: market().description.replace("BTC", "ETH") })],
    ["a source of high prices", market({ description: market().description.replace("Close", "High") })],
    ["another source", market({ description: "The resolution source for this market is Chainlink BTC/USD." })],
    ["no source", market({ description: undefined })],
    ["over", market({ endDate: new Date(now).toISOString() })],
    ["another question", market({ question: "Will the price of Bitcoin be below $64,000?" })],
    ["a price outside", market({ bestBid: 1.2 })],
    ["a price of text", market({ bestAsk: "0.63" })],
    ["no end", market({ endDate: "soon" })],
    ["null", null],
  ]
  for (const [what, row] of left) {
    it.scopedLive(`are left out: ${what}`, () =>
      Effect.gen(function* () {
        const found = yield* asking(yield* serving([row, market({ slug: "good" })]), open)
        assert.deepStrictEqual(
          found.map(({ ticker }) => ticker),
          ["good"],
        )
      }),
    )
  }

  it.scopedLive("have no quote if a side is missing, and no fee if none is stated", () =>
    Effect.gen(function* () {
      const row = market({ bestBid: undefined, bestAsk: null, feesEnabled: true })
      const [found] = yield* asking(yield* serving([row]), open)
      assert.deepStrictEqual(found!.bidAsk, { yesBid: 0, yesAsk: 10_000, noAsk: 10_000 })
      assert.isUndefined(found!.feeRate)
    }),
  )

  const fees: ReadonlyArray<readonly [changes: Readonly<Record<string, unknown>>, rate: number | undefined]> = [
    [{ feesEnabled: false }, 0],
    [{ feesEnabled: true, feeSchedule: { rate: 0.07, exponent: 1, takerOnly: true } }, 700],
    [{ feesEnabled: true, feeSchedule: { rate: 0.25, exponent: 2 } }, undefined],
    [{ feesEnabled: true, feeSchedule: { rate: -0.01, exponent: 1 } }, undefined],
    [{ feesEnabled: true, feeSchedule: { rate: 1.01, exponent: 1 } }, undefined],
    [{ feesEnabled: true, feeSchedule: null }, undefined],
    [{ feesEnabled: undefined }, undefined],
  ]
  for (const [changes, rate] of fees) {
    it.scopedLive(`have fee rate ${rate ?? "unknown"}: ${JSON.stringify(changes)}`, () =>
      Effect.gen(function* () {
        const [found] = yield* asking(yield* serving([market(changes)]), open)
        assert.strictEqual(found?.feeRate, rate)
      }),
    )
  }

  it.scopedLive("are those of every asset of ours, by its own question and its own source", () =>
    Effect.gen(function* () {
      const ether = {
        slug: "ethereum-above-2100-on-march-11",
        question: "Will the price of Ethereum be above $2,100.50 on March 11?",
        groupItemTitle: "2,100.50",
        description: market().description.replace("BTC", "ETH"),
      }
      const markets = [market(ether), market(), market({ ...ether, description: market().description })]
      const upstream = yield* replay([
        seriesRoute,
        { path: "/events/keyset", query: of(eth), reply: events([{ slug: "e", seriesSlug: eth, markets }]) },
        noEvents,
      ])
      const [found, ...more] = yield* asking(upstream, open)
      assert.deepInclude(found, { series: "ethereum-multi-strikes-weekly", floorStrike: 2_100.5 })
      assert.deepStrictEqual(more, [])
    }),
  )

  for (const end of [undefined, "", "LTE="])
    it.scopedLive(`of one series cost the other nothing, and pages are read to the last, ended by ${end}`, () =>
      Effect.gen(function* () {
        const event = { slug: "e", seriesSlug: "btc-multi-strikes-weekly", markets: [] }
        const upstream = yield* replay([
          seriesRoute,
          { path: "/events/keyset", query: of(eth), reply: json({}) },
          {
            path: "/events/keyset",
            query: (query) => !query.has("after_cursor"),
            reply: events([event, event], "a b="),
          },
          // A page may be empty without being the last.
          { path: "/events/keyset", query: (query) => query.get("after_cursor") === "a b=", reply: events([], "c") },
          { path: "/events/keyset", reply: events([{ ...event, markets: [market()] }], end) },
        ])
        const { items, failed } = yield* asking(upstream, (venue) => venue.open("crypto"))
        assert.strictEqual(items.length, 1)
        assert.deepStrictEqual(
          failed.map(({ part }) => part),
          ["ethereum-multi-strikes-weekly"],
        )
        const asked = upstream.requests.filter(({ query }) => of(btc)(query))
        const all = { series_id: polymarketIds[btc], closed: "false", limit: "100" }
        assert.deepStrictEqual(
          asked.map(({ query }) => Object.fromEntries(query)),
          // The service refuses `offset`.
          [all, { ...all, after_cursor: "a b=" }, { ...all, after_cursor: "c" }],
        )
      }),
    )

  const pages = (requests: Replay["requests"]) => requests.filter(({ path }) => path === "/events/keyset").length

  it.scopedLive("pagination stops when the cursor repeats or loops, and says at which limit", () =>
    Effect.gen(function* () {
      const still = yield* replay([seriesRoute, { path: "/events/keyset", reply: events([], "again") }])
      assert.strictEqual((yield* Effect.flip(asking(still, open))).code, "upstream_unavailable")
      assert.strictEqual(pages(still.requests), 2 * 2)
      let page = 0
      const circles = yield* replay([
        seriesRoute,
        { path: "/events/keyset", reply: () => events([], String(page++ % 3)) },
      ])
      const { code, cause } = yield* Effect.flip(asking(circles, open))
      assert.strictEqual(code, "upstream_unavailable")
      assert.strictEqual(
        (cause as Error).message,
        `The list of open events of ${btc} does not end within 5 pages, or begins again.`,
      )
      assert.strictEqual(pages(circles.requests), 2 * 5)
    }),
  )

  it.scopedLive("ask once for the ids of their series", () =>
    Effect.gen(function* () {
      const upstream = yield* serving([market()])
      yield* asking(upstream, (venue) => Effect.zipRight(open(venue), open(venue)))
      const asked = upstream.requests.filter(({ path }) => path === "/series")
      assert.deepStrictEqual(
        asked.map(({ query }) => Object.fromEntries(query)),
        [btc, eth].map((slug) => ({ slug, exclude_events: "true" })),
      )
    }),
  )

  const lists: ReadonlyArray<readonly [what: string, list: unknown]> = [
    ["no series", []],
    ["another series", [{ id: "1", slug: "another" }]],
    ["a series without a slug", [{ id: "1" }]],
    ["two of one slug", [btc, btc].map((slug, at) => ({ id: String(at), slug }))],
    ["an id that is no number", [{ id: "1&tag_id=2", slug: btc }]],
    ["no list", { id: "1", slug: btc }],
  ]
  for (const [what, list] of lists) {
    it.scopedLive(`are refused where the slug has no id, and asked for again: ${what}`, () =>
      Effect.gen(function* () {
        let good = false
        const upstream = yield* replay([
          {
            path: "/series",
            query: (query) => !good && query.get("slug") === btc,
            reply: json(list),
          },
          seriesRoute,
          {
            path: "/events/keyset",
            query: of(btc),
            reply: events([{ slug: "e", seriesSlug: btc, markets: [market()] }]),
          },
          noEvents,
        ])
        yield* asking(upstream, (venue) =>
          Effect.gen(function* () {
            const { failed } = yield* venue.open("crypto")
            assert.deepStrictEqual(
              failed.map(({ part, failure }) => [part, failure.code]),
              [[btc, "upstream_unavailable"]],
            )
            assert.strictEqual(pages(upstream.requests), 1)
            good = true
            assert.lengthOf(yield* open(venue), 1)
          }),
        )
      }),
    )
  }

  it.scopedLive("are refused where none of the events is of the series that was asked for", () =>
    Effect.gen(function* () {
      const upstream = yield* replay([
        seriesRoute,
        { path: "/events/keyset", reply: events([{ slug: "e", seriesSlug: btc, markets: [market()] }]) },
      ])
      const { items, failed } = yield* asking(upstream, (venue) => venue.open("crypto"))
      assert.lengthOf(items, 1)
      assert.deepStrictEqual(
        failed.map(({ part }) => part),
        [eth],
      )
    }),
  )

  it.scopedLive("are none of other domains: its temperatures are no report's", () =>
    Effect.gen(function* () {
      const upstream = yield* serving([market()])
      assert.deepStrictEqual(yield* asking(upstream, (venue) => whole(venue.open("weather"))), [])
      assert.deepStrictEqual(upstream.requests, [])
    }),
  )
})

describe("results at Polymarket", () => {
  const ended = (changes: Readonly<Record<string, unknown>> = {}) =>
    market({
      closed: true,
      closedTime: "2026-03-11 16:20:00+00",
      umaResolutionStatus: "resolved",
      outcomePrices: '["1", "0"]',
      ...changes,
    })
  const cases: ReadonlyArray<readonly [what: string, row: unknown, result: string | undefined]> = [
    ["1 and 0 is yes", ended(), "yes"],
    ["0 and 1 is no", ended({ outcomePrices: '["0", "1"]' }), "no"],
    ["halves are void", ended({ outcomePrices: '["0.5", "0.5"]' }), "void"],
    ["nothing for anybody is void", ended({ outcomePrices: '["0", "0"]' }), "void"],
    ["a list that is no text", ended({ outcomePrices: ["1", "0"], outcomes: ["Yes", "No"] }), "yes"],
    ["prices in between are no result", ended({ outcomePrices: '["0.9995", "0.0005"]' }), undefined],
    ["prices of words", ended({ outcomePrices: '["one", "none"]' }), undefined],
    ["one price", ended({ outcomePrices: '["1"]' }), undefined],
    ["no prices yet", ended({ umaResolutionStatus: undefined, outcomePrices: undefined }), undefined],
    ["the outcomes the other way round", ended({ outcomes: '["No", "Yes"]' }), undefined],
    ["other outcomes", ended({ outcomes: '["Up", "Down"]' }), undefined],
    ["proposed is not final", ended({ umaResolutionStatus: "proposed" }), undefined],
    ["disputed is not final", ended({ umaResolutionStatus: "disputed" }), undefined],
    ["no status is not final", ended({ umaResolutionStatus: undefined }), undefined],
    ["resolved by the venue", ended({ umaResolutionStatus: undefined, automaticallyResolved: true }), "yes"],
    ["disputed after that", ended({ umaResolutionStatus: "disputed", automaticallyResolved: true }), undefined],
    ["resolved, and not closed", ended({ closed: false }), undefined],
    ["open", market({ outcomePrices: '["1", "0"]' }), undefined],
  ]
  for (const [what, row, result] of cases) {
    it.scopedLive(what, () =>
      Effect.gen(function* () {
        const upstream = yield* serving([row])
        const [found] = yield* asking(upstream, outcomesOf("bitcoin-above-64k-on-march-11"))
        assert.strictEqual(found?.result, result)
        if (found !== undefined) assert.strictEqual(found.closedAt, Date.UTC(2026, 2, 11, 16))
      }),
    )
  }

  it.scopedLive("are refused where resolved markets have no prices", () =>
    Effect.gen(function* () {
      const upstream = yield* serving([ended({ outcomePrices: undefined })])
      const failure = yield* Effect.flip(asking(upstream, outcomesOf("bitcoin-above-64k-on-march-11")))
      assert.match(String(failure.cause), /a resolved market without outcomePrices/)
    }),
  )

  it.scopedLive("are from before the announced end where trading ended before", () =>
    Effect.gen(function* () {
      const upstream = yield* serving([ended({ closedTime: "2026-03-10 21:25:17+00" })])
      const [found] = yield* asking(upstream, outcomesOf("bitcoin-above-64k-on-march-11"))
      assert.strictEqual(found?.closedAt, Date.UTC(2026, 2, 10, 21, 25, 17))
    }),
  )
})

describe("many results at Polymarket", () => {
  it.scopedLive("are asked for fifty at a time, by name", () =>
    Effect.gen(function* () {
      const upstream = yield* replay([{ path: "/markets/keyset", reply: json({ markets: [] }) }])
      const names = Array.from({ length: 120 }, (_, at) => `m${at}`)
      assert.deepStrictEqual(yield* asking(upstream, outcomesOf(...names)), [])
      assert.deepStrictEqual(
        upstream.requests.map(({ query }) => query.getAll("slug").length),
        [50, 50, 20],
      )
      assert.deepStrictEqual(
        upstream.requests.flatMap(({ query }) => query.getAll("slug")),
        names,
      )
    }),
  )
})

describeRealData("what Polymarket answered on 2026-03-11", (root) => {
  it.scopedLive("is read: one strike whose ask of a dollar is no quote", () =>
    Effect.gen(function* () {
      const recorded = JSON.parse(readFileSync(join(root, "markets/polymarket/search_response.json"), "utf8"))
      const upstream = yield* replay([
        seriesRoute,
        { path: "/events/keyset", query: of(btc), reply: events(recorded.events) },
        noEvents,
      ])
      const [found, ...more] = yield* asking(upstream, open)
      assert.deepStrictEqual(more, [])
      assert.deepInclude(found, {
        floorStrike: 64_000,
        closeTime: Date.UTC(2026, 2, 11, 16),
        bidAsk: { yesBid: 9_990, yesAsk: 10_000, noAsk: 10 },
      })
      assert.match(found!.settlesOn, /Binance/)
    }),
  )

  for (const file of ["gamma_market_closed_binary_accepting_false", "gamma_market_closed_zero_zero_legacy"]) {
    it.scopedLive(`is decided or not, and never misread: ${file}`, () =>
      Effect.gen(function* () {
        const row = JSON.parse(readFileSync(join(root, `markets/polymarket/${file}.json`), "utf8"))
        const upstream = yield* replay([{ path: "/markets/keyset", reply: json({ markets: [row] }) }])
        const [found] = yield* asking(upstream, outcomesOf(row.slug))
        const decided = row.closed && row.umaResolutionStatus === "resolved"
        const prices = JSON.parse(row.outcomePrices)
        const result = prices[0] === "1" ? "yes" : prices[1] === "1" ? "no" : "void"
        assert.strictEqual(found?.result, decided ? result : undefined)
      }),
    )
  }
})
