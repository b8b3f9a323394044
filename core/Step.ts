import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Effectable from "effect/Effectable"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import { SingleShotGen, YieldWrap, yieldWrapGet } from "effect/Utils"

/*
 * Work that has begun when it is returned. A call that finds everything in memory then needs no fiber, which costs more than
 * the rest of such a call. The same code serves both ways: where a step has to wait, the rest of the work becomes an
 * ordinary effect.
 *
 * A step is used at once and only once: the combinators of this module take it over, and `run` makes an effect of it that
 * is run once. It is therefore not an effect, which might be retried, repeated or forked. Functions of the library's
 * interfaces return effects, which do nothing before they are run and may be run again; `method` makes such a function with
 * a second form that begins at once, and `eager` selects that form. Its effects are `Startable`: a generator of this module
 * begins those that it yields, so that a method calls other methods as any effect does.
 *
 * Time is part of a run, not of a service: the generated markets ask the lanes about past instants. `now` is therefore read
 * from the clock of the run: the fiber's or, without a fiber, the one that `eager` was given.
 */

/**
 * Work that has begun: done (an `Exit`), waiting for a callback (`Pending`), or an effect, which the rest of it needs. An
 * effect may be given as a step; a step is not an effect.
 */
export type Step<A, E = never, R = never> = Effect.Effect<A, E, R> | Pending<A, E>

type Listener<A, E> = (result: Step<A, E>) => void

// biome-ignore lint/suspicious/noExplicitAny: each link of a chain has types of its own
type Link = (result: Step<any, any>) => Step<any, any>

let isReuseChecked = false
const used = new WeakSet<object>()

/** From now on using a step twice is a defect: for tests, since it costs an object for each link. */
export const checkReuse = (): void => {
  isReuseChecked = true
}

const useOnce = (step: object): void => {
  if (used.has(step)) throw new Error("A step was used twice.")
  used.add(step)
}

/** A step that is done when a callback is called, without a fiber that waits for it. It cannot be interrupted. */
export class Pending<A, E = never> {
  private readonly start: (done: Listener<A, E>) => void
  /** The links of the chain, in order. Each takes a step of any form. */
  private readonly links: Array<Link>
  constructor(start: (done: Listener<A, E>) => void, links: Array<Link> = []) {
    this.start = start
    this.links = links
  }
  /** Call it once. The result may be a step that waits again. */
  listen(done: Listener<A, E>): void {
    if (isReuseChecked) useOnce(this)
    this.start((result) => done(this.follow(result)))
  }
  /** Adds a link at the end of the chain; the result is the link's. This step is used by it. */
  chain<B, F>(link: (result: Step<A, E>) => Step<B, F>): Pending<B, F> {
    if (isReuseChecked) useOnce(this)
    this.links.push(link)
    return (isReuseChecked ? new Pending(this.start, this.links) : this) as unknown as Pending<B, F>
  }
  /** For `yield*` in a generator of this module. */
  [Symbol.iterator](): Iterator<YieldWrap<Pending<A, E>>, A> {
    return new SingleShotGen<YieldWrap<Pending<A, E>>, A>(new YieldWrap(this))
  }
  private follow(result: Step<A, E>): Step<A, E> {
    let step: Step<A, E> = result
    for (const link of this.links) step = link(step)
    return step
  }
}

/** The effect that ends as a step does. Run it once. */
export const run = <A, E, R>(step: Step<A, E, R>): Effect.Effect<A, E, R> =>
  step instanceof Pending
    ? Effect.uninterruptible(Effect.async((resume) => step.listen((result) => resume(run(result)))))
    : step

/** A continuation for a fiber, which calls it once. */
const once = <A, B, E>(next: (value: A) => Step<B, E>) => {
  const rest = (value: A): Effect.Effect<B, E> => {
    if (isReuseChecked) useOnce(rest)
    return run(next(value))
  }
  return rest
}

