import type { IncomingMessage, ServerResponse } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import type { Exchange } from "../../../../adapters/server/http/listener.ts"
import {
  admit,
  hostnames,
  refuseFailure,
  refuseMethod,
  relayList,
  send,
} from "../../../../adapters/server/mcp/exchange.ts"
import { fail } from "../../../../core/Failure.ts"

/** A request by its method and headers, and what is answered to it. */
const exchange = (headers: Readonly<Record<string, string>> = {}, method = "POST") => {
  const answered: { status?: number; headers: Record<string, string>; body: string; keepsAlive: boolean } = {
    headers: {},
    body: "",
    keepsAlive: true,
  }
  const response = {
    headersSent: false,
    destroyed: false,
    set shouldKeepAlive(value: boolean) {
      answered.keepsAlive = value
    },
    setHeader: (name: string, value: string) => {
      answered.headers[name] = value
      return response
    },
    writeHead: (status: number, more: Readonly<Record<string, string>>) => {
      response.headersSent = true
      answered.status = status
      Object.assign(answered.headers, more)
    },
    end: (body: string | Buffer) => {
      answered.body = String(body)
    },
  }
  const made: Exchange = {
    request: { method, headers } as unknown as IncomingMessage,
    response: response as unknown as ServerResponse,
    path: "/mcp",
    address: undefined,
    body: undefined as never,
    closeIfDraining: () => {},
  }
  return { made, answered, response }
}

describe("an answer", () => {
  it("has its length in bytes and a type, unless it is empty", () => {
    const [text, none, options] = [exchange(), exchange(), exchange()]
    send(text.made, 200, '"ü"')
    assert.deepStrictEqual(text.answered.headers, { "content-type": "application/json", "content-length": "4" })
    send(none.made, 202)
    assert.deepStrictEqual(none.answered.headers, { "content-length": "0" })
    send(options.made, 204)
    assert.deepStrictEqual(options.answered.headers, {})
  })

  it("is not begun twice, nor sent to a client who has left", () => {
    const [twice, gone] = [exchange(), exchange()]
    send(twice.made, 200, "1")
    send(twice.made, 500, "2")
    assert.strictEqual(twice.answered.status, 200)
    gone.response.destroyed = true
    send(gone.made, 200, "1")
    assert.isUndefined(gone.answered.status)
  })
})

describe("a request of a web page", () => {
  const names = hostnames("https://signals.example.com", ["agents.example.com"])
  const host = "signals.example.com"
  const admitted = (headers: Readonly<Record<string, string>>) => {
    const { made, answered } = exchange(headers)
    return { ...answered, isAllowed: admit(made, names), answered }
  }

  it("is allowed from the hosts of the server and from programs", () => {
    for (const each of ["localhost:8080", host, "agents.example.com"]) assert.isTrue(admitted({ host: each }).isAllowed)
    const origin = "https://agents.example.com"
    const page = admitted({ host, origin })
    assert.isTrue(page.isAllowed)
    assert.strictEqual(page.headers["access-control-allow-origin"], origin)
    assert.notProperty(admitted({ host }).headers, "access-control-allow-origin")
    assert.strictEqual(page.headers["cache-control"], "no-store")
  })

  it("is refused for a foreign host or origin, and the connection closes", () => {
    for (const headers of [{ host: "evil.example" }, { host, origin: "https://evil.example" }]) {
      const { isAllowed, answered } = admitted(headers)
      assert.isFalse(isAllowed)
      assert.deepStrictEqual([answered.status, answered.keepsAlive], [403, false])
      assert.notProperty(answered.headers, "access-control-allow-origin")
    }
  })
})

describe("refusals", () => {
  const refused = (failure: Parameters<typeof refuseFailure>[1]) => {
    const { made, answered } = exchange()
    refuseFailure(made, failure)
    return answered
  }

  it("say how a key is sent, and when to try again in whole seconds", () => {
    const unknown = refused(fail("missing_authorization"))
    assert.deepStrictEqual([unknown.status, unknown.headers["www-authenticate"]], [401, "Bearer"])
    assert.notProperty(unknown.headers, "retry-after")
    const limited = refused(fail("rate_limit_exceeded", { retryAfterMs: 1_001 }))
    assert.deepStrictEqual([limited.status, limited.headers["retry-after"]], [429, "2"])
    assert.notProperty(limited.headers, "www-authenticate")
  })

  it("of a method name the right one, and OPTIONS asks for it", () => {
    const [wrong, options] = [exchange({}, "PUT"), exchange({}, "OPTIONS")]
    refuseMethod(wrong.made, "POST")
    assert.deepStrictEqual([wrong.answered.status, wrong.answered.headers["allow"]], [405, "POST, OPTIONS"])
    assert.include(wrong.answered.body, "Method not allowed: use POST.")
    refuseMethod(options.made, "POST")
    assert.deepStrictEqual([options.answered.status, options.answered.body], [204, ""])
  })
})

it("a list of tools stands where the empty one was, with the length of the whole", async () => {
  const list = Buffer.from('"tools":["ü"]')
  const relayed = async (text: string) => {
    const { made, answered } = exchange()
    await relayList(made, new Response(text, { headers: { connection: "keep-alive" } }), list)
    return answered
  }
  const { body, headers } = await relayed('{"a":1,"tools":[],"b":2}')
  assert.strictEqual(body, '{"a":1,"tools":["ü"],"b":2}')
  assert.strictEqual(headers["content-length"], String(Buffer.byteLength(body)))
  assert.notProperty(headers, "connection")
  assert.strictEqual((await relayed('{"error":1}')).body, '{"error":1}')
})
