// Loaded into the server's process: at SIGUSR2 collects garbage and appends memory, handles and event loop figures as one
// line of JSON to the file SOAK_PROBE.

import { appendFileSync } from "node:fs"
import { monitorEventLoopDelay } from "node:perf_hooks"
import process from "node:process"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

setFlagsFromString("--expose-gc")
/** @type {() => void} */
const collect = runInNewContext("gc")
const loop = monitorEventLoopDelay({ resolution: 10 })
loop.enable()

process.on("SIGUSR2", () => {
  const [loopP99, loopMax] = [loop.percentile(99), loop.max].map((nanos) => nanos / 1e6)
  collect()
  const { heapUsed, external, rss } = process.memoryUsage()
  const line = { heapUsed, external, rss, handles: process.getActiveResourcesInfo().length, loopP99, loopMax }
  appendFileSync(process.env["SOAK_PROBE"] ?? "soak-probe.ndjson", `${JSON.stringify(line)}\n`)
  // Our own collection does not count.
  setImmediate(() => loop.reset())
})
