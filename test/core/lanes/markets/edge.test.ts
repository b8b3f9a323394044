import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/TestClock"
import type { Priced } from "../../../../core/contracts/Contract.ts"
import { Feeds } from "../../../../core/feeds/Feeds.ts"
import { pricings } from "../../../../core/lanes/all.ts"
import * as Lane from "../../../../core/lanes/Lane.ts"
import { edge, listEdges } from "../../../../core/lanes/markets/edge.ts"
import { endpoints } from "../../../../core/lanes/markets/endpoints.ts"
import { Markets } from "../../../../core/lanes/markets/Markets.ts"
import { type OpenContractList, OpenContracts, type Scoreboard } from "../../../../core/lanes/markets/ports.ts"
import { type Published, unpublished } from "../../../../core/record/scoreboard/anchorWeight.ts"
import * as Board from "../../../../core/record/scoreboard/board.ts"
import { domains, type SettledMarket } from "../../../../core/record/scoreboard/Settled.ts"
import { book, contract, noon } from "../../../support/contracts.ts"
import { mockMarketsOnce } from "../../../support/mockLanes.ts"
import { settledRow } from "../../../support/settledRows.ts"

const minute = 60_000

/** A settled row without a result by the model's own source. */
const { sourceResult: _, ...unsourced } = settledRow({ ticker: "unknown" })

const byLane = new Map(pricings.map((pricing) => [pricing.lane, pricing]))
const callOf = (one: Priced, now: number) => byLane.get(one.lane)?.toSignalCall(one, now)

const rows = (...changes: ReadonlyArray<Partial<Priced>>) =>
  listEdges(
    changes.map((each, at) => contract({ ticker: `T${at}`, ...each })),
    noon,
    callOf,
  )

