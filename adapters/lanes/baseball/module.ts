import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Baseball } from "../../../core/lanes/baseball/Baseball.ts"
import { mlbFeeds } from "../../../core/lanes/baseball/due.ts"
import { PitchingLines, SeasonLines, Slates } from "../../../core/lanes/baseball/ports.ts"
import * as Module from "../LaneModule.ts"
import { baseballPitchingJob } from "./jobs.ts"
import * as Mlb from "./mlb/api.ts"
import * as mlb from "./mlb/layer.ts"
import * as mock from "./mock/baseball.ts"
import * as archive from "./store/PitchingArchive.ts"

/** The baseball lane: MLB's StatsAPI, read on demand, and hourly for box scores, if the operator has accepted its terms. */
export const baseball = Module.define(Baseball, {
  upstreams: { mlb: Mlb.mlb },
  stores: archive.layer,
  mock: mock.layer,
  live: (settings) => Layer.merge(settings.mlb === "" ? mlb.layerRefused : mlb.layer(settings), archive.layerLines),
  shadowed: [Slates, SeasonLines, PitchingLines],
  jobs: ({ mode, settings }) =>
    Effect.all(mode === "live" && settings.mlb !== "" ? [baseballPitchingJob(settings)] : []),
  feeds: ({ settings }) =>
    Effect.succeed(settings.mlb === "" ? [] : Object.values(mlbFeeds).map((feed) => ({ feed, upstreams: ["mlb"] }))),
})
