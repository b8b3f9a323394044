import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { modules } from "../../../adapters/lanes/all.ts"
import type { Any } from "../../../adapters/lanes/LaneModule.ts"
import { laneOptions } from "../laneOptions.ts"
import { family, make } from "../parser.ts"
import { common, run } from "./run.ts"

/** A command for each lane with a task of the bench. */
export const benchCommands = (modules: ReadonlyArray<Any>) =>
  modules.flatMap(({ definition, bench }) =>
    bench === undefined
      ? []
      : make(
          definition.lane.name,
          bench.description,
          { lane: laneOptions(bench.arguments), ...common },
          ({ lane, ...given }) => Effect.flatMap(bench.run(lane, Console.error), (task) => run(task, given)),
        ),
  )

export const bench = family(
  "bench",
  "Compare your own model with the served one and the market, on identical rows of a file.",
  benchCommands(modules),
)
