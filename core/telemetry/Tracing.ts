import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import { globalValue } from "effect/GlobalValue"
import * as Option from "effect/Option"
import type * as Tracer from "effect/Tracer"

/** A call that is traced; `parent`: the span of its client. */
export interface Traced {
  readonly parent?: Tracer.ExternalSpan
}

/**
 * Decides which calls are traced.
 *
 * @param traceparent the client's header (W3C Trace Context), unparsed
 * @returns undefined: this call is not
 */
export type Sampler = (traceparent: string | undefined) => Traced | undefined

/** By default no call is traced. */
export class Tracing extends Context.Reference<Tracing>()("core/telemetry/Tracing", {
  defaultValue: (): Sampler | undefined => undefined,
}) {}

/** Marks the spans that are exported: libraries make spans too, with addresses in them. */
class Exported extends Context.Tag("core/telemetry/Exported")<Exported, true>() {}

const exported = Context.make(Exported, true) as Context.Context<never>

export const isExported = (context: Context.Context<never>): boolean =>
  Option.isSome(Context.getOption(context as Context.Context<Exported>, Exported))

/** The span of the call that a fiber works for: a shared request to an upstream does not have its caller's context. */
const callSpan: FiberRef.FiberRef<Tracer.AnySpan | undefined> = globalValue("core/telemetry/callSpan", () =>
  FiberRef.unsafeMake<Tracer.AnySpan | undefined>(undefined),
)

/** The attributes of a call's reply; one of 500 and above makes its span an error. */
export const statusKey = "http.response.status_code"
export const requestIdKey = "market_signals.request_id"

type Attributes = Readonly<Record<string, string | number | boolean>>

/** Work as a span. Attributes and names have no value of a parameter. */
export const span = <A, E, R>(
  work: Effect.Effect<A, E, R>,
  name: string,
  kind: Tracer.SpanKind,
  attributes: Attributes,
): Effect.Effect<A, E, R> =>
  Effect.flatMap(Effect.all([Effect.option(Effect.currentParentSpan), FiberRef.get(callSpan)]), ([own, call]) => {
    const parent = Option.getOrUndefined(own) ?? call
    return Effect.withSpan(work, name, {
      kind,
      attributes,
      context: exported,
      captureStackTrace: false,
      ...(parent === undefined ? { root: true } : { parent }),
    }) as Effect.Effect<A, E, R>
  })

/** A call as a span, which is the parent of all that is done for it. */
export const call = <A, E>(
  work: Effect.Effect<A, E>,
  { parent }: Traced,
  name: string,
  attributes: Attributes,
): Effect.Effect<A, E> =>
  Effect.flatMap(Effect.orDie(Effect.currentSpan), (own) => Effect.locally(work, callSpan, own)).pipe(
    Effect.withSpan(name, {
      kind: "server",
      attributes,
      context: exported,
      captureStackTrace: false,
      ...(parent === undefined ? { root: true } : { parent }),
    }),
  )
