import { randomUUID } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import {
  aliveTimeoutMs,
  type Claim,
  type ClaimedRun,
  type JobRun,
  JobRuns,
  maxAttempts,
  type RunStatus,
  retentionMs,
} from "../../../core/jobs/JobRuns.ts"
import * as Step from "../../../core/Step.ts"
import { columns, type RowOf } from "../engine/columns.ts"
import { makeSerialiseStep } from "../engine/locks.ts"
import { deleteInSlices } from "../engine/slices.ts"
import { Transactions } from "../engine/Transactions.ts"

const runsPerDeletion = 500

const run = columns<JobRun>()(["job", "slot", "attempt", "startedAt", "aliveAt"])
interface Row extends RowOf<typeof run> {
  readonly finished_at: number | null
  readonly outcome: RunStatus | null
  readonly detail: string | null
}

const toRun = (row: Row): JobRun => ({
  ...run.fromRow(row),
  ...(row.finished_at === null
    ? {}
    : { finished: { at: row.finished_at, outcome: row.outcome!, detail: row.detail! } }),
})

const prepare = ({ prepare: query, dialect }: Transactions["Type"]) => ({
  // On PostgreSQL all nodes use the store's time. SQLite has the clock of its machine.
  clock: dialect === "sqlite" ? undefined : query<{ readonly now: number }>("SELECT now_ms() AS now"),
  run: query<Pick<Row, "attempt" | "finished_at">>(
    "SELECT attempt, finished_at FROM job_runs WHERE job = ? AND slot = ?",
  ),
  running: query("SELECT 1 FROM job_runs WHERE job = ? AND finished_at IS NULL AND alive_at >= ?"),
  otherRunning: query("SELECT 1 FROM job_runs WHERE job = ? AND slot <> ? AND finished_at IS NULL AND alive_at >= ?"),
  begin: query("INSERT INTO job_runs (job, slot, holder, attempt, started_at, alive_at) VALUES (?, ?, ?, 1, ?, ?)"),
  takeOver: query(
    "UPDATE job_runs SET holder = ?, attempt = ?, started_at = ?, alive_at = ? WHERE job = ? AND slot = ?",
  ),
  alive: query(`
    UPDATE job_runs SET alive_at = ?
    WHERE job = ? AND slot = ? AND holder = ? AND attempt = ? AND finished_at IS NULL`),
  finish: query(`
    UPDATE job_runs SET finished_at = ?, outcome = ?, detail = ?
    WHERE job = ? AND slot = ? AND holder = ? AND attempt = ? AND finished_at IS NULL`),
  recent: query<Row>("SELECT * FROM job_runs WHERE job = ? ORDER BY slot DESC LIMIT ?"),
  prune: query(`
    DELETE FROM job_runs WHERE (job, slot) IN (
      SELECT job, slot FROM job_runs
      WHERE slot < ?
        AND slot <= (SELECT MAX(slot) FROM job_runs newest WHERE newest.job = job_runs.job) - ${retentionMs}
      LIMIT ${runsPerDeletion}
    )`),
})

/** The run log on either store. On PostgreSQL the store's clock decides, so that a node's wrong clock claims nothing early. */
export const layer: Layer.Layer<JobRuns, never, Transactions> = Layer.effect(
  JobRuns,
  Effect.map(Transactions, (transactions) => {
    const sql = prepare(transactions)
    const lock = makeSerialiseStep(transactions)
    const { read, write } = transactions
    const holder = randomUUID()

    /** Waits for other claims and heartbeats of the job, then reads the time. */
    const lockAndReadTime = Step.fn(function* (job: string, given: number) {
      yield* lock(`job ${job}`)
      return sql.clock === undefined ? given : (yield* sql.clock.get())!.now
    })

    const claim = Step.fn(function* (job: string, given: number | undefined, callers: number) {
      const now = yield* lockAndReadTime(job, callers)
      const slot = given ?? now
      if (slot > now) return { _tag: "Early", inMs: slot - now } satisfies Claim
      const previous = yield* sql.run.get(job, slot)
      if (previous !== undefined && previous.finished_at !== null) return { _tag: "Taken" } satisfies Claim
      if ((yield* sql.running.get(job, now - aliveTimeoutMs)) !== undefined) return { _tag: "Busy" } satisfies Claim
      const attempt = (previous?.attempt ?? 0) + 1
      if (attempt > maxAttempts) return { _tag: "Taken" } satisfies Claim
      if (attempt === 1) yield* sql.begin.run(job, slot, holder, now, now)
      else yield* sql.takeOver.run(holder, attempt, now, now, job, slot)
      return { _tag: "Claimed", run: { job, slot, holder, attempt } } satisfies Claim
    })

    const alive = Step.fn(function* ({ job, slot, holder, attempt }: ClaimedRun, callers: number) {
      const now = yield* lockAndReadTime(job, callers)
      if ((yield* sql.otherRunning.get(job, slot, now - aliveTimeoutMs)) !== undefined) return false
      return (yield* sql.alive.run(now, job, slot, holder, attempt)) === 1
    })

    const finish = Step.fn(function* (
      { job, slot, holder, attempt }: ClaimedRun,
      { at, outcome, detail }: NonNullable<JobRun["finished"]>,
    ) {
      const now = yield* lockAndReadTime(job, at)
      return (yield* sql.finish.run(now, outcome, detail, job, slot, holder, attempt)) === 1
    })

    return {
      claim: (job, slot, now) => write(() => claim(job, slot, now)),
      alive: (run, now) => write(() => alive(run, now)),
      finish: (run, finished) => write(() => finish(run, finished)),
      recent: (job, limit) =>
        Effect.map(
          read(() => sql.recent.all(job, limit)),
          (rows) => rows.map(toRun),
        ),
      prune: (before) =>
        deleteInSlices(
          runsPerDeletion,
          write(() => sql.prune.run(before)),
        ),
    }
  }),
)
