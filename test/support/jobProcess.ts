/**
 * A second program on a run log, for tests that need one:
 *
 * - `hang <file>`: runs a job that never ends, by hand, and says when it is at it;
 * - `claim <file> <slots>`: claims one slot after the other, from 0 on, and writes each that it got;
 * - `take <file or URL> <slot> <job> <hang or end>`: tries to run the slot until it is done, and writes how each attempt
 *   that began went.
 */
import { writeSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import { attempt, runOnce } from "../../adapters/scheduler/runOnce.ts"
import * as jobRuns from "../../adapters/sql/JobRuns.ts"
import * as Postgres from "../../adapters/sql/postgres/open.ts"
import * as sqlite from "../../adapters/sql/sqlite.ts"
import { JobRuns } from "../../core/jobs/JobRuns.ts"
import { every } from "../../core/jobs/schedule.ts"

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

const claim = (slots: number) =>
  Effect.gen(function* () {
    const runs = yield* JobRuns
    say("ready")
    yield* Effect.async<void>((resume) => void process.stdin.once("data", () => resume(Effect.void)))
    for (let slot = 0; slot < slots; slot++) {
      const got = yield* Effect.repeat(Effect.zipRight(Effect.yieldNow(), runs.claim("contested", slot, slot)), {
        while: (claim) => claim._tag === "Busy",
      })
      if (got._tag !== "Claimed") continue
      say(String(slot))
      yield* runs.finish(got.run, { at: slot, outcome: "ok", detail: String(process.pid) })
    }
    process.stdin.destroy()
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
        end === "end" ? Effect.succeed("done") : Effect.never,
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

const [command, file, number, name, end] = process.argv.slice(2) as [string, string, string, string, string]
const commands: Readonly<Record<string, Effect.Effect<unknown, unknown, JobRuns>>> = {
  hang,
  claim: claim(Number(number)),
  take: take(Number(number), name, end),
}
const log = file.startsWith("postgres:")
  ? jobRuns.layer.pipe(Layer.provide(Postgres.layer(Redacted.make(file))))
  : jobRuns.layer.pipe(Layer.provide(sqlite.layer(file)))
// Its lines are what the test reads.
const quiet = Logger.remove(Logger.defaultLogger)
await Effect.runPromise(Effect.provide(Effect.asVoid(commands[command]!), Layer.merge(log, quiet)))
