import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Controlled from "../http/controlled.ts"
import { exchange, open, responses } from "../http/exchange.ts"

type Service = Awaited<ReturnType<typeof Controlled.start>>

let service: Service
beforeAll(async () => {
  service = await Controlled.start({ balance: 1_000_000 })
})
afterAll(() => service.stop())

const both = "application/json, text/event-stream"
const json = "application/json"
const message = (method: string, params: object = {}, id: unknown = 1) => ({ jsonrpc: "2.0", id, method, params })
const initialize = message("initialize", {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "test", version: "1" },
})
const list = message("tools/list")
const envelope = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
}

/** A request of 2026, whose answer has a length. */
const modern = JSON.stringify(message("tools/list", { _meta: envelope }))
const modernHeaders = {
  "content-type": json,
  accept: both,
  "mcp-protocol-version": "2026-07-28",
  "mcp-method": "tools/list",
}

/** A verbatim request on its own connection: header names and values that a client library would reject. */
const raw = async (
  line: string,
  headers: Readonly<Record<string, string>>,
  body: string | Buffer = "",
): Promise<{ status: number; headers: Readonly<Record<string, string>>; text: string }> => {
  const given = { host: "127.0.0.1", connection: "close", ...headers }
  const head = Object.entries(given).map(([name, value]) => `${name}: ${value}\r\n`)
  const length = body.length === 0 ? "" : `content-length: ${Buffer.byteLength(body)}\r\n`
  const [answer] = await exchange(
    service.url,
    Buffer.concat([Buffer.from(`${line} HTTP/1.1\r\n${head.join("")}${length}\r\n`), Buffer.from(body)]),
  )
  return answer!
}

