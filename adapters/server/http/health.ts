import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Envelope from "../../../core/endpoint/Envelope.ts"
import { type Failure, fail } from "../../../core/Failure.ts"
import type { FeedStatus } from "../../../core/feeds/Due.ts"
import { Gateway } from "../../../core/gateway/Gateway.ts"
import type { State } from "../../../core/jobs/JobRuns.ts"
import * as Fragments from "../../describe/openapiFragments.ts"
import type { App, Route } from "./route.ts"
import * as Wire from "./wire.ts"

/** The parts of a service that can be in trouble. */
export const reasonKinds = ["store", "clock", "shutdown", "disk", "record", "secrets", "source", "feed", "job"] as const

/** Why a service is not `ready`, in words for people. */
export interface Reason {
  readonly reason: (typeof reasonKinds)[number]
  /** Which source, feed or job. */
  readonly name?: string
  readonly detail: string
}

/** Details for the operator; without a check only the status. Names, times and reasons: no paths, no keys. */
export interface Report {
  readonly status: string
  /** Worst first; empty while the service is ready. */
  readonly reasons?: ReadonlyArray<Reason>
  readonly draining?: boolean
  readonly at?: string | null
  readonly store?: { readonly writable: boolean }
  /** `doubtful`: the node's clock may be off by more than is allowed. */
  readonly clock?: { readonly doubtful: boolean }
  /** `low`: free calls are counted and not stored. */
  readonly disk?: { readonly low: boolean }
  /**
   * The sources that were asked since the start. `answers`: the last request succeeded. A source that does not answer is
   * asked again at `next_attempt_at`.
   */
  readonly sources?: ReadonlyArray<{
    readonly source: string
    readonly title: string
    readonly answers: boolean
    readonly since: string | null
    readonly next_attempt_at: string | null
  }>
  /** The lanes with live data. A lane without a feed has no time: its source is asked on every call. */
  readonly lanes?: ReadonlyArray<{
    readonly lane: string
    /** `down`: no source answers, and calls for its data are refused; `delayed`: some of its data is not there. */
    readonly state: "up" | "delayed" | "down"
    /** Null: not known. */
    readonly since: string | null
    /** Why it is not up, in sentences. */
    readonly detail: string | null
    readonly last_good_at: string | null
    readonly age_seconds: number | null
    readonly stale: boolean
    /** Hosts of its sources; absent: not known. */
    readonly sources?: ReadonlyArray<string>
    /** Names of its sources that are not read: the operator has not accepted their terms. */
    readonly terms_not_accepted?: ReadonlyArray<string>
  }>
  /** What the sources of the lanes with live data owe, and what has come. */
  readonly feeds?: ReadonlyArray<{
    readonly feed: string
    readonly lane: string
    readonly title: string
    /** What callers get while a due period is missing. */
    readonly absence: string
    readonly state: FeedStatus["state"]
    /** Whether one of its sources answers. */
    readonly answers: boolean
    /** Names of periods. */
    readonly newest: string | null
    readonly expected: string | null
    /** Number of due periods that have not come. */
    readonly missing: number
    readonly last_good_at: string | null
    readonly last_attempt_at: string | null
    /** Null: at the next call. */
    readonly next_attempt_at: string | null
    readonly refusal: { readonly at: string; readonly reason: string } | null
    readonly new_fields: ReadonlyArray<string>
    /** Why it is not complete. */
    readonly detail: string | null
  }>
  readonly jobs?: ReadonlyArray<{
    readonly name: string
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

const shutdownDetail = "The server is shutting down."

/** The answer on open connections during shutdown. */
export const shuttingDown: Ready = Effect.succeed({
  report: {
    status: "unavailable",
    reasons: [{ reason: "shutdown", detail: shutdownDetail }],
    draining: true,
  },
  failure: fail("storage_unavailable", { detail: shutdownDetail, retryAfterMs: 1_000 }),
})

const readyPath = "/readyz"

const noStore = { "cache-control": "no-store" }

const probeRoute = (path: string, app: App, operation: Readonly<Record<string, unknown>>): Route => ({
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
    probeRoute(
      "/healthz",
      Effect.succeed(HttpServerResponse.unsafeJson({ status: "ok" })),
      Fragments.probeOperation("The process is running", ["ok"], false),
    ),
    probeRoute(
      readyPath,
      Effect.gen(function* () {
        const { method } = yield* HttpServerRequest.HttpServerRequest
        const startedAt = yield* Clock.currentTimeMillis
        const { report, failure } = yield* ready
        if (failure === undefined) return HttpServerResponse.unsafeJson(report, { headers: noStore })
        const served = yield* gateway.errorReply(failure, { method, route: readyPath, startedAt })
        const body = Envelope.body({ ...report, ...(served.body.toValue() as object) })
        const { status, headers, body: text } = Wire.of({ ...served, body })
        return HttpServerResponse.text(text, { status, headers })
      }),
      Fragments.probeOperation("The store is writable", ["ready", "degraded"], true),
    ),
  ])
