import type { IncomingMessage } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { findViolation, hasBody, makeContext } from "../../../../adapters/server/http/listener.ts"

/** A request as Node hands it on: raw headers in the order of the wire, and the first of each by its name. */
const requestOf = (raw: ReadonlyArray<readonly [string, string]>, url = "/", httpVersion = "1.1"): IncomingMessage => {
  const headers: Record<string, string> = {}
  for (const [name, value] of raw) headers[name.toLowerCase()] ??= value
  return { rawHeaders: raw.flat(), headers, url, httpVersion, socket: { id: "socket" } } as unknown as IncomingMessage
}

const host = ["Host", "example.com"] as const
const limits = { uri: 10, body: 100 }

describe("a request before routing", () => {
  const codeOf = (...given: Parameters<typeof requestOf>) => findViolation(requestOf(...given), limits)?.code

  it("has exactly one Host, which HTTP/1.0 alone may lack", () => {
    assert.isUndefined(codeOf([host]))
    assert.isUndefined(codeOf([["hOST", "a"]]))
    assert.isUndefined(codeOf([["x-forwarded-for", "host"], host, ["Hostx", "host"]]))
    assert.strictEqual(codeOf([]), "invalid_parameter")
    assert.strictEqual(codeOf([host, ["host", "example.com"]]), "invalid_parameter")
    assert.isUndefined(codeOf([], "/", "1.0"))
    assert.strictEqual(codeOf([host, host], "/", "1.0"), "invalid_parameter")
  })

  it("is chunked by no other coding", () => {
    assert.isUndefined(codeOf([host, ["Transfer-Encoding", "Chunked"]]))
    assert.strictEqual(codeOf([host, ["Transfer-Encoding", "gzip, chunked"]]), "invalid_parameter")
  })

  it("has a target and a body up to the limits", () => {
    assert.isUndefined(codeOf([host], "/234567890"))
    assert.strictEqual(codeOf([host], "/2345678901"), "uri_too_long")
    assert.isUndefined(codeOf([host, ["Content-Length", "100"]]))
    assert.strictEqual(codeOf([host, ["Content-Length", "101"]]), "payload_too_large")
  })
})

it("a body is announced by its length, unless that is 0, or by its coding", () => {
  assert.isFalse(hasBody(requestOf([host])))
  assert.isFalse(hasBody(requestOf([host, ["Content-Length", "0"]])))
  assert.isTrue(hasBody(requestOf([host, ["Content-Length", "1"]])))
  assert.isTrue(hasBody(requestOf([host, ["Transfer-Encoding", "chunked"]])))
})

describe("what the gateway reads of a request", () => {
  it("is each header under its own name", () => {
    const request = requestOf([
      host,
      ["Authorization", "Bearer x"],
      ["Idempotency-Key", "key"],
      ["If-None-Match", '"tag"'],
      ["X-Request-Id", "named"],
      ["Payment-Signature", "payment"],
      ["Traceparent", "trace"],
    ])
    assert.deepStrictEqual(makeContext(request, "192.0.2.1", true, "json"), {
      authorization: "Bearer x",
      head: true,
      format: "json",
      connection: request.socket,
      idempotencyKey: "key",
      ifNoneMatch: '"tag"',
      clientRequestId: "named",
      payment: "payment",
      traceparent: "trace",
      address: "192.0.2.1",
    })
  })

  it("lacks what was not sent", () => {
    const request = requestOf([host])
    assert.deepStrictEqual(makeContext(request, undefined, false, "csv"), {
      authorization: undefined,
      head: false,
      format: "csv",
      connection: request.socket,
    })
  })
})