describe("the edge board", () => {
  const listed: ReadonlyArray<readonly [what: string, changes: Partial<Priced>, edge: number | undefined]> = [
    ["0.35 against 0.30 is an edge, though not in doubles", { model: 350_000, bidAsk: book(29, 31) }, 0.05],
    ["a millionth less is none", { model: 349_999, bidAsk: book(29, 31) }, undefined],
    ["0.25 against 0.30 is one to the other side", { model: 250_000, bidAsk: book(29, 31) }, -0.05],
    ["a millionth less is none there either", { model: 250_001, bidAsk: book(29, 31) }, undefined],
    ["a middle between cents", { model: 355_000, bidAsk: book(30, 31) }, 0.05],
    ["no bid", { bidAsk: book(0, 31) }, undefined],
    ["an ask of a dollar", { bidAsk: book(30, 100) }, undefined],
    ["crossed sides", { bidAsk: book(34, 30) }, undefined],
    ["one price on both sides", { model: 400_000, bidAsk: book(30, 30) }, 0.1],
    ["closed a millisecond ago", { closeTime: noon - 1 }, undefined],
    ["closes now", { closeTime: noon }, undefined],
    ["closes in a millisecond", { closeTime: noon + 1 }, 0.18],
    ["a quote of ten minutes ago", { quotedAt: noon - 10 * minute }, undefined],
    ["one of a little less", { quotedAt: noon - 10 * minute + 1 }, 0.18],
    ["a quote of ten minutes ahead, from before the clock stepped back", { quotedAt: noon + 10 * minute }, undefined],
  ]
  for (const [what, changes, edge] of listed) {
    it(what, () => {
      const [row] = rows(changes)
      assert.strictEqual(row?.edge, edge)
      assert.strictEqual(row?.side, edge === undefined ? undefined : edge > 0 ? "yes" : "no")
    })
  }

  it("is sorted by size, then by close, then by ticker, whatever came first", () => {
    const close = noon + 3_600_000
    const found = rows(
      { ticker: "small", model: 380_000 },
      { ticker: "late", model: 480_000, closeTime: close + 1 },
      { ticker: "b", model: 480_000, closeTime: close },
      { ticker: "largest", model: 20_000 },
      { ticker: "a", model: 160_000, closeTime: close },
    )
    assert.deepStrictEqual(
      found.map(({ market, edge }) => [market, edge]),
      [
        ["largest", -0.3],
        ["a", -0.16],
        ["b", 0.16],
        ["late", 0.16],
        ["small", 0.06],
      ],
    )
  })

  const differing: ReadonlyArray<
    readonly [what: string, changes: Partial<Priced>, edge: number, actionable: boolean, flags: string[]]
  > = [
    ["0.05", { model: 370_000 }, 0.05, true, []],
    ["a millionth less", { model: 369_999 }, 0.049999, false, []],
    ["0.05 to the other side", { model: 270_000 }, -0.05, true, []],
    ["a millionth less there", { model: 270_001 }, -0.049999, false, []],
    ["nothing", { model: 320_000 }, 0, false, []],
    ["a quote of nine minutes", { quotedAt: noon - 540_000 }, 0.18, true, []],
    ["a fee of nothing", { feeRate: 0 }, 0.18, true, []],
    ["a fee that takes the rest", { model: 380_000 }, 0.06, true, []],
    ["a doubt of the model's", { flags: ["source_disagreement"] }, 0.18, true, ["source_disagreement"]],
    ["0.30", { model: 620_000 }, 0.3, true, ["divergence_implausible"]],
  ]
  for (const [what, changes, edge, actionable, flags] of differing) {
    it(`is ${actionable ? "" : "not "}actionable at ${what}, by the difference alone`, () => {
      const everything = listEdges([contract(changes)], noon, callOf, { min_edge: 0 })
      assert.deepStrictEqual(
        everything.map((row) => [row.edge, row.side, row.actionable, row.quality_flags]),
        [[edge, edge < 0 ? "no" : "yes", actionable, flags]],
      )
      assert.deepStrictEqual(rows(changes).length, actionable ? 1 : 0)
    })
  }

  /** Fee and gain by hand, in whole millionths of a millionth of a dollar. */
  const byHand = (rate: number, ask: number, probability: number): readonly [fee: number, gain: number] => {
    const fee = BigInt(rate) * BigInt(ask) * BigInt(10_000 - ask)
    const gain = BigInt(probability) * 1_000_000n - BigInt(ask) * 100_000_000n - fee
    return [Number(fee) / 1e12, Number(gain) / 1e12]
  }

  it("has the cost of acting on the suggested side, by each fee schedule, at every price", () => {
    let compared = 0
    // Kalshi's usual rate, its half, Polymarket's rates for crypto and for sports, and none.
    for (const feeRate of [700, 350, 720, 300, 0]) {
      for (let bid = 1; bid < 99; bid++) {
        for (const edge of [-60_000, 50_000, 290_000]) {
          const model = (bid + 0.5) * 10_000 + edge
          if (model < 0 || model > 1_000_000) continue
          const [row] = rows({ feeRate, model, bidAsk: book(bid, bid + 1) })
          const [ask, probability] = edge > 0 ? [bid + 1, model] : [100 - bid, 1_000_000 - model]
          const [fee, gain] = byHand(feeRate, 100 * ask, probability)
          assert.closeTo(row!.fee_per_contract!, fee, 1e-12)
          assert.closeTo(row!.edge_after_fee!, gain, 1e-12)
          assert.isTrue(row!.actionable)
          assert.closeTo(row!.spread, 0.01, 1e-12)
          compared++
        }
      }
    }
    assert.strictEqual(compared, 5 * (93 + 94 + 70))
  })

  it("has no cost where the fee is unknown", () => {
    const { feeRate: _, ...unknown } = contract()
    const [row] = listEdges([unknown], noon, callOf)
    assert.deepStrictEqual(
      [row?.fee_per_contract, row?.edge_after_fee, row?.expected_gain, row?.pooled_prob],
      [undefined, undefined, undefined, 0.32],
    )
    assert.lengthOf(listEdges([unknown], noon, callOf, { min_edge: 0.05, min_gain: -1 }), 0)
  })

  it("pools model and price by the published weight of the domain, and gains by the pool on either side", () => {
    const weights = { ...unpublished.weights, weather: { weight: 0.3, rows: 1_203 } }
    const logit = (p: number): number => Math.log(p / (1 - p))
    const pooled = (model: number, market: number): number =>
      1 / (1 + Math.exp(-(0.3 * logit(model) + 0.7 * logit(market))))
    for (const [model, bid, ask] of [
      [0.5, 30, 34],
      [0.1, 30, 34],
      [0.72, 49, 50],
      [0.03, 12, 13],
    ] as const) {
      const one = contract({ model: model * 1e6, bidAsk: book(bid, ask) })
      const [row] = listEdges(
        [one, { ...one, ticker: "game", domain: "nfl" }],
        noon,
        callOf,
        { min_edge: 0 },
        { weights },
      )
      const p = pooled(model, (bid + ask) / 200)
      assert.closeTo(row!.pooled_prob, p, 5e-7)
      assert.strictEqual(row!.pool_weight, 0.3)
      const [side, price] = row!.side === "yes" ? [p, ask / 100] : [1 - p, 1 - bid / 100]
      assert.closeTo(row!.expected_gain!, side - price - 0.07 * price * (1 - price), 1e-6)
      const game = listEdges([{ ...one, domain: "nfl" }], noon, callOf, { min_edge: 0 }, { weights })[0]!
      assert.deepStrictEqual([game.pooled_prob, game.pool_weight], [game.market_prob, 0])
      assert.isBelow(game.expected_gain!, 0)
      const gain = row!.expected_gain!
      for (const [least, count] of [
        [gain - 1e-9, 1],
        [gain + 1e-9, 0],
      ] as const) {
        assert.lengthOf(listEdges([one], noon, callOf, { min_edge: 0, min_gain: least }, { weights }), count)
      }
    }
  })

  it("has size, volume and open interest where the venue states them, of the side that is suggested", () => {
    const depth = { yesAskSize: 211, noAskSize: 3.5, volume: 1_944.25, openInterest: 1_642.25 }
    const figures = (changes: Partial<Priced>) => {
      const [row] = rows(changes)
      return [row?.side, row?.ask_size, row?.volume, row?.open_interest]
    }
    assert.deepStrictEqual(figures({ depth }), ["yes", 211, 1_944.25, 1_642.25])
    assert.deepStrictEqual(figures({ depth, model: 100_000 }), ["no", 3.5, 1_944.25, 1_642.25])
    assert.deepStrictEqual(figures({ depth: { volume: 0 } }), ["yes", undefined, 0, undefined])
  })

  it("has the rows that are asked for", () => {
    const contracts = [
      contract({ ticker: "a" }),
      contract({ ticker: "b", model: 200_000, bidAsk: book(31, 33) }),
      contract({ ticker: "c", domain: "crypto", venue: "polymarket", model: 400_000 }),
      contract({ ticker: "d", domain: "crypto", model: 420_000, bidAsk: book(30, 40) }),
    ]
    const asked: ReadonlyArray<readonly [Partial<Parameters<typeof listEdges>[3]>, ReadonlyArray<string>]> = [
      [{}, ["a", "b", "c", "d"]],
      [{ min_edge: 0.08 }, ["a", "b", "c"]],
      [{ min_edge: 0.080001 }, ["a", "b"]],
      [{ domain: "crypto" }, ["c", "d"]],
      [{ venue: "kalshi", domain: "crypto" }, ["d"]],
      [{ side: "no" }, ["b"]],
      [{ max_spread: 0.04 }, ["a", "b", "c"]],
      [{ max_spread: 0.02, side: "yes" }, []],
    ]
    for (const [filters, tickers] of asked) {
      assert.deepStrictEqual(
        listEdges(contracts, noon, callOf, { min_edge: 0.05, ...filters }).map(({ market }) => market),
        tickers,
        JSON.stringify(filters),
      )
    }
  })

  it("states prices in dollars and both sources", () => {
    const { edge_after_fee = 0, expected_gain = 0, ...row } = rows({})[0]!
    assert.closeTo(edge_after_fee, 0.144292, 1e-12)
    // Half the spread and the fee.
    assert.closeTo(expected_gain, -0.035708, 1e-12)
    assert.deepStrictEqual(row, {
      venue: "kalshi",
      market: "T0",
      title: "High in New York above 89",
      instrument: "KNYC",
      subject: { station: "KNYC", day: "2026-07-12" },
      signal_url: "/v1/weather/signal?station=KNYC&target=2026-07-12",
      model_prob: 0.5,
      market_prob: 0.32,
      edge: 0.18,
      side: "yes",
      fee_per_contract: 0.015708,
      pooled_prob: 0.32,
      pool_weight: 0,
      actionable: true,
      spread: 0.04,
      yes_ask: 0.34,
      close_time: "2026-07-13T04:59:00.000Z",
      model_version: "temperature-t8-1.0",
      yes_bid: 0.3,
      no_ask: 0.7,
      quoted_at: "2026-07-11T11:59:30.000Z",
      settlement_basis: { model_source: "daily climate report", venue_source: "The Weather Company", same: false },
      quality_flags: [],
    })
  })
})

