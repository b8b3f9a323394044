import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { type Failure, fail } from "../../../core/Failure.ts"
import { gapText, isBehind } from "../../../core/feeds/Due.ts"
import { attempting, Feeds } from "../../../core/feeds/Feeds.ts"
import { ifDefined } from "../../../core/ifDefined.ts"
import { type Job, makeJob } from "../../../core/jobs/Job.ts"
import { daily, hourly } from "../../../core/jobs/schedule.ts"
import { guidanceFeeds, reportFeeds, weatherFeeds } from "../../../core/lanes/weather/due.ts"
import {
  type GuidanceArchive,
  type GuidanceSource,
  guidanceSources,
  type SecondForecasts,
} from "../../../core/lanes/weather/guidance/Guidance.ts"
import { type GuidanceBulletins, syncGuidance } from "../../../core/lanes/weather/guidance/syncGuidance.ts"
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
import { syncVenue } from "../../../core/lanes/weather/venue/syncVenue.ts"
import type { VenueReadings, VenueSource } from "../../../core/lanes/weather/venue/VenueSettlement.ts"
import { plural } from "../../../core/text.ts"
import * as afos from "./iem/afos.ts"
import { Iem } from "./iem/api.ts"
import { Nws } from "./nws/api.ts"
import * as products from "./nws/products.ts"

const count = (synced: ReadonlyArray<Synced>, tag: Ingested["_tag"]): number =>
  synced.flatMap(({ outcomes }) => outcomes).filter(({ _tag }) => _tag === tag).length

const refusalsOf = ({ outcomes }: Synced): ReadonlyArray<string> =>
  outcomes.flatMap((outcome) =>
    outcome._tag === "Refused" ? [`${outcome.what.trim().slice(0, 60)}: ${outcome.reason}`] : [],
  )

type Result = Either.Either<Synced, Failure>

/** Why a station's reports were not read, or not all of them. */
const refusalOf = (result: Result): string | undefined =>
  Either.match(result, {
    onLeft: ({ message }) => message,
    onRight: (synced) => refusalsOf(synced)[0],
  })

/** Most offices issue in the half hour before. */
export const reportsSchedule = hourly(45)
export const forecastsSchedule = hourly(10)
/** After yesterday's reports from coast to coast and before the day's first calls. */
export const recalibrationSchedule = daily("11:30")

/** Reports an attempt to read each station's reports. @returns the stations that lack a due one, in words */
const reportAttempts = (results: ReadonlyArray<Result>): Effect.Effect<ReadonlyArray<string>, Failure, Feeds> =>
  Effect.gen(function* () {
    const { attempted, coverage } = yield* Feeds
    const at = yield* Clock.currentTimeMillis
    const feeds = stations.map(({ id }) => reportFeeds.get(id)!)
    yield* attempted(feeds.map((feed, index) => ({ feed, at, ...ifDefined("refusal", refusalOf(results[index]!)) })))
    const late = yield* Effect.forEach(feeds, (feed) =>
      Effect.map(coverage(feed), (covered) =>
        covered !== undefined && isBehind(covered) ? [gapText(feed, covered)] : [],
      ),
    )
    return late.flat()
  })

/**
 * Every hour: fetches every station's products of the last days that are not stored, from the weather service first and the
 * archive's copy second. Fails where a station's report is refused or due and missing; what the others brought is stored.
 */
export const weatherReportsJob: Effect.Effect<Job, never, ClimateArchive | ClimateReports | Feeds | Iem | Nws> =
  Effect.gen(function* () {
    const sources = [products.make(yield* Nws), afos.make(yield* Iem)]
    return yield* makeJob({
      name: "weather-reports",
      description: "Fetch the daily climate reports issued since yesterday.",
      schedule: reportsSchedule,
      catchUp: "latest",
      run: Effect.gen(function* () {
        // One station's outage must not affect the others.
        const results = yield* Effect.forEach(stations, (station) => Effect.either(syncReports(station, sources)))
        const late = yield* reportAttempts(results)
        const synced = results.filter(Either.isRight).map(({ right }) => right)
        const refused = count(synced, "Refused")
        const detail = [
          `${count(synced, "Stored")} new, ${count(synced, "Known")} known, ${refused} refused`,
          ...(late.length === 0 ? [] : [`${plural(late.length, "station")} of ${stations.length} late`]),
          ...synced.flatMap(({ station, failures }) => failures.map((failure) => `${station} ${failure}`)),
          ...results.flatMap((result, at) =>
            Either.isLeft(result) ? [`${stations[at]!.id} failed: ${result.left.message}`] : [],
          ),
          ...late,
          ...synced.flatMap(refusalsOf),
        ].join("; ")
        const failed = results.find(Either.isLeft)
        if (failed !== undefined) return yield* fail(failed.left.code, { detail })
        if (late.length > 0) return yield* fail("data_freshness_stale", { detail })
        const isPartial = refused > 0 || synced.some(({ failures }) => failures.length > 0)
        return isPartial ? yield* fail("upstream_unavailable", { detail }) : detail
      }),
    })
  })

