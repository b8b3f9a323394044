import type { IncomingHttpHeaders, IncomingMessage } from "node:http"
import { Agent, request as httpRequest } from "node:http"
import { gunzipSync } from "node:zlib"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as ClientAddress from "../../adapters/server/http/clientAddress.ts"
import { acceptsGzip } from "../../adapters/web/view/document.ts"
import * as ApiKey from "../../core/account/ApiKey.ts"
import { RateLimits } from "../../core/account/RateLimits.ts"
import { callsPerAddress, requestsPerAddress } from "../../core/gateway/access.ts"
import { config } from "../../services/Config.ts"
import { type Running, start } from "../support/running.ts"

const trusting = (...entries: ReadonlyArray<string>): ClientAddress.Trusts => {
  const found = ClientAddress.parseTrustedProxies(entries)
  if (typeof found === "string") throw new Error(found)
  return found
}

const from = (remoteAddress: string | undefined, forwarded?: string) =>
  ({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded },
  }) as unknown as IncomingMessage

describe("who sends a request", () => {
  const proxies = trusting("10.0.0.0/8", "2001:db8:1::/48", "192.0.2.7")
  it.each<[string, string | undefined, string | undefined, string | undefined]>([
    ["a client of IPv4", "198.51.100.9", undefined, "198.51.100.9"],
    ["IPv4 within IPv6", "::ffff:198.51.100.9", undefined, "198.51.100.9"],
    ["the same, in hexadecimal", "::ffff:c633:6409", undefined, "198.51.100.9"],
    ["a client of IPv6 is its /64", "2001:db8:a:b:1:2:3:4", undefined, "2001:db8:a:b::/64"],
    ["another address of that line", "2001:db8:a:b:ffff::1", undefined, "2001:db8:a:b::/64"],
    ["the line beside it", "2001:db8:a:c::1", undefined, "2001:db8:a:c::/64"],
    ["with a zone", "fe80::1%eth0", undefined, "fe80::/64"],
    ["one that has gone", undefined, "203.0.113.1", undefined],
    ["a stranger who forwards", "198.51.100.9", "203.0.113.1", "198.51.100.9"],
    ["our proxy alone", "10.1.1.1", undefined, "10.1.1.1"],
    ["behind our proxy", "10.1.1.1", "203.0.113.1", "203.0.113.1"],
    ["behind our proxy as IPv6 sees it", "::ffff:10.1.1.1", "203.0.113.1", "203.0.113.1"],
    ["behind two of ours", "10.1.1.1", "203.0.113.1, 192.0.2.7", "203.0.113.1"],
    ["who writes a name in front", "10.1.1.1", "1.1.1.1, 203.0.113.1", "203.0.113.1"],
    ["who writes our proxy in front", "10.1.1.1", "10.9.9.9, 203.0.113.1, 10.2.2.2", "203.0.113.1"],
    ["ours all the way", "10.1.1.1", "10.3.3.3, 10.2.2.2", "10.3.3.3"],
    ["with a port", "10.1.1.1", "203.0.113.1:4711", "203.0.113.1"],
    ["IPv6 with a port", "10.1.1.1", "[2001:db8:a:b::1]:4711", "2001:db8:a:b::/64"],
    ["IPv6 in brackets", "10.1.1.1", "[2001:db8:a:b::1]", "2001:db8:a:b::/64"],
    ["what is no address", "10.1.1.1", "unknown", "10.1.1.1"],
    ["what is no address before one that is", "10.1.1.1", "203.0.113.1, _hidden", "10.1.1.1"],
    ["nothing", "10.1.1.1", "", "10.1.1.1"],
    ["an old form of an address", "10.1.1.1", "0x7f.1", "10.1.1.1"],
    ["a range that has a longer mask", "2001:db8:1:f::1", "203.0.113.1", "203.0.113.1"],
    ["a neighbour of our address", "192.0.2.8", "203.0.113.1", "192.0.2.8"],
  ])("%s", (_, peer, forwarded, expected) => {
    assert.strictEqual(ClientAddress.of(from(peer, forwarded), proxies), expected)
  })
})

