import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/TestClock"
import type * as Endpoint from "../../../../core/endpoint/Endpoint.ts"
import { type Failure, fail } from "../../../../core/Failure.ts"
import { Feeds } from "../../../../core/feeds/Feeds.ts"
import { Challenge } from "../../../../core/lanes/markets/challenge/Challenge.ts"
import { endpoints } from "../../../../core/lanes/markets/endpoints.ts"
import { Markets } from "../../../../core/lanes/markets/Markets.ts"
import {
  compareRows,
  MarketHistory,
  OpenContracts,
  pageAfter,
  Scoreboard,
  SettledRows,
  SignalCalls,
} from "../../../../core/lanes/markets/ports.ts"
import { unpublished } from "../../../../core/record/scoreboard/anchorWeight.ts"
import * as Board from "../../../../core/record/scoreboard/board.ts"
import { domains, type SettledMarket } from "../../../../core/record/scoreboard/Settled.ts"
import { digestOf } from "../../../support/digest.ts"
import { settledRow, settledRows } from "../../../support/settledRows.ts"

const now = Date.UTC(2026, 6, 12)

/** The lane over these rows and nothing else. */
const over = (rows: ReadonlyArray<SettledMarket>) => {
  const board = Board.empty()
  for (const row of rows) Board.add(board, row)
  const standing = rows
    .filter((row) => Board.headToHead(row) !== undefined)
    .sort(compareRows)
    .map((row) => ({ ...row, earlier: [] }))
  const settledAt = rows.reduce((last, row) => Math.max(last, row.settledAt), 0)
  return Markets.layer.pipe(
    Layer.provide([
      Feeds.layerNone,
      Layer.succeed(SettledRows, {
        freshness: "live",
        after: (domain, position, limit) =>
          Effect.sync(() =>
            pageAfter(
              standing.filter((row) => row.domain === domain),
              position,
              limit,
            ),
          ),
      }),
      Layer.succeed(Scoreboard, {
        freshness: "live",
        current: Effect.succeed(rows.length === 0 ? { board } : { board, settledAt }),
        latest: Effect.succeed(undefined),
        weights: Effect.succeed(unpublished),
      }),
      Challenge.layerNone,
      SignalCalls.layerNone,
      MarketHistory.layerNone,
      Layer.succeed(OpenContracts, {
        freshness: "mock",
        tracking: Effect.succeed({ openTracked: 7, awaitingSettlement: 3 }),
        open: Effect.succeed({ contracts: [] }),
      }),
    ]),
  )
}

const asking = <A, E>(
  rows: ReadonlyArray<SettledMarket>,
  body: (lane: typeof Markets.Service) => Effect.Effect<A, E>,
) => Effect.zipRight(TestClock.setTime(now), Effect.provide(Effect.flatMap(Markets, body), over(rows)))

/** What leaves must be a value of the endpoint's own schema: nothing that is NaN, no field that is not declared. */
const isWire = (endpoint: Endpoint.Any, results: unknown): void => {
  const decoded = Schema.decodeUnknownSync(endpoint.results as Schema.Schema.AnyNoContext, {
    onExcessProperty: "error",
  })
  decoded(JSON.parse(JSON.stringify(results)))
  assert.notInclude(JSON.stringify(results), "null")
}

const many = settledRows(900, 2)

// A change of these belongs into CHANGELOG.md: users read what was answered.
it.effect("answers over the same rows are the same in each release", () =>
  asking(many, (lane) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        {
          performance: yield* digestOf(lane.performance({})),
          settled: yield* Effect.forEach(domains, (domain) => digestOf(lane.settled({ domain, limit: 40 }))),
          edge: yield* digestOf(lane.edge({ min_edge: 0.05 })),
        },
        {
          edge: "6b2b165f",
          performance: "933ca8df",
          settled: ["70eeeb28", "9c3c819f", "b7913f71", "5f7ac41f"],
        },
      )
    }),
  ),
)

