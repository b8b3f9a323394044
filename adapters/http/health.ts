import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import * as Envelope from "../../core/endpoint/Envelope.ts"
import { type Failure, fail } from "../../core/Failure.ts"
import { Gateway } from "../../core/gateway/Gateway.ts"
import type { State } from "../../core/jobs/JobRuns.ts"
import * as describe from "./discovery/describe.ts"
import type { App, Route } from "./route.ts"
import * as Wire from "./wire.ts"

/** Details for the operator; without a check only the status. Names, times and reasons: no paths, no keys. */
export interface Report {
  readonly status: string
  /** Why it is not `ready`, the worst first. */
  readonly reasons?: ReadonlyArray<{ readonly reason: string; readonly name?: string; readonly detail: string }>
  readonly draining?: boolean
  readonly at?: string | null
  readonly store?: { readonly writable: boolean }
  /** The node's time is not known to what is allowed. */
  readonly clock?: { readonly doubtful: boolean }
  /** The lanes with live data. A lane without a feed has no time: its source is asked on every call. */
  readonly lanes?: ReadonlyArray<{
    readonly lane: string
    readonly last_good_at: string | null
    readonly age_seconds: number | null
    readonly stale: boolean
    /** Hosts of its sources; absent: not known. */
    readonly sources?: ReadonlyArray<string>
  }>
  readonly jobs?: ReadonlyArray<{
    readonly name: string
    /** Of the last run. */
    readonly state: State | "never_run"
    readonly last_ok_at: string | null
    readonly overdue: boolean
  }>
  readonly record?: {
    readonly leaves: number
    readonly last_checkpoint: { readonly at: string | null; readonly size: number } | null
    /** Why it cannot be signed. */
    readonly refused: string | null
  }
  readonly secrets?: { readonly refused: string | null }
}

/** Whether the server can answer paid calls. */
export interface Readiness {
  readonly report: Report
  /** Why no paid call can be answered. */
  readonly failure?: Failure
}

export type Ready = Effect.Effect<Readiness, Failure>

/** Ready without a check. */
export const ready: Ready = Effect.succeed({ report: { status: "ready" } })

/** The answer on open connections during shutdown. */
export const ending: Ready = Effect.succeed({
  report: { status: "unavailable", draining: true },
  failure: fail("storage_unavailable", { detail: "The server is shutting down.", retryAfterMs: 1_000 }),
})

const unkept = { "cache-control": "no-store" }

const route = (path: string, app: App, operation: Readonly<Record<string, unknown>>): Route => ({
  method: "GET",
  path,
  auth: "none",
  types: ["application/json"],
  limit: "none",
  handler: { _tag: "App", app },
  description: { _tag: "Operation", operation },
})

/** Routes for liveness and readiness probes. */
export const make = (ready: Ready): Effect.Effect<ReadonlyArray<Route>, never, Gateway> =>
  Effect.map(Gateway, (gateway) => [
    route(
      "/healthz",
      Effect.succeed(HttpServerResponse.unsafeJson({ status: "ok" })),
      describe.health("The process is running", ["ok"], false),
    ),
    route(
      "/readyz",
      Effect.flatMap(ready, ({ report, failure }) =>
        failure === undefined
          ? Effect.succeed(HttpServerResponse.unsafeJson(report, { headers: unkept }))
          : Effect.map(gateway.errorReply(failure), (served) => {
              const body = Envelope.body({ ...report, ...(served.body.toValue() as object) })
              const { status, headers, body: text } = Wire.of({ ...served, body })
              return HttpServerResponse.text(text, { status, headers })
            }),
      ),
      describe.health("The store is writable", ["ready", "degraded"], true),
    ),
  ])
