import * as Effect from "effect/Effect"
import type { PlatformCrypto } from "../../../core/account/PlatformCrypto.ts"
import type { Failure } from "../../../core/Failure.ts"
import type { Feeds } from "../../../core/feeds/Feeds.ts"
import { ifDefined } from "../../../core/ifDefined.ts"
import * as Job from "../../../core/jobs/Job.ts"
import { every } from "../../../core/jobs/schedule.ts"
import { publish } from "../../../core/lanes/markets/anchorWeights.ts"
import { capture, captureSlots, type Round, refresh, settle } from "../../../core/lanes/markets/follow.ts"
import type {
  ContractStore,
  PricingLanes,
  Scoreboard,
  SettledRows,
  SourceResults,
  Venues,
} from "../../../core/lanes/markets/ports.ts"
import type { Captures } from "../../../core/record/captures/Captures.ts"
import type { RecordInputs } from "../../../core/record/captures/RecordInputs.ts"
import type { SyncSha256 } from "../../../core/record/log/SyncSha256.ts"
import { onTime } from "../../runtime/scheduler/onTime.ts"

/** The summary line of a round; fails where a source or a part of it was not read. */
const summaryLine =
  (what: string) =>
  ({ done, warnings, refusals, failures: [failure] }: Round): Effect.Effect<string, Failure> =>
    Job.summary(
      [
        {
          counts: { [what]: done },
          notes: warnings.slice(refusals.length),
          refusals: refusals.map(({ reason }) => reason),
        },
      ],
      ifDefined("code", failure?.code),
    )

export const quotesSchedule = every(1, 20)
export const settleSchedule = every(15, 300)

/** Every minute: polls the venues' open contracts and prices them. */
export const quotesJob: Effect.Effect<Job.Job, never, ContractStore | Feeds | PricingLanes | Venues> = Job.makeJob({
  name: "markets-quotes",
  description: "Poll the venues' open contracts and price them.",
  schedule: quotesSchedule,
  catchUp: "latest",
  limit: "5 minutes",
  run: refresh.pipe(Effect.flatMap(summaryLine("contracts priced"))),
})

type Capturing =
  | Captures
  | ContractStore
  | Feeds
  | SyncSha256
  | PricingLanes
  | RecordInputs
  | PlatformCrypto
  | Scoreboard
  | Venues

/** Every hour: captures model and venue prices, with the models' inputs. */
export const captureJob: Effect.Effect<Job.Job, never, Capturing> = Job.makeJob({
  name: "markets-capture",
  description: "Capture model and venue prices of all open contracts.",
  schedule: captureSlots,
  // A missed slot is not made up.
  catchUp: "none",
  run: onTime("its captures", (slot) => Effect.flatMap(capture(slot), summaryLine("contracts captured"))),
})

type Settling = ContractStore | Feeds | Scoreboard | SettledRows | SourceResults | Venues

/**
 * Four times an hour: settles contracts by the venues' results and the models' own sources; the first run of a UTC day
 * publishes the weights of the models beside the prices. A late run gives the same.
 */
export const settleJob: Effect.Effect<Job.Job, never, Settling> = Job.makeJob({
  name: "markets-settle",
  description: "Settle and score captured contracts by the venues' results and the models' own sources.",
  schedule: settleSchedule,
  catchUp: "latest",
  run: settle.pipe(Effect.zipLeft(publish), Effect.flatMap(summaryLine("rows settled"))),
})
