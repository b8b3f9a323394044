// Runs each job of a configuration once in an instrumented process of its own and prints the longest task of its thread
// as NDJSON.
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Slot } from "../../core/jobs/Job.ts"
import * as App from "../../services/app.ts"
import { config as environment } from "../../services/Config.ts"
import { Jobs, layer as jobsOf } from "../../services/jobs.ts"
import { read, reset } from "../load/instrument.mjs"

/** The first request of a process loads and compiles Node's HTTP client: 50 ms of CPU, once, and no job's work. */
const loaded = Effect.promise(() => fetch(String(process.env["NFLVERSE_URL"])).then((answer) => answer.text()))

const run = Effect.gen(function* () {
  yield* loaded
  for (const job of yield* Jobs) {
    yield* Effect.sleep("200 millis")
    reset()
    const outcome = yield* Effect.match(Effect.provideService(job.run, Slot, Date.now()), {
      onFailure: ({ message }) => `failed: ${message}`,
      onSuccess: (line) => line,
    })
    const { longestMs } = read()
    process.stdout.write(`${JSON.stringify({ name: `job ${job.name}`, longestMs, outcome })}\n`)
  }
})

await Effect.runPromise(
  Effect.flatMap(environment, (config) =>
    Effect.provide(run, jobsOf(config).pipe(Layer.provide(App.world(config)), Layer.provide(App.store(config)))),
  ),
)
process.stdout.write("END\n", () => process.exit(0))
