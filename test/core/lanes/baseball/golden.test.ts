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
        ["3822e4d8", "01820170", "d4c2058e", "cc0f14ba", "81435a4e", "f7dee26e", "76c65fa1"],
        ["dd4216b4", "d22058ef", "e33e803a"],
        "83c64c99",
      ],
      [
        ["34e10457", "9f53f24f", "c39a2c22", "71aeb02a", "5e447fbc", "665e7272", "76c65fa1"],
        ["4713b6c0", "62104925", "7d9f8652"],
        "83c64c99",
      ],
      [
        ["34e10457", "42035d2d", "4a15a1b4", "6b1371aa", "dd23e744", "c3504638", "76c65fa1"],
        ["3fae16df", "02379c99", "864aaf78"],
        "83c64c99",
      ],
      [
        ["34e10457", "42035d2d", "f15d7f44", "c79f7e85", "864628a9", "1154c3b3", "76c65fa1"],
        ["d5750ee4", "5499f671", "68224252"],
        "83c64c99",
      ],
    ])
  }).pipe(Effect.provide(lane)),
)
