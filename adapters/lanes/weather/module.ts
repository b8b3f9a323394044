import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Schedule } from "../../../core/jobs/schedule.ts"
import {
  gridFeeds,
  guidanceFeeds,
  observationFeeds,
  reportFeeds,
  type StationFeeds,
  weatherFeeds,
} from "../../../core/lanes/weather/due.ts"
import { ClimateReports, Forecasts, Observations, WeatherLaws } from "../../../core/lanes/weather/ports.ts"
import { byId } from "../../../core/lanes/weather/stations.ts"
import { VenueSettlement } from "../../../core/lanes/weather/venue/VenueSettlement.ts"
import { Weather } from "../../../core/lanes/weather/Weather.ts"
import { Transactions } from "../../store/engine/Transactions.ts"
import * as lawScores from "../../store/record/LawScores.ts"
import type { LaneFeed } from "../feeds.ts"
import * as Module from "../LaneModule.ts"
import * as Iem from "./iem/api.ts"
import { ingest } from "./ingest.ts"
import {
  forecastsSchedule,
  guidanceSchedule,
  recalibrationSchedule,
  reportsSchedule,
  venueSchedule,
  weatherForecastsJob,
  weatherGuidanceJob,
  weatherReadingsJob,
  weatherRecalibrationJob,
  weatherReportsJob,
  weatherScoresJob,
  weatherVenueJob,
} from "./jobs.ts"
import * as liveReports from "./liveReports.ts"
import * as mdl from "./mdl/bulletins.ts"
import * as mock from "./mock/reports.ts"
import * as forecasts from "./nws/forecasts.ts"
import * as observations from "./nws/observations.ts"
import { nws, layer as nwsLayer } from "./nws/source.ts"
import * as calibrations from "./store/Calibrations.ts"
import * as reports from "./store/ClimateReports.ts"
import { makeCalibrationCoverage, makeReportCoverage } from "./store/coverage.ts"
import * as guidance from "./store/Guidance.ts"
import * as venue from "./store/VenueReadings.ts"
import * as twc from "./twc/source.ts"

const perStation = (feeds: StationFeeds, upstreams: LaneFeed["upstreams"], schedule?: Schedule) =>
  Array.from(feeds.values(), (feed): LaneFeed => ({ feed, upstreams, ...(schedule !== undefined && { schedule }) }))

/** Feeds of the weather service and the archive. Jobs of forecasts run only in live mode. */
const archiveFeeds = (
  mode: Module.Mode,
  hasVenue: boolean,
): Effect.Effect<ReadonlyArray<LaneFeed>, never, Transactions> =>
  Effect.map(Transactions, (transactions) => {
    const reportCoverage = makeReportCoverage(transactions)
    const { points, forecasts, hourly, alerts, archive, venue, calibration } = weatherFeeds
    return [
      ...Array.from(
        reportFeeds,
        ([id, feed]): LaneFeed => ({
          feed,
          upstreams: ["nws", "iem"],
          schedule: reportsSchedule,
          coverage: reportCoverage(byId.get(id)!),
        }),
      ),
      ...perStation(gridFeeds, ["nws"], mode === "live" ? forecastsSchedule : undefined),
      ...perStation(observationFeeds, ["nws"]),
      ...[points, forecasts, hourly, alerts].map((feed) => ({ feed, upstreams: ["nws"] })),
      { feed: archive, upstreams: ["iem"] },
      ...(hasVenue ? [{ feed: venue, upstreams: ["twc"], schedule: venueSchedule }] : []),
      ...(mode === "live"
        ? [
            { feed: guidanceFeeds.nbm, upstreams: ["nbm"], schedule: guidanceSchedule },
            { feed: guidanceFeeds.nbp, upstreams: ["nbm"], schedule: guidanceSchedule },
            { feed: guidanceFeeds.gfs_mos, upstreams: ["mdl"], schedule: guidanceSchedule },
            {
              feed: calibration,
              upstreams: ["nws"],
              schedule: recalibrationSchedule,
              coverage: makeCalibrationCoverage(transactions),
            },
          ]
        : []),
    ]
  })

const upstreams = { nws, iem: Iem.iem, twc: twc.twc, nbm: mdl.nbm, mdl: mdl.mdl }

// Named, so that their types are inferred before those of the module.
const clients = (settings: Module.Settings<keyof typeof upstreams>) =>
  Layer.mergeAll(nwsLayer(settings), Iem.layer(settings), twc.layer(settings), mdl.layer(settings))
const stores = Layer.mergeAll(
  reports.layerArchive,
  calibrations.layerForecasts,
  calibrations.layerStore,
  calibrations.layerSteps,
  venue.layerStore,
  guidance.layerArchive,
  lawScores.layer,
)

/** The weather lane: the National Weather Service, and the archive of its reports. */
export const weather = Module.define(Weather, {
  upstreams,
  clients,
  stores,
  // Mock data uses the prior calibration.
  mock: mock.layer,
  live: () =>
    Layer.mergeAll(
      liveReports.layer,
      forecasts.layer,
      observations.layer,
      calibrations.layerCalibrations,
      calibrations.layerEarlier,
      guidance.layerForecasts,
      venue.layerSettlement,
      lawScores.layerRecord(WeatherLaws, "weather"),
    ),
  shadowed: [ClimateReports, Forecasts, Observations, VenueSettlement],
  // Shadow compares with real reports and needs them too. Jobs read stored reports and never ask the archive.
  jobs: ({ mode, settings }) =>
    Effect.all([
      ...(mode === "mock" ? [] : [weatherReportsJob]),
      ...(mode === "mock" || settings.twc === "" ? [] : [weatherVenueJob]),
      ...(mode === "live"
        ? [weatherForecastsJob, weatherGuidanceJob, weatherRecalibrationJob, weatherReadingsJob, weatherScoresJob]
        : []),
    ]).pipe(Effect.provide(reports.layerReports)),
  feeds: ({ mode, settings }) => archiveFeeds(mode, settings.twc !== ""),
  ingest,
})
