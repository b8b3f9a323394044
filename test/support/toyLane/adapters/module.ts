import * as Effect from "effect/Effect"
import type { LaneModule } from "../../../../adapters/lanes/LaneModule.ts"
import type { Feeds } from "../../../../core/feeds/Feeds.ts"
import { toy as definition } from "../core/lane.ts"
import { Levels } from "../core/ports.ts"
import type { Toy } from "../core/Toy.ts"
import { bench } from "./bench.ts"
import { ingest } from "./ingest.ts"
import { levels, levelsJob, schedule } from "./job.ts"
import * as live from "./live.ts"
import * as mock from "./mock.ts"
import * as store from "./store.ts"

/** A lane as a new one is added: one service with one upstream. */
export const toy: LaneModule<typeof Toy.lane, Levels, store.Readings, live.Gauges, "toy", Feeds | Levels> = {
  definition,
  upstreams: { toy: "https://gauges.example" },
  clients: live.layerClient,
  stores: store.layer,
  mock: mock.layer,
  live: () => live.layer,
  shadowed: [{ tag: Levels }],
  jobs: ({ mode }) => (mode === "live" ? Effect.all([levelsJob]) : Effect.succeed([])),
  feeds: () => Effect.succeed([{ feed: levels, upstreams: ["toy"], schedule }]),
  ingest,
  bench,
}
