import * as Effect from "effect/Effect"
import { type Job, makeJob } from "../../core/jobs/Job.ts"
import { every } from "../../core/jobs/schedule.ts"
import type { RecordLog } from "../../core/record/log/RecordLog.ts"
import type { Signer } from "../../core/record/log/Signer.ts"
import type { SyncSha256 } from "../../core/record/log/SyncSha256.ts"
import { signCheckpoint } from "../../core/record/log/signCheckpoint.ts"

/** Signs a checkpoint every minute if the record has grown, so that later leaves cannot be backdated. */
export const recordCheckpoint: Effect.Effect<Job, never, SyncSha256 | RecordLog | Signer> = makeJob({
  name: "record-checkpoint",
  description: "Sign a checkpoint of the record when it has grown.",
  // 30 s after the minute, when its captures are written.
  schedule: every(1, 30),
  catchUp: "latest",
  run: Effect.map(signCheckpoint, (signed) =>
    signed === undefined ? "no new leaves" : `signed ${signed.size} leaves`,
  ),
})
