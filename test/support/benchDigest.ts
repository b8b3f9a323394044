import * as Effect from "effect/Effect"
import { compare } from "../../bench/open/compare/compare.ts"
import { rows } from "../../bench/open/compare/rows.ts"
import type { Task } from "../../bench/open/compare/Task.ts"
import { table } from "../../bench/open/compare/table.ts"
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
