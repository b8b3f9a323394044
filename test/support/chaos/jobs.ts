import { ok, strictEqual } from "node:assert"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Schedule from "effect/Schedule"
import { attempt, runOnce } from "../../../adapters/runtime/scheduler/runOnce.ts"
import * as Scheduler from "../../../adapters/runtime/scheduler/Scheduler.ts"
import * as jobRuns from "../../../adapters/store/upkeep/JobRuns.ts"
import { type Job, Slot } from "../../../core/jobs/Job.ts"
import { aliveTimeoutMs, maxAttempts } from "../../../core/jobs/JobRuns.ts"
import { every } from "../../../core/jobs/schedule.ts"
import { storeAt } from "../place.ts"
import { say } from "../say.ts"
import type { Workload } from "./chaos.ts"

/** Its lines are what the test reads. */
const logAt = (place: string) =>
  Layer.merge(Layer.provideMerge(jobRuns.layer, storeAt(place)), Logger.remove(Logger.defaultLogger))

const saying = (line: string) => Effect.sync(() => say(line))

const job = (name: string, run: Job["run"]): Job => ({
  name,
  description: "Of a test.",
  schedule: every(5),
  catchUp: "latest",
  run: Effect.zipRight(saying("running"), run),
})

/** Runs a job that never ends, by hand. */
export const hang = (place: string) => runOnce(job("hang", Effect.never)).pipe(Effect.provide(logAt(place)))

export interface Take {
  readonly slot: number
  readonly name: string
  /** `tick` hangs and says so twice a second. */
  readonly end: "hang" | "tick" | "end"
}

/** Tries to run a slot until it is done, and says how each attempt that began went. */
export const take = (place: string, { slot, name, end }: Take) => {
  const runs: Readonly<Record<Take["end"], Job["run"]>> = {
    hang: Effect.never,
    tick: Effect.forever(Effect.delay(saying("tick"), "500 millis")),
    end: Effect.succeed("done"),
  }
  return attempt(job(name, runs[end]), slot, slot).pipe(
    Effect.tap(({ _tag }) => (_tag === "Busy" ? Effect.void : saying(_tag))),
    Effect.repeat({
      schedule: Schedule.spaced("200 millis"),
      until: ({ _tag }) => _tag === "Finished" || _tag === "Taken",
    }),
    Effect.provide(logAt(place)),
  )
}

const period = 60_000

interface Plan {
  readonly first: number
  readonly count: number
  readonly apart: number
}

/**
 * Runs so many jobs once a minute, the first at that time and each so many milliseconds after the one before; says which
 * slot begins, and which has written its row in `slots`.
 */
export const schedule = (place: string, { first, count, apart }: Plan) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    say("begun")
    const jobs = Array.from({ length: count }, (_, n): Job => {
      const name = `job_${n}`
      return {
        name,
        description: "Writes a row for its slot.",
        schedule: { period, phase: (first + n * apart) % period, text: "every minute" },
        catchUp: "latest",
        run: Effect.gen(function* () {
          const slot = yield* Slot
          if (slot < first) return "before the test"
          say(`run ${name} ${slot}`)
          yield* Effect.sleep("600 millis")
          const rows = yield* sql`
            INSERT INTO slots (job, slot) VALUES (${name}, ${slot}) ON CONFLICT DO NOTHING RETURNING slot`
          if (rows.length > 0) say(`wrote ${name} ${slot}`)
          return "done"
        }).pipe(Effect.mapError((error) => ({ _tag: "Failed", message: String(error) }))),
      }
    })
    yield* Layer.launch(Scheduler.layer(jobs))
  }).pipe(Effect.provide(logAt(place)))

interface Run {
  readonly job: string
  readonly slot: number
  readonly started_at: number
  readonly attempt: number
  readonly alive_at: number
  readonly outcome: string | null
}

/** Each slot is run once, none early and none left out, though programs that run it are killed. */
export const jobs: Workload = {
  name: "schedule",
  prepare: ({ place }) =>
    Effect.gen(function* () {
      const at = Effect.provide(storeAt(place))
      const inStore = <Row extends object>(text: string) =>
        at(Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe<Row>(text)))
      yield* inStore("CREATE TABLE slots (job TEXT, slot BIGINT, PRIMARY KEY (job, slot))")
      const given: Plan = { first: Date.now() + 3_000, count: 60, apart: 1_000 }
      const runs = inStore<Run>(`SELECT * FROM job_runs WHERE slot >= ${given.first}`)
      return {
        given,
        // Those of killed programs are taken over.
        rest: Effect.sleep(2 * aliveTimeoutMs),
        book: (said, isLast) =>
          Effect.gen(function* () {
            const lines = (word: string) =>
              said.flat().flatMap((line) => (line.startsWith(`${word} `) ? [line.slice(word.length + 1)] : []))
            const rows = yield* inStore<Run>("SELECT job, slot FROM slots")
            const [written, wrote] = [new Set(rows.map(({ job, slot }) => `${job} ${slot}`)), lines("wrote")]
            strictEqual(new Set(wrote).size, wrote.length)
            for (const name of wrote) ok(written.has(name), `the row of ${name} is lost`)
            const all = yield* runs
            const known = new Map(all.map((run) => [`${run.job} ${run.slot}`, run]))
            for (const name of lines("run")) ok(known.has(name), name)
            for (const { slot, started_at } of all) ok(started_at >= slot)
            if (!isLast) return
            // The last program was killed too.
            const ended = Date.now() - 2 * aliveTimeoutMs
            let [finished, givenUp] = [0, 0]
            for (let n = 0; n < given.count; n++) {
              for (let slot = given.first + n * given.apart; slot < ended; slot += period) {
                const name = `job_${n} ${slot}`
                const run = known.get(name)
                // Programs were killed in each attempt: in as many as there may be, or until the job's next slot was due.
                const isOver = run?.attempt === maxAttempts || (run?.alive_at ?? 0) > slot + period - 2 * aliveTimeoutMs
                if (run?.outcome === null && isOver) givenUp++
                else {
                  strictEqual(run?.outcome, "ok", name)
                  ok(written.has(name), name)
                  finished++
                }
              }
            }
            ok(finished > givenUp)
            yield* Effect.logInfo(`${all.length} slots, ${rows.length} rows; ${finished} finished, ${givenUp} given up`)
          }),
      }
    }),
}
