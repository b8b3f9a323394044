import type * as SqlClient from "@effect/sql/SqlClient"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { AuditTrail } from "../../../core/account/AuditTrail.ts"
import { usd } from "../../../core/account/Money.ts"
import { retentionDays as keptUsage, Usage } from "../../../core/account/Usage.ts"
import { fail } from "../../../core/Failure.ts"
import { type Job, makeJob, Slot } from "../../../core/jobs/Job.ts"
import { JobRuns } from "../../../core/jobs/JobRuns.ts"
import { daily, every, hourly } from "../../../core/jobs/schedule.ts"
import { Payments } from "../../../core/payment/Payments.ts"
import { PeopleStore } from "../../../core/people/PeopleStore.ts"
import type { RecordLog } from "../../../core/record/log/RecordLog.ts"
import type { Signer } from "../../../core/record/log/Signer.ts"
import type { SyncSha256 } from "../../../core/record/log/SyncSha256.ts"
import { signCheckpoint } from "../../../core/record/log/signCheckpoint.ts"
import { plural } from "../../../core/text.ts"
import { day } from "../../../core/time.ts"
import { deleteDeliveries, deleteReasons, sweepIdempotency } from "./sweeps.ts"

const runDays = 90

export const pruneRuns: Effect.Effect<Job, never, JobRuns> = makeJob({
  name: "prune-runs",
  description: `Delete job runs older than ${runDays} days.`,
  schedule: daily("03:10"),
  catchUp: "none",
  run: Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    return `deleted ${yield* (yield* JobRuns).prune(now - runDays * day)} runs`
  }),
})

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

/** The moves pause three times as long as they work, so that many leave the time to the calls. */
const longestPause = Duration.millis(25)

export const moveUsage: Effect.Effect<Job, never, Usage> = makeJob({
  name: "usage",
  description: `Keep the sums of usage by the hour ${keptUsage.hour} days, those of days ${keptUsage.day} days, and those of months forever.`,
  schedule: every(1, 15),
  catchUp: "none",
  run: Effect.gen(function* () {
    const { move } = yield* Usage
    for (let slices = 0; ; slices++) {
      const [took, hasMoved] = yield* Effect.timed(move)
      if (!hasMoved) return `moved ${plural(slices, "slice")} of sums`
      yield* Effect.sleep(Duration.min(Duration.times(took, 3), longestPause))
    }
  }),
})

/** The hour of the day, UTC, in which credited orders are compared too. */
const fullCheckHour = 4

/** Asks the payment providers about orders whose proof has not arrived; once a day about refunds and disputes too. */
export const reconcileOrders: Effect.Effect<Job, never, Payments> = makeJob({
  name: "reconcile-orders",
  description: "Compare orders with the payment providers' books.",
  schedule: hourly(20),
  catchUp: "latest",
  run: Effect.gen(function* () {
    const isWhole = new Date(yield* Slot).getUTCHours() === fullCheckHour
    const { ways, reconcile } = yield* Payments
    const report = yield* reconcile(isWhole ? "all" : "unproven")
    const { looked, added, creditedMicros, takenBackMicros, mismatched, unanswered } = report
    const summary = [
      `${plural(looked, "order")} checked, ${plural(added, "change")}`,
      `${usd(creditedMicros)} credited, ${usd(takenBackMicros)} taken back`,
      ...(mismatched.length === 0 ? [] : [`${plural(mismatched.length, "order")} paid with another amount`]),
    ].join("; ")
    if (unanswered.length === 0) return summary
    const left = `${plural(unanswered.length, "order")} could not be checked`
    // A provider that answers about no order is away. One that is no longer configured is nobody's to wait for.
    if (looked === 0 && ways.length > 0) {
      return yield* fail("data_provider_unavailable", { detail: `${left}: the provider did not answer.` })
    }
    return `${summary}; ${left}`
  }),
})

/** Days after which data is deleted. Job runs have a job of their own; the shadow log has a fixed length. */
export const retentionDays = {
  /** Replies stored under an Idempotency-Key, and the fields for which calls were refused. */
  answers: 1,
  /** Ended webhook deliveries, for support questions. */
  deliveries: 90,
  /** Sessions and invitations, after their end. */
  sessions: 30,
} as const

/**
 * Deletes old operational data. Journal and record are never deleted.
 *
 * @param months number of stored months of the audit trail, the current one included
 */
export const retention = (months: number): Effect.Effect<Job, never, AuditTrail | PeopleStore | SqlClient.SqlClient> =>
  makeJob({
    name: "retention",
    description: `Delete stored idempotent replies and the fields of refused calls after 24 hours, webhook deliveries ${retentionDays.deliveries} days after their end, sessions and invitations ${retentionDays.sessions} days after theirs, and audit rows after ${months} months.`,
    schedule: hourly(40),
    catchUp: "none",
    run: Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const answers = yield* sweepIdempotency(now - retentionDays.answers * day)
      yield* deleteReasons(now - retentionDays.answers * day)
      const deliveries = yield* deleteDeliveries(now - retentionDays.deliveries * day)
      const sessions = yield* (yield* PeopleStore).sweep(now - retentionDays.sessions * day)
      const dropped = yield* (yield* AuditTrail).dropOlderThan(months)
      const trail = dropped.length === 0 ? "no month" : dropped.map(({ month }) => month).join(", ")
      return `deleted ${answers} replies, ${deliveries} deliveries, ${sessions} sessions and invitations, ${trail} of the audit trail`
    }),
  })
