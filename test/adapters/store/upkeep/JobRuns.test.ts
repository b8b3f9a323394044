import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { runOnce } from "../../../../adapters/runtime/scheduler/runOnce.ts"
import * as jobRuns from "../../../../adapters/store/upkeep/JobRuns.ts"
import { aliveTimeoutMs, JobRuns, maxAttempts, runState } from "../../../../core/jobs/JobRuns.ts"
import { anyStore } from "../../../support/anyStore.ts"
import { isPostgres } from "../../../support/postgres.ts"
import { claimed, claimTag, job, minute } from "../../runtime/scheduler/jobs.ts"

const day = 86_400_000
const store = Layer.provideMerge(jobRuns.layer, anyStore)

/** Moves all unfinished runs into the past, until they count as silent: the time is the store's. */
const silence = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`UPDATE job_runs SET alive_at = alive_at - ${aliveTimeoutMs + 1} WHERE finished_at IS NULL`,
)

describe("a run log in a store", () => {
  it.live("gives a slot once, and none while a run of the job is alive", () =>
    Effect.gen(function* () {
      const { alive, finish, recent } = yield* JobRuns
      const now = yield* Clock.currentTimeMillis
      const first = yield* claimed("a", now - minute, now)
      assert.strictEqual(yield* claimTag("a", now - minute, now), "Busy")
      assert.strictEqual(yield* claimTag("a", now, now), "Busy")
      assert.strictEqual(yield* claimTag("b", now - minute, now), "Claimed")
      assert.isTrue(yield* alive(first, now))
      yield* silence
      const second = yield* claimed("a", now, now)
      assert.isFalse(yield* alive(first, now))
      assert.isTrue(yield* finish(second, { at: now, outcome: "failed", detail: "why" }))
      assert.isFalse(yield* finish(second, { at: now, outcome: "ok", detail: "again" }))
      assert.strictEqual(yield* claimTag("a", now, now), "Taken")
      const runs = yield* recent("a", 10)
      const later = yield* Clock.currentTimeMillis
      assert.deepStrictEqual(
        runs.map((run) => [run.slot, runState(run, later)]),
        [
          [now, "failed"],
          [now - minute, "interrupted"],
        ],
      )
      for (const { startedAt } of runs) assert.closeTo(startedAt, now, 20_000)
    }).pipe(Effect.provide(store)),
  )

  it.live("gives a run that fell silent to another process, five times at most", () =>
    Effect.gen(function* () {
      const { alive, finish } = yield* JobRuns
      const now = yield* Clock.currentTimeMillis
      for (let n = 1; n < maxAttempts; n++) {
        const lost = yield* claimed("a", now, now)
        assert.strictEqual(lost.attempt, n)
        yield* silence
        const next = n + 1 === maxAttempts ? yield* claimed("a", now, now) : undefined
        if (next === undefined) continue
        assert.isFalse(yield* alive(lost, now))
        assert.isFalse(yield* finish(lost, { at: now, outcome: "ok", detail: "late" }))
        assert.isTrue(yield* alive(next, now))
      }
      yield* silence
      assert.strictEqual(yield* claimTag("a", now, now), "Taken")
      assert.strictEqual(yield* claimTag("a", now - 1, now), "Claimed")
    }).pipe(Effect.provide(store)),
  )

  it.live("gives no slot before its time, and one by hand at once", () =>
    Effect.gen(function* () {
      const { claim } = yield* JobRuns
      const now = yield* Clock.currentTimeMillis
      const early = yield* claim("a", now + 5 * minute, now)
      assert.closeTo(early._tag === "Early" ? early.inMs : 0, 5 * minute, 20_000)
      assert.closeTo((yield* claimed("a", undefined, now)).slot, now, 20_000)
    }).pipe(Effect.provide(store)),
  )

  it.live("deletes old runs, but no job's last month", () =>
    Effect.gen(function* () {
      const { finish, prune, recent } = yield* JobRuns
      for (const slot of [1, 50, 99, 100, 101, 130]) {
        const run = yield* claimed("a", slot * day, 130 * day)
        yield* finish(run, { at: slot * day, outcome: "ok", detail: "" })
      }
      assert.strictEqual(yield* prune(100 * day), 3)
      assert.deepStrictEqual(
        (yield* recent("a", 10)).map(({ slot }) => slot / day),
        [130, 101, 100],
      )
    }).pipe(Effect.provide(store)),
  )

  it.live("refuses any change of a finished run, whoever asks", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { recent } = yield* JobRuns
      assert.deepInclude(yield* runOnce(job("a", Effect.succeed("first"))), { _tag: "Finished", detail: "first" })
      const before = yield* recent("a", 10)
      for (const statement of [
        "UPDATE job_runs SET detail = 'better'",
        "UPDATE job_runs SET finished_at = NULL, outcome = NULL, detail = NULL",
        "DELETE FROM job_runs",
        ...(isPostgres ? [] : ["REPLACE INTO job_runs SELECT * FROM job_runs"]),
      ]) {
        assert.isTrue(Exit.isFailure(yield* Effect.exit(sql.unsafe(statement))), statement)
      }
      assert.deepStrictEqual(yield* recent("a", 10), before)
    }).pipe(Effect.provide(store)),
  )
})