describe("the scoreboard's answer", () => {
  it.effect("is of its schema, in full, and as of the last result", () =>
    asking(many, (lane) =>
      Effect.map(lane.performance({}), ({ results, freshness, next }) => {
        isWire(endpoints.performance, results)
        assert.strictEqual(results.as_of, new Date(Math.max(...many.map((row) => row.settledAt))).toISOString())
        assert.deepStrictEqual(results.live, { open_tracked: 7, awaiting_settlement: 3 })
        // The worst of its sources.
        assert.strictEqual(freshness, "mock")
        assert.strictEqual(next, undefined)
        const { overall, hypothetical, domains, by_lead: leads, by_version: versions } = results
        const sum = (of: ReadonlyArray<{ readonly markets_scored: number }>) =>
          of.reduce((total, each) => total + each.markets_scored, 0)
        for (const of of [Object.values(domains), leads!, versions!]) {
          assert.strictEqual(sum(of), overall.markets_scored)
        }
        assert.strictEqual(overall.model!.brier, overall.brier_model)
        assert.strictEqual(
          overall.market!.bins.reduce((total, { count }) => total + count, 0),
          overall.markets_scored,
        )
        const { trades, wins, losses, curve } = hypothetical
        assert.strictEqual(wins + losses, trades)
        assert.deepStrictEqual(
          [curve!.at(-1)!.trades, curve!.at(-1)!.pnl_after_fees],
          [trades, hypothetical.pnl_after_fees],
        )
        assert.isTrue(curve!.every(({ day }, at) => at === 0 || day > curve![at - 1]!.day))
      }),
    ),
  )

  it.effect("beats the market strictly, not by a draw", () =>
    Effect.gen(function* () {
      const quotes = { yesBid: 4_000, yesAsk: 4_200, noAsk: 6_000 }
      for (const [model, beats] of [
        [410_000, false],
        [410_001, true],
        [409_999, false],
      ] as const) {
        const { results } = yield* asking([settledRow({ quotes, model, result: "yes" })], (lane) =>
          lane.performance({}),
        )
        assert.strictEqual(results.overall.model_beats_market, beats, String(model))
      }
    }),
  )

  it.effect("omits what nothing has been counted for", () =>
    asking([], (lane) =>
      Effect.map(lane.performance({}), ({ results }) => {
        isWire(endpoints.performance, results)
        assert.strictEqual(results.as_of, new Date(now).toISOString())
        assert.deepStrictEqual(results.overall, { markets_scored: 0, model_beats_market: false })
      }),
    ),
  )

  it.effect("fails with its provider", () =>
    Effect.gen(function* () {
      const broken = Layer.succeed(Scoreboard, {
        freshness: "live",
        current: Effect.fail(fail("storage_unavailable")),
        latest: Effect.fail(fail("storage_unavailable")),
        weights: Effect.succeed(unpublished),
      })
      const rows = Layer.succeed(SettledRows, { freshness: "live", after: () => Effect.succeed([]) })
      const lane = yield* Effect.provide(
        Markets,
        Markets.layer.pipe(
          Layer.provide([
            Feeds.layerNone,
            broken,
            rows,
            Challenge.layerNone,
            OpenContracts.layerNone,
            SignalCalls.layerNone,
            MarketHistory.layerNone,
          ]),
        ),
      )
      const calls: ReadonlyArray<Effect.Effect<unknown, Failure>> = [
        lane.performance({}),
        lane.settled({ domain: "mlb", limit: 5 }),
      ]
      for (const call of calls) assert.strictEqual((yield* Effect.flip(call)).code, "storage_unavailable")
    }),
  )
})

