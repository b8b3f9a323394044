import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Failure } from "../Failure.ts"
import { byKey } from "../text.ts"

/** Whether live answered one call as the mock did: both, only one, or neither. */
export interface Comparison {
  /** Epoch milliseconds. */
  readonly at: number
  readonly port: string
  readonly method: string
  /** The method's arguments as JSON. */
  readonly args: string
  readonly agreed: boolean
  /** How each of them ended, if they did not agree. */
  readonly difference?: string
  readonly liveMs: number
  /** Why live gave no value: a failure's code, `timeout` or `defect`. */
  readonly failure?: string
  /** Calls since the previous comparison that were not compared because too many were running. */
  readonly dropped: number
}

export interface Agreement {
  readonly port: string
  readonly method: string
  readonly compared: number
  readonly agreed: number
  readonly failed: number
  readonly dropped: number
  /** Mean and largest duration of live calls, milliseconds. */
  readonly meanMs: number
  readonly maxMs: number
}

/** Port: results of shadow mode. Only the newest comparisons are stored. */
export class ShadowLog extends Context.Tag("market-signals/core/shadow/ShadowLog")<
  ShadowLog,
  {
    readonly record: (comparisons: ReadonlyArray<Comparison>) => Effect.Effect<void, Failure>
    /** Agreement over the whole log, by port and method. */
    readonly agreement: Effect.Effect<ReadonlyArray<Agreement>, Failure>
    /** The comparisons that did not agree, newest first. */
    readonly differences: (limit: number) => Effect.Effect<ReadonlyArray<Comparison>, Failure>
  }
>() {
  /** For embedders and tests. Comparisons are appended to `log`. */
  static layerMemory(log: Array<Comparison> = []): Layer.Layer<ShadowLog> {
    return Layer.succeed(ShadowLog, {
      record: (comparisons) => Effect.sync(() => void log.push(...comparisons)),
      agreement: Effect.sync(() =>
        Object.entries(Arr.groupBy(log, ({ port, method }) => JSON.stringify([port, method])))
          .sort(byKey)
          .map(([, group]) => summarize(group)),
      ),
      differences: (limit) =>
        Effect.sync(() =>
          log
            .filter(({ agreed }) => !agreed)
            .reverse()
            .slice(0, limit),
        ),
    })
  }
}

const summarize = (group: ReadonlyArray<Comparison>): Agreement => ({
  port: group[0]!.port,
  method: group[0]!.method,
  compared: group.length,
  agreed: group.filter(({ agreed }) => agreed).length,
  failed: group.filter(({ failure }) => failure !== undefined).length,
  dropped: group.reduce((sum, { dropped }) => sum + dropped, 0),
  meanMs: Math.round(group.reduce((sum, { liveMs }) => sum + liveMs, 0) / group.length),
  maxMs: Math.max(...group.map(({ liveMs }) => liveMs)),
})
