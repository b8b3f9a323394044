import { readFile } from "node:fs/promises"
import * as Effect from "effect/Effect"
import { command } from "../../../../adapters/lanes/LaneCommand.ts"
import { BenchError } from "../../../../core/bench/BenchError.ts"
import { benchTask } from "../../benchTask.ts"

/** The bench of the toy lane: as many days as its file says. */
export const bench = command({
  description: "Days on which the water rises.",
  arguments: {
    days: { form: "file", description: "A file with a number of days." },
    unit: { form: "text", default: "days", description: "Default days." },
  },
  run: ({ days, unit }, say) =>
    Effect.tryPromise({
      try: () => readFile(days, "utf8"),
      catch: (error) => new BenchError({ message: String(error) }),
    }).pipe(
      Effect.tap((text) => say(`${text} ${unit}`)),
      Effect.map((text) => benchTask(Number(text))),
    ),
})