describe("the settled rows", () => {
  it.effect("are of their schema, latest close first, and counted", () =>
    asking(many, (lane) =>
      Effect.gen(function* () {
        for (const domain of ["weather", "nfl", "mlb", "crypto"] as const) {
          const { results, freshness } = yield* lane.settled({ domain, limit: 50 })
          isWire(endpoints.settled, results)
          assert.strictEqual(freshness, "live")
          assert.strictEqual(results.count, results.rows.length)
          const own = many.filter((row) => row.domain === domain)
          assert.deepStrictEqual(results.excluded, {
            void: own.filter(({ result }) => result === "void").length,
            no_quote: own.filter(({ result, quotes }) => result !== "void" && quotes === undefined).length,
          })
          for (const [at, row] of results.rows.entries()) {
            assert.strictEqual(row.domain, domain)
            assert.isTrue(at === 0 || row.close_time <= results.rows[at - 1]!.close_time)
            assert.isTrue(row.captured_at < row.close_time && row.close_time <= row.settled_at!)
            assert.approximately(row.market_prob, (row.yes_bid + row.yes_ask) / 2, 1e-9)
          }
        }
      }),
    ),
  )

  it.effect("carry quotes and probabilities in dollars, as they were", () =>
    asking([settledRow()], (lane) =>
      Effect.map(lane.settled({ domain: "weather", limit: 5 }), ({ results }) => {
        const { earlier_results, title, ...row } = results.rows[0]!
        assert.deepStrictEqual([earlier_results, title], [[], settledRow().title])
        assert.deepStrictEqual(row, {
          domain: "weather",
          venue: "kalshi",
          series: "KXHIGHNY",
          market_ticker: "KXHIGHNY-26JUL09-B84.5",
          instrument: "KNYC",
          strike_type: "between",
          floor_strike: 84,
          cap_strike: 85,
          yes_bid: 0.3,
          yes_ask: 0.32,
          no_ask: 0.7,
          market_prob: 0.31,
          model_prob: 0.42,
          pooled_prob: 0.31,
          pool_weight: 0,
          model_version: "normal-1",
          close_time: "2026-07-09T18:00:00.000Z",
          captured_at: "2026-07-09T17:00:00.000Z",
          result: "yes",
          source_result: "yes",
          settlement_basis: { model_source: "climate report", venue_source: "weather index", same: false },
          quality_flags: [],
          event: "KXHIGHNY-26JUL09",
          cluster: "weather/2026-07-06",
          settled_at: "2026-07-09T18:01:00.000Z",
          fee_rate: 0.07,
          capture_id: "01J2ABCDEFGHJKMNPQRSTVWXYZ",
          anchored: true,
        })
      }),
    ),
  )

  it.effect("go on before a time, which is not included, and by a cursor: the same pages, of whole groups", () =>
    Effect.gen(function* () {
      const close = settledRow().closeTime
      const rows = [0, 0, 0, 1, 2, 2].map((back, at) =>
        settledRow({ ticker: `T${at}`, closeTime: close - back * 60_000, capturedAt: close - 3_600_000 }),
      )
      yield* asking(rows, (lane) =>
        Effect.gen(function* () {
          const tickers = (results: Endpoint.Results<typeof endpoints.settled>) =>
            results.rows.map(({ market_ticker }) => market_ticker).join()
          const first = yield* lane.settled({ domain: "weather", limit: 2 })
          assert.strictEqual(tickers(first.results), "T0,T1,T2")
          assert.strictEqual(first.results.next_before, new Date(close).toISOString())
          const second = yield* lane.settled({ domain: "weather", limit: 2, before: first.results.next_before! })
          assert.deepStrictEqual(
            second.results,
            (yield* lane.settled({ domain: "weather", limit: 2, cursor: first.next! })).results,
          )
          assert.strictEqual(tickers(second.results), "T3")
          const last = yield* lane.settled({ domain: "weather", limit: 2, before: second.results.next_before! })
          assert.strictEqual(tickers(last.results), "T4,T5")
          assert.isFalse("next_before" in last.results)
          assert.isUndefined(last.next)
          // The same instant in another offset.
          const offset = yield* lane.settled({ domain: "weather", limit: 5, before: "2026-07-09T14:00:00-04:00" })
          assert.strictEqual(tickers(offset.results), "T3,T4,T5")
        }),
      )
      // Texts that are no place, and one that is not within the results of `before`.
      const before = new Date(close).toISOString()
      for (const cursor of ["[1]", "", " ", "1.5", "1e400", "a", String(close)]) {
        const bad = yield* Effect.flip(
          asking(rows, (lane) => lane.settled({ domain: "weather", limit: 2, cursor, before })),
        )
        assert.deepStrictEqual(
          [bad.code, bad.hints?.map(({ field }) => field)],
          ["invalid_parameter", ["cursor"]],
          cursor,
        )
      }
    }),
  )

  it.effect("are all there once for who walks by `next_before` alone, whatever the limit and the groups", () =>
    Effect.gen(function* () {
      const close = settledRow().closeTime
      // Groups of 1 to 7, and one of more rows than a page or a read can have.
      const sizes = [1, 7, 3, 1_203, 2, 1, 4, 1]
      const rows = sizes.flatMap((size, group) =>
        Array.from({ length: size }, (_, at) =>
          settledRow({ ticker: `G${group}-${at}`, closeTime: close - group * 60_000, capturedAt: close - 3_600_000 }),
        ),
      )
      const expected = [...rows].sort(compareRows).map(({ ticker }) => ticker)
      for (const limit of [1, 2, 5, 10, 500]) {
        yield* asking(rows, (lane) =>
          Effect.gen(function* () {
            const walked: Array<string> = []
            let before: string | undefined
            do {
              const { results } = yield* lane.settled({ domain: "weather", limit, ...(before && { before }) })
              const times = new Set(results.rows.map(({ close_time }) => close_time))
              assert.isTrue(results.count <= limit || times.size === 1, `${limit}: ${results.count}`)
              walked.push(...results.rows.map(({ market_ticker }) => market_ticker))
              before = results.next_before
            } while (before !== undefined)
            assert.deepStrictEqual(walked, expected, `limit ${limit}`)
          }),
        )
      }
    }),
  )
})
