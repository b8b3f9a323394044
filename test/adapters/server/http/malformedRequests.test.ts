import { connect } from "node:net"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type Running, start } from "../../../support/running.ts"
import { assertUnbilled, type Expected, invalid, wellFormed } from "./errorReply.ts"
import { exchange, request } from "./exchange.ts"

const settlement = "/v1/weather/settlement"
const malformed = invalid("change request")
const tooMany = { code: "headers_too_large", status: 431, recoverable: true, hints: ["remove headers"] }

let service: Running
beforeAll(async () => {
  service = await start()
})
afterAll(() => service.stop())

describe("request size and syntax", () => {
  const live = () => `Authorization: Bearer ${service.account.live.token}`
  const target = (length: number) => `${settlement}?station=KNYC&x=`.padEnd(length, "x")

  it.each<[string, () => string | Buffer, Expected]>([
    [
      "a target over 8 KiB",
      () => request(`GET ${target(8_193)}`, live()),
      { status: 414, code: "uri_too_long", recoverable: true, hints: ["change path"] },
    ],
    [
      "a target over 8 KiB of no path",
      () => request(`POST /${"x".repeat(8_192)}`),
      { status: 414, code: "uri_too_long", recoverable: true, hints: ["change path"] },
    ],
    [
      "a body over 64 KiB",
      () => request(`POST ${settlement}`, "Content-Length: 65537") + "x".repeat(65_537),
      { status: 413, code: "payload_too_large", recoverable: true, hints: ["change body"] },
    ],
    [
      "a body over 64 KiB in chunks, of no length that is known ahead",
      () =>
        request("POST /v1/webhooks", live(), "Content-Type: application/json", "Transfer-Encoding: chunked") +
        `${(70_000).toString(16)}\r\n${"x".repeat(70_000)}\r\n`,
      { status: 413, code: "payload_too_large", recoverable: true, hints: ["change body"] },
    ],
    [
      "a body over 64 KiB on a GET",
      () => request(`GET ${target(100)}`, live(), "Content-Length: 65537"),
      { status: 413, code: "payload_too_large", recoverable: true, hints: ["change body"] },
    ],
    [
      "a body of many gigabytes",
      () => request("POST /nowhere", "Content-Length: 99999999999999"),
      { status: 413, code: "payload_too_large", recoverable: true, hints: ["change body"] },
    ],
    ["a header over 16 KiB", () => request(`GET ${settlement}`, live(), `X-Long: ${"x".repeat(17_000)}`), tooMany],
    [
      "many headers over 16 KiB",
      () => request(`GET ${settlement}`, ...Array.from({ length: 900 }, (_, n) => `X-Header-Number-${n}: x`)),
      tooMany,
    ],
    ["a target over 16 KiB", () => request(`GET ${target(20_000)}`, live()), tooMany],
    [
      "only text/html wanted",
      () => request(`GET ${target(100)}`, live(), "Accept: text/html", "Connection: close"),
      { status: 406, code: "not_acceptable", recoverable: true, hints: ["change Accept"] },
    ],
    [
      "JSON ruled out",
      () => request(`GET ${target(100)}`, live(), "Accept: application/json;q=0", "Connection: close"),
      { status: 406, code: "not_acceptable", recoverable: true, hints: ["change Accept"] },
    ],
    ["no HTTP at all", () => "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", malformed],
    ["a line that is no request line", () => "hello\r\n\r\n", malformed],
    ["an unknown method", () => request(`FETCH ${settlement}`), malformed],
    ["a method in lower case", () => request(`get ${settlement}`), malformed],
    ["a space in the target", () => request(`GET ${settlement}?station=KNYC x`), malformed],
    [
      "a byte beyond ASCII in the target",
      () => Buffer.from(request(`GET ${settlement}?station=\u00e9`, live()), "latin1"),
      malformed,
    ],
    ["the HTTP/2 preface", () => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", malformed],
    ["a header without a colon", () => request(`GET ${settlement}`, "Nothing"), malformed],
    ["a space before the colon", () => request(`GET ${settlement}`, "Authorization : x"), malformed],
    ["a folded header", () => request(`GET ${settlement}`, "X-A: b", " c"), malformed],
    ["NUL in a header", () => request(`GET ${settlement}`, "X-A: b\0c"), malformed],
    ["a bare CR in a header", () => request(`GET ${settlement}`, "X-A: b\rX-B: c"), malformed],
    ["bare line feeds", () => `GET ${settlement} HTTP/1.1\nHost: a\n\n`, malformed],
    ["no Host", () => `GET ${target(100)} HTTP/1.1\r\n${live()}\r\n\r\n`, malformed],
    ["two Hosts", () => request(`GET ${target(100)}`, "Host: other", live()), malformed],
    ["the same Host twice", () => request(`GET ${target(100)}`, "host: 127.0.0.1", live()), malformed],
    ["two lengths", () => request(`GET ${target(100)}`, "Content-Length: 1", "Content-Length: 2", live()), malformed],
    [
      "the same length twice",
      () => request(`GET ${target(100)}`, "Content-Length: 0", "Content-Length: 0", live()),
      malformed,
    ],
    ["a negative length", () => request(`GET ${target(100)}`, "Content-Length: -1", live()), malformed],
    ["a length in hex", () => request(`GET ${target(100)}`, "Content-Length: 0x1", live()), malformed],
    [
      "a length and chunks",
      () => request(`GET ${target(100)}`, "Content-Length: 4", "Transfer-Encoding: chunked", live()),
      malformed,
    ],
    [
      "chunks and a length",
      () => request(`GET ${target(100)}`, "Transfer-Encoding: chunked", "Content-Length: 4", live()),
      malformed,
    ],
    [
      "chunks that are not last",
      () => request(`GET ${target(100)}`, "Transfer-Encoding: chunked, identity", live()),
      malformed,
    ],
    ["chunks by another name", () => request(`GET ${target(100)}`, "Transfer-Encoding: xchunked", live()), malformed],
  ])("%s", async (_, bytes, expected) => {
    const found = await exchange(service.url, bytes())
    assert.lengthOf(found, 1)
    await wellFormed(service.url, found[0]!, expected)
    assert.strictEqual(found[0]!.headers["connection"]?.toLowerCase(), "close")
    await assertUnbilled(service)
  })

  it("a HEAD response has no body, even if the request could not be parsed", async () => {
    const url = new URL(service.url)
    const bytes = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(url.port), url.hostname, () =>
        socket.write(`HEAD ${settlement} HTTP/1.1\r\nHost: a\r\nX-Long: ${"x".repeat(17_000)}\r\n\r\n`),
      )
      let text = ""
      socket.setEncoding("latin1").on("data", (piece) => {
        text += piece
      })
      socket.once("close", () => resolve(text)).once("error", reject)
    })
    assert.match(bytes, /^HTTP\/1\.1 431 [\s\S]*\r\n\r\n$/)
  })

  it("requests at exactly the limits pass", async () => {
    const free = (length: number) => "/v1/weather/stations?".padEnd(length, "&")
    const rows: ReadonlyArray<readonly [string, number]> = [
      [request(`GET ${free(8_192)}`, live(), "Connection: close"), 200],
      [request(`POST ${settlement}`, "Content-Length: 65536", "Connection: close") + "x".repeat(65_536), 405],
      [request(`GET ${free(30)}`, live(), `X-Long: ${"x".repeat(15_000)}`, "Connection: close"), 200],
    ]
    for (const [bytes, status] of rows)
      assert.deepStrictEqual(
        (await exchange(service.url, bytes)).map((each) => each.status),
        [status],
      )
  })

  it("an unknown expectation is not an error", async () => {
    const bytes = request("GET /v1/weather/stations", live(), "Expect: a-miracle", "Connection: close")
    assert.deepStrictEqual(
      (await exchange(service.url, bytes)).map(({ status }) => status),
      [200],
    )
  })

  it("HTTP/1.0 needs no Host", async () => {
    const found = await exchange(service.url, `GET /v1/weather/stations HTTP/1.0\r\n${live()}\r\n\r\n`)
    assert.deepStrictEqual(
      found.map(({ status }) => status),
      [200],
    )
  })
})
