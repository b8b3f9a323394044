import * as Effect from "effect/Effect"
import type { Job } from "../../../core/jobs/Job.ts"
import { daily, hourly } from "../../../core/jobs/schedule.ts"
import type { ClimateReports, Forecasts } from "../../../core/lanes/weather/ports.ts"
import type {
  CalibrationStore,
  Calibrations,
  ForecastArchive,
} from "../../../core/lanes/weather/signal/Calibrations.ts"
import { archiveForecasts, recalibrate } from "../../../core/lanes/weather/signal/recalibration.ts"

/** Every hour: what the grids say of the days ahead, kept where a lead bucket has nothing yet. */
export const weatherForecastsJob: Effect.Effect<Job, never, ForecastArchive | Forecasts> = Effect.map(
  Effect.context<ForecastArchive | Forecasts>(),
  (context): Job => ({
    name: "weather-forecasts",
    description: "Keep the first forecast of each station, day and lead.",
    schedule: hourly(10),
    // A forecast that was not taken in time cannot be taken later.
    catchUp: "none",
    run: archiveForecasts.pipe(
      Effect.map(({ stored, failures }) => [`${stored} new`, ...failures].join("; ")),
      Effect.provide(context),
    ),
  }),
)

/** Once a day, when the reports of yesterday are in from coast to coast and the day's first forecasts are wanted. */
export const weatherRecalibrationJob: Effect.Effect<
  Job,
  never,
  Calibrations | CalibrationStore | ClimateReports | ForecastArchive
> = Effect.map(
  Effect.context<Calibrations | CalibrationStore | ClimateReports | ForecastArchive>(),
  (context): Job => ({
    name: "weather-recalibration",
    description: "Count the errors of past forecasts and publish what they teach.",
    schedule: daily("11:30"),
    catchUp: "latest",
    run: recalibrate.pipe(
      Effect.map(({ counted, noted, revision }) =>
        [
          `${counted} errors counted`,
          ...(noted === 0 ? [] : [`${noted} corrections noted and not counted`]),
          revision === undefined ? "nothing new to publish" : `published revision ${revision}`,
        ].join("; "),
      ),
      Effect.provide(context),
    ),
  }),
)
