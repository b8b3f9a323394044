import * as Effect from "effect/Effect"
import type { StoreTasks } from "../storeTasks.ts"
import { makeAsk } from "./ask.ts"
import { argument } from "./parameters.ts"
import { family, make } from "./parser.ts"
import { json, print, readable } from "./shared.ts"

type Listed = Effect.Effect.Success<ReturnType<StoreTasks["jobs_list"]["run"]>>["jobs"][number]

const lines = ({ name, description, schedule, next_at, state, last }: Listed): string =>
  [
    `${name}  ${description}`,
    `  ${schedule}, next ${next_at}`,
    last === undefined ? "  never run" : `  ${state} ${last.started_at}${"detail" in last ? `: ${last.detail}` : ""}`,
  ].join("\n")

const list = make("list", "List jobs with their next slot and last run.", { json }, (options) =>
  Effect.gen(function* () {
    const ask = yield* makeAsk("jobs list")
    const { jobs } = yield* readable(ask.work("jobs_list", {}, { reads: true }))
    yield* print(options.json, { jobs }, jobs.map(lines).join("\n"))
  }).pipe(Effect.scoped),
)

const run = make(
  "run",
  "Run a job now, outside its schedule, and wait.",
  { name: argument("name"), json },
  ({ name, json: asJson }) =>
    Effect.gen(function* () {
      const ask = yield* makeAsk(`jobs run ${name}`)
      const { outcome, detail } = yield* readable(ask.work("jobs_run", { name }))
      yield* print(asJson, { job: name, outcome, detail }, `${outcome}: ${detail}`)
      if (outcome === "failed") return yield* Effect.fail(new Error(`${name} failed.`))
    }).pipe(Effect.scoped),
)

export const jobs = family("jobs", "Scheduled jobs.", [list, run])
