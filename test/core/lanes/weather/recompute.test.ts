import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import * as hasher from "../../../../adapters/runtime/node/hasher.ts"
import type { Issuance, Observation } from "../../../../core/lanes/weather/ports.ts"
import { initialStation } from "../../../../core/lanes/weather/signal/calibration.ts"
import { recompute, Weather } from "../../../../core/lanes/weather/Weather.ts"
import { RecordInputs } from "../../../../core/record/captures/RecordInputs.ts"
import { canonical } from "../../../../core/record/log/canonical.ts"
import { SyncSha256 } from "../../../../core/record/log/SyncSha256.ts"
import { grid, hour, issuance, readings, start, weatherOver } from "./world.ts"

/** Observations up to an hour; the one before 13:00 local standard time carries the six-hour groups. */
const coded = (until: number, high: number): ReadonlyArray<Observation> =>
  readings(until).map((one) =>
    one.at > start + 12 * hour && one.at < start + 13 * hour
      ? { ...one, groups: { sixHours: { high, low: 66 } } }
      : one,
  )

const learned = {
  ...initialStation,
  steps: { high: { n: 200, missed: 30, expected: 100, revision: 7, isLearned: true } },
  corrections: { days: 300, changed: 19 },
}

const preliminary = issuance({ status: "preliminary", highF: 87, lowF: 64, validAsOf: "0400 PM" }, start + 15.6 * hour)
const final = issuance({ highF: 88, lowF: 64 }, start + 23.3 * hour)

const cases: ReadonlyArray<
  readonly [name: string, atHour: number, versions: ReadonlyArray<Issuance>, high: number | undefined, states: object]
> = [
  ["coded extremes", 13.9, [], 88, initialStation],
  ["the validity time of a preliminary report", 17.9, [preliminary], undefined, initialStation],
  ["what was learned of the station", 17.9, [preliminary], undefined, learned],
  ["the rate of corrected final reports", 23.6, [final, preliminary], undefined, learned],
]

/** The recorded output of the signal, and the one computed from its stored inputs. */
const both = (atHour: number, versions: ReadonlyArray<Issuance>, high: number | undefined, states: object) =>
  Effect.gen(function* () {
    const now = start + atHour * hour
    yield* TestClock.setTime(now)
    const observed = high === undefined ? readings(now) : coded(now, high)
    const { record } = yield* Effect.flatMap(Weather, ({ signal }) => signal({ station: "KNYC" })).pipe(
      Effect.provide(
        weatherOver({
          grid: Effect.succeed(grid({ updatedAt: now - hour / 3 })),
          readings: Effect.succeed(observed),
          versions: Effect.succeed(versions),
          states: Effect.succeed(states as typeof initialStation),
        }),
      ),
    )
    const { sha256 } = yield* SyncSha256
    const { text, putShared } = record!.inputs!(sha256)
    yield* Effect.flatMap(RecordInputs, ({ keep }) => keep(putShared))
    return [
      canonical(record!.output()),
      canonical(yield* recompute(record!.params, JSON.parse(text), "capture", record!.modelVersion)),
    ] as const
  }).pipe(Effect.provide(RecordInputs.layerMemory()), Effect.provide(hasher.layer))

describe("a recorded temperature signal is recomputed from its stored inputs", () => {
  for (const [name, atHour, versions, high, states] of cases) {
    it.effect(`with ${name}`, () =>
      Effect.gen(function* () {
        const [recorded, recomputed] = yield* both(atHour, versions, high, states)
        assert.strictEqual(recomputed, recorded)
        // The input changes the output, so that its loss would be seen.
        const [without] = yield* both(
          atHour,
          versions.slice(0, states === learned ? undefined : 0),
          undefined,
          initialStation,
        )
        assert.notStrictEqual(recorded, without)
      }),
    )
  }
})
