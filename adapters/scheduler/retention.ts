import type * as SqlClient from "@effect/sql/SqlClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { AuditTrail } from "../../core/account/AuditTrail.ts"
import type { Job } from "../../core/jobs/Job.ts"
import { hourly } from "../../core/jobs/schedule.ts"
import { day } from "../../core/time.ts"
import { forgetDeliveries } from "../sql/forgetDeliveries.ts"
import { sweepIdempotency } from "../sql/sweepIdempotency.ts"

/** How long what is not of record is kept, in days. Runs of jobs have a job of their own, shadow logs a length. */
export const keptDays = {
  /** An Idempotency-Key stands for its call for a day. */
  answers: 1,
  /** Webhook deliveries that have ended stay for as long as someone may ask why. */
  deliveries: 90,
} as const

/**
 * Keeps what is not of record from growing for ever. Money and the record stay.
 *
 * @param months of the audit trail that are kept, the current one included
 */
export const retention = (months: number): Effect.Effect<Job, never, AuditTrail | SqlClient.SqlClient> =>
  Effect.map(
    Effect.context<AuditTrail | SqlClient.SqlClient>(),
    (context): Job => ({
      name: "retention",
      description: `Forget idempotent answers after 24 hours, webhook deliveries ${keptDays.deliveries} days after their end, and the audit trail after ${months} months.`,
      schedule: hourly(40),
      catchUp: "none",
      run: Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const answers = yield* sweepIdempotency(now - keptDays.answers * day)
        const deliveries = yield* forgetDeliveries(now - keptDays.deliveries * day)
        const dropped = yield* (yield* AuditTrail).keep(months)
        const trail = dropped.length === 0 ? "no month" : dropped.map(({ month }) => month).join(", ")
        return `forgot ${answers} answers, ${deliveries} deliveries, ${trail} of the audit trail`
      }).pipe(Effect.provide(context)),
    }),
  )
