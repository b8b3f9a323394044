import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as polymarket from "../../../../adapters/providers/live/polymarket/venue.ts"
import type { Failure } from "../../../../core/endpoint/Failure.ts"
import type { Venue } from "../../../../core/lanes/markets/providers.ts"
import { clockAt } from "../../../support/clock.ts"
import { faults } from "../../../support/faults.ts"
import { describeRealData } from "../../../support/realData.ts"
import { json, type Replay, replay } from "../../../support/replay.ts"

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
  description: "The resolution source for this market is Binance BTC/USDT. More words.",
  bestBid: 0.62,
  bestAsk: 0.635,
  feesEnabled: false,
  ...changes,
})

const serving = (markets: ReadonlyArray<unknown>) =>
  replay([
    {
      path: "/events",
      reply: json([
        { slug: "bitcoin-above-on-march-11", seriesSlug: "btc-multi-strikes-weekly", markets },
        { slug: "something-else", seriesSlug: "another", markets: [market({ slug: "other" })] },
      ]),
    },
    { path: "/markets", reply: json(markets) },
  ])

const asking = <A, E>(upstream: Pick<Replay, "url">, body: (venue: Venue) => Effect.Effect<A, E>) =>
  Effect.flatMap(HttpClient.HttpClient, (client) =>
    body(polymarket.make(client, upstream.url, { timeoutMs: 500, pauseMs: 1, maxBytes: 1_000_000 })),
  ).pipe(Effect.provide(FetchHttpClient.layer), Effect.withClock(clockAt(now)))

const open = (venue: Venue) => venue.open("crypto")

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
          settlesOn: "Binance BTC/USDT",
          feeRate: 0,
          book: { yesBid: 6_200, yesAsk: 6_350, noAsk: 3_800 },
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

  it.scopedLive("have no quote where a side is missing, and no fee where it is not told", () =>
    Effect.gen(function* () {
      const row = market({ bestBid: undefined, bestAsk: null, feesEnabled: true })
      const [found] = yield* asking(yield* serving([row]), open)
      assert.deepStrictEqual(found!.book, { yesBid: 0, yesAsk: 10_000, noAsk: 10_000 })
      assert.isUndefined(found!.feeRate)
    }),
  )

  for (const [name, reason] of [
    ["reset", "transport"],
    ["html", "not-json"],
    ["nothing", "shape"],
    ["huge", "too-large"],
    ["forbidden", "status"],
    ["hang", "timeout"],
  ] as const) {
    it.scopedLive(`are 503 while the venue answers with ${name}`, () =>
      Effect.gen(function* () {
        const upstream = yield* serving([market()])
        upstream.spoil(faults[name])
        for (const ask of [open, (venue: Venue) => venue.outcomes(["a"])]) {
          const failure = yield* Effect.flip(asking<unknown, Failure>(upstream, ask))
          assert.strictEqual(failure.message, `polymarket does not answer as it should (${reason}).`)
        }
      }),
    )
  }
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
    ["proposed is not final", ended({ umaResolutionStatus: "proposed" }), undefined],
    ["open", market({ outcomePrices: '["1", "0"]' }), undefined],
  ]
  for (const [what, row, result] of cases) {
    it.scopedLive(what, () =>
      Effect.gen(function* () {
        const upstream = yield* serving([row])
        const [found] = yield* asking(upstream, (venue) => venue.outcomes(["bitcoin-above-64k-on-march-11"]))
        assert.strictEqual(found?.result, result)
        if (found !== undefined) assert.strictEqual(found.closedAt, Date.UTC(2026, 2, 11, 16))
      }),
    )
  }

  it.scopedLive("are from before the announced end where trading ended before", () =>
    Effect.gen(function* () {
      const upstream = yield* serving([ended({ closedTime: "2026-03-10 21:25:17+00" })])
      const [found] = yield* asking(upstream, (venue) => venue.outcomes(["x"]))
      assert.strictEqual(found?.closedAt, Date.UTC(2026, 2, 10, 21, 25, 17))
    }),
  )
})

describeRealData("what Polymarket answered on 2026-03-11", (root) => {
  it.scopedLive("is read: one strike whose ask of a dollar is no quote", () =>
    Effect.gen(function* () {
      const { events } = JSON.parse(readFileSync(join(root, "markets/polymarket/search_response.json"), "utf8"))
      const upstream = yield* replay([{ path: "/events", reply: json(events) }])
      const [found, ...more] = yield* asking(upstream, open)
      assert.deepStrictEqual(more, [])
      assert.deepInclude(found, {
        floorStrike: 64_000,
        closeTime: Date.UTC(2026, 2, 11, 16),
        book: { yesBid: 9_990, yesAsk: 10_000, noAsk: 10 },
      })
      assert.match(found!.settlesOn, /Binance/)
    }),
  )

  for (const file of ["gamma_market_closed_binary_accepting_false", "gamma_market_closed_zero_zero_legacy"]) {
    it.scopedLive(`is decided or not, and never misread: ${file}`, () =>
      Effect.gen(function* () {
        const row = JSON.parse(readFileSync(join(root, `markets/polymarket/${file}.json`), "utf8"))
        const upstream = yield* replay([{ path: "/markets", reply: json([row]) }])
        const [found] = yield* asking(upstream, (venue) => venue.outcomes([row.slug]))
        const decided = row.closed && row.umaResolutionStatus === "resolved"
        const prices = JSON.parse(row.outcomePrices)
        const result = prices[0] === "1" ? "yes" : prices[1] === "1" ? "no" : "void"
        assert.strictEqual(found?.result, decided ? result : undefined)
      }),
    )
  }
})
