import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as TestClock from "effect/TestClock"
import { codes, fail } from "../../../core/Failure.ts"
import { AccessLog } from "../../../core/gateway/AccessLog.ts"
import { type CallLog, make } from "../../../core/gateway/callLog.ts"
import { filing as endpoint } from "../../../core/lanes/filings/mod.ts"

interface Line {
  readonly level: string
  readonly message: unknown
  readonly cause: string
  readonly fields: Readonly<Record<string, unknown>>
}

/** The lines of the log after some calls, at the second after their start. */
const logged = (work: (log: CallLog) => Effect.Effect<void>, all = true) =>
  Effect.gen(function* () {
    const lines: Array<Line> = []
    const logger = Logger.make(({ logLevel, message, cause, annotations }) => {
      const fields = Object.fromEntries(HashMap.toEntries(annotations))
      lines.push({ level: logLevel.label, message: [message].flat()[0], cause: Cause.pretty(cause), fields })
    })
    yield* TestClock.setTime(1_000)
    yield* Effect.flatMap(make, work).pipe(
      Effect.provideService(AccessLog, all),
      Effect.provide(Layer.mergeAll(Logger.replace(Logger.defaultLogger, logger))),
    )
    return lines
  })

const asked = { requestId: "req_1", startedAt: 400, context: { clientRequestId: "theirs\u0000\n\u001b[2J" } }
const outage = fail("storage_unavailable", { cause: new Error("disk full") })

describe("the line of a call", () => {
  it.effect(
    "names the call, its caller, its own path, its end and its charge, and what is printable of the client's id",
    () =>
      Effect.gen(function* () {
        const caller = { accountId: "acct_1", keyId: "key_1", livemode: true, perMinute: 60 }
        const call = { requestId: "req_1", startedAt: 400, since: 0, context: { authorization: "Bearer svk_live_x" } }
        const [line, ...more] = yield* logged((log) => log.paidCall({ call, stage: { caller } }, endpoint, 200, 1_500))
        assert.deepStrictEqual(more, [])
        assert.deepStrictEqual(line!.fields, {
          ...{ request_id: "req_1", key_id: "key_1", account_id: "acct_1", endpoint: endpoint.id },
          ...{ method: "GET", route: endpoint.path, status: 200, ms: 600, micros: 1_500 },
        })
        const [refused] = yield* logged((log) => log.refused(asked, endpoint, fail("insufficient_funds")))
        const { client_request_id, code, status, micros } = refused!.fields
        assert.deepStrictEqual([client_request_id, code, status, micros], ["theirs[2J", "insufficient_funds", 402, 0])
      }),
  )

  it.effect("is not there unless every request is to have one, but for a failure of ours", () =>
    Effect.gen(function* () {
      const lines = yield* logged(
        (log) =>
          Effect.zipRight(
            log.refused(asked, endpoint, fail("insufficient_funds")),
            log.refused(asked, endpoint, outage),
          ),
        false,
      )
      assert.deepStrictEqual(
        lines.map(({ level, message }) => [level, message]),
        [["WARN", `Call failed: ${codes.storage_unavailable.message}`]],
      )
      assert.include(lines[0]!.cause, "disk full")
    }),
  )
})

describe("failures of ours", () => {
  it.effect("have a line a second for each code and endpoint, which counts those without one", () =>
    Effect.gen(function* () {
      const place = { method: "GET", route: "/readyz", startedAt: 400 }
      const lines = yield* logged(
        (log) =>
          Effect.gen(function* () {
            for (let at = 0; at < 4; at++) yield* log.refused(asked, endpoint, outage)
            yield* log.refused(asked, place, outage)
            yield* log.refused(asked, endpoint, fail("internal_error"), Cause.die("bug"))
            yield* TestClock.adjust("1 second")
            yield* log.refused(asked, endpoint, outage)
          }),
        false,
      )
      assert.deepStrictEqual(
        lines.map(({ level, fields }) => [level, fields["endpoint"] ?? fields["route"], fields["suppressed"]]),
        [
          ["WARN", endpoint.id, undefined],
          ["WARN", "/readyz", undefined],
          ["ERROR", endpoint.id, undefined],
          ["WARN", endpoint.id, 3],
        ],
      )
      assert.include(lines[2]!.cause, "bug")
    }),
  )
})
