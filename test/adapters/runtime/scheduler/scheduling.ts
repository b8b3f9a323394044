import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Scope from "effect/Scope"
import * as Scheduler from "../../../../adapters/runtime/scheduler/Scheduler.ts"
import type { Job } from "../../../../core/jobs/Job.ts"

/** A scheduler that runs until `stop`. */
export const started = (jobs: ReadonlyArray<Job>, options: Scheduler.Options = {}) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    yield* Layer.buildWithScope(Scheduler.layer(jobs, options), scope)
    return { stop: Scope.close(scope, Exit.void) }
  })

/** Collects log messages with their causes instead of printing them. */
export const logging = (logged: Array<string>) =>
  Logger.replace(
    Logger.defaultLogger,
    Logger.make(({ message, cause }) => void logged.push(`${String(message)} ${Cause.pretty(cause)}`)),
  )
