import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"
import type { Audit } from "../../../core/account/Ledger.ts"
import * as Step from "../../../core/Step.ts"
import { minute } from "../../../core/time.ts"
import * as AuditCounts from "./auditCounts.ts"

/**
 * Writes the audit rows of calls without a settlement: at once, or counted, at the end of their minute or of the scope.
 */
export const make = (
  isLow: () => boolean,
  post: (line: Audit) => void,
): Effect.Effect<(line: Audit) => Effect.Effect<void>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const counts = AuditCounts.make(isLow)
    const scope = yield* Effect.scope
    yield* Effect.addFinalizer(() => Effect.sync(() => counts.over().forEach(post)))
    let waiting = false
    const writeLater: Effect.Effect<void> = Effect.suspend(() => {
      if (waiting || counts.isEmpty()) return Effect.void
      waiting = true
      return Clock.currentTimeMillis.pipe(
        Effect.flatMap((now) => Effect.sleep(minute - (now % minute) + 1)),
        Effect.zipRight(Clock.currentTimeMillis),
        Effect.flatMap((now) => {
          waiting = false
          counts.over(now).forEach(post)
          return writeLater
        }),
        // Calls end uninterruptible; the scope must not wait for the end of the minute.
        Effect.interruptible,
        Effect.forkIn(scope),
      )
    })
    return Step.methodFrom((line) => {
      if (!counts.take(line)) {
        post(line)
        return Exit.void
      }
      if (counts.isFull()) counts.over().forEach(post)
      return waiting ? Exit.void : writeLater
    })
  })
