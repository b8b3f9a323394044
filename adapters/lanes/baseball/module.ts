import type * as HttpClient from "@effect/platform/HttpClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Feeds } from "../../../core/feeds/Feeds.ts"
import type { Baseball, BaseballPorts } from "../../../core/lanes/baseball/Baseball.ts"
import { mlbFeeds } from "../../../core/lanes/baseball/due.ts"
import { baseball as definition } from "../../../core/lanes/baseball/lane.ts"
import type { PitchingArchive } from "../../../core/lanes/baseball/ports.ts"
import type { AnySettings, LaneModule, Mode } from "../LaneModule.ts"
import { bench } from "./benchFiles.ts"
import { pitchingLines, seasonLines, slates } from "./difference.ts"
import { baseballPitchingJob } from "./jobs.ts"
import { publicUrl } from "./mlb/api.ts"
import * as mlb from "./mlb/layer.ts"
import * as mock from "./mock/baseball.ts"
import * as archive from "./store/PitchingArchive.ts"

/** Whether the service is asked for box scores. */
const isRead = (mode: Mode, { termsAccepted }: AnySettings): boolean => mode === "live" && termsAccepted

/** The baseball lane: MLB's StatsAPI, read on demand, and hourly for box scores, if the operator has accepted its terms. */
export const baseball: LaneModule<
  typeof Baseball.lane,
  BaseballPorts,
  PitchingArchive,
  never,
  "mlb",
  Feeds | HttpClient.HttpClient | PitchingArchive
> = {
  definition,
  upstreams: { mlb: publicUrl },
  // The terms allow individual, non-commercial, non-bulk use.
  terms: "MLB_TERMS_ACCEPTED",
  clients: () => Layer.empty,
  stores: archive.layer,
  mock: mock.layer,
  live: (settings) => Layer.merge(settings.termsAccepted ? mlb.layer(settings) : mlb.layerRefused, archive.layerLines),
  shadowed: [slates, seasonLines, pitchingLines],
  jobs: ({ mode, settings }) => Effect.all(isRead(mode, settings) ? [baseballPitchingJob(settings)] : []),
  feeds: () => Effect.succeed(Object.values(mlbFeeds).map((feed) => ({ feed, upstreams: ["mlb"] }))),
  bench,
}
