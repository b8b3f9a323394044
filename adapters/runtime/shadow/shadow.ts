import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type { Freshness } from "../../../core/endpoint/Answer.ts"
import { ifDefined } from "../../../core/ifDefined.ts"
import { type Comparison, ShadowLog } from "../../../core/shadow/ShadowLog.ts"

export interface Options {
  /** The port's name in the log; default: its tag's key. */
  readonly port?: string
  /** Most live requests in flight; further calls are only counted as dropped. */
  readonly inFlight?: number
  /** Timeout of a live answer. */
  readonly timeLimit?: Duration.DurationInput
}

/** Comparisons are written to the log at most once a second. */
const flushEvery = "1 second"
const maxWaiting = 1_000
const maxArgsLength = 2_000

type AnyEffect = Effect.Effect<unknown, unknown>

/** Options and Eithers are effects too, but as answers of a port they are values. */
const isEffect = (value: unknown): value is AnyEffect =>
  Effect.isEffect(value) && !Option.isOption(value) && !Either.isEither(value)

/** The arguments as JSON. Secrets are `Redacted`, so JSON hides them. */
const printArguments = (args: ReadonlyArray<unknown>): string => {
  try {
    return JSON.stringify(args).slice(0, maxArgsLength)
  } catch {
    return "not JSON"
  }
}

/** Why an answer failed; undefined if it did not. */
const failureTag = (exit: Exit.Exit<unknown, unknown>): string | undefined => {
  if (Exit.isSuccess(exit)) return undefined
  const error = Option.getOrUndefined(Cause.failureOption(exit.cause))
  if (error === undefined) return "defect"
  const { code, _tag } = (typeof error === "object" && error !== null ? error : {}) as Readonly<Record<string, unknown>>
  return String(code ?? _tag ?? error)
}

const isEmpty = (value: unknown): boolean => {
  if (Array.isArray(value)) return value.length === 0
  if (value instanceof Map) return value.size === 0
  if (typeof value !== "object" || value === null) return value === undefined || value === null
  const lists = Object.values(value).filter(Array.isArray)
  return lists.length > 0 && lists.every(isEmpty)
}

/** How an answer ended: with something, with nothing, or with a failure. An end that is undefined took too long. */
const toEnd = (exit: Exit.Exit<unknown, unknown> | undefined): string => {
  if (exit === undefined) return "timeout"
  if (Exit.isFailure(exit)) return failureTag(exit)!
  return isEmpty(exit.value) ? "nothing" : "answers"
}

type Methods = Readonly<Record<string, unknown>>

/** Observes an answer of the mock; `ask` asks the live service the same. */
type Observe = (answer: AnyEffect, method: string, args: ReadonlyArray<unknown>, ask: () => AnyEffect) => AnyEffect

/** The mock with every effect and every method observed that live has too. */
const observing = (mock: Methods, live: Methods, observe: Observe): Methods =>
  Object.fromEntries(
    Object.entries(mock).map(([name, value]): readonly [string, unknown] => {
      if (live[name] === undefined) return [name, value]
      if (isEffect(value)) return [name, observe(value, name, [], () => live[name] as AnyEffect)]
      if (typeof value !== "function") return [name, value]
      const method = (...args: ReadonlyArray<unknown>): unknown => {
        const answer: unknown = value.apply(mock, args)
        const ask = () => (live[name] as (...args: ReadonlyArray<unknown>) => AnyEffect)(...args)
        return isEffect(answer) ? observe(answer, name, args, ask) : answer
      }
      return [name, method]
    }),
  )

/** Comparisons on their way to the log, and the number of those that were dropped by method. */
const makeOutbox = (log: ShadowLog["Type"], port: string) => {
  const waiting: Array<Comparison> = []
  const dropped = new Map<string, number>()
  const flush = Effect.suspend(() => {
    const some = waiting.splice(0)
    return some.length === 0
      ? Effect.void
      : Effect.catchAllCause(log.record(some), (cause) =>
          Effect.logWarning(`Shadow ${port}: ${some.length} comparisons lost`, cause),
        )
  }).pipe(Effect.uninterruptible)
  const drop = (method: string): void => void dropped.set(method, (dropped.get(method) ?? 0) + 1)
  const put = (comparison: Omit<Comparison, "port" | "dropped">): Effect.Effect<void> => {
    const { method } = comparison
    if (waiting.length >= maxWaiting) return Effect.sync(() => drop(method))
    waiting.push({ ...comparison, port, dropped: dropped.get(method) ?? 0 })
    dropped.delete(method)
    // The first one starts the timer; the flush writes all that come within the second.
    return waiting.length === 1 ? Effect.delay(flush, flushEvery) : Effect.void
  }
  return { flush, drop, put }
}

