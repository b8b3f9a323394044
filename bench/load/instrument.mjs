// Loaded before the program (--import): monitors its event loop and reports over the IPC channel to its parent. The longest
// task is the main thread's CPU time between two ticks of a 1 ms timer, which includes all work of one turn of the loop; if
// the system does not count CPU time per thread, it is wall-clock time.
import { readFileSync } from "node:fs"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

const file = `/proc/${process.pid}/task/${process.pid}/schedstat`

/** CPU time of the main thread so far, milliseconds. */
const cpu = () => {
  try {
    return Number(readFileSync(file, "latin1").split(" ", 1)[0]) / 1e6
  } catch {
    return performance.now()
  }
}

const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
let longest = 0
let last = cpu()
let begun = last
let used = process.cpuUsage()
let since = performance.now()

const note = () => {
  const now = cpu()
  longest = Math.max(longest, now - last)
  last = now
}

setInterval(note, 1).unref()

export const reset = () => {
  delay.reset()
  longest = 0
  last = cpu()
  begun = last
  used = process.cpuUsage()
  since = performance.now()
}

/** Measurements since the last reset. */
export const read = () => {
  note()
  const { user, system } = process.cpuUsage(used)
  const { heapUsed, external, rss } = process.memoryUsage()
  return {
    longestMs: longest,
    cpuMs: last - begun,
    maxDelayMs: delay.count === 0 ? 0 : delay.max / 1e6,
    delayP99Ms: delay.count === 0 ? 0 : delay.percentile(99) / 1e6,
    cpuShare: (user + system) / 1_000 / (performance.now() - since),
    rssMiB: rss / 1_048_576,
    heapMiB: (heapUsed + external) / 1_048_576,
    handles: process.getActiveResourcesInfo().length,
  }
}

/** Collects garbage, which does not count in the measurements that it answers with, nor in the next ones. */
const collect = () => {
  const measured = read()
  setFlagsFromString("--expose-gc")
  runInNewContext("gc")()
  const { rssMiB, heapMiB, handles } = read()
  reset()
  return { ...measured, rssMiB, heapMiB, handles }
}

if (process.send !== undefined) {
  process.on("message", (message) => {
    if (message === "reset") reset()
    process.send?.(message === "collect" ? collect() : read())
  })
  process.channel?.unref()
}
