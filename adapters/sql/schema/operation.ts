import { randomBytes } from "node:crypto"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { secretLength } from "../../../core/gateway/EntityTags.ts"

/** What keeps an installation going: the runs of its jobs, its secrets, its pulse, and shadow mode's log. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // The runs of jobs. The row is the claim: whoever inserts it runs the slot.
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
  // 30 days: what a job's newest rows say decides what is run again.
  yield* sql`
    CREATE TRIGGER job_runs_keep_recent BEFORE DELETE ON job_runs
    WHEN OLD.slot > (SELECT MAX(slot) FROM job_runs WHERE job = OLD.job) - 2592000000
    BEGIN SELECT RAISE(ABORT, 'the last month of a job''s runs is kept'); END`
  // How live answers compared with the mock's. Not of record: old rows go as new ones come.
  yield* sql`
    CREATE TABLE shadow_log (
      at BIGINT NOT NULL,
      port TEXT NOT NULL,
      method TEXT NOT NULL,
      args TEXT NOT NULL,
      agreed INTEGER NOT NULL CHECK (agreed IN (0, 1)),
      difference TEXT,
      live_ms INTEGER NOT NULL,
      failure TEXT,
      dropped INTEGER NOT NULL
    )`
  yield* sql`CREATE INDEX shadow_log_at ON shadow_log (at)`
  // Secrets of the installation itself, which every process over the store shares and nobody is ever told. That of the
  // entity tags is made here, so that no two processes can make it. Hex.
  yield* sql`CREATE TABLE installation_secrets (name TEXT PRIMARY KEY, secret TEXT NOT NULL)`
  const secret = randomBytes(secretLength).toString("hex")
  yield* sql`INSERT INTO installation_secrets (name, secret) VALUES ('entity_tags', ${secret})`
  // A row that is written again and again only to show that one can be: a store that answers may still be full or locked.
  yield* sql`CREATE TABLE heartbeats (name TEXT NOT NULL PRIMARY KEY, at BIGINT NOT NULL)`
})