/**
 * The mock service, compared with the live one: whether both answer, only one, or neither. Their values never agree and are
 * not compared. Callers get the mock's answers unchanged and at once; the live service is called in a fiber of its own, and
 * the comparison goes to the log. Live never affects a caller, even if it fails, dies,
 * throws or hangs. Interrupted answers are not compared.
 */
export const make = <S extends { readonly freshness: Freshness }>(
  mock: S,
  live: S,
  { port = "", inFlight: most = 8, timeLimit = "10 seconds" }: Options,
): Effect.Effect<S, never, ShadowLog | Scope.Scope> =>
  Effect.gen(function* () {
    const { flush, drop, put } = makeOutbox(yield* ShadowLog, port)
    const asked = new Set<Fiber.RuntimeFiber<unknown, unknown>>()
    let places = most
    let closed = false

    const compare = (
      method: string,
      args: ReadonlyArray<unknown>,
      ask: () => AnyEffect,
      mocked: Exit.Exit<unknown, unknown>,
    ): Effect.Effect<void> =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        if (closed) return
        const fiber = yield* Effect.forkDaemon(Effect.suspend(ask))
        asked.add(fiber)
        // Its slot is free only when it has ended: an uninterruptible effect keeps it.
        fiber.addObserver(() => {
          asked.delete(fiber)
          places++
        })
        const lived = Option.getOrUndefined(yield* Effect.timeoutOption(Fiber.await(fiber), timeLimit))
        if (lived === undefined) yield* Fiber.interruptFork(fiber)
        if (closed) return
        const liveMs = (yield* Clock.currentTimeMillis) - now
        const [mockEnd, liveEnd] = [toEnd(mocked), toEnd(lived)]
        const agreed = mockEnd === liveEnd
        const difference = agreed ? undefined : `mock: ${mockEnd}; live: ${liveEnd}`
        const failure = lived === undefined ? "timeout" : failureTag(lived)
        const ends = { agreed, ...ifDefined("difference", difference), liveMs }
        yield* put({ at: now, method, args: printArguments(args), ...ends, ...ifDefined("failure", failure) })
      })

    const withComparison: Observe = (answer, method, args, ask) =>
      Effect.onExit(answer, (mocked) => {
        if (closed || Exit.isInterrupted(mocked)) return Effect.void
        if (places === 0) return Effect.sync(() => drop(method))
        places--
        // The caller may be uninterruptible here; the forked fiber must not be.
        return Effect.forkDaemon(Effect.interruptible(compare(method, args, ask, mocked)))
      })

    yield* Effect.addFinalizer(() =>
      Effect.suspend(() => {
        closed = true
        const left = [...asked]
        return Effect.forEach(left, Fiber.interruptFork).pipe(
          Effect.zipRight(Effect.timeoutOption(Effect.interruptible(Fiber.awaitAll(left)), "1 second")),
          Effect.zipRight(flush),
        )
      }),
    )

    const observed = observing(mock as unknown as Methods, live as unknown as Methods, withComparison)
    return { ...observed, freshness: "shadow" } as unknown as S
  })

/** The tag of a compared port of `Ports`. */
export type Shadowed<Ports> = Ports extends unknown
  ? // biome-ignore lint/suspicious/noExplicitAny: variance, never a value
    Context.Tag<Ports, any>
  : never

/**
 * Shadow mode of some ports: makes one layer from a mock and a live one, each built once. Other ports are the mock's and
 * are not compared.
 *
 * @example
 * ```ts
 * import * as Layer from "effect/Layer"
 * import { ClimateReports } from "../../../core/lanes/weather/ports.ts"
 * import { ShadowLog } from "../../../core/shadow/ShadowLog.ts"
 * import * as mock from "../../lanes/weather/mock/reports.ts"
 * import * as live from "../../lanes/weather/store/ClimateReports.ts"
 * import * as shadow from "./shadow.ts"
 *
 * const reports = shadow
 *   .ports({ mock: mock.layerReports, live: live.layerReports }, [ClimateReports])
 *   .pipe(Layer.provide(ShadowLog.layerMemory()))
 * ```
 */
export const ports = <Ports, E1, R1, E2, R2>(
  both: { readonly mock: Layer.Layer<Ports, E1, R1>; readonly live: Layer.Layer<Ports, E2, R2> },
  shadowed: ReadonlyArray<Shadowed<Ports>>,
): Layer.Layer<Ports, E1 | E2, Exclude<R1 | R2, Scope.Scope> | ShadowLog> =>
  Layer.scopedContext(
    Effect.gen(function* () {
      // Separate memo maps, or a layer shared by both would be built once.
      let served = yield* Layer.build(both.mock)
      const live = yield* Layer.build(both.live)
      for (const tag of shadowed as ReadonlyArray<Context.Tag<Ports, { readonly freshness: Freshness }>>) {
        const port = tag.key.replace(/^market-signals\/core\/lanes\//, "")
        served = Context.add(served, tag, yield* make(Context.get(served, tag), Context.get(live, tag), { port }))
      }
      return served
    }),
  )
