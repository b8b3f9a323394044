import { monitorEventLoopDelay } from "node:perf_hooks"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { counter, type Family, gauge } from "./exposition.ts"

const nanos = 1e9
const micros = 1e6

/** Milliseconds between two looks at the event loop's delay. */
const resolution = 20

/**
 * Memory, processor time and the event loop's delay of this process, under the names that dashboards of Node know. The
 * delays are those since the last reading.
 */
export const make: Effect.Effect<() => ReadonlyArray<Family>, never, Scope.Scope> = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => {
      const delays = monitorEventLoopDelay({ resolution })
      delays.enable()
      return delays
    }),
    (delays) => Effect.sync(() => void delays.disable()),
  ),
  (delays) => {
    /** The pause between two looks is part of what is measured; no look since the last reading: no delay. */
    const late = (value: number): number => (delays.count === 0 ? 0 : Math.max(0, value - resolution * micros) / nanos)
    return () => {
      const { user, system } = process.cpuUsage()
      const { rss, heapUsed } = process.memoryUsage()
      const families: ReadonlyArray<Family> = [
        gauge("nodejs_eventloop_lag_mean_seconds", "Mean delay of the event loop.", late(delays.mean)),
        gauge(
          "nodejs_eventloop_lag_p99_seconds",
          "99th percentile of the event loop's delay.",
          late(delays.percentile(99)),
        ),
        gauge("nodejs_eventloop_lag_max_seconds", "Longest delay of the event loop.", late(delays.max)),
        gauge("process_resident_memory_bytes", "Resident memory.", rss),
        gauge("nodejs_heap_size_used_bytes", "Used part of the JavaScript heap.", heapUsed),
        counter("process_cpu_seconds_total", "Processor time, user and system.", (user + system) / micros),
        gauge("process_start_time_seconds", "Start of the process, as Unix time.", performance.timeOrigin / 1_000),
      ]
      delays.reset()
      return families
    }
  },
)
