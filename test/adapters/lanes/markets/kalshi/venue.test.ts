// Proof: takes about ten seconds or more.
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { parseSource } from "../../../../../adapters/lanes/markets/kalshi/market.ts"
import type { Contract } from "../../../../../core/contracts/Contract.ts"
import { footballMapping } from "../../../../../core/lanes/football/contracts.ts"
import type { Venue } from "../../../../../core/lanes/markets/ports.ts"
import { clockAt } from "../../../../support/clock.ts"
import { faults, withFault } from "../../../../support/faults.ts"
import { asking, events, market, now, serving, terms, weather } from "../../../../support/kalshi.ts"
import { json, type Payload, type Route, replay } from "../../../../support/replay.ts"
import { kalshiStand } from "../../../../support/venues.ts"

describe("open contracts at Kalshi", () => {
  it.scopedLive(
    "have strikes by type, prices in ten-thousandths, the series' fee and the event's settlement source",
    () =>
      Effect.gen(function* () {
        const upstream = yield* serving({})
        assert.deepStrictEqual(yield* asking(upstream, weather), [
          {
            domain: "weather",
            venue: "kalshi",
            series: "KXHIGHNY",
            event: "KXHIGHNY-26JUL12",
            ticker: "KXHIGHNY-26JUL12-T89",
            title: "Will the high temp in NYC be >89° on Jul 12, 2026? — 90° or above",
            strikeType: "greater",
            floorStrike: 89,
            closeTime: Date.UTC(2026, 6, 13, 4, 59),
            settlesOn: "The Weather Company",
            feeRate: 700,
            bidAsk: { yesBid: 1_600, yesAsk: 1_900, noAsk: 8_400 },
            depth: {},
            quotedAt: now,
          },
        ])
        const [first] = upstream.requests
        assert.deepStrictEqual(Object.fromEntries(first!.query), {
          series_ticker: "KXHIGHNY",
          status: "open",
          limit: "1000",
        })
      }),
  )

  it.scopedLive("have sizes, volume and open interest as the venue states them", () =>
    Effect.gen(function* () {
      const sizes = { yes_ask_size_fp: "211.00", yes_bid_size_fp: "0.00", volume_fp: "1944.25" }
      const stated = yield* serving({ pages: [[market(sizes), market({ ticker: "b", open_interest_fp: "-1" })]] })
      const found = yield* asking(stated, weather)
      // A number that cannot be one is the whole row's fault.
      assert.deepStrictEqual(
        found.map(({ ticker, depth }) => [ticker, depth]),
        [["KXHIGHNY-26JUL12-T89", { yesAskSize: 211, noAskSize: 0, volume: 1944.25 }]],
      )
    }),
  )

  it.scopedLive("are read to the last page; series terms are requested once in ten minutes", () =>
    Effect.gen(function* () {
      const upstream = yield* serving({ pages: [[market()], [market({ ticker: "b" })], [market({ ticker: "c" })]] })
      const found = yield* asking(upstream, (venue) => Effect.zipRight(weather(venue), weather(venue)))
      assert.deepStrictEqual(
        found.map(({ ticker }) => ticker),
        ["KXHIGHNY-26JUL12-T89", "b", "c"],
      )
      assert.strictEqual(upstream.requests.filter(({ path }) => path.endsWith("/series/KXHIGHNY")).length, 1)
    }),
  )

  it.scopedLive("pagination stops when the cursor repeats or loops", () =>
    Effect.gen(function* () {
      const ofGames = 3
      const still = yield* replay([{ path: /markets$/, reply: json({ markets: [], cursor: "again" }) }])
      const failure = yield* Effect.flip(asking(still, (venue) => venue.open("nfl")))
      assert.strictEqual(failure.code, "upstream_unavailable")
      assert.strictEqual(still.requests.length, ofGames * 2)
      let page = 0
      const circles = yield* replay([
        { path: /markets$/, reply: () => json({ markets: [], cursor: String(page++ % 3) }) },
      ])
      assert.strictEqual(
        (yield* Effect.flip(asking(circles, (venue) => venue.open("nfl")))).code,
        "upstream_unavailable",
      )
      assert.strictEqual(circles.requests.length, ofGames * 50)
      assert.deepStrictEqual(
        [...new Set(circles.requests.map(({ query }) => query.get("series_ticker")))],
        ["KXNFLGAME", "KXNFLSPREAD", "KXNFLTOTAL"],
      )
    }),
  )

  const left: ReadonlyArray<readonly [what: string, row: unknown]> = [
    ["a market that is not active", market({ status: "initialized" })],
    ["one that is no yes or no", market({ market_type: "scalar" })],
    ["a market of another series", market({ event_ticker: "KXLOWTNYC-26JUL12" })],
    ["one that closes now", market({ close_time: new Date(now).toISOString() })],
    ["a price that is a number", market({ yes_bid_dollars: 0.16 })],
    ["a price above a dollar", market({ yes_ask_dollars: "1.0100" })],
    ["a negative price", market({ yes_bid_dollars: "-0.0100" })],
    ["a price of words", market({ yes_ask_dollars: "dear" })],
    ["a price of too many digits", market({ yes_ask_dollars: "0.1234567" })],
    ["a price just above a dollar", market({ yes_ask_dollars: "1.000001" })],
    ["no price", market({ no_ask_dollars: undefined })],
    ["a close that is no time", market({ close_time: "soon" })],
    ["a strike that is text", market({ floor_strike: "89" })],
    ["null", null],
    ["a list", []],
  ]
  for (const [what, row] of left) {
    it.scopedLive(`an unreadable row does not affect the others: ${what}`, () =>
      Effect.gen(function* () {
        const upstream = yield* serving({ pages: [[row, market({ ticker: "good" })]] })
        const found = yield* asking(upstream, weather)
        assert.deepStrictEqual(
          found.map(({ ticker }) => ticker),
          ["good"],
        )
      }),
    )
  }

  const books: ReadonlyArray<
    readonly [prices: readonly [yesBid: string, yesAsk: string, noAsk: string], book: Contract["bidAsk"]]
  > = [
    [["0.160000", "0.190000", "0.840000"], { yesBid: 1_600, yesAsk: 1_900, noAsk: 8_400 }],
    // 0.29 · 10,000 is no whole number in binary, and neither is 0.57 · 10,000.
    [["0.29", "0.57", "0.71"], { yesBid: 2_900, yesAsk: 5_700, noAsk: 7_100 }],
    // Finer than a ten-thousandth: nobody gets a better price than there is.
    [["0.123456", "0.123556", "0.876544"], { yesBid: 1_234, yesAsk: 1_236, noAsk: 8_766 }],
    [["0.000001", "0.999999", "0.999999"], { yesBid: 0, yesAsk: 10_000, noAsk: 10_000 }],
    [["0", "1", "1.000000"], { yesBid: 0, yesAsk: 10_000, noAsk: 10_000 }],
    [["0.0000", "0.0000", "0.0000"], { yesBid: 0, yesAsk: 10_000, noAsk: 10_000 }],
  ]
  for (const [[yes_bid_dollars, yes_ask_dollars, no_ask_dollars], book] of books) {
    it.scopedLive(`have prices of up to six decimals: ${yes_bid_dollars} / ${yes_ask_dollars}`, () =>
      Effect.gen(function* () {
        const row = market({ yes_bid_dollars, yes_ask_dollars, no_ask_dollars })
        const [found] = yield* asking(yield* serving({ pages: [[row]] }), weather)
        assert.deepStrictEqual(found?.bidAsk, book)
      }),
    )
  }

  const wins = (by: string) =>
    `If KC wins by ${by} in the KC vs LAC professional football game, the market resolves to Yes.`
  const types: ReadonlyArray<readonly [changes: Readonly<Record<string, unknown>>, type: string | undefined]> = [
    [{ strike_type: "greater", rules_primary: wins("more than 89 points") }, "greater"],
    [{ strike_type: "structured", rules_primary: wins("more than 89 points") }, "greater"],
    [{ strike_type: "structured", rules_primary: wins("over 89 runs") }, "greater"],
    // Another number than the strike, another side of it, or no word of it: it stays what it is.
    [{ strike_type: "structured", rules_primary: wins("more than 8.9 points") }, "structured"],
    [{ strike_type: "structured", rules_primary: wins("fewer than 89 points") }, "structured"],
    [{ strike_type: "structured", rules_primary: "If KC wins the game, the market resolves to Yes." }, "structured"],
    [{ strike_type: "structured", cap_strike: 95, rules_primary: wins("more than 89 points") }, "structured"],
    [{ strike_type: "custom", rules_primary: wins("more than 89 points") }, "custom"],
    [{ strike_type: undefined, rules_primary: wins("more than 89 points") }, undefined],
  ]
  for (const [changes, type] of types) {
    it.scopedLive(`have strike type ${type}: ${JSON.stringify(changes)}`, () =>
      Effect.gen(function* () {
        const [found] = yield* asking(yield* serving({ pages: [[market(changes)]] }), weather)
        assert.strictEqual(found?.strikeType, type)
      }),
    )
  }

  const titles: ReadonlyArray<readonly [changes: Readonly<Record<string, unknown>>, title: string]> = [
    [{ title: undefined }, "KXHIGHNY-26JUL12 — 90° or above"],
    [{ title: null }, "KXHIGHNY-26JUL12 — 90° or above"],
    [{ title: "" }, "KXHIGHNY-26JUL12 — 90° or above"],
    [{ title: undefined, yes_sub_title: undefined }, "KXHIGHNY-26JUL12"],
    [{ title: "High", yes_sub_title: null }, "High"],
  ]
  for (const [changes, title] of titles) {
    it.scopedLive(`have the title ${title}: ${JSON.stringify(changes)}`, () =>
      Effect.gen(function* () {
        const [found] = yield* asking(yield* serving({ pages: [[market(changes)]] }), weather)
        assert.strictEqual(found?.title, title)
      }),
    )
  }

  it.scopedLive("a series without a readable row is reported as failed", () =>
    Effect.gen(function* () {
      const upstream = yield* serving({ pages: [[null, {}]] })
      const { items, failed } = yield* asking(upstream, (venue) => venue.open("weather"))
      assert.deepStrictEqual(items, [])
      assert.deepStrictEqual(
        failed.map(({ part, failure }) => [part, failure.message]),
        [["KXHIGHNY", "Kalshi sent an answer of another form than expected."]],
      )
    }),
  )

  const fees: ReadonlyArray<readonly [changes: Readonly<Record<string, unknown>>, rate: number | undefined]> = [
    [{ fee_type: "quadratic_with_maker_fees" }, 700],
    [{ fee_type: "quadratic_with_combo_maker_fees" }, 700],
    [{ fee_multiplier: 0.5 }, 350],
    [{ fee_multiplier: null }, 700],
    [{ fee_type: "flat" }, undefined],
    [{ fee_multiplier: -1 }, undefined],
  ]
  for (const [changes, rate] of fees) {
    it.scopedLive(`have fee rate ${rate ?? "unknown"}: ${JSON.stringify(changes)}`, () =>
      Effect.gen(function* () {
        const [found] = yield* asking(yield* serving({ series: terms(changes) }), weather)
        assert.strictEqual(found?.feeRate, rate)
      }),
    )
  }

  const inForce: ReadonlyArray<readonly [what: string, event: Readonly<Record<string, unknown>>, rate?: number]> = [
    ["the event's", { fee_type_override: "quadratic", fee_multiplier_override: 0.5 }, 350],
    ["the series' where an override was cleared", { fee_type_override: null, fee_multiplier_override: null }, 700],
    ["unknown where the override is of another form", { fee_type_override: "flat", fee_multiplier_override: 1 }],
    ["unknown where half of an override is stated", { fee_multiplier_override: 0.5 }],
    ["unknown where the event is not listed", { event_ticker: "KXHIGHNY-26JUL13" }],
  ]
  for (const [what, event, rate] of inForce) {
    it.scopedLive(`have the fee in force: ${what}`, () =>
      Effect.gen(function* () {
        const [found] = yield* asking(yield* serving({ event }), weather)
        assert.strictEqual(found?.feeRate, rate)
      }),
    )
  }

  it.scopedLive("have no fee until a waiver ends", () =>
    Effect.gen(function* () {
      const until = (at: number) =>
        market({ ticker: String(at), fee_waiver_expiration_time: new Date(at).toISOString() })
      const upstream = yield* serving({ pages: [[until(now + 1), until(now)]] })
      assert.deepStrictEqual(
        (yield* asking(upstream, weather)).map(({ feeRate }) => feeRate),
        [0, 700],
      )
    }),
  )

  it("name the settlement source stated in the event's rules", () => {
    const cases: ReadonlyArray<readonly [rules: string, source: string | undefined]> = [
      ["greater than 86 fahrenheit according to The Weather Company, then yes.", "The Weather Company"],
      ["greater than 86 fahrenheit according to The Weather Company", "The Weather Company"],
      ["as reported by the Weather Bureau's Report (Daily), is less than 87°.", "Weather Bureau's Report (Daily)"],
      ["If KC wins the game, the market resolves to Yes.", undefined],
    ]
    for (const [rules, source] of cases) assert.strictEqual(parseSource(rules), source)
  })

  const told = (series: string, reply: Payload): Route => ({
    path: "/trade-api/v2/markets",
    query: (query) => query.get("series_ticker") === series,
    reply,
  })
  const rest: ReadonlyArray<Route> = [
    { path: "/trade-api/v2/markets", reply: json({ markets: [] }) },
    { path: /^\/trade-api\/v2\/series\//, reply: ({ path }) => terms({ ticker: path.split("/").at(-1) }) },
    { path: "/trade-api/v2/events", reply: events([]) },
  ]
  const failing: ReadonlyArray<readonly [what: string, reply: Payload]> = [
    ["unknown", { ...json({ error: "not found" }), status: 404 }],
    ["broken", { ...json({}), status: 500 }],
    ["HTML", { headers: { "content-type": "text/html" }, body: "<html></html>" }],
    ["another shape", json({ contracts: [] })],
  ]
  for (const [what, reply] of failing) {
    it.scopedLive(`a failed series does not affect the others: ${what}`, () =>
      Effect.gen(function* () {
        const lows = [market({ ticker: "low", event_ticker: "KXLOWTNYC-26JUL12" })]
        const upstream = yield* replay([
          told("KXHIGHNY", json({ markets: [market()] })),
          told("KXHIGHCHI", reply),
          told("KXLOWTNYC", json({ markets: lows })),
          ...rest,
        ])
        const { items, failed } = yield* asking(upstream, (venue) => venue.open("weather"))
        assert.deepStrictEqual(
          items.map(({ ticker }) => ticker),
          ["KXHIGHNY-26JUL12-T89", "low"],
        )
        assert.deepStrictEqual(
          failed.map(({ part, failure }) => [part, failure.code]),
          [["KXHIGHCHI", "upstream_unavailable"]],
        )
      }),
    )
  }

  it.scopedLive("are quoted while events cannot be read, with their fees of ten minutes before, and then without", () =>
    Effect.gen(function* () {
      let isDown = false
      const half = events([market()], { fee_type_override: "quadratic", fee_multiplier_override: 0.5 })
      const upstream = yield* replay([
        told("KXHIGHNY", json({ markets: [market()] })),
        { path: "/trade-api/v2/events", reply: () => (isDown ? { ...json({}), status: 500 } : half) },
        ...rest,
      ])
      const read = (venue: Venue, later: number) =>
        Effect.map(Effect.withClock(venue.open("weather"), clockAt(now + later)), ({ items, failed, notes }) => [
          items.map(({ feeRate }) => feeRate),
          failed,
          notes,
        ])
      const told500 = ["The fees of KXHIGHNY's events: Kalshi answered with an error (status 500)."]
      yield* asking(upstream, (venue) =>
        Effect.gen(function* () {
          assert.deepStrictEqual(yield* read(venue, 0), [[350], [], []])
          isDown = true
          assert.deepStrictEqual(yield* read(venue, 599_999), [[350], [], told500])
          assert.deepStrictEqual(yield* read(venue, 600_000), [[undefined], [], told500])
        }),
      )
    }),
  )

  it.scopedLive("a series with unreadable fees is reported as failed", () =>
    Effect.gen(function* () {
      const upstream = yield* serving({ series: json({}) })
      const { items, failed } = yield* asking(upstream, (venue) => venue.open("weather"))
      assert.deepStrictEqual(items, [])
      assert.deepStrictEqual(
        failed.map(({ part }) => part),
        ["KXHIGHNY"],
      )
    }),
  )

  it.scopedLive("stop being requested once the venue is down", () =>
    Effect.gen(function* () {
      const upstream = yield* serving({})
      // Three tries for one series, three for the next, and it is down.
      upstream.spoil(faults.serverError)
      yield* Effect.flip(asking(upstream, weather))
      assert.strictEqual(upstream.requests.length, 6)
      // It came to itself in time.
      upstream.spoil()
      upstream.spoilNext(faults.serverError, faults.reset)
      assert.strictEqual((yield* asking(upstream, weather)).length, 1)
    }),
  )

  it.scopedLive("wait for a short Retry-After and fail on a long one", () =>
    Effect.gen(function* () {
      const upstream = yield* serving({ pages: [[market()], [market({ ticker: "b" })]] })
      // In the middle of a list: its first page is not read again.
      upstream.spoilNext(faults.none, withFault.tooManyRequests(0))
      assert.strictEqual((yield* asking(upstream, weather)).length, 2)
      const cursors = upstream.requests.slice(0, 3).map(({ query }) => query.get("cursor"))
      assert.deepStrictEqual(cursors, [null, "1", "1"])
      const before = upstream.requests.length
      upstream.spoil(withFault.tooManyRequests(30))
      const failure = yield* Effect.flip(asking(upstream, weather))
      assert.strictEqual(failure.retryAfterMs, 30_000)
      // The other series is not asked for.
      assert.strictEqual(upstream.requests.length - before, 1)
    }),
  )
})

describe("contracts on a game at Kalshi", () => {
  it.scopedLive("map to one football game: winner, margin and total", () =>
    Effect.gen(function* () {
      const stand = kalshiStand()
      const venue = yield* stand.over(yield* replay(stand.routes))
      const { items, failed } = yield* venue.open("nfl")
      assert.deepStrictEqual(failed, [])
      const output = {
        win_prob_home: 0.6,
        margin_distribution: { from: -3, pmf: [0.3, 0.1, 0, 0, 0.2, 0, 0, 0.4] },
        total_distribution: { from: 44, pmf: [0.25, 0.25, 0.375, 0.125] },
      }
      assert.deepStrictEqual(
        items.map((one) => {
          const asked = footballMapping.toSignalRequest(one, now)
          return [one.ticker.replace("26SEP10KCLAC-", ""), asked?.instrument, footballMapping.probability(one, output)]
        }),
        [
          ["KXNFLGAME-KC", "KC @ LAC", 0.4],
          ["KXNFLGAME-LAC", "KC @ LAC", 0.6],
          ["KXNFLSPREAD-LAC4", "KC @ LAC", 0.4],
          ["KXNFLSPREAD-KC3", "KC @ LAC", 0.3],
          ["KXNFLTOTAL-45", "KC @ LAC", 0.75],
          ["KXNFLTOTAL-48", "KC @ LAC", 0],
        ],
      )
    }).pipe(Effect.withClock(clockAt(now))),
  )
})