describe("TRUSTED_PROXIES", () => {
  const read = (TRUSTED_PROXIES: string) =>
    Effect.withConfigProvider(
      Effect.map(config, ({ network }) => network.trusts),
      ConfigProvider.fromMap(new Map([["TRUSTED_PROXIES", TRUSTED_PROXIES]])),
    )

  it.effect("names addresses and ranges", () =>
    Effect.gen(function* () {
      const trusts = yield* read(" 10.0.0.0/8, 2001:db8::/32 ,192.0.2.7,, ::1")
      for (const each of ["10.255.0.1", "2001:db8:ffff::1", "192.0.2.7", "::1", "::ffff:10.0.0.1"]) {
        assert.isTrue(trusts(each), each)
      }
      for (const each of ["11.0.0.1", "2001:db9::1", "192.0.2.8", "::2", "", "x"]) assert.isFalse(trusts(each), each)
    }),
  )

  it.effect("nobody, where it is left out or empty", () =>
    Effect.map(read(""), (trusts) => assert.isFalse(trusts("127.0.0.1"))),
  )

  const bad = [
    "proxy.example.com",
    "10.0.0.0/33",
    "10.0.0.0/",
    "10.0.0",
    "0x0a000001",
    "*",
    "2001:db8::/129",
    "10.0.0.1-9",
  ]
  for (const entry of bad) {
    it.effect(`${entry} is refused with its name`, () =>
      Effect.map(Effect.flip(read(`127.0.0.1,${entry}`)), (error) => {
        assert.include(String(error), "TRUSTED_PROXIES")
        assert.include(String(error), JSON.stringify(entry))
      }),
    )
  }
})

const agent = new Agent({ keepAlive: true, maxSockets: 25 })
afterAll(() => agent.destroy())

/** A request of one client of many behind a proxy. */
const ask = (
  url: string,
  address: string,
  path: string,
  init: { readonly method?: string; readonly headers?: IncomingHttpHeaders; readonly body?: string } = {},
): Promise<{ status: number; headers: IncomingHttpHeaders; body: Buffer }> =>
  new Promise((resolve, reject) => {
    const sent = httpRequest(
      url + path,
      { agent, method: init.method ?? "GET", headers: { "x-forwarded-for": address, ...init.headers } },
      (answer) => {
        const chunks: Array<Buffer> = []
        answer.on("data", (chunk: Buffer) => chunks.push(chunk))
        answer.on("end", () =>
          resolve({ status: answer.statusCode!, headers: answer.headers, body: Buffer.concat(chunks) }),
        )
      },
    )
    sent.on("error", reject)
    sent.end(init.body)
  })

let service: Running
beforeAll(async () => {
  service = await start({ network: { trusts: trusting("127.0.0.1"), maxConnections: 1_000, maxPerAddress: 100 } })
})
afterAll(() => service.stop())

describe("the limit of an address for everything without a key", () => {
  const mcp = { "content-type": "application/json", accept: "application/json, text/event-stream" }
  const unknown = ApiKey.fromBytes("live", new Uint8Array(32).fill(3))
  const list = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'

  type Kind = readonly [what: string, path: string, init?: Parameters<typeof ask>[3]]
  const kinds: ReadonlyArray<Kind> = [
    ["documents", "/.well-known/mcp"],
    ["paths that lead nowhere", "/nowhere"],
    ["other methods", "/v1/weather/stations", { method: "PUT" }],
    ["calls without a key", "/v1/weather/stations"],
    [
      "calls with a key that was never issued",
      "/v1/weather/stations",
      { headers: { authorization: `Bearer ${unknown}` } },
    ],
    ["messages of protocols", "/mcp", { method: "POST", headers: mcp, body: list }],
  ]

  it.each(kinds.map((kind, n) => [...kind, n] as const))(
    "holds %s",
    async (...[, path, second, third]) => {
      const [init, n] = typeof second === "object" ? [second, third as number] : [{}, (third ?? second) as number]
      const address = `203.0.113.${n + 1}`
      // All but a few of them at once, by the cheapest of requests.
      const batch = 50
      for (let sent = 0; sent < requestsPerAddress; sent += batch) {
        await Promise.all(Array.from({ length: batch }, () => ask(service.url, address, "/nowhere")))
      }
      // The bucket fills at ten a second while the test is at work.
      let refused: Awaited<ReturnType<typeof ask>> | undefined
      for (let tries = 0; refused === undefined && tries < 500; tries++) {
        const answer = await ask(service.url, address, path, init)
        if (answer.status === 429) refused = answer
      }
      assert.isDefined(refused)
      assert.match(refused!.headers["retry-after"]!, /^\d+$/)
      const { error } = JSON.parse(refused!.body.toString())
      assert.include(error.message, "this address")
      if (path !== "/mcp") assert.strictEqual(error.code, "rate_limit_exceeded")
      // Nobody else's, no paying caller's, and not that of who watches the server.
      assert.strictEqual((await ask(service.url, "198.51.100.1", "/.well-known/mcp")).status, 200)
      assert.strictEqual((await ask(service.url, address, "/healthz")).status, 200)
      const authorization = `Bearer ${service.account.test.token}`
      const paid = await ask(service.url, address, "/v1/weather/stations", { headers: { authorization } })
      assert.strictEqual(paid.status, 200)
      const message = await ask(service.url, address, "/mcp", {
        method: "POST",
        headers: { ...mcp, authorization },
        body: list,
      })
      assert.strictEqual(message.status, 200)
    },
    60_000,
  )

  it("holds a line of IPv6 together, and counts proofs, scoreboard and calls as one", async () => {
    const paths = ["/v1/proof/checkpoint", "/scoreboard", "/v1/markets/performance"]
    let seen = 0
    let status = 200
    for (; status !== 429 && seen < 4 * callsPerAddress; seen++) {
      const address = `2001:db8:5:5:${(seen * 7919).toString(16).slice(-4)}::1`
      const answer = await ask(service.url, address, paths[seen % 3]!)
      status = answer.status
    }
    assert.strictEqual(status, 429)
    // The bucket fills by one a second while the test is at work.
    assert.isAtLeast(seen, callsPerAddress)
    assert.isBelow(seen, 3 * callsPerAddress)
    assert.notStrictEqual((await ask(service.url, "2001:db8:5:6::1", paths[2]!)).status, 429)
  }, 60_000)

  it("believes no forwarded address of a client that is no proxy", async () => {
    const direct = await start()
    let last = 200
    for (let n = 0; last !== 429 && n < 3 * callsPerAddress; n++) {
      last = (await ask(direct.url, `203.0.113.${n % 250}`, "/v1/markets/performance")).status
    }
    assert.strictEqual(last, 429)
    await direct.stop()
  }, 60_000)
})