/** An ordinary effect, which does nothing before it is run, that can begin without a fiber. */
export class Startable<A, E = never> extends Effectable.Class<A, E> {
  /**
   * Begins the effect.
   *
   * @param clock of this run; absent: whatever reads the time waits for a fiber
   */
  readonly begin: (clock: Clock.Clock | undefined) => Step<A, E>
  constructor(begin: (clock: Clock.Clock | undefined) => Step<A, E>) {
    super()
    this.begin = begin
  }
  override commit(): Effect.Effect<A, E> {
    return Effect.clockWith((clock) => run(this.begin(clock)))
  }
}

/** Begins an effect where it can begin without a fiber. */
const startEffect = <A, E, R>(effect: Step<A, E, R>, clock: Clock.Clock | undefined): Step<A, E, R> =>
  effect instanceof Startable ? effect.begin(clock) : effect

/** Epoch milliseconds, by the clock of the run. */
export const now: Effect.Effect<number> = new Startable((clock) =>
  clock === undefined ? Clock.currentTimeMillis : Exit.succeed(clock.unsafeCurrentTimeMillis()),
)

/** Calls a function; an exception becomes a defect. */
export const attempt = <A, E>(work: () => Step<A, E>): Step<A, E> => {
  try {
    return work()
  } catch (defect) {
    return Exit.die(defect)
  }
}

/** Whether the step is done. An error is an effect too, and one with the tag `Failure` looks like an exit. */
export const isDone = <A, E>(step: Step<A, E>): step is Exit.Exit<A, E> => {
  const { _tag } = step as { readonly _tag?: unknown }
  return _tag === "Success" || (_tag === "Failure" && !(step instanceof Error))
}

/** Whether a callback ends the step, without a fiber. */
export const isPending = <A, E>(step: Step<A, E>): step is Pending<A, E> => step instanceof Pending

/** Runs `next` with the result of a step: at once if the step is done. A failure is passed on. */
export const andThen = <A, E, B, F>(step: Step<A, E>, next: (value: A) => Step<B, F>): Step<B, E | F> => {
  if (isDone(step)) {
    if (step._tag === "Failure") return Exit.failCause(step.cause)
    try {
      return next(step.value)
    } catch (defect) {
      return Exit.die(defect)
    }
  }
  if (isPending(step)) return step.chain((result) => andThen(result, next))
  return Effect.flatMap(step, once(next))
}

/** Runs `next` with the cause if a step fails or has a defect. */
export const catchCause = <A, E, B, F>(
  step: Step<A, E>,
  next: (cause: Cause.Cause<E>) => Step<B, F>,
): Step<A | B, F> => {
  if (isDone(step)) return Exit.isSuccess(step) ? Exit.succeed(step.value) : attempt(() => next(step.cause))
  if (isPending(step)) return step.chain((result) => catchCause(result, next))
  return Effect.catchAllCause(step, once(next))
}

/** The value or the failure of a step; a defect is passed on. */
export const either = <A, E>(step: Step<A, E>): Step<Either.Either<A, E>> =>
  catchCause(
    andThen(step, (value): Step<Either.Either<A, E>, E> => Exit.succeed(Either.right(value))),
    (cause) => {
      const failure = Cause.failureOrCause(cause)
      return Either.isLeft(failure) ? Exit.succeed(Either.left(failure.left)) : Exit.failCause(failure.right)
    },
  )

/** Runs `last` when a step has ended, however it ended. */
export const ensuring = <A, E>(step: Step<A, E>, last: () => void): Step<A, E> => {
  if (isDone(step)) {
    last()
    return step
  }
  if (isPending(step)) return step.chain((result) => ensuring(result, last))
  return Effect.ensuring(step, Effect.sync(last))
}

/** Changes the effect of a step that has to wait for a fiber, such as making it interruptible. */
export const mapRemaining = <A, E>(
  step: Step<A, E>,
  change: (rest: Effect.Effect<A, E>) => Effect.Effect<A, E>,
): Step<A, E> => (isDone(step) || isPending(step) ? step : change(step))

