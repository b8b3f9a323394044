import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Contract } from "../../../core/contracts/Contract.ts"
import type { Quotes } from "../../../core/contracts/MarketQuotes.ts"
import type { Answer } from "../../../core/endpoint/Answer.ts"
import type * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import { beside } from "../../../core/gateway/anchoring.ts"
import { Baseball } from "../../../core/lanes/baseball/Baseball.ts"
import { Football } from "../../../core/lanes/football/Football.ts"
import { logistic, logit } from "../../../core/math/logistic.ts"
import type { AnchorWeight } from "../../../core/record/scoreboard/anchorWeight.ts"
import { clockAt } from "../../support/clock.ts"
import { book, contract } from "../../support/contracts.ts"
import { mockMarketsOnce } from "../../support/mockLanes.ts"

const now = Date.UTC(2026, 8, 11, 15)

const quoting = (contracts: ReadonlyArray<Contract>, weight: AnchorWeight): Quotes => ({
  about: () => Effect.succeed(contracts),
  weight: (domain) =>
    Effect.as(
      Effect.sync(() => assert.strictEqual(domain, contracts[0]!.domain)),
      weight,
    ),
})

const listed = (changes: Partial<Contract>): Contract => {
  const { strikeType: _, floorStrike: __, ...plain } = contract({ quotedAt: now - 60_000, bidAsk: book(40, 44) })
  return { ...plain, ...changes }
}
const [nfl, mlb] = ["KXNFLGAME-26SEP13KCDEN", "KXMLBGAME-26SEP11NYYBOS"]
const football = [
  listed({ domain: "nfl", series: "KXNFLGAME", event: nfl, ticker: `${nfl}-KC` }),
  listed({ domain: "nfl", series: "KXNFLGAME", event: nfl, ticker: `${nfl}-DEN`, bidAsk: book(40, 44) }),
]
const baseball = [
  listed({ domain: "mlb", series: "KXMLBGAME", event: mlb, ticker: `${mlb}-BOS` }),
  listed({ domain: "mlb", series: "KXMLBGAME", event: mlb, ticker: `${mlb}-NYY`, bidAsk: book(56, 60) }),
]

/** A line and odds of games to come, as if their data were live. */
const answers = Effect.gen(function* () {
  const line = yield* (yield* Football).fairLine({ team: "KC" })
  const lane = yield* Baseball
  const { games } = (yield* lane.games({ date: "2026-09-11" })).results
  const played = games.find(({ state }) => /^(scheduled|pre-game)/i.test(state))!
  return {
    line: { ...line, freshness: "live" as const },
    odds: { ...(yield* lane.fairOdds({ game_pk: played.gamePk })), freshness: "live" as const },
  }
}).pipe(Effect.withClock(clockAt(now)), Effect.provide(mockMarketsOnce))

const homeWin = (answer: Answer<unknown>) =>
  (answer.results as { readonly home_win?: Record<string, unknown> }).home_win

describe("the home win beside a price", () => {
  it.effect("is pooled by the published weight, in fair line and fair odds, with the sentence about the weight", () =>
    Effect.gen(function* () {
      const { line, odds } = yield* answers
      const cases = [
        [line, line.results.prediction.fair_line.win_prob_home, football, `${nfl}-DEN`],
        [odds, odds.results.prediction.win_prob_home, baseball, `${mlb}-BOS`],
      ] as const
      for (const [alone, win, contracts, market] of cases) {
        for (const weight of [0.3, 0]) {
          const answer = yield* beside(quoting(contracts, { weight, rows: 1_203 }))(alone)
          const { lane, endpoint } = alone.record!
          const schema = { football: Football, baseball: Baseball }[lane as "football"].lane.endpoints as Record<
            string,
            Endpoint.Any
          >
          const { results } = Object.values(schema).find(({ id }) => id === endpoint)!
          Schema.validateSync(Schema.encodedSchema(results as Schema.Schema.AnyNoContext))(answer.results)
          const pooled = weight === 0 ? 0.42 : logistic(0.3 * logit(win) + 0.7 * logit(0.42))
          const [side, p, ask] = win > 0.42 ? ["yes", pooled, 0.44] : ["no", 1 - pooled, 0.6]
          const { pooled_prob, expected_gain, ...rest } = homeWin(answer)!
          assert.closeTo(Number(pooled_prob), pooled, 1e-6)
          assert.closeTo(Number(expected_gain), p - ask - 0.07 * ask * (1 - ask), 2e-6)
          assert.deepStrictEqual(rest, {
            ...{ venue: "kalshi", market, market_prob: 0.42, side, pool_weight: weight },
            quoted_at: new Date(now - 60_000).toISOString(),
          })
          assert.strictEqual(
            answer.reasoning.at(-1),
            weight === 0
              ? "Over 1,203 settled contracts on games the model adds nothing to the price; its weight is 0."
              : "Over 1,203 settled contracts on games the model has added to the price; its weight is 0.3.",
          )
          // What goes on the record does not know of it.
          assert.strictEqual(answer.record, alone.record)
        }
      }
    }),
  )

  it.effect("is absent without a contract on it, without a known market, and where the data is not live", () =>
    Effect.gen(function* () {
      const { line } = yield* answers
      const { record: _, ...decided } = line
      const spread = listed({ domain: "nfl", series: "KXNFLSPREAD", event: nfl, ticker: `${nfl}-DEN3` })
      const weight = { weight: 0.3, rows: 500 }
      const none: ReadonlyArray<readonly [Answer<unknown>, Quotes | undefined]> = [
        [line, undefined],
        [line, { ...quoting([], weight), weight: () => Effect.dieMessage("not asked for") }],
        [line, quoting([spread, football[0]!], weight)],
        [{ ...line, freshness: "mock" }, quoting(football, weight)],
        [decided, quoting(football, weight)],
      ]
      for (const [answer, quotes] of none) assert.strictEqual(yield* beside(quotes)(answer), answer)
      const { feeRate: _fee, ...unknown } = football[1]!
      const answer = yield* beside(quoting([unknown], weight))(line)
      assert.notProperty(homeWin(answer), "expected_gain")
    }),
  )
})
