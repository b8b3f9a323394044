import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Failure } from "../../../../core/Failure.ts"
import { SecondForecasts } from "../../../../core/lanes/weather/guidance/Guidance.ts"
import { Forecasts } from "../../../../core/lanes/weather/ports.ts"
import {
  type ForecastOutcome,
  LearnedHistory,
  type PublishedState,
} from "../../../../core/lanes/weather/signal/Calibrations.ts"
import { initialStation, type StationStates } from "../../../../core/lanes/weather/signal/calibration.ts"
import { learnDays, takeSnapshots } from "../../../../core/lanes/weather/signal/recalibration.ts"
import type { Variable } from "../../../../core/lanes/weather/signal/temperature.ts"
import { byId, climateDay } from "../../../../core/lanes/weather/stations.ts"
import { stopClockAt } from "../../../../core/record/captures/recompute.ts"
import { addDays, day as dayLength, hour } from "../../../../core/time.ts"
import { yieldToEventLoop } from "../../../../core/yieldToEventLoop.ts"
import { stepDays } from "./calibrations.ts"
import { dailyExtremes } from "./climate.ts"
import { layerForecasts } from "./forecast.ts"
import { layerGuidance } from "./guidance.ts"

/** Simulated days. */
const days = 90
/** Hours of the day in UTC at which forecasts are taken, and at which yesterday's errors are counted. */
const taken = 12 * hour
const counted = 11.5 * hour

const simulated = (id: string, variable: Variable, bucket: number, today: string) =>
  Effect.gen(function* () {
    const station = byId.get(id)!
    const { grid } = yield* Forecasts
    const { current } = yield* SecondForecasts
    let states: StationStates = initialStation
    const learned: Array<PublishedState> = []
    const waiting: Array<ForecastOutcome> = []
    for (let n = days; n > 0; n--) {
      const day = addDays(today, -n)
      const now = Date.parse(day) + taken - bucket * dayLength
      // A day's final report is out the next morning: later days' forecasts know its error, none before.
      while (waiting[0] !== undefined && Date.parse(waiting[0].snapshot.day) + dayLength + counted <= now) {
        const lesson = waiting.shift()!
        const previous = states[variable].map(({ state }) => state)
        const next = learnDays(station, variable, previous, [lesson])
        states = { ...states, [variable]: next.map((state) => ({ state, revision: learned.length + 1 })) }
        learned.push({ at: Date.parse(lesson.snapshot.day) + dayLength + counted, state: next[bucket]! })
      }
      yield* yieldToEventLoop
      const guidance = yield* current(id, day, now)
      const snapshots = takeSnapshots(station, yield* stopClockAt(now)(grid(station)), now, states, guidance)
      const snapshot = snapshots.find((each) => each.day === day && each.variable === variable)
      if (snapshot === undefined || snapshot.bucket !== bucket) continue
      const { highF, lowF } = dailyExtremes(station, day)
      waiting.push({ snapshot, residual: { residualF: (variable === "high" ? highF : lowF) - snapshot.forecastF } })
    }
    return learned
  })

/** A simulation over the generated climate: what an archive of the last 90 days would have learned. */
export const layerHistory: Layer.Layer<LearnedHistory> = Layer.effect(
  LearnedHistory,
  Effect.gen(function* () {
    const ports = yield* Effect.context<Forecasts | SecondForecasts>()
    let today = ""
    /** The day's simulations, each made once. */
    const made = new Map<string, Effect.Effect<ReadonlyArray<PublishedState>, Failure>>()
    return {
      freshness: "mock",
      of: (id, variable, bucket) =>
        Effect.gen(function* () {
          const day = climateDay(byId.get(id)!, yield* Clock.currentTimeMillis)
          if (day > today) made.clear()
          today = day > today ? day : today
          const key = `${id}/${variable}/${bucket}/${day}`
          const simulation =
            made.get(key) ??
            (yield* Effect.cached(Effect.uninterruptible(Effect.provide(simulated(id, variable, bucket, day), ports))))
          made.set(key, simulation)
          return yield* simulation
        }),
      steps: (id, variable) => Effect.sync(() => stepDays(id, variable)),
    }
  }),
).pipe(Layer.provide([layerForecasts, layerGuidance]))
