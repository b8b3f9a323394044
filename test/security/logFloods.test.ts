import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Console from "effect/Console"
import * as Context from "effect/Context"
import * as DefaultServices from "effect/DefaultServices"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as TestClock from "effect/TestClock"
import { makeErrorLog } from "../../adapters/server/mcp/server.ts"
import { type Code, fail } from "../../core/Failure.ts"
import * as Logging from "../../services/logging.ts"
import * as Controlled from "../adapters/server/http/controlled.ts"
import { clockAt } from "../support/clock.ts"

const start = Date.UTC(2026, 10, 21, 12)
const paid = "/v1/controlled/paid"

/** A server whose paid endpoint fails, and what its operator reads. */
const failing = async (code: Code, cause: unknown, level?: LogLevel.LogLevel) => {
  const clock = clockAt(start)
  const service = await Controlled.start({
    clock,
    paid: () => Effect.fail(fail(code, { cause })),
    ...(level === undefined ? {} : { level }),
  })
  return { clock, service }
}

describe("the operator sees why calls fail", () => {
  for (const code of ["storage_unavailable", "upstream_unavailable", "data_freshness_stale"] as const) {
    it(`${code} is logged with its cause and everything that names the call`, async () => {
      const cause = new Error("Failed to execute statement", { cause: new Error("database is locked") })
      const { service } = await failing(code, cause)
      const response = await service.get(paid, { headers: { "x-request-id": "caller-17" } })
      const requestId = response.headers.get("x-request-id")!
      const text = await response.text()
      await service.stop()
      assert.strictEqual(response.status, 503)
      assert.notInclude(text, "database is locked")
      assert.notInclude(text, "Failed to execute statement")
      // Logged, never adopted.
      assert.match(requestId, /^req_/)
      assert.lengthOf(service.log, 1)
      for (const part of [
        "level=WARN",
        `request_id=${requestId}`,
        "client_request_id=caller-17",
        "key_id=key",
        "endpoint=controlled_paid",
        "status=503",
        `code=${code}`,
        "ms=0",
        "Failed to execute statement",
        "database is locked",
      ]) {
        assert.include(service.log[0], part)
      }
    })
  }

  it("a bug is one line, with its cause", async () => {
    const service = await Controlled.start({ paid: () => Effect.die(new Error("a bug")) })
    assert.strictEqual((await service.get(paid)).status, 500)
    await service.stop()
    assert.lengthOf(service.log, 1)
    assert.match(service.log[0]!, /level=ERROR.*a bug.*code=internal_error|level=ERROR.*code=internal_error.*a bug/s)
  })

  it("what is the caller's own fault is not logged", async () => {
    const service = await Controlled.start({ balance: 0 })
    assert.strictEqual((await service.get(paid)).status, 402)
    assert.strictEqual((await service.get("/v1/nowhere")).status, 404)
    await service.stop()
    assert.deepStrictEqual(service.log, [])
  })

  it("a store that fails every call writes a line a second, which says how many it stands for", async () => {
    const { clock, service } = await failing("storage_unavailable", new Error("full"))
    for (let n = 0; n < 20; n++) await service.get(paid)
    assert.lengthOf(service.log, 1)
    clock.set(start + 999)
    await service.get(paid)
    assert.lengthOf(service.log, 1)
    clock.set(start + 1_000)
    await service.get(paid)
    await service.stop()
    assert.lengthOf(service.log, 2)
    assert.notInclude(service.log[0], "suppressed")
    assert.include(service.log[1], "suppressed=20")
  })

  for (const [what, given, logged] of [
    ["is cut", "x".repeat(500), `client_request_id=${"x".repeat(128)} `],
    ["brings no line of its own", "a\tb\u0080c level=ERROR", 'client_request_id="abc level=ERROR"'],
    ["may be nothing", "\t", undefined],
  ] as const) {
    it(`a caller's own id ${what}`, async () => {
      const { service } = await failing("storage_unavailable", undefined)
      await service.get(paid, { headers: { "x-request-id": given } })
      await service.stop()
      assert.lengthOf(service.log, 1)
      assert.lengthOf(service.log[0]!.split("\n"), 1)
      if (logged === undefined) assert.notInclude(service.log[0], "client_request_id")
      else assert.include(`${service.log[0]} `, logged)
    })
  }

  it("MCP: the same line, and what its library meets", async () => {
    const { service } = await failing("storage_unavailable", new Error("full"))
    const response = await fetch(`${service.url}/mcp`, {
      method: "POST",
      headers: {
        authorization: service.authorization,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "x-request-id": "agent-1",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "controlled_paid", arguments: {} },
      }),
    })
    assert.include(await response.text(), "storage_unavailable")
    await service.stop()
    assert.lengthOf(service.log, 1)
    assert.match(service.log[0]!, /client_request_id=agent-1.*endpoint=controlled_paid.*code=storage_unavailable/)
  })

  it("at the level debug every request has one line; without it none", async () => {
    const ask = async (level?: LogLevel.LogLevel) => {
      const service = await Controlled.start(level === undefined ? {} : { level })
      const first = await service.get(paid)
      await service.get(`${paid}?n=x`)
      await service.get("/v1/nowhere")
      await service.stop()
      return { log: service.log, id: first.headers.get("x-request-id") }
    }
    assert.deepStrictEqual((await ask()).log, [])
    const { log, id } = await ask(LogLevel.Debug)
    assert.lengthOf(log, 3)
    for (const [at, parts] of [
      [`request_id=${id}`, "key_id=key", "endpoint=controlled_paid", "status=200", "micros=1000", "ms="],
      ["endpoint=controlled_paid", "status=400", "code=invalid_parameter", "micros=0"],
      ["status=404", "code=not_found"],
    ].entries()) {
      for (const part of parts) assert.include(log[at], part)
    }
  })
})

