// Loaded into a server beside its program: at SIGUSR2 collects garbage and writes what memory, handles and event loop are
// like, one line of JSON, to the file that SOAK_PROBE names.

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
  // The collection is ours, not the server's.
  setImmediate(() => loop.reset())
})
