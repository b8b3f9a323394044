import * as Layer from "effect/Layer"
import { Calibrations } from "../../../../core/lanes/weather/signal/Calibrations.ts"
import { initialStation, type StationStates } from "../../../../core/lanes/weather/signal/calibration.ts"
import { expectStep, measureStep, type StepDay, sumSteps } from "../../../../core/lanes/weather/signal/steps.ts"
import { type Variable, variables } from "../../../../core/lanes/weather/signal/temperature.ts"
import { byId, climateDayStart } from "../../../../core/lanes/weather/stations.ts"
import * as Step from "../../../../core/Step.ts"
import { addDays, hour } from "../../../../core/time.ts"
import { memoize } from "../../mock/draws.ts"
import { dailyExtremes } from "./climate.ts"
import { isCorrected } from "./climateText.ts"
import { readingsBetween } from "./forecast.ts"

/** Every fourth day of a year: the generated observations and extremes of these days are compared. */
const days = Array.from({ length: 91 }, (_, at) => addDays("2025-01-02", 4 * at))

/** The days of a station's generated observations and extremes, for comparison. */
const stepDays = memoize((id: string, variable: Variable): ReadonlyArray<StepDay> => {
  const station = byId.get(id)!
  return days.flatMap((day): ReadonlyArray<StepDay> => {
    const start = climateDayStart(station, day)
    const readings = readingsBetween(station, start - 3 * hour, start + 24 * hour)
    const expected = expectStep(station, day, variable, readings)
    if (expected === undefined) return []
    const { highF, lowF } = dailyExtremes(station, day)
    const missedF = measureStep(variable, expected.readF, variable === "high" ? highF : lowF)
    return [{ day, missedF, expectedF: expected.expectedF }]
  })
})

/**
 * The published priors, and the distance of the generated extremes from the hourly observations: the generated curve is
 * smoother than the real one, so that the prior would leave too much room beyond the observations.
 */
export const layerCalibrations: Layer.Layer<Calibrations> = Layer.sync(Calibrations, () => ({
  current: Step.methodSync(
    memoize((id: string): StationStates => {
      const station = byId.get(id)!
      const steps = Object.fromEntries(variables.map((variable) => [variable, sumSteps(stepDays(id, variable), 0)]))
      const changed = days.filter((day) => isCorrected(station, day)).length
      return { ...initialStation, steps, corrections: { days: days.length, changed } }
    }),
  ),
}))
