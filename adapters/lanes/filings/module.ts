import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Filings } from "../../../core/lanes/filings/Filings.ts"
import { filings as definition } from "../../../core/lanes/filings/lane.ts"
import type { FilingArchive } from "../../../core/lanes/filings/ports.ts"
import type { LaneModule } from "../LaneModule.ts"
import * as mock from "./mock/filings.ts"

/** The filings lane, in development: mock in every mode. */
export const filings: Omit<LaneModule<typeof Filings.lane, FilingArchive>, "live"> = {
  definition,
  upstreams: {},
  clients: () => Layer.empty,
  stores: Layer.empty,
  mock: mock.layer,
  shadowed: [],
  jobs: () => Effect.succeed([]),
  feeds: () => Effect.succeed([]),
}
