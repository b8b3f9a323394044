import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import * as store from "../../../../../adapters/lanes/weather/store/Guidance.ts"
import * as sqlite from "../../../../../adapters/store/engine/sqlite/open.ts"
import { makeBulletinReader } from "../../../../../core/lanes/weather/guidance/bulletin.ts"
import {
  GuidanceBulletins,
  type GuidanceSource,
  SecondForecasts,
  syncGuidance,
} from "../../../../../core/lanes/weather/guidance/Guidance.ts"
import { hour } from "../../../../../core/time.ts"
import { bulletinOf } from "../../../../support/guidanceBulletins.ts"

const run = Date.UTC(2026, 6, 9, 13)
const now = run + 2 * hour

const bulletins = (change: (text: string) => string = (text) => text, stations = ["KNYC", "KMIA"]) =>
  Layer.succeed(GuidanceBulletins, {
    run: (source: GuidanceSource) =>
      Effect.sync(() => {
        const reader = makeBulletinReader(() => true)
        const [first, ...others] = stations.map((station) =>
          bulletinOf(source, station, run, (variable) => (variable === "high" ? 91 : 72)),
        )
        reader.push([change(first!), ...others].join("\n"))
        return reader.end()
      }),
  })

const synced = (change?: (text: string) => string) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(now)
    const outcome = yield* Effect.provide(syncGuidance("nbp"), bulletins(change))
    const again = yield* Effect.provide(syncGuidance("nbp"), bulletins(change))
    const { current } = yield* SecondForecasts
    return {
      outcome,
      again,
      rows: yield* current("KNYC", "2026-07-10", now),
      miami: yield* current("KMIA", "2026-07-10", now),
    }
  }).pipe(
    Effect.provide(Layer.merge(store.layerArchive, store.layerForecasts).pipe(Layer.provide(sqlite.layer(":memory:")))),
  )

const law = (variable: "high" | "low", tempF: number) => ({
  ...{ station: "KNYC", day: "2026-07-10", source: "nbp", variable, issuedAt: run, tempF, sigmaF: 2 },
  percentilesF: [-3, -2, 0, 1, 3].map((by) => tempF + by),
})

describe("the archive of second forecasts", () => {
  it.effect("keeps the blend's percentiles of each run once, and reads them back as they were", () =>
    Effect.gen(function* () {
      const { outcome, again, rows } = yield* synced()
      // Nine highs and nine lows of two stations.
      assert.deepStrictEqual(outcome, { stored: 36, refusals: [] })
      assert.deepStrictEqual(again, { stored: 0, refusals: [] })
      assert.deepStrictEqual(rows, [law("high", 91), law("low", 72)] as never)
    }),
  )

  it.effect.each([
    ["a row that is cut", (text: string) => text.replace(/(TXNP5.{20}).*/, "$1"), /row TXNP5/],
    ["percentiles that fall", (text: string) => text.replace(/TXNP1 {2}69/, "TXNP1  79"), /contradict each other or/],
    ["another product", (text: string) => text.replace("NBP", "NBE"), /^KNYC .*: (it is of|it has no row|its rows)/],
    ["another run", (text: string) => text.replace("1300 UTC", "0700 UTC"), /rows of times contradict|not of 2026/],
    ["another station", (text: string) => text.replace("KNYC", "KEWR"), /it is of none of our stations/],
  ] as const)("refuses one station's bulletin with %s, and keeps the other's", ([, change, reason]) =>
    Effect.gen(function* () {
      const { outcome, rows, miami } = yield* synced(change)
      assert.strictEqual(outcome.stored, 18)
      assert.strictEqual(outcome.refusals.length, 1)
      assert.match(outcome.refusals[0]!, reason)
      assert.deepStrictEqual(rows, [])
      assert.strictEqual(miami.length, 2)
    }),
  )
})
