import { randomBytes } from "node:crypto"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { secretLength } from "../../../../core/gateway/EntityTags.ts"
import { refuse } from "../appendOnly.ts"

/** Job runs, secrets and heartbeats of an installation, and the log of shadow mode. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // Job runs. The row is the claim: its holder runs the slot. An unfinished run without a heartbeat is taken over by another
  // holder as the next attempt.
  yield* sql`
    CREATE TABLE job_runs (
      job TEXT NOT NULL,
      slot BIGINT NOT NULL,
      holder TEXT NOT NULL,
      attempt INTEGER NOT NULL CHECK (attempt > 0),
      started_at BIGINT NOT NULL,
      alive_at BIGINT NOT NULL,
      finished_at BIGINT,
      outcome TEXT CHECK (outcome IN ('ok', 'failed')),
      detail TEXT,
      PRIMARY KEY (job, slot),
      CHECK ((finished_at IS NULL) = (outcome IS NULL) AND (finished_at IS NULL) = (detail IS NULL))
    )`
  yield* sql`CREATE INDEX job_runs_unfinished ON job_runs (job) WHERE finished_at IS NULL`
  yield* refuse({
    name: "job_runs_finished_once",
    table: "job_runs",
    verb: "UPDATE",
    when: "OLD.finished_at IS NOT NULL",
    message: "a finished job run does not change",
  })
  // 30 days: a job's newest rows decide which slots run again.
  yield* refuse({
    name: "job_runs_keep_recent",
    table: "job_runs",
    verb: "DELETE",
    when: "OLD.slot > (SELECT MAX(slot) FROM job_runs WHERE job = OLD.job) - 2592000000",
    message: "the last month of a job's runs is kept",
  })
  // Comparisons of live answers with the mock's. Old rows are deleted as new ones come.
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
  // Secrets of the installation, shared by every process over the store and never shown. Hex. The one of entity tags is
  // made here, so that two processes cannot make it.
  yield* sql`CREATE TABLE installation_secrets (name TEXT PRIMARY KEY, secret TEXT NOT NULL)`
  const secret = randomBytes(secretLength).toString("hex")
  yield* sql`INSERT INTO installation_secrets (name, secret) VALUES ('entity_tags', ${secret})`
  // A row written by readiness checks, to show that the store is neither full nor locked.
  yield* sql`CREATE TABLE heartbeats (name TEXT NOT NULL PRIMARY KEY, at BIGINT NOT NULL)`
})
