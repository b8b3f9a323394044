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
        ["ce00d1d3", "117d6b40", "b8c3b0f4", "f6587c0c", "16d41090", "2c720486", "76c65fa1"],
        ["dd4216b4", "d22058ef", "e33e803a"],
        "79a767ec",
      ],
      [
        ["a2048c12", "733da871", "6a21ecaf", "5b98435c", "c6a11e8a", "fffd8c31", "76c65fa1"],
        ["4713b6c0", "62104925", "7d9f8652"],
        "79a767ec",
      ],
      [
        ["a2048c12", "63b39f3f", "806a2826", "1d56775b", "8c4b0b42", "96f5717b", "76c65fa1"],
        ["3fae16df", "02379c99", "864aaf78"],
        "79a767ec",
      ],
      [
        ["a2048c12", "63b39f3f", "6e2fe7de", "ba525900", "227868ae", "e536833b", "76c65fa1"],
        ["d5750ee4", "5499f671", "68224252"],
        "79a767ec",
      ],
    ])
  }).pipe(Effect.provide(lane)),
)
