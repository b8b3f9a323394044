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
        ["eb0f27ed", "c739ed04", "823b5ba0", "c6d610ad", "a8ac7fa7", "0dcfb2ed", "76c65fa1"],
        ["dd4216b4", "d22058ef", "2b91eed9"],
        "cdb8948a",
      ],
      [
        ["19159af6", "8428b71f", "daf8d71b", "5ee8d0a1", "fae6819b", "9e36f151", "76c65fa1"],
        ["437042be", "62104925", "1ba35f89"],
        "cdb8948a",
      ],
      [
        ["19159af6", "7e049205", "6fa76867", "06d129d7", "766a247d", "d6893450", "76c65fa1"],
        ["158b5547", "b8225d3d", "ed36a31f"],
        "cdb8948a",
      ],
      [
        ["19159af6", "7e049205", "c3e116c9", "39642bc6", "04eae97a", "b064b207", "76c65fa1"],
        ["d5750ee4", "fd6b20a5", "91a801c9"],
        "cdb8948a",
      ],
    ])
  }).pipe(Effect.provide(lane)),
)
