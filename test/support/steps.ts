import { assert } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { type Failure, fail } from "../../core/Failure.ts"
import * as Step from "../../core/Step.ts"

export const oops = fail("not_found")
export const bug = new Error("bug")

/** A step that is done when its callback is called, and the function that calls it. */
export const pending = <A, E = never>() => {
  let done: (result: Step.Step<A, E>) => void = () => assert.fail("nobody listens")
  const step = new Step.Pending<A, E>((listener) => {
    done = listener
  })
  return { step, call: (result: Step.Step<A, E>) => done(result) }
}

export type Form = "done" | "pending" | "fiber"
export const forms: ReadonlyArray<Form> = ["done", "pending", "fiber"]

/** A result as a step of a form. A pending one is called back in the next microtask. */
export const inForm = <A, E>(form: Form, exit: Exit.Exit<A, E>): Step.Step<A, E> => {
  if (form === "done") return exit
  if (form === "fiber") return Effect.zipRight(Effect.yieldNow(), exit)
  return new Step.Pending((done) => queueMicrotask(() => done(exit)))
}

export const formOf = (step: Step.Step<unknown, unknown>): Form =>
  Step.isDone(step) ? "done" : Step.isPending(step) ? "pending" : "fiber"

const results: Readonly<Record<string, Exit.Exit<number, Failure>>> = {
  value: Exit.succeed(1),
  failure: Exit.fail(oops),
  defect: Exit.die(bug),
  interruption: Exit.interrupt(undefined as never),
}

export const everyCase = forms.flatMap((form) =>
  Object.entries(results).map(([name, exit]) => [form, name, exit] as const),
)

export const plain = (exit: Exit.Exit<unknown, unknown>): unknown =>
  Exit.isSuccess(exit) ? exit.value : Cause.pretty(exit.cause)

/** The same function with an effect for its step. */
export const asEffect =
  <Args extends ReadonlyArray<unknown>, A, E>(work: (...args: Args) => Step.Step<A, E>) =>
  (...args: Args): Effect.Effect<A, E> =>
    Step.run(work(...args))
