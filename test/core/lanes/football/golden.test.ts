import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import * as mock from "../../../../adapters/lanes/football/mock/football.ts"
import * as secrets from "../../../../adapters/runtime/node/secrets.ts"
import { Feeds } from "../../../../core/feeds/Feeds.ts"
import { Football } from "../../../../core/lanes/football/Football.ts"
import { TrackRecord } from "../../../../core/record/captures/Outcomes.ts"
import { digestOf } from "../../../support/digest.ts"

const lane = Football.layer.pipe(Layer.provide([mock.layer, secrets.layer, Feeds.layerNone, TrackRecord.layerNone]))
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
          [["82e09ebb", "59c552ec", "73ddb2ce", "3377e001", "8ae423f3"], "5a5eae01"],
          [["0fc23c23", "470c13e7", "00eb383f", "3377e001", "8ae423f3"], "5a5eae01"],
          [["70c345df", "f2665b17", "fac1fd25", "3377e001", "8ae423f3"], "5a5eae01"],
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
        ["f73d7026", "31788537", "ca8d731b", "f1229263", "9ebac77d"],
        ["5b78506f", "31788537", "c406f7e6", "f1229263", "9ebac77d"],
        ["a2e10c8c", "31788537", "c406f7e6", "7b67674c", "9ebac77d"],
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
            ["37b1b5b8", "27625517", "0fa27746", "f71ee137", "b456d720", "9a084a45"],
            ["21e64c84", "df461220", "f0aa0cf7"],
            "07ffdf22",
          ],
          [
            ["2cf68e6d", "515c43e5", "1f612cae", "c5e29e8c", "8144c704", "9a084a45"],
            ["26d65f84", "1dc0fd6f", "f0aa0cf7"],
            "07ffdf22",
          ],
          [
            ["7b38b159", "7f8bb9a0", "e1c702b7", "dd71dfd3", "8144c704", "9a084a45"],
            ["aed22d8a", "a24bc387", "f0aa0cf7"],
            "07ffdf22",
          ],
        ],
      )
      yield* TestClock.setTime(Date.parse("2012-09-14T18:00:00Z"))
      const lists = Effect.flatMap(Football, ({ top100 }) =>
        Effect.forEach([{ limit: 10 }, { season: 2011, limit: 100 }, { season: 2010, limit: 5 }], (params) =>
          digestOf(top100(params)),
        ),
      )
      assert.deepStrictEqual(yield* Effect.provide(lists, lane), ["3db732b4", "e0dd5d04", "fb63ab77"])
    }),
  )
})
