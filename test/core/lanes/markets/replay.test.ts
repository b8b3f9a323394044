import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import * as secrets from "../../../../adapters/node/secrets.ts"
import * as mockBaseball from "../../../../adapters/providers/mock/baseball.ts"
import * as mockWeather from "../../../../adapters/providers/mock/weather.ts"
import * as contracts from "../../../../adapters/sql/Contracts.ts"
import { Baseball } from "../../../../core/lanes/baseball/Baseball.ts"
import { ContractStore } from "../../../../core/lanes/markets/providers.ts"
import * as snapshots from "../../../../core/lanes/markets/snapshots.ts"
import { recomputations } from "../../../../core/lanes/recomputations.ts"
import { Weather } from "../../../../core/lanes/weather/Weather.ts"
import { RecordLog } from "../../../../core/record/RecordLog.ts"
import { replay } from "../../../../core/record/replay.ts"
import { contract } from "../../../support/contracts.ts"
import { inStore } from "../../../support/record.ts"

const now = Date.UTC(2026, 8, 11, 15)
const closeTime = now + 86_400_000

const over = Layer.mergeAll(
  Weather.layerRecorded.pipe(Layer.provide(mockWeather.layer)),
  Baseball.layer.pipe(Layer.provide(mockBaseball.layer)),
).pipe(
  Layer.provide(snapshots.layer),
  Layer.provideMerge(contracts.layerStore),
  Layer.provideMerge(Layer.merge(inStore(), secrets.layer)),
)

describe("calls on the record", () => {
  it.effect("give the same bytes again, a day later and from what was kept alone", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const store = yield* ContractStore
      const weather = yield* Weather
      const baseball = yield* Baseball
      const days = ["2026-09-11", "2026-09-12"]
      yield* store.replace(
        "kalshi",
        "weather",
        days.map((day) => contract({ ticker: day, subject: `KNYC/${day}`, quotedAt: now, closeTime })),
        now,
      )
      for (const target of days) yield* weather.signal({ station: "KNYC", target })

      const slate = yield* baseball.games({ date: "2026-09-11" })
      const game = slate.results.games.find(({ state }) => /^(scheduled|pre-game)/i.test(state))!
      const event = "KXMLBGAME-26SEP11NYYBOS"
      yield* store.replace(
        "kalshi",
        "mlb",
        [
          contract({
            domain: "mlb",
            lane: "baseball",
            subject: String(game.gamePk),
            series: "KXMLBGAME",
            event,
            ticker: `${event}-BOS`,
            quotedAt: now,
            closeTime,
          }),
        ],
        now,
      )
      const odds = yield* baseball.fairOdds({ game_pk: game.gamePk })
      assert.strictEqual(odds.results.ledger.snapshots_recorded, 1)

      yield* TestClock.setTime(closeTime)
      const size = yield* (yield* RecordLog).size
      assert.strictEqual(size, 3)
      for (let at = 0; at < size; at++) {
        const { equal, recorded, recomputed, endpoint } = yield* replay(String(at), recomputations)
        assert.isTrue(equal, `${endpoint}: ${recorded} is now ${recomputed}`)
      }
    }).pipe(Effect.provide(over)),
  )
})
