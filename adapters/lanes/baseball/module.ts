import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Baseball, BaseballPorts } from "../../../core/lanes/baseball/Baseball.ts"
import { mlbFeeds } from "../../../core/lanes/baseball/feeds.ts"
import { baseball as definition } from "../../../core/lanes/baseball/lane.ts"
import type { LaneModule } from "../LaneModule.ts"
import { bench } from "./benchFiles.ts"
import { seasonLines, slates } from "./difference.ts"
import { publicUrl } from "./mlb/api.ts"
import * as mlb from "./mlb/layer.ts"
import * as mock from "./mock/baseball.ts"

/** The baseball lane: MLB's StatsAPI, read on demand if the operator has accepted its terms. */
export const baseball: LaneModule<typeof Baseball.lane, BaseballPorts, never, never, "mlb"> = {
  definition,
  upstreams: { mlb: publicUrl },
  // The terms allow individual, non-commercial, non-bulk use.
  terms: "MLB_TERMS_ACCEPTED",
  clients: () => Layer.empty,
  stores: Layer.empty,
  mock: mock.layer,
  live: (settings) => (settings.termsAccepted ? mlb.layer(settings) : mlb.layerRefused),
  shadowed: [slates, seasonLines],
  jobs: () => Effect.succeed([]),
  feeds: () => Effect.succeed(Object.values(mlbFeeds).map((feed) => ({ feed, upstreams: ["mlb"] }))),
  bench,
}
