import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

/** What a job's newest rows say must last: they decide what is run again. */
const monthMs = 30 * 86_400_000

/** The runs of jobs. The row is the claim: whoever inserts it runs the slot. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE job_runs (
      job TEXT NOT NULL,
      slot BIGINT NOT NULL,
      started_at BIGINT NOT NULL,
      alive_at BIGINT NOT NULL,
      finished_at BIGINT,
      outcome TEXT CHECK (outcome IN ('ok', 'failed')),
      detail TEXT,
      PRIMARY KEY (job, slot),
      CHECK ((finished_at IS NULL) = (outcome IS NULL) AND (finished_at IS NULL) = (detail IS NULL))
    )`
  yield* sql`CREATE INDEX job_runs_unfinished ON job_runs (job) WHERE finished_at IS NULL`
  yield* sql`
    CREATE TRIGGER job_runs_finished_once BEFORE UPDATE ON job_runs WHEN OLD.finished_at IS NOT NULL
    BEGIN SELECT RAISE(ABORT, 'a finished job run does not change'); END`
  yield* sql.unsafe(`
    CREATE TRIGGER job_runs_keep_recent BEFORE DELETE ON job_runs
    WHEN OLD.slot > (SELECT MAX(slot) FROM job_runs WHERE job = OLD.job) - ${monthMs}
    BEGIN SELECT RAISE(ABORT, 'the last month of a job''s runs is kept'); END`)
})
