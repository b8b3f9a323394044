import * as Effect from "effect/Effect"
import * as Job from "../../../core/jobs/Job.ts"
import { daily, hourly } from "../../../core/jobs/schedule.ts"
import { guidanceFeeds, reportFeeds, weatherFeeds } from "../../../core/lanes/weather/due.ts"
import { guidanceSources, syncGuidance } from "../../../core/lanes/weather/guidance/Guidance.ts"
import type { Ingested } from "../../../core/lanes/weather/reports/ingest.ts"
import { syncReports } from "../../../core/lanes/weather/reports/syncReports.ts"
import { archiveForecasts, recalibrate } from "../../../core/lanes/weather/signal/recalibration.ts"
import { scoreLaws } from "../../../core/lanes/weather/signal/scoreLaws.ts"
import { learnSteps } from "../../../core/lanes/weather/signal/steps.ts"
import { stations } from "../../../core/lanes/weather/stations.ts"
import { syncVenue } from "../../../core/lanes/weather/venue/VenueSettlement.ts"
import * as afos from "./iem/afos.ts"
import { Iem } from "./iem/api.ts"
import { Nws } from "./nws/api.ts"
import * as products from "./nws/products.ts"

const count = (outcomes: ReadonlyArray<Ingested>, tag: Ingested["_tag"]): number =>
  outcomes.filter(({ _tag }) => _tag === tag).length

/** Most offices issue in the half hour before. */
export const reportsSchedule = hourly(45)
export const forecastsSchedule = hourly(10)
/** After yesterday's reports from coast to coast and before the day's first calls. */
export const recalibrationSchedule = daily("11:30")

/**
 * Every hour: fetches every station's products of the last days that are not stored, from the weather service first and
 * the archive's copy second. Fails if a station's report is refused, or due and missing; all others are stored.
 */
export const weatherReportsJob = Effect.gen(function* () {
  const sources = [products.make(yield* Nws), afos.make(yield* Iem)]
  return yield* Job.sync(
    {
      name: "weather-reports",
      description: "Fetch the daily climate reports issued since yesterday.",
      schedule: reportsSchedule,
    },
    Effect.succeed(
      stations.map((station) => ({
        due: reportFeeds.get(station.id)!,
        read: Effect.map(syncReports(station, sources), ({ outcomes, failures }) => ({
          counts: { new: count(outcomes, "Stored"), known: count(outcomes, "Known") },
          refusals: [
            ...outcomes.flatMap((outcome) =>
              outcome._tag === "Refused" ? [`${outcome.what.trim().slice(0, 60)}: ${outcome.reason}`] : [],
            ),
            ...failures,
          ],
        })),
      })),
    ),
  )
})

/** Every hour: archives the grids' forecasts for empty lead buckets. Fails if a station has no grid. */
export const weatherForecastsJob = Job.makeJob({
  name: "weather-forecasts",
  description: "Archive the first forecast per station, day and lead bucket.",
  schedule: forecastsSchedule,
  // A missed forecast cannot be archived later.
  catchUp: "none",
  run: Effect.flatMap(archiveForecasts, ({ stored, failures }) =>
    Job.summary([{ counts: { new: stored }, refusals: failures }]),
  ),
})

/** After the runs of the blend, and of the GFS. */
export const guidanceSchedule = hourly(25)

/** Every hour: the newest runs of second forecasts. Fails if a source has no run of the last day, or on a refusal. */
export const weatherGuidanceJob = Job.sync(
  {
    name: "weather-guidance",
    description:
      "Read the second forecasts of the stations: the National Blend of Models, its percentiles, and GFS MOS.",
    schedule: guidanceSchedule,
  },
  Effect.succeed(
    guidanceSources.map((source) => ({
      due: guidanceFeeds[source],
      read: Effect.map(syncGuidance(source), ({ stored, refusals }) => ({
        counts: { [`${source} new`]: stored },
        refusals,
      })),
    })),
  ),
)

export const weatherRecalibrationJob = Job.sync(
  {
    name: "weather-recalibration",
    description: "Update the bias and spread of temperature forecasts from past errors.",
    schedule: recalibrationSchedule,
  },
  Effect.succeed([
    {
      due: weatherFeeds.calibration,
      read: Effect.map(recalibrate, ({ counted, noted, revision }) => ({
        counts: { "errors counted": counted },
        notes: [
          ...(noted === 0 ? [] : [`${noted} corrections stored, not counted`]),
          revision === undefined ? "nothing new to publish" : `published revision ${revision}`,
        ],
      })),
    },
  ]),
)

/** After most offices' reports, which the venue's source repeats. */
export const venueSchedule = hourly(55)

/** Every hour: reads the venue's settlement source. Fails if the source fails or a reading is refused. */
export const weatherVenueJob = Job.sync(
  {
    name: "weather-venue",
    description: "Read the values that the venue's temperature contracts settle on.",
    schedule: venueSchedule,
  },
  Effect.succeed([
    {
      due: weatherFeeds.venue,
      read: Effect.map(syncVenue, ({ stored, lacking, refusals }) => ({
        counts: { new: stored },
        refusals,
        ...(lacking.length > 0 && { notes: [`${lacking.join(", ")}: no official value of yesterday yet`] }),
      })),
    },
  ]),
)

/** Once a day: measures how far final reports lie beyond the hourly readings, which the upstream keeps for a week. */
export const weatherReadingsJob = Job.makeJob({
  name: "weather-readings",
  description: "Count how far final reports lie beyond the readings of their days.",
  schedule: daily("12:40"),
  catchUp: "latest",
  run: Effect.flatMap(learnSteps, ({ counted, failures }) =>
    Job.summary([{ counts: { "extremes counted": counted }, refusals: failures }]),
  ),
})

/** Once a day, after the final reports: scores the captured laws. */
export const weatherScoresJob = Job.makeJob({
  name: "weather-scores",
  description: "Score captured temperature distributions on the first final reports.",
  schedule: daily("11:50"),
  catchUp: "latest",
  run: Effect.map(scoreLaws, (scored) => `${scored} days scored`),
})