/** The summary of a run over the stations; fails where some of them failed. */
const summary = (done: string, failures: ReadonlyArray<string>): Effect.Effect<string, Failure> =>
  failures.length === 0
    ? Effect.succeed(done)
    : Effect.fail(
        fail("upstream_unavailable", {
          detail: [done, `${failures.length} of ${stations.length} stations failed`, ...failures].join("; "),
        }),
      )

/** Every hour: archives the grids' forecasts for empty lead buckets. Fails where a station has no grid. */
export const weatherForecastsJob: Effect.Effect<
  Job,
  never,
  Calibrations | ForecastArchive | Forecasts | SecondForecasts
> = makeJob({
  name: "weather-forecasts",
  description: "Archive the first forecast per station, day and lead bucket.",
  schedule: forecastsSchedule,
  // A missed forecast cannot be archived later.
  catchUp: "none",
  run: Effect.flatMap(archiveForecasts, ({ stored, failures }) => summary(`${stored} new`, failures)),
})

/** After the runs of the blend, and of the GFS. */
export const guidanceSchedule = hourly(25)

/** The rows of a run that are new, all of its bulletins being good. Those of good ones are stored in any case. */
const wholeRun = (source: GuidanceSource) =>
  Effect.flatMap(syncGuidance(source), ({ stored, refusals }) =>
    refusals.length === 0
      ? Effect.succeed(stored)
      : fail("upstream_unavailable", { detail: [`${stored} new`, ...refusals].join("; ") }),
  )

/** Every hour: the newest runs of second forecasts. Fails where a source has none of a day or a bulletin is refused. */
export const weatherGuidanceJob: Effect.Effect<Job, never, Feeds | GuidanceArchive | GuidanceBulletins> = makeJob({
  name: "weather-guidance",
  description: "Read the second forecasts of the stations: the National Blend of Models and GFS MOS.",
  schedule: guidanceSchedule,
  catchUp: "latest",
  run: Effect.gen(function* () {
    const results = yield* Effect.forEach(guidanceSources, (source) =>
      Effect.either(attempting(guidanceFeeds[source], wholeRun(source))),
    )
    const done = results.map((result, at) =>
      Either.match(result, {
        onLeft: ({ message }) => `${guidanceSources[at]} failed: ${message}`,
        onRight: (stored) => `${guidanceSources[at]} ${stored} new`,
      }),
    )
    return results.every(Either.isRight)
      ? done.join("; ")
      : yield* fail("upstream_unavailable", { detail: done.join("; ") })
  }),
})

/** Once a day: counts the errors of forecasts. */
export const weatherRecalibrationJob: Effect.Effect<
  Job,
  never,
  Calibrations | CalibrationStore | ClimateReports | Feeds | ForecastArchive
> = makeJob({
  name: "weather-recalibration",
  description: "Update the bias and spread of temperature forecasts from past errors.",
  schedule: recalibrationSchedule,
  catchUp: "latest",
  run: attempting(weatherFeeds.calibration, recalibrate).pipe(
    Effect.map(({ counted, noted, revision }) =>
      [
        `${counted} errors counted`,
        ...(noted === 0 ? [] : [`${noted} corrections stored, not counted`]),
        revision === undefined ? "nothing new to publish" : `published revision ${revision}`,
      ].join("; "),
    ),
  ),
})

/** After most offices' reports, which the venue's source repeats. */
export const venueSchedule = hourly(55)

/** Every hour: the venue's settlement source. Fails where the source fails or sends something else than it should. */
export const weatherVenueJob: Effect.Effect<Job, never, Feeds | VenueReadings | VenueSource> = makeJob({
  name: "weather-venue",
  description: "Read the values that the venue's temperature contracts settle on.",
  schedule: venueSchedule,
  catchUp: "latest",
  run: attempting(weatherFeeds.venue, syncVenue).pipe(
    Effect.map(({ stored, lacking }) =>
      [
        `${stored} new`,
        ...(lacking.length === 0 ? [] : [`${lacking.join(", ")}: no official value of yesterday yet`]),
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
  run: Effect.flatMap(learnSteps, ({ counted, failures }) => summary(`${counted} extremes counted`, failures)),
})
