import { assert, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import { fail } from "../../core/Failure.ts"
import * as TroubleLog from "../../core/troubleLog.ts"

it.effect(
  "a loop whose store is away for a minute has a line at its beginning and its end, and a stack for a bug alone",
  () => {
    const lines: Array<string> = []
    const log = Logger.replace(
      Logger.defaultLogger,
      Logger.make(({ message, cause, logLevel }) => {
        lines.push(`${logLevel.label} ${message} ${Cause.isEmpty(cause) ? "" : "stack"}`.trim())
      }),
    )
    const { failed, recovered } = TroubleLog.make("Alerts wait.", "Alerts are checked again")
    const away = Cause.fail(fail("storage_unavailable", { detail: "The store cannot be reached." }))
    const turns = [
      ...Array.from({ length: 60 }, () => failed(away)),
      recovered,
      recovered,
      failed(Cause.die(new Error("a bug"))),
      recovered,
    ]
    return Effect.gen(function* () {
      yield* recovered
      yield* Effect.all(turns, { discard: true })
      assert.deepStrictEqual(lines, [
        "ERROR Alerts wait. The store cannot be reached.",
        "INFO Alerts are checked again",
        "ERROR Alerts wait. Internal error. stack",
        "INFO Alerts are checked again",
      ])
    }).pipe(Effect.provide(log))
  },
)
