import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import * as mock from "../../../../adapters/lanes/crypto/mock/tape.ts"
import * as secrets from "../../../../adapters/runtime/node/secrets.ts"
import { Feeds } from "../../../../core/feeds/Feeds.ts"
import { Crypto } from "../../../../core/lanes/crypto/Crypto.ts"
import { digestOf } from "../../../support/digest.ts"

const lane = Crypto.layer.pipe(Layer.provide([mock.layer, secrets.layer, Feeds.layerNone]))
const times = ["2026-01-15T09:10:20Z", "2026-07-09T17:00:00Z", "2026-07-12T03:41:00Z"]

// A change of these belongs into CHANGELOG.md: users read and tests of the record recompute what was answered.
it.effect("answers over the invented tape are the same in each release", () =>
  Effect.gen(function* () {
    const { signal, spot } = yield* Crypto
    const asked = [
      { asset: "BTC", horizon_minutes: 60 },
      { asset: "ETH", horizon_minutes: 5 },
      { asset: "ETH", horizon_minutes: 1440 },
      { asset: "BTC", horizon_minutes: 90, strikes: [60_000, 66_000, 66_500.5, 1_000_000] },
    ] as const
    const found = yield* Effect.forEach(times, (now) =>
      Effect.zipRight(
        TestClock.setTime(Date.parse(now)),
        Effect.all([
          Effect.forEach(asked, (params) => digestOf(signal(params))),
          Effect.forEach(["BTC", "ETH"] as const, (asset) => digestOf(spot({ asset }))),
        ]),
      ),
    )
    assert.deepStrictEqual(found, [
      [
        ["3ef63c18", "2f668ccf", "534db3cc", "8aa032c9"],
        ["cd00a688", "e689bbe4"],
      ],
      [
        ["bd655506", "196e22ac", "254dccea", "9a51f91c"],
        ["46785307", "3fc3004d"],
      ],
      [
        ["9887458e", "6c505d50", "143b5858", "600bbdf7"],
        ["14d1880d", "ae947f19"],
      ],
    ])
  }).pipe(Effect.provide(lane)),
)
