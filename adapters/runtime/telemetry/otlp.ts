import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import * as Release from "../../../core/release.ts"

/** A span in the JSON form of OTLP. */
export interface OtlpSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: ReadonlyArray<{ readonly key: string; readonly value: Readonly<Record<string, unknown>> }>
  readonly status: { readonly code: number }
}

export const toAttribute = (key: string, value: unknown): OtlpSpan["attributes"][number] => ({
  key,
  value:
    typeof value === "boolean"
      ? { boolValue: value }
      : typeof value === "number"
        ? Number.isSafeInteger(value)
          ? { intValue: String(value) }
          : { doubleValue: value }
        : { stringValue: String(value) },
})

/** Maximum spans that wait for the collector; more are dropped, to limit memory while it is away. */
const maxWaiting = 4_096

/** Maximum spans per request. */
const maxSent = 512

export interface Options {
  /** The collector's base URL. */
  readonly endpoint: string
  readonly everyMs?: number
  readonly client: HttpClient.HttpClient
}

/** Sends ended spans to a collector every 5 s and when the scope closes. */
export const makeExporter = ({
  endpoint,
  client: given,
  everyMs = 5_000,
}: Options): Effect.Effect<(span: OtlpSpan) => void, never, Scope.Scope> =>
  Effect.gen(function* () {
    const client = HttpClient.filterStatusOk(given)
    let waiting: Array<OtlpSpan> = []
    let dropped = 0
    const resource = {
      attributes: [toAttribute("service.name", Release.name), toAttribute("service.version", Release.version)],
    }
    const send = (spans: ReadonlyArray<OtlpSpan>) =>
      HttpClientRequest.post(`${endpoint}/v1/traces`).pipe(
        HttpClientRequest.bodyUnsafeJson({
          resourceSpans: [{ resource, scopeSpans: [{ scope: { name: Release.name }, spans }] }],
        }),
        client.execute,
        Effect.scoped,
        Effect.timeout("5 seconds"),
      )

    /** Sends the waiting spans. Those that the collector refuses are dropped and counted, so that the next ones need not wait. */
    const flush = Effect.gen(function* () {
      while (waiting.length > 0) {
        const spans = waiting.slice(0, maxSent)
        waiting = waiting.slice(maxSent)
        yield* Effect.catchAllCause(send(spans), (cause) => {
          dropped += spans.length + waiting.length
          waiting = []
          return Effect.logDebug("The collector took no spans", cause)
        })
      }
      if (dropped > 0) {
        yield* Effect.logWarning(`${dropped} spans were dropped: the collector of traces did not take them`)
        dropped = 0
      }
    }).pipe(Effect.withTracerEnabled(false))

    yield* Effect.addFinalizer(() => flush)
    yield* Effect.forkScoped(Effect.repeat(Effect.delay(flush, everyMs), Schedule.forever))
    return (span) => {
      if (waiting.length < maxWaiting) waiting.push(span)
      else dropped++
    }
  })
