import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/TestClock"
import { Baseball } from "../../../../core/lanes/baseball/Baseball.ts"
import { endpoints } from "../../../../core/lanes/baseball/endpoints.ts"
import { firstPitch, lane, listed, type Seen, type World } from "../../../support/baseball.ts"

const ask = (params: { date?: string; cursor?: string; limit?: number }, world: World = {}, seen?: Seen) =>
  Effect.zipRight(
    TestClock.setTime(firstPitch - 3_600_000),
    Effect.flatMap(Baseball, ({ games }) => games(params)).pipe(Effect.provide(lane(world, seen))),
  )

const five = [0, 1, 2, 3, 4].map((at) => ({
  ...listed,
  gamePk: 10 - at,
  firstPitch: firstPitch + Math.floor(at / 2) * 60_000,
}))

describe("the slate", () => {
  it.effect("is that of today in UTC unless a day is named", () =>
    Effect.gen(function* () {
      const seen: Seen = { asked: [] }
      const { results } = yield* ask({}, {}, seen)
      assert.deepStrictEqual([results.date, results.count, seen.asked], ["2026-07-09", 1, ["2026-07-09"]])
      const other = yield* ask({ date: "2026-07-10" })
      assert.deepStrictEqual(other.results, { date: "2026-07-10", count: 0, games: [] })
      assert.deepStrictEqual(other.links, [])
    }),
  )

  it.effect("has rows as their schema says, a starter who is not named in neither of his fields", () =>
    Effect.gen(function* () {
      const { results, reasoning } = yield* ask(
        {},
        { games: [{ ...listed, away: { ...listed.away, starter: undefined } }], fetchedAt: firstPitch },
      )
      assert.isTrue(Schema.is(endpoints.games.results, { onExcessProperty: "error" })(results))
      const [{ home, away, ...row }] = results.games as [(typeof results.games)[number]]
      assert.deepInclude(row, { gamePk: 500_001, game_date_utc: "2026-07-09T23:10:00Z", official_date: "2026-07-09" })
      assert.deepStrictEqual(home, {
        team_id: 111,
        name: "Harbour Gulls",
        record: "50-40",
        probable_pitcher: "Ada Strong",
        probable_pitcher_id: 7001,
      })
      assert.deepStrictEqual(Object.keys(away), ["team_id", "name", "record"])
      assert.include(reasoning.join(" "), "Starters not announced yet in 1 game.")
    }),
  )

  it.effect("comes in pages that are every row once, for every length of page", () =>
    Effect.gen(function* () {
      const whole = (yield* ask({}, { games: five })).results.games.map(({ gamePk }) => gamePk)
      assert.deepStrictEqual(whole, [9, 10, 7, 8, 6])
      for (const limit of [1, 2, 3, 4, 5, 6]) {
        const rows: Array<number> = []
        let cursor: string | undefined
        for (let pages = 0; pages < 9; pages++) {
          const answer = yield* ask({ limit, ...(cursor !== undefined && { cursor }) }, { games: five })
          assert.strictEqual(answer.results.count, answer.results.games.length)
          rows.push(...answer.results.games.map(({ gamePk }) => gamePk))
          cursor = answer.next
          if (cursor === undefined) break
        }
        assert.deepStrictEqual(rows, whole, `limit ${limit}`)
      }
    }),
  )

  it.effect("says how many listings were left out and whether it is an old one", () =>
    Effect.gen(function* () {
      const { confidence, reasoning } = yield* ask({}, { unreadable: 2, stale: true, fetchedAt: firstPitch - 600_000 })
      assert.strictEqual(confidence.score, 0.9)
      assert.deepStrictEqual(confidence.factors, [
        "2 listings not parsed",
        "schedule fetched at 2026-07-09T23:00:00Z; a newer fetch failed",
      ])
      assert.include(reasoning, "2 listings not parsed.")
    }),
  )
})

describe("the track record", () => {
  it.effect("is what the training measured, with the notice that its data ask for", () =>
    Effect.gen(function* () {
      const { results } = yield* Effect.flatMap(Baseball, ({ performance }) => performance({})).pipe(
        Effect.provide(lane()),
      )
      assert.isTrue(Schema.is(endpoints.performance.results, { onExcessProperty: "error" })(results))
      const { games, bets, wins, losses, hit_rate, units, roi } = results.backtest.overall
      assert.isAbove(games, 5_000)
      assert.strictEqual(wins + losses, bets)
      assert.approximately(hit_rate, wins / bets, 0.51e-6)
      assert.approximately(roi, units / bets, 0.005 / bets + 0.51e-6)
      assert.include(
        results.attribution,
        "The information used here was obtained free of charge from and is copyrighted by Retrosheet. Interested parties may contact Retrosheet at 20 Sunset Rd., Newark, DE 19711.",
      )
      assert.include(results.attribution, "MLB Advanced Media")
    }),
  )
})
