import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Runtime from "effect/Runtime"
import * as RuntimeFlags from "effect/RuntimeFlags"
import * as Step from "../../../core/Step.ts"

/** Runs an effect of a transport in a fiber. */
export type Fork = <A>(effect: Effect.Effect<A>) => Fiber.RuntimeFiber<A>

/** Uninterruptible by default: the gateway marks where a call may be interrupted, so that no charged answer is lost. */
export const forking: Effect.Effect<Fork> = Effect.map(Effect.runtime<never>(), (runtime) =>
  Runtime.runFork(Runtime.disableRuntimeFlag(runtime, RuntimeFlags.Interruption)),
)

/** The limits of a call, and the callbacks of its end. */
export interface Ending {
  /** Longest time for an answer, milliseconds. */
  readonly answerMs: number
  /** Registers the interruption by the client, and returns a function that removes it. */
  readonly onCancel: (interrupt: () => void) => () => void
  readonly ended: (exit: Exit.Exit<void>) => void
  /** The fiber of a call that needs one. */
  readonly forked?: (fiber: Fiber.RuntimeFiber<void>) => void
}

/**
 * Lets a call that has begun end. One that needs a fiber is interrupted by its client and after the longest time for an
 * answer, which costs nothing unless the charge has begun.
 */
export const finish = (fork: Fork, sent: Step.Step<void>, ending: Ending): void => {
  if (Step.isDone(sent)) return void ending.ended(sent)
  if (Step.isPending(sent)) return void sent.listen((result) => finish(fork, result, ending))
  const fiber = fork(sent)
  ending.forked?.(fiber)
  const interrupt = () => void fork(Fiber.interruptFork(fiber))
  const timer = setTimeout(interrupt, ending.answerMs)
  const forget = ending.onCancel(interrupt)
  fiber.addObserver((exit) => {
    clearTimeout(timer)
    forget()
    ending.ended(exit)
  })
}