describe("the buckets of addresses", () => {
  it.effect("stay bounded, and a flood does not reset one that is in use", () =>
    Effect.gen(function* () {
      const limits = yield* RateLimits
      // One that is used up and goes on asking.
      for (let n = 0; n < 60; n++) yield* limits.take("address:victim", 60)
      for (let n = 0; n < 150_000; n++) {
        yield* limits.take(`address:${n}`, 60)
        if (n % 10_000 === 0) assert.isFalse((yield* limits.take("address:victim", 60)).ok)
      }
      // Those of the beginning were let go; the clock stands, so a bucket that was kept would show its one call.
      assert.strictEqual((yield* limits.peek("address:0", 60)).remaining, 60)
      assert.strictEqual((yield* limits.peek("address:149999", 60)).remaining, 59)
    }).pipe(Effect.provide(RateLimits.layerMemory)),
  )
})

describe("documents", () => {
  const paths = ["/openapi.json", "/docs", "/llms.txt", "/llms-full.txt", "/errors", "/schemas/v1", "/.well-known/mcp"]

  it.each(paths)("%s is packed for who can unpack it, and not sent to who has it", async (path) => {
    const address = "198.51.100.77"
    const plain = await ask(service.url, address, path)
    const packed = await ask(service.url, address, path, { headers: { "accept-encoding": "br, gzip;q=0.5" } })
    assert.deepStrictEqual([plain.status, packed.status], [200, 200])
    if (plain.body.length >= 1_024) {
      assert.strictEqual(packed.headers["content-encoding"], "gzip")
      assert.isBelow(packed.body.length, (2 / 3) * plain.body.length)
      assert.isTrue(gunzipSync(packed.body).equals(plain.body))
      assert.notStrictEqual(packed.headers.etag, plain.headers.etag)
      assert.strictEqual(plain.headers.vary, "Accept-Encoding")
    }
    for (const { body, headers } of [plain, packed]) {
      assert.strictEqual(headers["content-length"], String(body.length))
      const again = await ask(service.url, address, path, { headers: { "if-none-match": headers.etag! } })
      assert.deepStrictEqual([again.status, again.body.length], [304, 0])
    }
    const head = await ask(service.url, address, path, { method: "HEAD" })
    assert.deepStrictEqual([head.status, head.headers["content-length"]], [200, plain.headers["content-length"]])
  })

  it.each<[string | undefined, boolean]>([
    [undefined, false],
    ["", false],
    ["gzip", true],
    ["GZIP", true],
    ["br, gzip", true],
    ["gzip;q=0", false],
    ["gzip; q=0.001", true],
    ["*", true],
    ["*;q=0", false],
    ["gzip;q=0, *", false],
    ["identity", false],
    ["deflate, br", false],
  ])("Accept-Encoding: %s", (header, expected) => assert.strictEqual(acceptsGzip(header), expected))
})