describe("what is logged", () => {
  const admin = 'an "operator\'s" token of 32 characters'
  const live = `svk_live_${"a1B2".repeat(12)}c`
  const webhook = "whsec_c2VjcmV0IHNlY3JldCBzZWNyZXQ/+c2VjcmV0="
  const cause = new Error(`GET https://user:p4ss@upstream.example/x?api_key=abc123&day=1 with Bearer ${live}`, {
    cause: { token: admin, webhook, authorization: `Bearer ${live}`, body: `{"password":"hunter2"}` },
  })

  /** What two lines are written as. */
  const written = (environment: Readonly<Record<string, string>>, isTerminal = false) => {
    const lines: Array<string> = []
    const real = Context.get(DefaultServices.liveServices, Console.Console)
    const console = new Proxy(real, {
      get: (target, name) =>
        name === "unsafe"
          ? { ...target.unsafe, error: (text: string) => void lines.push(text), log: () => lines.push("STDOUT") }
          : Reflect.get(target, name),
    })
    const lively = Effect.gen(function* () {
      yield* Effect.logDebug("not by default")
      yield* Effect.annotateLogs(Effect.logWarning(`It failed: ${admin}`, Cause.fail(cause)), {
        code: "storage_unavailable",
        level: "forged",
        url: `https://user:p4ss@upstream.example/${webhook}`,
      })
    }).pipe(
      Effect.provide(Logging.layer(isTerminal)),
      Effect.withConsole(console),
      Effect.withConfigProvider(
        ConfigProvider.fromMap(new Map(Object.entries({ ADMIN_TOKEN: admin, ...environment }))),
      ),
      Effect.as(lines),
    )
    // As a program of its own: the loggers of the test are not beside it.
    return Effect.flatten(Effect.promise(() => Effect.runPromiseExit(lively)))
  }

  for (const format of ["json", "pretty", "logfmt"]) {
    it.effect(`holds no secret, goes to standard error, and is ${format}`, () =>
      Effect.gen(function* () {
        const lines = yield* written({ LOG_FORMAT: format })
        assert.lengthOf(lines, 1)
        const [line] = lines as [string]
        for (const secret of [
          admin,
          JSON.stringify(admin).slice(1, -1),
          live.slice(9),
          webhook.slice(6),
          "p4ss",
          "abc123",
          "hunter2",
        ]) {
          assert.notInclude(line, secret)
        }
        for (const kept of ["It failed", "storage_unavailable", "upstream.example", "day=1"]) assert.include(line, kept)
        if (format === "json") {
          const { at, level, code } = JSON.parse(line)
          assert.deepStrictEqual([level, code, Number.isNaN(Date.parse(at))], ["warn", "storage_unavailable", false])
        }
        if (format === "logfmt") assert.match(line, /^at=\S+ level=warn message="It failed: /)
        if (format === "pretty") assert.match(line, /^\d\d:\d\d:\d\d\.\d{3} WARN {2}It failed/)
        if (format !== "pretty") assert.lengthOf(line.split("\n"), 1)
      }),
    )
  }

  it.effect("is for people at a terminal and for programs elsewhere, unless it is said", () =>
    Effect.gen(function* () {
      assert.match((yield* written({}, true))[0]!, /^\d\d:\d\d:/)
      assert.match((yield* written({}, false))[0]!, /^\{"at":/)
      assert.match((yield* written({ LOG_FORMAT: "json" }, true))[0]!, /^\{"at":/)
    }),
  )

  for (const [level, count] of [
    ["debug", 2],
    ["info", 1],
    ["warn", 1],
    ["error", 0],
    ["none", 0],
  ] as const) {
    it.effect(`from the level ${level} is ${count} of two lines`, () =>
      Effect.map(written({ LOG_LEVEL: level }), (lines) => assert.lengthOf(lines, count)),
    )
  }

  for (const [name, value, expected] of [
    ["LOG_FORMAT", "xml", 'Expected json, pretty or logfmt. Got "xml".'],
    ["LOG_LEVEL", "loud", 'Expected debug, info, warn, error or none. Got "loud".'],
  ] as const) {
    it.effect(`${name}=${value} is refused by name`, () =>
      Effect.map(Effect.flip(written({ [name]: value })), (error) => {
        assert.deepStrictEqual("path" in error && [error.path.at(-1), error.message], [name, expected])
      }),
    )
  }
})

describe("what the protocol's library objects to", () => {
  it.effect("is a line a minute, with how many it stands for: no client fills the log", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const logger = Logger.map(Logger.logfmtLogger, (line) => void lines.push(line))
      yield* Effect.gen(function* () {
        const onerror = yield* makeErrorLog
        for (let n = 0; n < 1_000; n++) onerror(new Error("Rejected inbound request"))
        assert.lengthOf(lines, 1)
        yield* TestClock.adjust("1 minute")
        onerror(new Error("Rejected inbound request"))
        assert.lengthOf(lines, 2)
        assert.include(lines[1], "suppressed=999")
      }).pipe(Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
    }),
  )
})
