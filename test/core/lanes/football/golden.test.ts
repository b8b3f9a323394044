import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import * as mock from "../../../../adapters/lanes/football/mock/football.ts"
import * as secrets from "../../../../adapters/runtime/node/secrets.ts"
import { Feeds } from "../../../../core/feeds/Feeds.ts"
import { Football } from "../../../../core/lanes/football/Football.ts"
import { RatingStates } from "../../../../core/lanes/football/ports.ts"
import { TrackRecord } from "../../../../core/record/captures/Outcomes.ts"
import { digestOf } from "../../../support/digest.ts"

const lane = Football.layer.pipe(
  Layer.provide([mock.layer, secrets.layer, RatingStates.layerNone, Feeds.layerNone, TrackRecord.layerNone]),
)
/** In the preseason, in the season, in the playoffs; early, so that there are few seasons to rate. */
const times = ["2003-08-20T18:00:00Z", "2003-11-05T18:00:00Z", "2004-01-14T18:00:00Z"]

const each = <A>(ask: (football: typeof Football.Service) => Effect.Effect<A>) =>
  Effect.gen(function* () {
    const football = yield* Football
    return yield* Effect.forEach(times, (now) => Effect.zipRight(TestClock.setTime(Date.parse(now)), ask(football)))
  }).pipe(Effect.provide(lane))

// A change of these belongs into CHANGELOG.md: users read and tests of the record recompute what was answered.
describe("answers over the invented football league are the same in each release", () => {
  it.effect("fair lines and their record", () =>
    Effect.gen(function* () {
      const games = [
        { team: "KC" },
        { team: "NYG", opponent: "DAL" },
        { team: "NE", opponent: "SEA" },
        { game_id: "2002_03_NO_CHI" },
        {},
      ] as const
      assert.deepStrictEqual(
        yield* each(({ fairLine, performance }) =>
          Effect.all([Effect.forEach(games, (params) => digestOf(fairLine(params))), digestOf(performance({}))]),
        ),
        [
          [["6fe47b50", "e5f41863", "e53fe906", "3377e001", "8ae423f3"], "66f40e8a"],
          [["e6ff0ddb", "c01f7ec6", "73ddb2ce", "3377e001", "8ae423f3"], "66f40e8a"],
          [["a6909723", "d9154a04", "73ddb2ce", "3377e001", "8ae423f3"], "66f40e8a"],
        ],
      )
    }),
  )

  it.effect("schedules", () =>
    Effect.gen(function* () {
      const asked = [
        { limit: 300 },
        { season: 2002, week: 5, limit: 50 },
        { team: "GB", limit: 7 },
        { season: 2003, week: 18, limit: 50 },
        { season: 1990, limit: 50 },
      ] as const
      assert.deepStrictEqual(yield* each(({ games }) => Effect.forEach(asked, (params) => digestOf(games(params)))), [
        ["a570ace7", "883f1a49", "e8bb40a9", "f1229263", "9ebac77d"],
        ["16339158", "883f1a49", "aa63ce16", "f1229263", "9ebac77d"],
        ["36d0c93c", "883f1a49", "aa63ce16", "c506e48f", "9ebac77d"],
      ])
    }),
  )

  it.effect("quarterbacks, injuries and lists", () =>
    Effect.gen(function* () {
      const players = ["a", "al", "ashgrove", "00-9000000", "nobody"].map((player) => ({ player, last: 5 }))
      const reports = [{ team: "KC" }, { team: "DAL", season: 2002, week: 3 }, { team: "SF", season: 1998 }] as const
      assert.deepStrictEqual(
        yield* each(({ qb, injuries, top100 }) =>
          Effect.all([
            Effect.forEach([...players, { player: "ash", season: 2002, last: 3 }], (params) => digestOf(qb(params))),
            Effect.forEach(reports, (params) => digestOf(injuries(params))),
            digestOf(top100({ limit: 10 })),
          ]),
        ),
        [
          [
            ["d9c10b90", "5f6506f3", "eecdb984", "c75fad9f", "b456d720", "96b79829"],
            ["6efa3a12", "06479006", "f0aa0cf7"],
            "1b7ddaa5",
          ],
          [
            ["9e97e212", "2835e727", "082fd398", "cdb2244b", "8144c704", "82a41e45"],
            ["4cd24e38", "8d42d021", "f0aa0cf7"],
            "1b7ddaa5",
          ],
          [
            ["152d5f5e", "cb71a339", "082fd398", "cdb2244b", "8144c704", "82a41e45"],
            ["f9c2c16b", "e1dc55ad", "f0aa0cf7"],
            "1b7ddaa5",
          ],
        ],
      )
      yield* TestClock.setTime(Date.parse("2012-09-14T18:00:00Z"))
      const lists = Effect.flatMap(Football, ({ top100 }) =>
        Effect.forEach([{ limit: 10 }, { season: 2011, limit: 100 }, { season: 2010, limit: 5 }], (params) =>
          digestOf(top100(params)),
        ),
      )
      assert.deepStrictEqual(yield* Effect.provide(lists, lane), ["d102a0f6", "e6a6dcf5", "fb63ab77"])
    }),
  )
})
