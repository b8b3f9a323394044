import * as Layer from "effect/Layer"
import * as sqlCandles from "../../adapters/lanes/crypto/store/Candles.ts"
import type { Attempt } from "../../adapters/runtime/scheduler/runOnce.ts"
import * as sqlite from "../../adapters/store/engine/sqlite/open.ts"
import { JobRuns } from "../../core/jobs/JobRuns.ts"

export const minute = 60_000
export const hour = 60 * minute
export const midnight = Date.UTC(2026, 6, 8)

export const store = Layer.merge(sqlCandles.layerStore, sqlCandles.layerTape).pipe(
  Layer.provide(sqlite.layer(":memory:")),
  Layer.merge(JobRuns.layerMemory),
)

export const finished = (outcome: "ok" | "failed", detail: string): Attempt => ({ _tag: "Finished", outcome, detail })
