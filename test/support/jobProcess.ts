/**
 * A second program on a run log, for tests that need one:
 *
 * - `hang <file>`: runs a job that never ends, by hand, and says when it is at it;
 * - `claim <file> <slots>`: claims one slot after the other, from 0 on, and writes each that it got.
 */
import { writeSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { runOnce } from "../../adapters/scheduler/runOnce.ts"
import * as jobRuns from "../../adapters/sql/JobRuns.ts"
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

const [command, file, slots] = process.argv.slice(2) as [string, string, string]
const log = jobRuns.layer.pipe(Layer.provide(sqlite.layer(file)))
await Effect.runPromise(Effect.provide(Effect.asVoid(command === "hang" ? hang : claim(Number(slots))), log))
