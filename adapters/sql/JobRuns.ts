import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { aliveTimeoutMs, type JobRun, JobRuns, type RunStatus, retentionMs } from "../../core/jobs/JobRuns.ts"
import { deletedInSlices } from "./slices.ts"
import { mapStorageErrors } from "./storage.ts"

/** Runs of one deletion. */
const slice = 500

interface Row {
  readonly job: string
  readonly slot: number
  readonly started_at: number
  readonly alive_at: number
  readonly finished_at: number | null
  readonly outcome: RunStatus | null
  readonly detail: string | null
}

const toRun = ({ job, slot, started_at, alive_at, finished_at, outcome, detail }: Row): JobRun => ({
  job,
  slot,
  startedAt: started_at,
  aliveAt: alive_at,
  ...(finished_at === null ? {} : { finished: { at: finished_at, outcome: outcome!, detail: detail! } }),
})

/** Single statements only: each is atomic and holds the store's lock briefly. */
export const layer: Layer.Layer<JobRuns, never, SqlClient.SqlClient> = Layer.effect(
  JobRuns,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    claim: (job, slot, now) =>
      mapStorageErrors(
        Effect.gen(function* () {
          const [claimed] = yield* sql`
            INSERT INTO job_runs (job, slot, started_at, alive_at)
            SELECT ${job}, ${slot}, ${now}, ${now}
            WHERE NOT EXISTS (
              SELECT 1 FROM job_runs WHERE job = ${job} AND finished_at IS NULL AND alive_at >= ${now - aliveTimeoutMs}
            )
            ON CONFLICT DO NOTHING RETURNING slot`
          if (claimed !== undefined) return "claimed"
          const [taken] = yield* sql`SELECT slot FROM job_runs WHERE job = ${job} AND slot = ${slot}`
          return taken === undefined ? "busy" : "taken"
        }),
      ),
    alive: (job, slot, now) =>
      mapStorageErrors(
        Effect.asVoid(
          sql`UPDATE job_runs SET alive_at = ${now} WHERE job = ${job} AND slot = ${slot} AND finished_at IS NULL`,
        ),
      ),
    finish: (job, slot, { at, outcome, detail }) =>
      mapStorageErrors(
        Effect.asVoid(
          sql`
            UPDATE job_runs SET finished_at = ${at}, outcome = ${outcome}, detail = ${detail}
            WHERE job = ${job} AND slot = ${slot} AND finished_at IS NULL`,
        ),
      ),
    recent: (job, limit) =>
      mapStorageErrors(
        Effect.map(sql<Row>`SELECT * FROM job_runs WHERE job = ${job} ORDER BY slot DESC LIMIT ${limit}`, (rows) =>
          rows.map(toRun),
        ),
      ),
    prune: (before) =>
      deletedInSlices(
        slice,
        mapStorageErrors(
          Effect.map(
            sql`
              DELETE FROM job_runs WHERE (job, slot) IN (
                SELECT job, slot FROM job_runs
                WHERE slot < ${before}
                  AND slot <= (SELECT MAX(slot) FROM job_runs newest WHERE newest.job = job_runs.job) - ${retentionMs}
                LIMIT ${slice}
              ) RETURNING slot`,
            (rows) => rows.length,
          ),
        ),
      ),
  })),
)
