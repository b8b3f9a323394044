import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import * as secrets from "../../../../adapters/node/secrets.ts"
import { layer as mockWeather } from "../../../../adapters/providers/mock/weather.ts"
import { fail } from "../../../../core/endpoint/Failure.ts"
import { captureSignals } from "../../../../core/lanes/weather/capture.ts"
import { Forecasts } from "../../../../core/lanes/weather/providers.ts"
import { addDays, stations } from "../../../../core/lanes/weather/stations.ts"
import { Weather } from "../../../../core/lanes/weather/Weather.ts"
import { type Capture, Captures } from "../../../../core/record/Captures.ts"
import { day, hour, start } from "./world.ts"

const slot = start + 14 * hour

/** Captures over the generated world; a station's grid may be down. */
const capturing = <A, E>(
  body: (
    taken: ReadonlyArray<Capture>,
  ) => Effect.Effect<A, E, Captures | Weather | Layer.Layer.Success<typeof secrets.layer>>,
  down?: string,
) =>
  Effect.suspend(() => {
    const taken: Array<Capture> = []
    const broken = Layer.effect(
      Forecasts,
      Effect.map(Forecasts, (forecasts) => ({
        ...forecasts,
        grid: (station) => (station.id === down ? Effect.fail(fail("upstream_unavailable")) : forecasts.grid(station)),
      })),
    )
    const lane = Weather.layer.pipe(Layer.provide(broken), Layer.provide(mockWeather))
    return Effect.zipRight(
      TestClock.setTime(slot + 5_000),
      Effect.provide(body(taken), Layer.mergeAll(lane, Captures.layerMemory(taken), secrets.layer)),
    )
  })

describe("captures of the temperature signal", () => {
  it.effect("are one a station for today and for tomorrow, with what was answered; a slot is kept once", () =>
    capturing((taken) =>
      Effect.gen(function* () {
        assert.strictEqual(yield* captureSignals(slot), 2 * stations.length)
        assert.deepStrictEqual(
          taken.map(({ subject }) => subject),
          stations.flatMap(({ id }) => [`${id}/${day}`, `${id}/${addDays(day, 1)}`]),
        )
        const { signal } = yield* Weather
        const { results } = yield* signal({ station: "KNYC", target: day })
        const { id, inputsHash, ...first } = taken[0]!
        assert.match(id, /^[0-9A-HJKMNP-TV-Z]{26}$/)
        assert.match(inputsHash, /^[0-9a-f]{64}$/)
        assert.deepStrictEqual(first, {
          lane: "weather",
          endpoint: "weather_signal",
          subject: `KNYC/${day}`,
          modelVersion: results.model_version!,
          kind: "scheduled",
          at: slot,
          params: { station: "KNYC", target: day },
          output: {
            projection: results.projection,
            uncertainty: results.uncertainty,
            probabilities: results.probabilities,
          },
          quotes: [],
        })
        assert.strictEqual(yield* captureSignals(slot), 0)
        assert.strictEqual(taken.length, 2 * stations.length)
      }),
    ),
  )

  it.effect("are taken of every station that has a signal, and the failure of another is told", () =>
    capturing(
      (taken) =>
        Effect.gen(function* () {
          const failure = yield* Effect.flip(captureSignals(slot))
          assert.strictEqual(failure.code, "upstream_unavailable")
          assert.strictEqual(taken.length, 2 * (stations.length - 1))
          assert.isTrue(taken.every(({ subject }) => !subject.startsWith("KDEN")))
        }),
      "KDEN",
    ),
  )
})
