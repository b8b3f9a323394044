import type { Bench } from "tinybench"
import { makeProcessLine } from "../../services/progress.ts"

const line = makeProcessLine()
process.once("exit", line.end)

/** Shows on a terminal how far a bench or a training is; elsewhere nothing. */
export const progress = line.tell

/** Tells of each work of a bench that has been measured. */
export const watched = (bench: Bench): Bench => {
  let done = 0
  bench.addEventListener("cycle", ({ task }) => progress(task?.name ?? "measured", ++done, bench.tasks.length))
  return bench
}