const post = (body: unknown, headers: Readonly<Record<string, string>> = {}, path = "/mcp") =>
  fetch(service.url + path, {
    method: "POST",
    headers: { "content-type": json, accept: both, ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  })

/** The one message of an answer, as JSON or as an event. */
const messageOf = async (response: Response) => {
  const text = await response.text()
  return JSON.parse(response.headers.get("content-type") === json ? text : /^data: (.*)$/m.exec(text)![1]!)
}

/** A failure outside a message is a JSON-RPC error without an id. */
const assertError = (text: string, code: number): void => {
  const { jsonrpc, error, id } = JSON.parse(text)
  assert.deepStrictEqual([jsonrpc, error.code, id], ["2.0", code, null])
  assert.isAbove(error.message.length, 10)
}

describe("who may reach the server", () => {
  it.each<[string, string, number]>([
    ["its own address", "127.0.0.1", 200],
    ["with a port", "127.0.0.1:9999", 200],
    ["localhost", "localhost", 200],
    ["IPv6", "[::1]:8080", 200],
    ["the name in its base URL", "api.example", 200],
    ["in capitals", "API.EXAMPLE", 200],
    ["a name that an attacker's page leads here", "rebound.example", 403],
    ["a longer name", "api.example.evil.example", 403],
    ["a name before an @", "api.example@evil.example", 403],
    ["no name", "", 403],
    ["nonsense", "a b", 403],
  ])("Host: %s", async (_, host, status) => {
    const answer = await raw("POST /mcp", { ...modernHeaders, host }, modern)
    assert.strictEqual(answer.status, status)
    if (status === 403) assertError(answer.text, -32_000)
  })

  it.each<[string, string, number]>([
    ["its own pages", "https://api.example", 200],
    ["pages on this machine", "http://localhost:6274", 200],
    ["another page", "https://evil.example", 403],
    ["an opaque origin", "null", 403],
    ["a file", "file://", 403],
    ["a longer name", "https://api.example.evil.example", 403],
  ])("Origin: %s", async (_, origin, status) => {
    for (const [line, body] of [
      ["POST /mcp", modern],
      ["OPTIONS /mcp", ""],
      ["POST /mcp/messages?sessionId=x", JSON.stringify(list)],
    ] as const) {
      const answer = await raw(line, { ...modernHeaders, origin }, body)
      const expected = { POST: line.includes("messages") ? 404 : 200, OPTIONS: 204 }[line.split(" ")[0] as "POST"]
      assert.strictEqual(answer.status, status === 403 ? 403 : expected)
      assert.strictEqual(answer.headers["access-control-allow-origin"], status === 403 ? undefined : origin)
      if (status === 403) assertError(answer.text, -32_000)
    }
    if (status === 403) {
      const stream = await raw("GET /mcp/sse", { origin })
      assert.strictEqual(stream.status, 403)
    }
  })

  it("browsers learn which headers they may send", async () => {
    const { headers } = await raw("OPTIONS /mcp", { origin: "http://localhost:6274" })
    assert.include(headers["access-control-allow-headers"], "Mcp-Method")
    assert.strictEqual(headers["access-control-allow-methods"], "POST, OPTIONS")
  })
})

describe("a request that is none", () => {
  it.each<[string, unknown, number, number]>([
    ["no JSON", "{not json", 400, -32_700],
    ["an empty body", "", 400, -32_700],
    ["a batch", [list, list], 400, -32_600],
    ["an empty batch", [], 400, -32_600],
    ["a batch of 2026", [message("tools/list", { _meta: envelope })], 400, -32_600],
    ["a string", '"tools/list"', 400, -32_600],
    ["null", "null", 400, -32_600],
    ["another version of JSON-RPC", { ...list, jsonrpc: "1.0", id: undefined }, 400, -32_600],
    ["no method", { jsonrpc: "2.0" }, 400, -32_600],
    ["deep nesting", `${"[".repeat(30_000)}${"]".repeat(30_000)}`, 400, -32_600],
  ])("%s", async (_, body, status, code) => {
    for (const path of ["/mcp", "/mcp/messages?sessionId=x"]) {
      const answer = await post(body, {}, path)
      assert.strictEqual(answer.status, status)
      assertError(await answer.text(), code)
    }
  })

  it("bytes that are no UTF-8", async () => {
    const answer = await raw("POST /mcp", { "content-type": json, accept: both }, Buffer.from([0x22, 0xff, 0x22]))
    assert.strictEqual(answer.status, 400)
    assertError(answer.text, -32_700)
  })

  it("names its id where it has one", async () => {
    const answer = await post({ jsonrpc: "2.0", id: "seven" })
    assert.deepStrictEqual([answer.status, (await messageOf(answer)).id], [400, "seven"])
  })

  it.each(["text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""])(
    "content of type %j",
    async (type) => {
      const answer = await raw("POST /mcp", { "content-type": type, accept: both }, JSON.stringify(list))
      assert.strictEqual(answer.status, 415)
      assertError(answer.text, -32_000)
    },
  )

  it("one that accepts no event stream, from a client of 2025", async () => {
    const answer = await post(list, { accept: json })
    assert.strictEqual(answer.status, 406)
    assertError(await answer.text(), -32_000)
  })

  it.each(["GET", "DELETE", "PUT", "PATCH"])("%s: streams and sessions are not supported", async (method) => {
    const answer = await fetch(`${service.url}/mcp`, { method, headers: { accept: both, "mcp-session-id": "x" } })
    assert.deepStrictEqual([answer.status, answer.headers.get("allow")], [405, "POST, OPTIONS"])
    assertError(await answer.text(), -32_000)
  })

  it("a session that was never issued", async () => {
    const answer = await post(list, { "mcp-session-id": "0b9fb3d1-0a5c-4f0c-9d0e-0d1e3f2a1b4c" })
    assert.strictEqual(answer.status, 404)
    assertError(await answer.text(), -32_001)
  })

  it("a path below", async () => {
    const answer = await post(list, {}, "/mcp/other")
    assert.strictEqual(answer.status, 404)
    assert.strictEqual(
      (await messageOf(new Response(await answer.text(), { headers: { "content-type": json } }))).error.code,
      "not_found",
    )
  })
})

describe("a message that is too large", () => {
  const tenMegabytes = 10 * 1024 * 1024

  it("is refused by the length it announces, unread", async () => {
    const { socket, received } = open(service.url)
    socket.write(
      `POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: ${json}\r\ncontent-length: ${tenMegabytes}\r\n\r\n{`,
    )
    const [answer] = responses(await received)
    assert.deepStrictEqual([answer!.status, answer!.headers["connection"]], [413, "close"])
    assertError(answer!.text, -32_000)
  })

  it("is refused once it is over the limit, and no more is taken", async () => {
    const { socket, received } = open(service.url)
    socket.write(`POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: ${json}\r\ntransfer-encoding: chunked\r\n\r\n`)
    const piece = Buffer.alloc(65_536, 0x20)
    let sent = 0
    const more = () => {
      while (!socket.destroyed && sent < tenMegabytes) {
        sent += piece.length
        socket.write(`${piece.length.toString(16)}\r\n`)
        socket.write(piece)
        if (!socket.write("\r\n")) return void socket.once("drain", more)
      }
    }
    more()
    const [answer] = responses(await received)
    assert.strictEqual(answer!.status, 413)
    assertError(answer!.text, -32_000)
    assert.isBelow(socket.bytesWritten - socket.writableLength, tenMegabytes)
  })

  it("may hold 64 KiB", async () => {
    const padded = (length: number) => {
      const text = JSON.stringify(message("ping"))
      return text + " ".repeat(length - text.length)
    }
    assert.strictEqual((await post(padded(65_536))).status, 200)
    assert.strictEqual((await post(padded(65_537))).status, 413)
  })
})

describe("a message", () => {
  it.each<[string, unknown]>([
    ["a number", 7],
    ["zero", 0],
    ["a string", "seven"],
    ["an empty string", ""],
    ["a string like a number", "7"],
  ])("whose id is %s is answered under it", async (_, id) => {
    const old = await messageOf(await post(message("tools/list", {}, id)))
    const now = await messageOf(await post(message("tools/list", { _meta: envelope }, id), modernHeaders))
    for (const answer of [old, now]) {
      assert.strictEqual(answer.id, id)
      assert.sameMembers(
        answer.result.tools.map(({ name }: { name: string }) => name),
        [...Controlled.catalogue.byId.keys(), "find", "pricing", "wallet"],
      )
    }
  })

  it("of 2026 has the cache time of the tool list", async () => {
    const { result } = await messageOf(await post(modern, modernHeaders))
    // The list depends on the scopes of the key.
    assert.deepStrictEqual([result.ttlMs, result.cacheScope], [300_000, "private"])
  })

  it.each<[string, object, number]>([
    ["an unknown method", message("tools/burn"), -32_601],
    ["an unknown prompt", message("prompts/get", { name: "burn" }), -32_602],
    ["a prompt without what it needs", message("prompts/get", { name: "audit_claim", arguments: {} }), -32_602],
    ["an unknown tool", message("tools/call", { name: "burn", arguments: {} }), -32_602],
    ["a tool named like a property of objects", message("tools/call", { name: "__proto__", arguments: {} }), -32_602],
    ["a tool without a name", message("tools/call", { arguments: {} }), -32_602],
    ["arguments that are no object", message("tools/call", { name: "pricing", arguments: [1] }), -32_602],
  ])("%s is an error of the protocol", async (_, body, code) => {
    const { error, id } = await messageOf(await post(body, { authorization: service.authorization }))
    assert.deepStrictEqual([error.code, id], [code, 1])
  })

  it("that wants no answer gets none", async () => {
    const answer = await post({ jsonrpc: "2.0", method: "notifications/initialized" })
    assert.deepStrictEqual([answer.status, await answer.text()], [202, ""])
  })

  it("may not be cached on the way", async () => {
    for (const body of [initialize, list]) {
      const { headers } = await post(body)
      assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
      assert.match(headers.get("cache-control")!, /no-store|no-cache/)
    }
  })
})
