import * as Effect from "effect/Effect"
import { type Job, makeJob } from "../../../core/jobs/Job.ts"
import { daily, hourly } from "../../../core/jobs/schedule.ts"
import type { ClimateReports, Forecasts, Observations } from "../../../core/lanes/weather/ports.ts"
import type {
  CalibrationStore,
  Calibrations,
  ForecastArchive,
} from "../../../core/lanes/weather/signal/Calibrations.ts"
import { archiveForecasts, recalibrate } from "../../../core/lanes/weather/signal/recalibration.ts"
import { learnSteps, type StepStore } from "../../../core/lanes/weather/signal/steps.ts"

/** Every hour: archives the grids' forecasts for empty lead buckets. */
export const weatherForecastsJob: Effect.Effect<Job, never, ForecastArchive | Forecasts> = makeJob({
  name: "weather-forecasts",
  description: "Archive the first forecast per station, day and lead bucket.",
  schedule: hourly(10),
  // A missed forecast cannot be archived later.
  catchUp: "none",
  run: archiveForecasts.pipe(Effect.map(({ stored, failures }) => [`${stored} new`, ...failures].join("; "))),
})

/** Once a day, after yesterday's reports from coast to coast and before the day's first calls. */
export const weatherRecalibrationJob: Effect.Effect<
  Job,
  never,
  Calibrations | CalibrationStore | ClimateReports | ForecastArchive
> = makeJob({
  name: "weather-recalibration",
  description: "Update the bias and spread of temperature forecasts from past errors.",
  schedule: daily("11:30"),
  catchUp: "latest",
  run: recalibrate.pipe(
    Effect.map(({ counted, noted, revision }) =>
      [
        `${counted} errors counted`,
        ...(noted === 0 ? [] : [`${noted} corrections stored, not counted`]),
        revision === undefined ? "nothing new to publish" : `published revision ${revision}`,
      ].join("; "),
    ),
  ),
})

/** Once a day, after the final reports: how far they lie beyond the hourly readings, which are kept upstream for a week. */
export const weatherReadingsJob: Effect.Effect<Job, never, ClimateReports | Observations | StepStore> = makeJob({
  name: "weather-readings",
  description: "Count how far final reports lie beyond the readings of their days.",
  schedule: daily("12:40"),
  catchUp: "latest",
  run: learnSteps.pipe(Effect.map(({ counted, failures }) => [`${counted} extremes counted`, ...failures].join("; "))),
})
