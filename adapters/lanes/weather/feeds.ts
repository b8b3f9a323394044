import * as Effect from "effect/Effect"
import type { Schedule } from "../../../core/jobs/schedule.ts"
import {
  gridFeeds,
  guidanceFeeds,
  observationFeeds,
  reportFeeds,
  type StationFeeds,
  weatherFeeds,
} from "../../../core/lanes/weather/feeds.ts"
import { byId } from "../../../core/lanes/weather/stations.ts"
import { Transactions } from "../../store/engine/Transactions.ts"
import type { LaneFeed } from "../feeds.ts"
import type { Mode } from "../LaneModule.ts"
import { forecastsSchedule, guidanceSchedule, recalibrationSchedule, reportsSchedule, venueSchedule } from "./jobs.ts"
import { calibrationOver, reportsOver } from "./store/coverage.ts"

const perStation = (feeds: StationFeeds, upstreams: LaneFeed["upstreams"], schedule?: Schedule) =>
  Array.from(feeds.values(), (feed): LaneFeed => ({ feed, upstreams, ...(schedule !== undefined && { schedule }) }))

/** What the weather service and the archive owe. Jobs of forecasts run in live mode alone. */
export const feedsOf = (mode: Mode, hasVenue: boolean): Effect.Effect<ReadonlyArray<LaneFeed>, never, Transactions> =>
  Effect.map(Transactions, (transactions) => {
    const coverageOf = reportsOver(transactions)
    const { points, forecasts, hourly, alerts, archive, venue, calibration } = weatherFeeds
    return [
      ...Array.from(
        reportFeeds,
        ([id, feed]): LaneFeed => ({
          feed,
          upstreams: ["nws", "iem"],
          schedule: reportsSchedule,
          coverage: coverageOf(byId.get(id)!),
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
            { feed: guidanceFeeds.gfs_mos, upstreams: ["mdl"], schedule: guidanceSchedule },
            {
              feed: calibration,
              upstreams: ["nws"],
              schedule: recalibrationSchedule,
              coverage: calibrationOver(transactions),
            },
          ]
        : []),
    ]
  })