// biome-ignore lint/suspicious/noExplicitAny: variance of a generator's effects, as in `Effect.fnUntraced`
type Yielded = YieldWrap<Step<any, any>>
type ErrorOf<Y> = [Y] extends [never] ? never : Y extends YieldWrap<Step<infer _A, infer E>> ? E : never

/** Runs a generator until it ends, or until a step has to wait. */
const drive = <A, E>(
  steps: Iterator<Yielded, A, unknown>,
  clock: Clock.Clock | undefined,
  first?: unknown,
): Step<A, E> => {
  let value = first
  for (;;) {
    const state = steps.next(value)
    if (state.done === true) return Exit.succeed(state.value)
    const step: Step<unknown, E> = startEffect(yieldWrapGet(state.value), clock)
    if (isDone(step)) {
      if (step._tag === "Failure") return Exit.failCause(step.cause)
      value = step.value
    } else if (step instanceof Error) return Exit.fail(step as E)
    else return andThen(step, (result) => drive<A, E>(steps, clock, result))
  }
}

export const ofEither = <A, E>(either: Either.Either<A, E>): Step<A, E> =>
  Either.isRight(either) ? Exit.succeed(either.right) : Exit.fail(either.left)

type Body<Args extends ReadonlyArray<unknown>, Y extends Yielded, A> = (...args: Args) => Generator<Y, A, never>

const start = <Args extends ReadonlyArray<unknown>, Y extends Yielded, A>(
  body: Body<Args, Y, A>,
  clock: Clock.Clock | undefined,
  args: Args,
): Step<A, ErrorOf<Y>> => {
  try {
    return drive<A, ErrorOf<Y>>(body(...args) as Iterator<Yielded, A, unknown>, clock)
  } catch (defect) {
    return Exit.die(defect)
  }
}

/** Like `Effect.fnUntraced`, but the work begins when the function is called. */
export const fn =
  <Y extends Yielded, A, Args extends ReadonlyArray<unknown>>(body: Body<Args, Y, A>) =>
  (...args: Args): Step<A, ErrorOf<Y>> =>
    start(body, undefined, args)

/** Like `Effect.gen`, with a form that begins at once. */
export const gen = <Y extends Yielded, A>(body: () => Generator<Y, A, never>): Effect.Effect<A, ErrorOf<Y>> =>
  new Startable((clock) => start(body, clock, []))

/** Like `Effect.suspend`, with a form that begins at once. */
export const suspend = <A, E>(work: () => Step<A, E>): Effect.Effect<A, E> =>
  new Startable((clock) => attempt(() => startEffect(work(), clock)))

/** Like `Effect.map`, with a form that begins at once. Of a step it makes a step. */
export const map: {
  <A, E, B>(effect: Effect.Effect<A, E>, change: (value: A) => B): Effect.Effect<B, E>
  <A, E, B>(step: Step<A, E>, change: (value: A) => B): Step<B, E>
} = <A, E, B>(step: Step<A, E>, change: (value: A) => B): Effect.Effect<B, E> =>
  new Startable((clock) => andThen(startEffect(step, clock), (value) => Exit.succeed(change(value))))

/** Like `Effect.either`, with a form that begins at once. */
export const attempted = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<Either.Either<A, E>> =>
  new Startable((clock) => either(startEffect(effect, clock)))

type SuccessesOf<Effects extends ReadonlyArray<Effect.Effect<unknown, unknown>>> = {
  -readonly [K in keyof Effects]: Effect.Effect.Success<Effects[K]>
}

/** The results of several effects. Those that have to wait wait together. */
export const all = <const Effects extends ReadonlyArray<Effect.Effect<unknown, unknown>>>(
  effects: Effects,
): Effect.Effect<SuccessesOf<Effects>, Effect.Effect.Error<Effects[number]>> =>
  new Startable((clock) => {
    const values: Array<unknown> = []
    const steps: Array<Effect.Effect<unknown, unknown>> = []
    for (const effect of effects) {
      const step = startEffect(effect, clock)
      if (isDone(step)) {
        if (Exit.isFailure(step)) return Exit.failCause(step.cause as Cause.Cause<Effect.Effect.Error<Effects[number]>>)
        values.push(step.value)
      }
      steps.push(run(step))
    }
    return (
      values.length === steps.length ? Exit.succeed(values) : Effect.all(steps, { concurrency: "unbounded" })
    ) as Step<SuccessesOf<Effects>, Effect.Effect.Error<Effects[number]>>
  })

