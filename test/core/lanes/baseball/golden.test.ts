import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import * as mock from "../../../../adapters/lanes/baseball/mock/baseball.ts"
import { Feeds } from "../../../../core/feeds/Feeds.ts"
import { Baseball } from "../../../../core/lanes/baseball/Baseball.ts"
import { digestOf } from "../../../support/digest.ts"

const lane = Baseball.layer.pipe(Layer.provide([mock.layer, Feeds.layerNone]))
/** Before the season, on its third day, in the middle, and after it. */
const times = ["2026-02-01T18:00:00Z", "2026-03-28T16:00:00Z", "2026-07-09T18:00:00Z", "2026-11-01T18:00:00Z"]

// A change of these belongs into CHANGELOG.md: users read and tests of the record recompute what was answered.
it.effect("answers over the invented baseball league are the same in each release", () =>
  Effect.gen(function* () {
    const { games, fairOdds, performance } = yield* Baseball
    const asked = [777_001, 777_040, 778_681, 778_682, 778_700, 779_801, 5].map((game_pk) => ({ game_pk }))
    const dates = [{ limit: 4 }, { date: "2026-07-09", limit: 30 }, { date: "2025-05-05", limit: 30 }]
    const found = yield* Effect.forEach(times, (now) =>
      Effect.zipRight(
        TestClock.setTime(Date.parse(now)),
        Effect.all([
          Effect.forEach(asked, (params) => digestOf(fairOdds(params))),
          Effect.forEach(dates, (params) => digestOf(games(params))),
          digestOf(performance({})),
        ]),
      ),
    )
    assert.deepStrictEqual(found, [
      [
        ["cf115ce7", "53e744fb", "4083a837", "324b6c8d", "935e83a7", "7e538d4f", "76c65fa1"],
        ["dd4216b4", "d22058ef", "e33e803a"],
        "89e38995",
      ],
      [
        ["0a838698", "ec42b0ba", "ace736fd", "bcd6f447", "b727e891", "5eddaca7", "76c65fa1"],
        ["4713b6c0", "62104925", "7d9f8652"],
        "89e38995",
      ],
      [
        ["0a838698", "7a4267c0", "431d96dc", "9634ccd5", "84ac779f", "2c4000d9", "76c65fa1"],
        ["3fae16df", "02379c99", "864aaf78"],
        "89e38995",
      ],
      [
        ["0a838698", "7a4267c0", "87f75440", "4bf9c65e", "b1b211ab", "5b3c1d1a", "76c65fa1"],
        ["d5750ee4", "5499f671", "68224252"],
        "89e38995",
      ],
    ])
  }).pipe(Effect.provide(lane)),
)
