import * as Effect from "effect/Effect"
import { compare } from "../../core/bench/compare.ts"
import { rows } from "../../core/bench/rows.ts"
import type { Task } from "../../core/bench/Task.ts"
import { table } from "../../core/bench/table.ts"
import { digest } from "./digest.ts"

/** What a task asks and scores, what its entrants forecast, and how they compare. */
export const benchDigest = <Question, Fact, Forecast, Outcome>(task: Task<Question, Fact, Forecast, Outcome>) =>
  Effect.gen(function* () {
    const { comparison, contenders } = yield* compare(task, [], { seed: 3, replicates: 20 })
    return {
      cases: digest(task.cases),
      facts: digest(task.facts),
      scores: digest([...rows(task, contenders)]),
      forecasts: digest(contenders.map(({ name, forecasts }) => [name, forecasts])),
      comparison: digest({ ...comparison, inputs: [] }),
      text: digest(table({ ...comparison, inputs: [] })),
    }
  })