const beginning = Symbol("core/Step/beginning")

// biome-ignore lint/suspicious/noExplicitAny: variance of the parameters
type Method = (...args: any) => Effect.Effect<any, any, any>

type Begin<Args extends ReadonlyArray<unknown>, A, E> = (clock: Clock.Clock | undefined, args: Args) => Step<A, E>

const withBegin = <Args extends ReadonlyArray<unknown>, A, E>(
  begin: Begin<Args, A, E>,
): ((...args: Args) => Effect.Effect<A, E>) =>
  Object.assign((...args: Args) => new Startable((clock) => begin(clock, args)), { [beginning]: begin })

/**
 * A function of an interface: like `Effect.fnUntraced`, with a form that begins at once.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as Step from "./Step.ts"
 *
 * const double = Step.method(function* (value: number) {
 *   return 2 * (yield* Effect.succeed(value))
 * })
 * Effect.runSync(double(21)) // 42
 * Step.isDone(double(21)) // false
 * Step.isDone(Step.eager(double)(21)) // true
 * ```
 */
export const method = <Y extends Yielded, A, Args extends ReadonlyArray<unknown>>(
  body: Body<Args, Y, A>,
): ((...args: Args) => Effect.Effect<A, ErrorOf<Y>>) => withBegin((clock, args) => start(body, clock, args))

/**
 * The same for a function that returns a step.
 *
 * @param change changes the effect that does nothing before it is run, such as making it uninterruptible
 */
export const methodFrom = <Args extends ReadonlyArray<unknown>, A, E>(
  work: (...args: Args) => Step<A, E>,
  change?: (whole: Effect.Effect<A, E>) => Effect.Effect<A, E>,
): ((...args: Args) => Effect.Effect<A, E>) => {
  const begin: Begin<Args, A, E> = (clock, args) => attempt(() => startEffect(work(...args), clock))
  return change === undefined
    ? withBegin(begin)
    : Object.assign((...args: Args) => change(Effect.suspend(() => run(begin(undefined, args)))), {
        [beginning]: begin,
      })
}

/** The same for a function that never fails and never waits. */
export const methodSync = <Args extends ReadonlyArray<unknown>, A>(
  work: (...args: Args) => A,
): ((...args: Args) => Effect.Effect<A>) => methodFrom((...args: Args) => Exit.succeed(work(...args)))

/** The same function with another result of the same type. */
export const mapMethod = <M extends Method>(
  given: M,
  change: (value: Effect.Effect.Success<ReturnType<M>>) => Effect.Effect.Success<ReturnType<M>>,
): M => {
  const { [beginning]: begin } = given as { [beginning]?: Begin<Parameters<M>, unknown, unknown> }
  const next = (value: unknown) => Exit.succeed(change(value as never))
  return withBegin((clock, args: Parameters<M>) =>
    andThen(begin?.(clock, args) ?? startEffect(given(...args) as Effect.Effect<unknown, unknown>, clock), next),
  ) as Method as M
}

/**
 * The form of a function that begins at once, where it can.
 *
 * @param clock of the runs; without it `now` waits for a fiber
 */
export const eager = <Args extends ReadonlyArray<unknown>, A, E, R>(
  given: (...args: Args) => Effect.Effect<A, E, R>,
  clock?: Clock.Clock,
): ((...args: Args) => Step<A, E, R>) => {
  const { [beginning]: begin } = given as { [beginning]?: Begin<Args, A, E> }
  return begin === undefined ? (...args) => startEffect(given(...args), clock) : (...args) => begin(clock, args)
}
