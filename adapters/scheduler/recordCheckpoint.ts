import * as Effect from "effect/Effect"
import type { Job } from "../../core/jobs/Job.ts"
import { every } from "../../core/jobs/schedule.ts"
import type { Hasher } from "../../core/record/log/Hasher.ts"
import type { RecordLog } from "../../core/record/log/RecordLog.ts"
import type { Signer } from "../../core/record/log/Signer.ts"
import { signCheckpoint } from "../../core/record/log/signCheckpoint.ts"

/** Every minute: a checkpoint over what has come, so that nobody can say later that it was said before. */
export const recordCheckpoint: Effect.Effect<Job, never, Hasher | RecordLog | Signer> = Effect.map(
  Effect.context<Hasher | RecordLog | Signer>(),
  (context): Job => ({
    name: "record-checkpoint",
    description: "Sign a checkpoint of the record when it has grown.",
    // Late enough for what is captured on the minute.
    schedule: every(1, 30),
    catchUp: "latest",
    run: Effect.map(signCheckpoint, (signed) =>
      signed === undefined ? "nothing has come" : `signed ${signed.size} leaves`,
    ).pipe(Effect.provide(context)),
  }),
)
