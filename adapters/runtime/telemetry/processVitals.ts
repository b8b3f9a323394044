import { monitorEventLoopDelay } from "node:perf_hooks"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { counter, type Family, gauge } from "./exposition.ts"

const nanos = 1e9
const micros = 1e6

/** Milliseconds between two measurements of the event loop's delay. */
const resolutionMs = 20

/**
 * Memory, processor time and the event loop's delay of this process, under the names that dashboards for Node use. Delays are
 * those since the last reading.
 */
export const make: Effect.Effect<() => ReadonlyArray<Family>, never, Scope.Scope> = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => {
      const delays = monitorEventLoopDelay({ resolution: resolutionMs })
      delays.enable()
      return delays
    }),
    (delays) => Effect.sync(() => void delays.disable()),
  ),
  (delays) => {
    /** The delay without the pause between measurements, seconds; 0 if there was none since the last reading. */
    const toDelay = (value: number): number =>
      delays.count === 0 ? 0 : Math.max(0, value - resolutionMs * micros) / nanos
    return () => {
      const { user, system } = process.cpuUsage()
      const { rss, heapUsed } = process.memoryUsage()
      const families: ReadonlyArray<Family> = [
        gauge("nodejs_eventloop_lag_mean_seconds", "Mean delay of the event loop.", toDelay(delays.mean)),
        gauge(
          "nodejs_eventloop_lag_p99_seconds",
          "99th percentile of the event loop's delay.",
          toDelay(delays.percentile(99)),
        ),
        gauge("nodejs_eventloop_lag_max_seconds", "Longest delay of the event loop.", toDelay(delays.max)),
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
