import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type * as Tracer from "effect/Tracer"
import * as Step from "../Step.ts"

type Attributes = Readonly<Record<string, string | number | boolean>>

/** A call that is traced. Its span needs no fiber, so a traced call is answered like any other. */
interface Traced {
  readonly span: Tracer.AnySpan
  /** Ends the span, as an error if the call failed. */
  readonly ended: (name: string, attributes: Attributes, isFailed: boolean) => void
}

/**
 * Decides which calls are traced.
 *
 * @param traceparent the client's header (W3C Trace Context), unparsed; its span is the call's parent
 * @returns undefined if the call is not traced
 */
export type Sampler = (traceparent: string | undefined) => Traced | undefined

/** The sampler of this process. By default no call is traced, as suits an embedder without a collector. */
export class Tracing extends Context.Reference<Tracing>()("market-signals/core/telemetry/Tracing", {
  defaultValue: (): Sampler | undefined => undefined,
}) {}

/** Marks the spans that are exported. Those of libraries are not, as they have addresses in them. */
class Exported extends Context.Tag("market-signals/core/telemetry/Exported")<Exported, true>() {}

const exported = Context.make(Exported, true) as Context.Context<never>

export const isExported = (context: Context.Context<never>): boolean =>
  Option.isSome(Context.getOption(context as Context.Context<Exported>, Exported))

/**
 * The span of the call that a fiber works for. It is kept apart from the fiber's `ParentSpan`, since otherwise the spans of
 * libraries, which are not exported, would come between it and our own.
 */
export class CallSpan extends Context.Reference<CallSpan>()("market-signals/core/telemetry/CallSpan", {
  defaultValue: (): Tracer.AnySpan | undefined => undefined,
}) {}

/** Runs work in a span. Names and attributes must not contain values of parameters. */
export const makeSpan = <A, E, R>(
  work: Effect.Effect<A, E, R>,
  name: string,
  kind: Tracer.SpanKind,
  attributes: Attributes,
): Effect.Effect<A, E, R> =>
  Effect.flatMap(Effect.all([Effect.option(Effect.currentParentSpan), CallSpan]), ([own, call]) => {
    const parent = Option.getOrUndefined(own) ?? call
    return Effect.withSpan(work, name, {
      kind,
      attributes,
      context: exported,
      captureStackTrace: false,
      ...(parent === undefined ? { root: true } : { parent }),
    }) as Effect.Effect<A, E, R>
  })

/** Makes the rest of a step belong to a call's span, also where a fiber continues it. */
const provideSpan = <A>(step: Step.Step<A>, own: Tracer.AnySpan): Step.Step<A> =>
  Step.isPending(step)
    ? step.chain((result) => provideSpan(result, own))
    : Step.mapRemaining(step, (rest) => Effect.provideService(rest, CallSpan, own))

export const endWithCall = <A>(
  work: Step.Step<A>,
  { span: own, ended }: Traced,
  name: string,
  attributes: (reply: A | undefined) => Attributes,
  isFailed: (reply: A) => boolean,
): Step.Step<A> =>
  Step.catchCause(
    Step.andThen(provideSpan(work, own), (reply) => {
      ended(name, attributes(reply), isFailed(reply))
      return Exit.succeed(reply)
    }),
    (cause) => {
      ended(name, attributes(undefined), true)
      return Exit.failCause(cause)
    },
  )
