import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Runtime from "effect/Runtime"
import * as RuntimeFlags from "effect/RuntimeFlags"
import * as Step from "../../../core/Step.ts"

/** Runs an effect of a transport in a fiber. */
export type Fork = <A>(effect: Effect.Effect<A>) => Fiber.RuntimeFiber<A>

/** Uninterruptible by default: the gateway marks where a call may be interrupted, so that no charged answer is lost. */
export const makeFork: Effect.Effect<Fork> = Effect.map(Effect.runtime<never>(), (runtime) =>
  Runtime.runFork(Runtime.disableRuntimeFlag(runtime, RuntimeFlags.Interruption)),
)

/** The time limit of a call, and its callbacks. */
export interface CallOptions {
  /** Longest time for an answer, milliseconds. */
  readonly answerMs: number
  /** Registers the interruption by the client, and returns a function that removes it. */
  readonly onCancel: (interrupt: () => void) => () => void
  readonly onEnd: (exit: Exit.Exit<void>) => void
  /** The fiber of a call that needs one. */
  readonly onFork?: (fiber: Fiber.RuntimeFiber<void>) => void
}

/**
 * Runs a call that has begun to its end. One that needs a fiber is interrupted when its client leaves or its time is up,
 * which costs nothing unless the charge has begun.
 */
export const finish = (fork: Fork, call: Step.Step<void>, ending: CallOptions): void => {
  if (Step.isDone(call)) return void ending.onEnd(call)
  if (Step.isPending(call)) return void call.listen((result) => finish(fork, result, ending))
  const fiber = fork(call)
  ending.onFork?.(fiber)
  const interrupt = () => void fork(Fiber.interruptFork(fiber))
  const timer = setTimeout(interrupt, ending.answerMs)
  const forget = ending.onCancel(interrupt)
  fiber.addObserver((exit) => {
    clearTimeout(timer)
    forget()
    ending.onEnd(exit)
  })
}
