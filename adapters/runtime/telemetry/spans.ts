import { randomBytes } from "node:crypto"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"
import { ifDefined } from "../../../core/ifDefined.ts"
import type { Counting } from "../../../core/telemetry/Meter.ts"
import { isExported, type Sampler } from "../../../core/telemetry/Tracing.ts"
import { type OtlpSpan, toAttribute } from "./otlp.ts"
import * as Traceparent from "./traceparent.ts"

const kinds: Readonly<Record<Tracer.SpanKind, number>> = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 }

const status = { unset: 0, error: 2 } as const

const newId = (bytes: number): string => randomBytes(bytes).toString("hex")

/** Returns true for a share of the calls, evenly spaced, without a random draw. */
const makeIsDue = (ratio: number): (() => boolean) => {
  let due = 0
  return () => {
    due += ratio
    if (due < 1) return false
    due -= 1
    return true
  }
}

const toNanos = (ms: number): string => String(BigInt(Math.round((performance.timeOrigin + ms) * 1_000)) * 1_000n)

interface EndedSpan extends Pick<OtlpSpan, "traceId" | "spanId" | "name" | "startTimeUnixNano" | "endTimeUnixNano"> {
  readonly parentSpanId: string | undefined
  readonly kind: Tracer.SpanKind
  readonly attributes: Iterable<readonly [string, unknown]>
  readonly isFailed: boolean
}

const toOtlp = ({ parentSpanId, kind, attributes, isFailed, ...span }: EndedSpan): OtlpSpan => ({
  ...span,
  ...ifDefined("parentSpanId", parentSpanId),
  kind: kinds[kind],
  attributes: Array.from(attributes, ([key, value]) => toAttribute(key, value)),
  status: { code: isFailed ? status.error : status.unset },
})

/** The span's times, from a start on the monotonic clock to now. */
const toTimes = (since: number) => ({
  startTimeUnixNano: toNanos(since),
  endTimeUnixNano: toNanos(performance.now()),
})

/** Samples calls at the ratio. A client's trace is continued, but not if the client has not sampled it. */
export const makeSampler = (ratio: number, send: (span: OtlpSpan) => void): Sampler => {
  const isDue = makeIsDue(ratio)
  return (header) => {
    if (!isDue()) return undefined
    const given = Traceparent.parse(header)
    if (given?.isSampled === false) return undefined
    const [traceId, spanId] = [given?.traceId ?? newId(16), newId(8)]
    const since = performance.now()
    return {
      span: Tracer.externalSpan({ traceId, spanId, sampled: true }),
      ended: (name, attributes, isFailed) =>
        send(
          toOtlp({
            ...{ traceId, spanId, parentSpanId: given?.spanId, name, kind: "server", isFailed },
            ...toTimes(since),
            attributes: Object.entries(attributes),
          }),
        ),
    }
  }
}

const startSpan = (
  name: string,
  parent: Option.Option<Tracer.AnySpan>,
  context: Tracer.Span["context"],
  startTime: bigint,
  kind: Tracer.SpanKind,
  sampled: boolean,
  send: (span: OtlpSpan) => void,
): Tracer.Span => {
  const [spanId, traceId] = [newId(8), Option.isSome(parent) ? parent.value.traceId : newId(16)]
  const attributes = new Map<string, unknown>()
  let status: Tracer.SpanStatus = { _tag: "Started", startTime }
  return {
    ...({ _tag: "Span", name, spanId, traceId, parent, context, kind, sampled, attributes, links: [] } as const),
    get status() {
      return status
    },
    /** Of an error only the status is sent, since its message may quote what a client or an upstream sent. */
    end: (endTime, exit) => {
      status = { _tag: "Ended", startTime, endTime, exit }
      if (!sampled) return
      send(
        toOtlp({
          ...{ traceId, spanId, name, kind, attributes, isFailed: Exit.isFailure(exit) },
          parentSpanId: Option.getOrUndefined(parent)?.spanId,
          startTimeUnixNano: String(startTime),
          endTimeUnixNano: String(endTime),
        }),
      )
    },
    attribute: (key, value) => void attributes.set(key, value),
    event: () => {},
    addLinks: () => {},
  }
}

/**
 * Effect's tracer over an exporter. Spans of libraries are not exported. Spans within a sampled call or a job are exported with
 * it, every job has a span, and other upstream requests are sampled at the ratio.
 */
export const makeTracer = (ratio: number, send: (span: OtlpSpan) => void): Tracer.Tracer => {
  const isDue = makeIsDue(ratio)
  const inert = Option.some(Tracer.externalSpan({ traceId: "0".repeat(32), spanId: "0".repeat(16), sampled: false }))
  const isSampled = (parent: Option.Option<Tracer.AnySpan>, kind: Tracer.SpanKind): boolean =>
    Option.isSome(parent) ? parent.value.sampled : kind !== "client" || isDue()
  return Tracer.make({
    span: (name, parent, context, _links, startTime, kind) =>
      isExported(context)
        ? startSpan(name, parent, context, startTime, kind, isSampled(parent, kind), send)
        : startSpan(name, Option.isSome(parent) ? parent : inert, context, startTime, kind, false, send),
    context: (work) => work(),
  })
}

/** Makes spans of commits, at the ratio, from a meter: a commit belongs to no fiber, and serves many calls at once. */
export const withCommits = (meter: Counting, ratio: number, send: (span: OtlpSpan) => void): Counting => {
  const isDue = makeIsDue(ratio)
  return {
    ...meter,
    now: () => performance.now(),
    committed: (items, since, isDurable) => {
      meter.committed(items, since, isDurable)
      if (!isDue()) return
      send(
        toOtlp({
          ...{ traceId: newId(16), spanId: newId(8), parentSpanId: undefined, name: "commit", kind: "internal" },
          ...toTimes(since),
          attributes: [["market_signals.commit.items", items]],
          isFailed: !isDurable,
        }),
      )
    },
  }
}
