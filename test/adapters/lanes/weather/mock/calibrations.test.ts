import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { layerCalibrations } from "../../../../../adapters/lanes/weather/mock/calibrations.ts"
import { Calibrations } from "../../../../../core/lanes/weather/signal/Calibrations.ts"
import { initialStation } from "../../../../../core/lanes/weather/signal/calibration.ts"
import { toVarianceScale } from "../../../../../core/lanes/weather/signal/steps.ts"
import { stations } from "../../../../../core/lanes/weather/stations.ts"

it.effect(
  "a generated station has the published prior, and less room beyond its smooth observations than a real one",
  () =>
    Effect.gen(function* () {
      const { current } = yield* Calibrations
      for (const { id } of stations) {
        const states = yield* current(id)
        assert.deepStrictEqual([states.high, states.low], [initialStation.high, initialStation.low])
        for (const steps of [states.steps?.high, states.steps?.low]) {
          assert.isAbove(steps!.n, 80, id)
          assert.isBelow(toVarianceScale(steps), 1, id)
        }
        const { days, changed } = states.corrections!
        assert.isTrue(days === 91 && changed < days / 4, id)
        assert.strictEqual(yield* current(id), states)
      }
    }).pipe(Effect.provide(layerCalibrations)),
)
