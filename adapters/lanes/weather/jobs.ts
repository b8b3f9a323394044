import * as Effect from "effect/Effect"
import { fail } from "../../../core/Failure.ts"
import { type Job, makeJob } from "../../../core/jobs/Job.ts"
import { daily, hourly } from "../../../core/jobs/schedule.ts"
import type { ClimateArchive, ClimateReports, Forecasts, Observations } from "../../../core/lanes/weather/ports.ts"
import type { Ingested } from "../../../core/lanes/weather/reports/ingest.ts"
import { type Synced, syncReports } from "../../../core/lanes/weather/reports/syncReports.ts"
import type {
  CalibrationStore,
  Calibrations,
  ForecastArchive,
} from "../../../core/lanes/weather/signal/Calibrations.ts"
import { archiveForecasts, recalibrate } from "../../../core/lanes/weather/signal/recalibration.ts"
import { learnSteps, type StepStore } from "../../../core/lanes/weather/signal/steps.ts"
import { stations } from "../../../core/lanes/weather/stations.ts"
import * as afos from "./iem/afos.ts"
import { Iem } from "./iem/api.ts"
import { Nws } from "./nws/api.ts"
import * as products from "./nws/products.ts"

const count = (synced: ReadonlyArray<Synced>, tag: Ingested["_tag"]): number =>
  synced.flatMap(({ outcomes }) => outcomes).filter(({ _tag }) => _tag === tag).length

const refusals = (synced: ReadonlyArray<Synced>): ReadonlyArray<string> =>
  synced.flatMap(({ outcomes }) =>
    outcomes.flatMap((outcome) =>
      outcome._tag === "Refused" ? [`${outcome.what.trim().slice(0, 60)}: ${outcome.reason}`] : [],
    ),
  )

/**
 * Every hour: fetches every station's products of today and yesterday, from the weather service first and the archive's
 * copy second.
 */
export const weatherReportsJob: Effect.Effect<Job, never, ClimateArchive | ClimateReports | Iem | Nws> = Effect.gen(
  function* () {
    const feeds = [products.make(yield* Nws), afos.make(yield* Iem)]
    return yield* makeJob({
      name: "weather-reports",
      description: "Fetch the daily climate reports issued since yesterday.",
      // Most offices issue in the half hour before.
      schedule: hourly(45),
      catchUp: "latest",
      run: Effect.gen(function* () {
        // One station's outage must not affect the others.
        const results = yield* Effect.forEach(stations, (station) => Effect.either(syncReports(station, feeds)))
        const synced = results.flatMap((result) => (result._tag === "Right" ? [result.right] : []))
        const said = [
          `${count(synced, "Stored")} new, ${count(synced, "Known")} known, ${count(synced, "Refused")} refused`,
          ...synced.flatMap(({ station, failures }) => failures.map((failure) => `${station} ${failure}`)),
          ...results.flatMap((result, at) =>
            result._tag === "Left" ? [`${stations[at]!.id} failed: ${result.left.message}`] : [],
          ),
          ...refusals(synced),
        ].join("; ")
        const [first] = results
        return synced.length === 0 && first?._tag === "Left" ? yield* fail(first.left.code, { detail: said }) : said
      }),
    })
  },
)

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
