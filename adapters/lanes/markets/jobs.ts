import * as Effect from "effect/Effect"
import type { Failure } from "../../../core/Failure.ts"
import { ifDefined } from "../../../core/ifDefined.ts"
import * as Job from "../../../core/jobs/Job.ts"
import { every } from "../../../core/jobs/schedule.ts"
import { publish } from "../../../core/lanes/markets/anchorWeights.ts"
import { capture, captureSlots, type Round, refresh, settle } from "../../../core/lanes/markets/follow.ts"
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
export const quotesJob = Job.makeJob({
  name: "markets-quotes",
  description: "Poll the venues' open contracts and price them.",
  schedule: quotesSchedule,
  catchUp: "latest",
  limit: "5 minutes",
  run: refresh.pipe(Effect.flatMap(summaryLine("contracts priced"))),
})

/** Every hour: captures model and venue prices, with the models' inputs. */
export const captureJob = Job.makeJob({
  name: "markets-capture",
  description: "Capture model and venue prices of all open contracts.",
  schedule: captureSlots,
  // A missed slot is not made up.
  catchUp: "none",
  run: onTime("its captures", (slot) => Effect.flatMap(capture(slot), summaryLine("contracts captured"))),
})

/**
 * Four times an hour: settles contracts by the venues' results and the models' own sources; the first run of a UTC day
 * publishes the weights of the models beside the prices. A late run gives the same.
 */
export const settleJob = Job.makeJob({
  name: "markets-settle",
  description: "Settle and score captured contracts by the venues' results and the models' own sources.",
  schedule: settleSchedule,
  catchUp: "latest",
  run: settle.pipe(Effect.zipLeft(publish), Effect.flatMap(summaryLine("rows settled"))),
})
