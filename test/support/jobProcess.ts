/**
 * A second program on a run log, for tests that need one:
 *
 * - `hang <file>`: runs a job that never ends, by hand, and says when it is at it;
 * - `take <file or URL> <slot> <job> <hang, tick or end>`: tries to run the slot until it is done, and writes how each
 *   attempt that began went; `tick` hangs and says so twice a second;
 * - `schedule <URL> <first> <jobs> <apart>`: says `ready`; runs so many jobs once a minute, the first at that time and each
 *   so many milliseconds after the one before; writes which slot begins, and which has written its row in `slots`.
 */
import { writeSync } from "node:fs"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Schedule from "effect/Schedule"
import { attempt, runOnce } from "../../adapters/runtime/scheduler/runOnce.ts"
import * as Scheduler from "../../adapters/runtime/scheduler/Scheduler.ts"
import * as jobRuns from "../../adapters/store/upkeep/JobRuns.ts"
import { type Job, Slot } from "../../core/jobs/Job.ts"
import type { JobRuns } from "../../core/jobs/JobRuns.ts"
import { every } from "../../core/jobs/schedule.ts"
import { storeAt } from "./place.ts"

const say = (line: string): void => void writeSync(1, `${line}\n`)

const hang = runOnce({
  name: "hang",
  description: "Never ends.",
  schedule: every(5),
  catchUp: "none",
  run: Effect.zipRight(
    Effect.sync(() => say("running")),
    Effect.never,
  ),
})

const take = (slot: number, name: string, end: string) =>
  attempt(
    {
      name,
      description: "Ends at once, or never.",
      schedule: every(5),
      catchUp: "latest",
      run: Effect.zipRight(
        Effect.sync(() => say("running")),
        end === "end"
          ? Effect.succeed("done")
          : end === "tick"
            ? Effect.forever(
                Effect.delay(
                  Effect.sync(() => say("tick")),
                  "500 millis",
                ),
              )
            : Effect.never,
      ),
    },
    slot,
    slot,
  ).pipe(
    Effect.tap(({ _tag }) => Effect.sync(() => _tag === "Busy" || say(_tag))),
    Effect.repeat({
      schedule: Schedule.spaced("200 millis"),
      until: ({ _tag }) => _tag === "Finished" || _tag === "Taken",
    }),
  )

const period = 60_000

const schedule = (first: number, count: number, apart: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const jobs = Array.from({ length: count }, (_, n): Job => {
      const job = `job_${n}`
      return {
        name: job,
        description: "Writes a row for its slot.",
        schedule: { period, phase: (first + n * apart) % period, text: "every minute" },
        catchUp: "latest",
        run: Effect.gen(function* () {
          const slot = yield* Slot
          if (slot < first) return "before the test"
          say(`run ${job} ${slot}`)
          yield* Effect.sleep("600 millis")
          const rows = yield* sql`
            INSERT INTO slots (job, slot) VALUES (${job}, ${slot}) ON CONFLICT DO NOTHING RETURNING slot`
          if (rows.length > 0) say(`wrote ${job} ${slot}`)
          return "done"
        }).pipe(Effect.mapError((error) => ({ _tag: "Failed", message: String(error) }))),
      }
    })
    say("ready")
    yield* Layer.launch(Scheduler.layer(jobs))
  })

const [command, file, number, name, end] = process.argv.slice(2) as [string, string, string, string, string]
const commands: Readonly<Record<string, Effect.Effect<unknown, unknown, JobRuns | SqlClient.SqlClient>>> = {
  hang,
  take: take(Number(number), name, end),
  schedule: schedule(Number(number), Number(name), Number(end)),
}
const log = Layer.provideMerge(jobRuns.layer, storeAt(file))
// Its lines are what the test reads.
const quiet = Logger.remove(Logger.defaultLogger)
await Effect.runPromise(Effect.provide(Effect.asVoid(commands[command]!), Layer.merge(log, quiet)))
