import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type { Scope } from "effect/Scope"
import { fail } from "../../../core/Failure.ts"
import { Gateway } from "../../../core/gateway/Gateway.ts"
import type { Served } from "../../../core/gateway/Served.ts"
import * as Step from "../../../core/Step.ts"
import { finish, makeFork } from "../http/finish.ts"

/**
 * Runs a call to its end and passes its reply to `deliver`. A call that needs a fiber is interrupted when its time is up, its
 * client leaves or the scope ends, which costs nothing unless the charge has begun; its reply is then a time-out.
 *
 * @param call begun, or an effect that does nothing before it is run
 * @param onCancel registers the interruption by the client, and returns a function that removes it
 */
export type Finish = (
  call: Step.Step<Served>,
  onCancel: (interrupt: () => void) => () => void,
  deliver: (served: Served) => void,
) => void

export const make = (answerMs: number): Effect.Effect<Finish, never, Gateway | Scope> =>
  Effect.gen(function* () {
    const gateway = yield* Gateway
    const fork = yield* makeFork
    const running = new Set<Fiber.RuntimeFiber<void>>()
    yield* Effect.addFinalizer(() => Fiber.interruptAll(running))

    return (call, onCancel, deliver) => {
      const deliverReply = (reply: Step.Step<Served>): Step.Step<void> =>
        Step.andThen(reply, (served) => {
          deliver(served)
          return Exit.void
        })

      finish(fork, deliverReply(call), {
        answerMs,
        onCancel,
        onEnd: ({ _tag }) => {
          if (_tag === "Failure") fork(Step.run(deliverReply(gateway.errorReply(fail("request_timeout")))))
        },
        onFork: (fiber) => {
          running.add(fiber)
          fiber.addObserver(() => running.delete(fiber))
        },
      })
    }
  })
