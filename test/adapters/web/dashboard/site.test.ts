import { assert, describe, it } from "@effect/vitest"
import { acceptedOrigin, cookieOf, isLocal, isOurs } from "../../../../adapters/web/dashboard/site.ts"

const at = (headers: Record<string, string>) => ({ headers }) as never

describe("the origin of a request", () => {
  it.each([
    ["localhost:8080", "http://localhost:8080", "http://localhost:8080", "session-8080"],
    ["127.0.0.1:9", "http://localhost:8080", "http://127.0.0.1:9", "session-9"],
    ["[::1]:9", "http://localhost:8080", "http://[::1]:9", "session-9"],
    ["localhost", "http://localhost", "http://localhost", "session-80"],
    ["api.example.com", "https://api.example.com", "https://api.example.com", "__Host-session"],
  ])("under %s with the public URL %s is %s", (host, baseUrl, origin, name) => {
    const found = acceptedOrigin(at({ host }), baseUrl, true)
    assert.deepStrictEqual([found?.origin, found?.cookie.name], [origin, name])
    assert.strictEqual(found!.cookie.attributes.includes("Secure"), origin.startsWith("https:"))
  })

  it.each([
    ["api.example.com", "http://api.example.com"],
    ["evil.example", "https://api.example.com"],
    ["localhost.evil.example:8080", "http://localhost:8080"],
    ["127.0.0.1.evil.example", "http://localhost:8080"],
    ["localhost:8080@evil.example", "http://localhost:8080"],
    ["", "http://localhost:8080"],
  ])("is not known under %s with the public URL %s", (host, baseUrl) => {
    assert.isUndefined(acceptedOrigin(at({ host }), baseUrl, true))
  })
})

describe("a request with the name of this machine that is not from it", () => {
  it("gets no cookie under a public URL with https", () => {
    assert.isUndefined(acceptedOrigin(at({ host: "localhost:8080" }), "https://api.example.com", false))
    assert.isDefined(acceptedOrigin(at({ host: "localhost:8080" }), "https://api.example.com", true))
  })

  it("gets one that browsers do not send in the clear otherwise: the port of a container is reached so", () => {
    const { origin, cookie } = acceptedOrigin(at({ host: "localhost:8080" }), "http://localhost:8080", false)!
    assert.deepStrictEqual([origin, cookie.name], ["http://localhost:8080", "session-8080"])
    assert.include(cookie.attributes, "; Secure;")
  })

  it.each([
    ["127.0.0.1", {}, true],
    ["::1", {}, true],
    ["::ffff:127.0.0.1", {}, true],
    ["172.17.0.1", {}, false],
    ["203.0.113.9", {}, false],
    [undefined, {}, false],
    ["127.0.0.1", { "x-forwarded-for": "127.0.0.1" }, false],
    ["127.0.0.1", { forwarded: "for=127.0.0.1" }, false],
    ["127.0.0.1", { via: "1.1 proxy" }, false],
  ] as const)("is told by its peer %s and %j", (remoteAddress, headers, expected) => {
    assert.strictEqual(isLocal({ socket: { remoteAddress }, headers } as never), expected)
  })
})

describe("a change", () => {
  const place = acceptedOrigin(at({ host: "localhost:8080" }), "http://localhost:8080", true)!
  it.each([
    [{ "sec-fetch-site": "same-origin" }, true],
    [{ "sec-fetch-site": "same-origin", origin: "http://localhost:8080" }, true],
    [{ origin: "http://localhost:8080" }, true],
    [{ "sec-fetch-site": "same-origin", origin: "null" }, false],
    [{ "sec-fetch-site": "same-site", origin: "http://localhost:8080" }, false],
    [{ "sec-fetch-site": "none" }, false],
    [{ origin: "http://localhost:8081" }, false],
    [{ origin: "https://localhost:8080" }, false],
    [{ origin: "null" }, false],
    [{}, false],
  ] as const)("with %j is ours: %s", (headers, expected) => {
    assert.strictEqual(isOurs(at(headers), place), expected)
  })
})

describe("a cookie", () => {
  it.each([
    ["session-1=a", "a"],
    ["x=1; session-1=a; y", "a"],
    ["session-1=a; session-1=b", undefined],
    ["session-11=a", undefined],
    ["", undefined],
    [undefined, undefined],
  ])("of %s is %s", (header, value) => {
    assert.strictEqual(cookieOf(header, "session-1"), value)
  })
})