describe("the endpoint", () => {
  /** @param settled the rows of the scoreboard; undefined while it is not computed */
  const over = (
    open: OpenContractList,
    settled: ReadonlyArray<SettledMarket> | undefined,
    min_edge = 0.05,
    weighing: Published = unpublished,
  ) => {
    const board = Board.empty()
    for (const row of settled ?? []) Board.add(board, row)
    const current = Effect.succeed({ board })
    const scoreboard: typeof Scoreboard.Service = {
      freshness: "live",
      current,
      latest: settled === undefined ? Effect.succeed(undefined) : current,
      weights: Effect.succeed(weighing),
    }
    return Effect.zipRight(
      TestClock.setTime(noon),
      Effect.flatMap(Feeds, (feeds) =>
        Lane.method(edge, {
          feeds,
          contracts: {
            freshness: "live",
            tracking: Effect.succeed({ openTracked: 0, awaitingSettlement: 0 }),
            open: Effect.succeed(open),
          },
          scoreboard,
          calls: { find: callOf },
        })({ min_edge }),
      ).pipe(Effect.provide(Feeds.layerNone)),
    )
  }

  it.effect("says in a sentence what the weight of each domain is, and over how many settled rows", () =>
    Effect.gen(function* () {
      const weights = {
        ...unpublished.weights,
        weather: { weight: 0, rows: 1_203 },
        crypto: { weight: 0.31, rows: 845 },
      }
      const contracts = [
        contract(),
        contract({ ticker: "b", domain: "crypto" }),
        contract({ ticker: "c", domain: "nfl" }),
      ]
      const { reasoning } = yield* over({ contracts, checkedAt: noon }, [], 0.05, { weights })
      assert.include(
        reasoning.join("\n"),
        "Over 1,203 settled weather contracts the model adds nothing to the price; its weight is 0. No settled nfl contracts have shown yet what the model adds to the price; its weight is 0. Over 845 settled crypto contracts the model has added to the price; its weight is 0.31.",
      )
    }),
  )

  it.effect("counts rows and actionable ones", () =>
    Effect.gen(function* () {
      const contracts = [
        contract(),
        contract({ ticker: "old", quotedAt: noon - 200_000 }),
        contract({ model: 340_000 }),
        contract({ model: 330_000 }),
      ]
      const { results, confidence, extras } = yield* over({ contracts, checkedAt: noon }, [], 0.02)
      const { edges, ...counts } = results
      assert.deepStrictEqual(counts, {
        count: 3,
        actionable_count: 2,
        min_edge_threshold: 0.02,
        source_disagreement: [{ domain: "weather", compared: 0, disagreed: 0 }],
      })
      assert.strictEqual(edges.length, 3)
      assert.strictEqual(confidence.score, 0.6)
      const { from, to, delta } = yield* extras!.counterfactual!
      assert.deepStrictEqual([from, to, delta], [0.02, 0.05, { count: -1, actionable_count: 0 }])
    }),
  )

  it.effect("says by domain how often the two sources have differed, or that nothing can be compared yet", () =>
    Effect.gen(function* () {
      const contracts = [contract(), contract({ ticker: "B", domain: "crypto", lane: "crypto", instrument: "BTC" })]
      const { results, reasoning, citations } = yield* over({ contracts, checkedAt: noon }, [
        settledRow({ ticker: "agreed" }),
        settledRow({ ticker: "differed", result: "no" }),
        unsourced,
        // Of a domain that is not on the board.
        settledRow({ ticker: "game", domain: "nfl", result: "no" }),
      ])
      assert.deepStrictEqual(results.source_disagreement, [
        { domain: "weather", compared: 2, disagreed: 1 },
        { domain: "crypto", compared: 0, disagreed: 0 },
      ])
      assert.include(reasoning, "Settled contracts on which venue and model source differed: weather 1 of 2.")
      assert.strictEqual(reasoning.at(-1), "No settled contract has results from both sources yet: crypto.")
      for (const { step } of citations) assert.isDefined(reasoning[step - 1])
    }),
  )

  it.effect("waits for no scoreboard, and says that it has none", () =>
    Effect.gen(function* () {
      const { results, reasoning, confidence, citations } = yield* over(
        { contracts: [contract()], checkedAt: noon },
        undefined,
      )
      assert.deepStrictEqual(results.source_disagreement, [{ domain: "weather", compared: 0, disagreed: 0 }])
      assert.match(reasoning.at(-1)!, /^The scoreboard is not computed yet/)
      assert.deepStrictEqual([confidence.score, confidence.factors.at(-1)], [0.8, "scoreboard not computed yet"])
      assert.deepStrictEqual(citations, [{ step: 1, source: "kalshi", locator: "KXHIGHNY-26JUL12-T89" }])
    }),
  )

  it.effect("is less sure where the scoreboard has the market ahead, and says by how much", () =>
    Effect.gen(function* () {
      const open = { contracts: [contract()], checkedAt: noon }
      const quotes = { yesBid: 8_900, yesAsk: 9_100, noAsk: 1_100 }
      const [none, behind, ahead, elsewhere] = [
        yield* over(open, []),
        yield* over(open, [settledRow({ quotes, model: 800_000, result: "yes" })]),
        yield* over(open, [settledRow({ quotes, model: 950_000, result: "yes" })]),
        yield* over(open, [settledRow({ domain: "nfl", quotes, model: 100_000, result: "yes" })]),
      ]
      assert.deepStrictEqual(
        [none, behind, ahead, elsewhere].map(({ confidence }) => confidence.score),
        // .01 against .04 would be a quarter; a record takes half at most.
        [0.8, 0.4, 0.8, 0.8],
      )
      assert.strictEqual(
        behind.confidence.factors.at(-1),
        "scoreboard Brier 0.0400, market 0.0100 (1 settled contract): ×0.50",
      )
      assert.strictEqual(none.confidence.factors.at(-1), "no settled contract in these domains yet")
    }),
  )

  it.effect("names subjects and their calls, contracts just below the threshold, and the board at twice of it", () =>
    Effect.gen(function* () {
      const at = (ticker: string, model: number, changes: Partial<Priced> = {}) =>
        contract({ ticker, model, ...changes })
      const close = noon + 97 * minute
      const bitcoin = {
        domain: "crypto",
        lane: "crypto",
        series: "KXBTCD",
        instrument: "BTC",
        closeTime: close,
      } as const
      const contracts = [
        at("large", 500_000),
        at("larger", 540_000, { floorStrike: 91 }),
        at("small", 380_000, { domain: "nfl", lane: "football", series: "KXNFLTOTAL", subject: "2026_01_KC_BAL" }),
        at("price", 400_000, { ...bitcoin, subject: `BTC/${new Date(close).toISOString()}`, floorStrike: 60_000 }),
        at("soon", 400_000, { ...bitcoin, closeTime: noon + 4 * minute, floorStrike: 60_000 }),
        at("below", 369_999),
        at("under", 300_000),
        at("one-sided", 369_999, { bidAsk: book(0, 34) }),
      ]
      const { results, links, extras } = yield* over({ contracts, checkedAt: noon }, [])
      const calls = results.edges.map(({ market, subject, signal_url }) => [market, subject, signal_url])
      const newYork = [{ station: "KNYC", day: "2026-07-12" }, "/v1/weather/signal?station=KNYC&target=2026-07-12"]
      assert.deepStrictEqual(calls, [
        ["larger", ...newYork],
        ["large", ...newYork],
        ["soon", undefined, undefined],
        [
          "price",
          { asset: "BTC", horizon_minutes: 97 },
          "/v1/crypto/signal?asset=BTC&horizon_minutes=97&strikes=60000",
        ],
        ["small", { game_id: "2026_01_KC_BAL" }, "/v1/nfl/fair-line?game_id=2026_01_KC_BAL&verbose=true"],
      ])
      assert.deepStrictEqual(links, [
        { id: "KNYC/2026-07-12", endpoints: ["/v1/weather/signal?station=KNYC&target=2026-07-12"] },
        { id: "BTC", endpoints: ["/v1/crypto/signal?asset=BTC&horizon_minutes=97"] },
        { id: "2026_01_KC_BAL", endpoints: ["/v1/nfl/fair-line?game_id=2026_01_KC_BAL"] },
        { id: "markets", endpoints: ["/v1/markets/performance", "/v1/markets/settled"] },
      ])
      const alternatives = yield* extras!.alternatives!
      assert.deepStrictEqual(
        alternatives.map(({ id, score }) => [id, score]),
        [
          ["below", 0.049999],
          ["under", 0.02],
        ],
      )
      const { input, from, to, result, delta } = yield* extras!.counterfactual!
      assert.deepStrictEqual([input, from, to], ["min_edge", 0.05, 0.1])
      const left = results.edges.filter(({ edge }) => Math.abs(edge) >= 0.1)
      assert.deepStrictEqual(
        [result, delta],
        [
          { count: 2, actionable_count: left.filter(({ actionable }) => actionable).length },
          { count: -3, actionable_count: 2 - results.actionable_count },
        ],
      )
    }),
  )

  describe("names books that are late, and is less sure", () => {
    const polymarket = {
      venue: "polymarket",
      ticker: "PM",
      domain: "crypto",
      lane: "crypto",
      instrument: "BTC",
    } as const
    const weather = { venue: "kalshi", domain: "weather" } as const
    const crypto = { venue: "polymarket", domain: "crypto" } as const
    const late: ReadonlyArray<
      readonly [
        what: string,
        polls: OpenContractList["polls"],
        quotedAt: number,
        said: string | undefined,
        score: number,
      ]
    > = [
      [
        "both were read",
        [
          { ...weather, at: noon },
          { ...crypto, at: noon },
        ],
        noon,
        undefined,
        0.8,
      ],
      [
        "a millisecond before three minutes",
        [
          { ...weather, at: noon },
          { ...crypto, at: noon - 3 * minute + 1 },
        ],
        noon - 3 * minute + 1,
        undefined,
        0.8,
      ],
      [
        "a venue for three minutes: its contracts are listed",
        [
          { ...weather, at: noon },
          { ...crypto, at: noon - 3 * minute },
        ],
        noon - 3 * minute,
        "polymarket crypto is 3 min old",
        0.2,
      ],
      [
        "a venue for ten minutes and more: its contracts are gone",
        [
          { ...weather, at: noon },
          { ...crypto, at: noon - 14 * minute },
        ],
        noon - 14 * minute,
        "polymarket crypto is 14 min old",
        0.4,
      ],
      [
        "a series of a venue that answered for others",
        [
          { ...weather, at: noon },
          { ...crypto, at: noon },
        ],
        noon - 14 * minute,
        "a series of polymarket crypto is 14 min old",
        0.4,
      ],
      [
        "a venue that never answered",
        [{ ...weather, at: noon }, crypto],
        noon,
        "polymarket crypto was never read",
        0.4,
      ],
      ["a venue that is not followed", [{ ...weather, at: noon }], noon - 14 * minute, undefined, 0.8],
    ]
    for (const [what, polls, quotedAt, said, score] of late) {
      it.effect(what, () =>
        Effect.gen(function* () {
          const contracts = [contract(), contract({ ...polymarket, quotedAt })]
          const { reasoning, confidence, citations } = yield* over({ contracts, checkedAt: noon, polls: polls! }, [])
          const sentences = reasoning.filter((one) => one.startsWith("Late books: "))
          const factors = confidence.factors.filter((one) => one.includes("venue books late"))
          assert.deepStrictEqual(
            [sentences, factors],
            said === undefined
              ? [[], []]
              : [
                  [`Late books: ${said}. A book is late from 3 min on and not listed from 10 min on.`],
                  [`1 of 2 venue books late: ${said}: ×0.50`],
                ],
          )
          assert.strictEqual(confidence.score, score)
          for (const { step } of citations) assert.isDefined(reasoning[step - 1])
        }),
      )
    }
  })

  it.effect("has an empty board where the venues list nothing", () =>
    Effect.map(over({ contracts: [], checkedAt: noon }, []), ({ results }) => assert.strictEqual(results.count, 0)),
  )

  const refused: ReadonlyArray<readonly [open: OpenContractList, code: string]> = [
    [{ contracts: [] }, "upstream_unavailable"],
    [{ contracts: [contract()], checkedAt: noon - 10 * minute }, "data_freshness_stale"],
  ]
  for (const [open, code] of refused) {
    it.effect(`answers 503 ${code}`, () =>
      Effect.gen(function* () {
        const failure = yield* Effect.flip(over(open, []))
        assert.deepStrictEqual([failure.status, failure.code, failure.retryAfterMs], [503, code, minute])
      }),
    )
  }

  it.effect("shows the demonstration world: every lane, the same whenever it is asked within a minute", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 8, 4, 15, 30, 5))
      const markets = yield* Markets
      const contracts = yield* OpenContracts
      const { contracts: open } = yield* contracts.open
      for (const domain of domains)
        assert.isTrue(
          open.some((one) => one.domain === domain),
          domain,
        )
      const { results } = yield* markets.edge({ min_edge: 0.05 })
      assert.isTrue(Schema.is(endpoints.edge.results, { onExcessProperty: "error" })(results))
      assert.isAbove(results.count, 10)
      assert.isAbove(results.actionable_count, 0)
      for (const { model_prob, market_prob, edge } of results.edges) {
        assert.closeTo(model_prob - market_prob, edge, 1e-9)
        assert.isAtLeast(Math.abs(edge), 0.05)
      }
      yield* TestClock.adjust("50 seconds")
      assert.deepStrictEqual((yield* markets.edge({ min_edge: 0.05 })).results, results)
      yield* TestClock.adjust("1 hours")
      assert.notDeepEqual((yield* markets.edge({ min_edge: 0.05 })).results, results)
    }).pipe(Effect.provide(mockMarketsOnce)),
  )
})
