import type * as HttpClient from "@effect/platform/HttpClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Feeds } from "../../../core/feeds/Feeds.ts"
import type { FootballArchive } from "../../../core/lanes/football/data/archive.ts"
import { nflFeeds, weeklyFeeds } from "../../../core/lanes/football/data/coverage.ts"
import type { Football, FootballPorts } from "../../../core/lanes/football/Football.ts"
import { football as definition } from "../../../core/lanes/football/lane.ts"
import type { Games, RatingStates } from "../../../core/lanes/football/ports.ts"
import { type Outcomes, TrackRecord } from "../../../core/record/captures/Outcomes.ts"
import { Transactions } from "../../store/engine/Transactions.ts"
import * as outcomes from "../../store/record/Outcomes.ts"
import type { LaneModule } from "../LaneModule.ts"
import { bench } from "./benchFiles.ts"
import { shadowed } from "./difference.ts"
import { ingest } from "./ingest.ts"
import { footballIngestJob, footballScoreJob, ingestSchedule } from "./jobs.ts"
import * as mock from "./mock/football.ts"
import * as archive from "./store/Archive.ts"
import { make as coverageOver } from "./store/coverage.ts"
import * as games from "./store/Games.ts"
import * as quarterbacks from "./store/Quarterbacks.ts"
import * as ratingStates from "./store/RatingStates.ts"
import * as reports from "./store/Reports.ts"

/** The football lane: nflverse's releases in the store. */
export const football: LaneModule<
  typeof Football.lane,
  FootballPorts,
  FootballArchive | RatingStates,
  never,
  "nflverse",
  Feeds | FootballArchive | Games | HttpClient.HttpClient | Outcomes
> = {
  definition,
  upstreams: { nflverse: "https://github.com/nflverse/nflverse-data/releases/download" },
  clients: () => Layer.empty,
  stores: Layer.merge(archive.layer, ratingStates.layer),
  mock: Layer.merge(mock.layer, TrackRecord.layerNone),
  live: () =>
    Layer.mergeAll(
      games.layer,
      quarterbacks.layer,
      reports.layerInjuries,
      reports.layerTop100,
      outcomes.layerTrackRecord,
    ),
  shadowed,
  // Only lines of real games are recorded and scored.
  jobs: ({ mode, settings }) =>
    Effect.all([
      ...(mode === "mock" ? [] : [footballIngestJob(settings)]),
      ...(mode === "live" ? [footballScoreJob] : []),
    ]),
  feeds: () =>
    Effect.map(Transactions, (transactions) => {
      const coverage = coverageOver(transactions)
      return weeklyFeeds.map((name) => ({
        feed: nflFeeds[name],
        upstreams: ["nflverse"],
        schedule: ingestSchedule,
        coverage: coverage(name),
      }))
    }),
  ingest,
  bench,
}
