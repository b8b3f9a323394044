import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Postgres from "../../../../../adapters/store/engine/postgres/open.ts"
import { go, load } from "../../../../support/chaos/chaos.ts"
import type { Plan } from "../../../../support/chaos/jobs.ts"
import { barOf } from "../../../../support/longForm.ts"
import { database } from "../../../../support/postgres.ts"
import type * as processes from "../../../../support/processes.ts"

const kills = Number(process.env["PG_JOB_KILLS"] ?? 4)

/** From one slot to the next: time to start a process in place of the last one. */
const apart = kills > 10 ? 2_000 : 1_000
/** Jobs: each has a slot a minute. */
const jobs = Math.min(kills, 60_000 / apart)
const period = 60_000

/** Until another process has taken the runs of a stopped one over. */
const stoppedMs = 20_000

interface Run {
  readonly job: string
  readonly slot: number
  readonly attempt: number
  readonly started_at: number
  readonly finished_at: number
  readonly outcome: string | null
}

describe("processes that share a schedule", () => {
  it.scopedLive(
    `run each slot once, none early, if the one that runs it is killed or stopped, ${kills} times`,
    () =>
      Effect.gen(function* () {
        const url = yield* database
        const sql = yield* Effect.provide(SqlClient.SqlClient, yield* Layer.build(Postgres.layer(url)))
        yield* sql`CREATE TABLE slots (job TEXT, slot BIGINT, PRIMARY KEY (job, slot))`
        const first = Date.now() + 2_500
        const all: Array<processes.Child> = []
        const next = () => {
          const child = load("schedule")
          all.push(child)
          void go(child, Redacted.value(url), { first, count: jobs, apart } satisfies Plan)
          return child
        }
        yield* Effect.addFinalizer(() =>
          Effect.sync(() => {
            for (const { process } of all) process.kill("SIGKILL")
          }),
        )
        const working = [next(), next(), next()]
        yield* Effect.promise(() => Promise.all(working.map((child) => child.linesUntil(1))))
        const woken: Array<Promise<void>> = []
        /** When the process that ran each slot was killed or stopped. */
        const struck = new Map<string, number>()
        for (let round = 0; round < kills; round++) {
          const slot = first + Math.floor(round / jobs) * period + (round % jobs) * apart
          const name = `job_${round % jobs} ${slot}`
          const isAtIt = ({ lines }: processes.Child) => lines.includes(`run ${name}`)
          let runner = all.find(isAtIt)
          while (runner === undefined) {
            assert.isBelow(Date.now(), slot + barOf(30_000, kills > 4), `nobody runs ${name}`)
            yield* Effect.sleep("5 millis")
            runner = all.find(isAtIt)
          }
          const at = working.indexOf(runner)
          struck.set(name, Date.now())
          // One that was woken begins slots until it is killed; on a slow machine one is killed with the next slot begun.
          if (at === -1) {
            runner.process.kill("SIGKILL")
            continue
          }
          working[at] = next()
          if (round % 2 === 0) runner.process.kill("SIGKILL")
          else {
            const { process } = runner
            process.kill("SIGSTOP")
            const wake = async () => {
              await new Promise((resolve) => setTimeout(resolve, stoppedMs))
              process.kill("SIGCONT")
              await new Promise((resolve) => setTimeout(resolve, 1_500))
              process.kill("SIGKILL")
            }
            woken.push(wake())
          }
        }
        const missing = sql<{
          n: number
        }>`SELECT count(*) AS n FROM job_runs WHERE slot >= ${first} AND finished_at IS NULL`
        while ((yield* missing)[0]!.n > 0) {
          assert.isBelow(Date.now(), first + (kills * apart + 60_000) * 2, "unfinished runs")
          yield* Effect.sleep("100 millis")
        }
        yield* Effect.promise(() => Promise.all(woken))
        const runs = yield* sql<Run>`SELECT * FROM job_runs WHERE slot >= ${first}`
        const done = new Map(runs.map((run) => [`${run.job} ${run.slot}`, run]))
        const wrote = all.flatMap(({ lines }) => lines.filter((line) => line.startsWith("wrote ")))
        assert.strictEqual(new Set(wrote).size, wrote.length)
        // A process may be killed between its row and its line.
        const rows = yield* sql<{ readonly job: string; readonly slot: number }>`SELECT job, slot FROM slots`
        const stored = rows.map(({ job, slot }) => `${job} ${slot}`)
        yield* Effect.logInfo(`${kills} runners killed or stopped: ${runs.length} slots, ${stored.length} rows`)
        for (const line of wrote) assert.include(stored, line.slice(6))
        let ended = 0
        for (const [name, at] of struck) {
          const run = done.get(name)
          assert.strictEqual(run?.outcome, "ok", name)
          // A slow machine strikes some when they have just ended.
          if (run!.finished_at < at) ended += 1
          else assert.isAtLeast(run!.attempt, 2, name)
          assert.isAtLeast(run!.started_at, run!.slot)
          assert.include(stored, name)
        }
        assert.isAtMost(ended, kills / 2)
        for (const line of all.flatMap(({ lines }) => lines.filter((one) => one.startsWith("run ")))) {
          assert.isTrue(done.has(line.slice(4)))
        }
      }),
    120_000 + kills * apart * 2,
  )
})
