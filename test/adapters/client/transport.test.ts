import { assert, describe, it } from "@effect/vitest"
import { ServiceError, Unreachable } from "../../../adapters/client/errors.ts"
import { request } from "../../../adapters/client/transport.ts"

const envelope = (code: string, changes: Readonly<Record<string, unknown>> = {}) => ({
  error: {
    code,
    message: code,
    recoverable: true,
    retry_after_ms: null,
    docs_url: "",
    request_id: "",
    hints: [],
    ...changes,
  },
})

const answer = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  new Response(typeof body === "string" ? body : JSON.stringify(body), { status, headers })

/** The result of some answers in turn, and the pauses between them. */
const requesting = async (answers: ReadonlyArray<() => Response>, init: RequestInit = {}) => {
  const pauses: Array<number> = []
  let sent = 0
  const transport = {
    send: async () => answers[sent++]!(),
    sleep: async (ms: number) => void pauses.push(ms),
    retries: { attempts: 4, baseMs: 200, maxDelayMs: 500 },
  }
  const result = await request(transport, "http://localhost", init).then(
    (body) => ({ body }),
    (error: unknown) => ({ error }),
  )
  return { ...result, pauses, sent }
}

const refused =
  (status: number, code: string, changes = {}, headers = {}) =>
  () =>
    answer(status, envelope(code, changes), headers)
const ok = () => answer(200, { a: 1 })
const broken = (): Response => {
  throw new TypeError("fetch failed")
}

describe("a request", () => {
  it("that succeeds has the parsed body, without a pause", async () => {
    assert.deepStrictEqual(await requesting([ok]), { body: { a: 1 }, pauses: [], sent: 1 })
  })

  it("that gets no answer is repeated with doubled pauses up to the longest, four attempts in all", async () => {
    const { error, pauses, sent } = (await requesting([broken, broken, broken, broken])) as never as {
      readonly error: Unreachable
      readonly pauses: ReadonlyArray<number>
      readonly sent: number
    }
    assert.instanceOf(error, Unreachable)
    assert.strictEqual(error.message, "Could not connect, or the response ended early.")
    assert.deepStrictEqual([pauses, sent], [[200, 400, 500], 4])
  })

  it.each([
    ["a server's error", refused(500, "internal_error")],
    ["a timeout", refused(408, "request_timeout")],
    ["a call that is still running", refused(409, "idempotency_in_progress")],
    ["too many calls", refused(429, "rate_limit_exceeded")],
    ["an error of somebody between", () => answer(502, "<html>")],
    ["another body of somebody between", () => answer(500, {})],
  ])("is repeated after %s", async (_, first) => {
    assert.deepStrictEqual(await requesting([first, ok]), { body: { a: 1 }, pauses: [200], sent: 2 })
  })

  it.each([
    ["a failure for good", refused(500, "internal_error", { recoverable: false })],
    ["a failure of its own", refused(400, "invalid_parameter")],
    ["a used-up budget", refused(429, "agent_budget_exceeded")],
    ["a page of somebody between", () => answer(404, "<html>")],
    ["a body that is no JSON", () => answer(200, "<html>")],
  ])("is not repeated after %s", async (_, first) => {
    const found = await requesting([first, ok])
    assert.isTrue("error" in found)
    assert.deepStrictEqual([found.pauses, found.sent], [[], 1])
  })

  it("waits as long as it is told, unless that is longer than it waits", async () => {
    const limited = (ms: number) => refused(429, "rate_limit_exceeded", { retry_after_ms: ms })
    assert.deepStrictEqual((await requesting([limited(500), ok])).pauses, [500])
    const { error } = (await requesting([limited(501), ok])) as { readonly error?: unknown }
    assert.strictEqual((error as ServiceError).retryAfterMs, 501)
    assert.instanceOf(error, ServiceError)
  })

  it("reads Retry-After in seconds, if it is a number", async () => {
    const following = (text: string) =>
      requesting([refused(503, "storage_unavailable", {}, { "retry-after": text }), ok])
    assert.deepStrictEqual((await following("0")).pauses, [0])
    assert.strictEqual((await following("1")).sent, 1, "longer than it waits")
    assert.deepStrictEqual((await following("tomorrow")).pauses, [200])
  })

  it("that its caller gave up ends with the caller's reason", async () => {
    const signal = AbortSignal.abort("enough")
    assert.deepStrictEqual(await requesting([broken, ok], { signal }), { error: "enough", pauses: [], sent: 1 })
  })
})
