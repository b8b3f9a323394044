import { connect } from "node:net"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { Accounts } from "../../../core/account/Accounts.ts"
import * as ApiKey from "../../../core/account/ApiKey.ts"
import { notOffered } from "../../../core/endpoint/Catalogue.ts"
import { fail } from "../../../core/Failure.ts"
import { type Running, start } from "../../support/running.ts"
import * as Controlled from "./controlled.ts"
import { type Answered, exchange, request } from "./exchange.ts"

const settlement = "/v1/weather/settlement"
const allow = "GET, HEAD, OPTIONS"

interface Expected {
  readonly status: number
  readonly code: string
  readonly recoverable: boolean
  /** `action field` of each, sorted; not given: none. */
  readonly hints?: ReadonlyArray<string>
  readonly headers?: Readonly<Record<string, string>>
}

const unauthorized = (code: string, recoverable = true): Expected => ({
  status: 401,
  code,
  recoverable,
  headers: { "www-authenticate": "Bearer" },
  ...(code === "missing_authorization" ? { hints: ["add Authorization"] } : {}),
})
const invalid = (...hints: ReadonlyArray<string>): Expected => ({
  status: 400,
  code: "invalid_parameter",
  recoverable: true,
  hints,
})
const notFound: Expected = { status: 404, code: "not_found", recoverable: true, hints: ["change path"] }
const wrongMethod: Expected = { status: 405, code: "method_not_allowed", recoverable: false, headers: { allow } }
const gone: Expected = { status: 410, code: "not_offered", recoverable: false }
const malformed = invalid("change request")
const tooMany = { code: "headers_too_large", status: 431, recoverable: true }

const answered = async (response: Response): Promise<Answered> => ({
  status: response.status,
  headers: Object.fromEntries(response.headers),
  text: await response.text(),
})

const pages = new Map<string, Promise<void>>()

/** Rules of every error, whatever its code. */
const wellFormed = async (url: string, { status, headers, text }: Answered, expected: Expected): Promise<void> => {
  assert.strictEqual(status, expected.status, text)
  const { error, ...rest } = JSON.parse(text)
  assert.deepStrictEqual(rest, {})
  const { code, message, recoverable, retry_after_ms, docs_url, request_id, hints, ...more } = error
  assert.deepStrictEqual({ code, recoverable, retry_after_ms }, {
    code: expected.code,
    recoverable: expected.recoverable,
    retry_after_ms: null,
  } as const)
  assert.deepStrictEqual(Object.keys(more), expected.status === 402 ? ["quote"] : [])
  assert.isTrue(typeof message === "string" && message !== "")
  assert.match(request_id, /^req_[0-9A-HJKMNP-TV-Z]{26}$/)
  assert.strictEqual(headers["x-request-id"], request_id)
  for (const { suggestion } of hints) assert.isTrue(typeof suggestion === "string" && suggestion !== "")
  assert.deepStrictEqual(
    hints.map(({ action, field }: Record<string, string>) => `${action} ${field}`).sort(),
    [...(expected.hints ?? [])].sort(),
  )
  assert.strictEqual(headers["content-type"], "application/json; charset=utf-8")
  assert.strictEqual(headers["cache-control"], "no-store")
  assert.strictEqual(headers["access-control-allow-origin"], "*")
  assert.strictEqual(headers["content-length"], String(text.length))
  assert.isUndefined(headers["retry-after"])
  for (const [name, value] of Object.entries(expected.headers ?? {})) assert.strictEqual(headers[name], value)

  const { pathname } = new URL(docs_url)
  assert.strictEqual(pathname, `/errors/${code}`)
  if (!pages.has(code)) pages.set(code, served(url + pathname, code))
  await pages.get(code)
}

const served = async (url: string, code: string): Promise<void> => {
  const page = await fetch(url)
  assert.strictEqual(page.status, 200)
  assert.match(page.headers.get("content-type")!, /^text\/html/)
  assert.include(await page.text(), `<h1><code>${code}</code></h1>`)
}

let service: Running
let revoked: string

/** No charge and no journal row. */
const unbilled = async (): Promise<void> => {
  assert.deepStrictEqual([await service.balance(), await service.charges()], [1_000_000, 0])
}

beforeAll(async () => {
  service = await start()
  revoked = await service.run(
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const { plaintext, key } = yield* accounts.issueKey({
        account: service.account.id,
        environment: "live",
        tier: "pro",
      })
      yield* accounts.revokeKey(key.id)
      return Redacted.value(plaintext)
    }),
  )
})
afterAll(() => service.stop())

describe("who is asking", () => {
  const good = ApiKey.fromBytes("live", new Uint8Array(32).fill(1))
  const flipped = good.slice(0, -1) + (good.endsWith("0") ? "1" : "0")
  it.each<[string, string | undefined, Expected]>([
    ["no header", undefined, unauthorized("missing_authorization")],
    ["an empty header", "", unauthorized("missing_authorization")],
    ["Basic", "Basic dXNlcjpwYXNz", unauthorized("missing_authorization")],
    ["Bearer without a token", "Bearer ", unauthorized("missing_authorization")],
    ["a token without a scheme", good, unauthorized("missing_authorization")],
    ["another maker's prefix", "Bearer sk_live_4eC39HqLyjWDarjtT1zdp7dc", unauthorized("invalid_api_key_format")],
    ["another environment", good.replace("live", "prod"), unauthorized("missing_authorization")],
    [
      "another environment as a token",
      `Bearer ${good.replace("live", "prod")}`,
      unauthorized("invalid_api_key_format"),
    ],
    ["the prefix alone", "Bearer svk_live_", unauthorized("invalid_api_key_format")],
    ["a key cut short", `Bearer ${good.slice(0, -1)}`, unauthorized("invalid_api_key_format")],
    ["a key too long", `Bearer ${good}0`, unauthorized("invalid_api_key_format")],
    ["a mistyped key", `Bearer ${flipped}`, unauthorized("invalid_api_key_format")],
    [
      "a live key's body as a test key",
      `Bearer ${good.replace("live", "test")}`,
      unauthorized("invalid_api_key_format"),
    ],
    ["SQL", "Bearer svk_live_'OR'1'='1", unauthorized("invalid_api_key_format")],
    ["a key that was never issued", `Bearer ${good}`, unauthorized("invalid_api_key", false)],
  ])("%s", async (_, authorization, expected) => {
    for (const path of [`${settlement}?station=KNYC`, "/v1/weather/stations"]) {
      const init = authorization === undefined ? {} : { headers: { authorization } }
      await wellFormed(service.url, await answered(await fetch(service.url + path, init)), expected)
    }
    await unbilled()
  })

  it("a key that was revoked", async () => {
    const init = { headers: { authorization: `Bearer ${revoked}` } }
    const response = await answered(await fetch(`${service.url}${settlement}?station=KNYC`, init))
    await wellFormed(service.url, response, unauthorized("invalid_api_key", false))
    assert.notInclude(response.text, revoked)
    await unbilled()
  })

  it("comes before the parameters: a bad parameter without a key is a 401", async () => {
    const response = await answered(await fetch(`${service.url}${settlement}?station=XXXX`))
    await wellFormed(service.url, response, unauthorized("missing_authorization"))
  })
})

describe("bad parameters", () => {
  const many = Array.from({ length: 65 }, () => "station.id").join(",")
  it.each<[string, Expected]>([
    ["", invalid("add station")],
    ["station=", invalid("change station")],
    ["station=XXXX", invalid("change station")],
    ["station=nyc", invalid("change station")],
    ["station=KNYC,KMDW", invalid("change station")],
    ["station=KNYC&station=KNYC", invalid("remove station")],
    ["station=KNYC&day=", invalid("change day")],
    ["station=KNYC&day=yesterday", invalid("change day")],
    ["station=KNYC&day=2026-2-3", invalid("change day")],
    ["station=KNYC&day=2025-02-29", invalid("change day")],
    ["station=KNYC&day=2025-01-01T00:00:00Z", invalid("change day")],
    ["station=KNYC&day=2025-01-01&day=2025-01-02", invalid("remove day")],
    ["station=KNYC&day=2999-01-01", invalid("change day")],
    ["station=KNYC&verbose=yes", invalid("change verbose")],
    ["station=KNYC&verbose=", invalid("change verbose")],
    ["station=KNYC&fields=", invalid("change fields")],
    ["station=KNYC&fields=station.id,", invalid("change fields")],
    ["station=KNYC&fields=settlement.hihg_f", invalid("change fields")],
    [`station=KNYC&fields=${many}`, invalid("change fields")],
    [`station=KNYC&fields=${"x".repeat(201)}`, invalid("change fields")],
    ["station=KNYC&include=_reasoning", invalid("change include")],
    ["station=KNYC&include=", invalid("change include")],
    [
      "day=never&verbose=1&include=x&fields=",
      invalid("add station", "change day", "change verbose", "change include", "change fields"),
    ],
    ["station=KNYC&day=1999-12-31", { status: 404, code: "not_found", recoverable: true, hints: ["change day"] }],
    ["station=KNYC&day=0000-01-01", { status: 404, code: "not_found", recoverable: true, hints: ["change day"] }],
  ])("?%s", async (query, expected) => {
    const { url, account } = service
    const init = { headers: { authorization: `Bearer ${account.live.token}` } }
    await wellFormed(url, await answered(await fetch(`${url}${settlement}?${query}`, init)), expected)
    await unbilled()
  })

  it("lists a closed vocabulary and names the nearest field", async () => {
    const suggestion = async (query: string) =>
      (await service.get(`${settlement}?${query}`)).json.error.hints[0].suggestion as string
    assert.include(await suggestion("station=XXXX"), "KNYC, KMDW, KMIA, KAUS, KLAX, KDEN, KPHL, KBOS, KHOU")
    assert.include(await suggestion("station=KNYC&fields=settlement.hihg_f"), "settlement.high_f")
  })

  it("a code of its own for a filing's number only; with another bad field the general one", async () => {
    const hints = ["change accession_number"]
    const own = await service.get("/v1/sec/filing?accession_number=1")
    assert.deepStrictEqual([own.status, own.json.error.code], [400, "invalid_accession_number"])
    assert.deepStrictEqual(
      own.json.error.hints.map((hint: Record<string, string>) => `${hint["action"]} ${hint["field"]}`),
      hints,
    )
    const both = await service.get("/v1/sec/filing?accession_number=1&diff=2")
    assert.deepStrictEqual([both.status, both.json.error.code], [400, "invalid_parameter"])
    await unbilled()
  })
})

describe("a path that does not exist", () => {
  it.each([
    "/",
    "/v1",
    "/v1/",
    "/v2/weather/stations",
    "/v1/weather",
    "/v1/weather/settlements",
    "/v1/jobs",
    "/v1/jobs/",
    "/v1/options/unusual/",
    "/errors/nothing_like_it",
    "/errors/__proto__",
    "/errors/constructor",
    "/favicon.ico",
  ])("GET %s", async (path) => {
    await wellFormed(service.url, await answered(await fetch(service.url + path)), notFound)
  })

  it.each(["POST", "PUT", "PATCH", "DELETE", "PROPFIND"])("%s on a path that is read", async (method) => {
    const init = { method, headers: { authorization: `Bearer ${service.account.live.token}` } }
    for (const path of [
      `${settlement}?station=KNYC`,
      "/v1/nfl/performance",
      "/healthz",
      "/readyz",
      "/errors/not_found",
    ])
      await wellFormed(service.url, await answered(await fetch(service.url + path, init)), wrongMethod)
    await unbilled()
  })

  it("a method override is ignored", async () => {
    const headers = { "x-http-method-override": "GET", authorization: `Bearer ${service.account.live.token}` }
    const response = await fetch(`${service.url}${settlement}?station=KNYC&_method=GET`, { method: "POST", headers })
    await wellFormed(service.url, await answered(response), wrongMethod)
    await unbilled()
  })

  it("TRACE is not served and echoes nothing", async () => {
    const [response] = await exchange(
      service.url,
      request(`TRACE ${settlement}`, "X-Secret: echo", "Connection: close"),
    )
    await wellFormed(service.url, response!, wrongMethod)
    assert.notInclude(response!.text, "echo")
  })
})

describe("a path that is not offered", () => {
  const paths = notOffered.flatMap((path) => (path.endsWith("*") ? ["/v1/jobs/1", "/v1/jobs/a/b?c=d"] : [path]))
  it.each(paths)("%s, with any method and no key", async (path) => {
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "REPORT"])
      await wellFormed(service.url, await answered(await fetch(service.url + path, { method })), gone)
    const head = await answered(await fetch(service.url + path, { method: "HEAD" }))
    assert.deepStrictEqual([head.status, head.text], [410, ""])
  })

  it("are the specification's eight", () => {
    assert.deepStrictEqual(notOffered, [
      "/v1/options/unusual",
      "/v1/factor/score",
      "/v1/backtest/run",
      "/v1/jobs/*",
      "/v1/equity/research",
      "/v1/regime/classify",
      "/v1/news/sentiment",
      "/v1/portfolio/risk",
    ])
  })
})

describe("sizes and forms", () => {
  const live = () => `Authorization: Bearer ${service.account.live.token}`
  const target = (length: number) => `${settlement}?station=KNYC&x=`.padEnd(length, "x")

  it.each<[string, () => string | Buffer, Expected]>([
    [
      "a target over 8 KiB",
      () => request(`GET ${target(8_193)}`, live()),
      { status: 414, code: "uri_too_long", recoverable: true },
    ],
    [
      "a target over 8 KiB of no path",
      () => request(`POST /${"x".repeat(8_192)}`),
      { status: 414, code: "uri_too_long", recoverable: true },
    ],
    [
      "a body over 64 KiB",
      () => request(`POST ${settlement}`, "Content-Length: 65537") + "x".repeat(65_537),
      { status: 413, code: "payload_too_large", recoverable: true },
    ],
    [
      "a body over 64 KiB on a GET",
      () => request(`GET ${target(100)}`, live(), "Content-Length: 65537"),
      { status: 413, code: "payload_too_large", recoverable: true },
    ],
    [
      "a body of many gigabytes",
      () => request("POST /nowhere", "Content-Length: 99999999999999"),
      { status: 413, code: "payload_too_large", recoverable: true },
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
    await unbilled()
  })

  it("an answer to HEAD has no body, also where the request could not be read", async () => {
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

  it("the limits themselves are let through", async () => {
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

describe("an empty wallet", () => {
  it.each([0, 999])("of %d micros gets a quote", async (balance) => {
    const poor = await start({}, { balance })
    const { token } = poor.account.live
    const init = { headers: { authorization: `Bearer ${token}` } }
    const response = await answered(await fetch(`${poor.url}${settlement}?station=KNYC`, init))
    const expected = { status: 402, code: "insufficient_funds", recoverable: true, hints: ["add wallet"] }
    await wellFormed(poor.url, response, expected)
    const { expires_at, topup_url, ...quote } = JSON.parse(response.text).error.quote
    assert.deepStrictEqual(quote, {
      endpoint: settlement,
      price: { display: "0.001 USD", micros: 1_000 },
      balance_micros: balance,
      shortfall_micros: 1_000 - balance,
      currency: "USD",
      accepts: [],
    })
    assert.isAbove(Date.parse(expires_at), Date.now())
    assert.match(topup_url, /^http:\/\//)
    // Parameters are checked before the wallet.
    assert.strictEqual((await poor.get(`${settlement}?station=XXXX`)).status, 400)
    assert.deepStrictEqual([await poor.balance(), await poor.charges()], [balance, 0])
    await poor.stop()
  })
})

describe("the source of a lane", () => {
  it("no provider: 503, also where no key is needed", async () => {
    const alone = await Controlled.start()
    const unavailable = { status: 503, code: "data_provider_unavailable", recoverable: false }
    await wellFormed(alone.url, await answered(await alone.get("/v1/absent/paid")), unavailable)
    await wellFormed(alone.url, await answered(await fetch(`${alone.url}/v1/absent/open`)), unavailable)
    assert.strictEqual(await alone.balance(), 10_000)
    await alone.stop()
  })

  it.each([
    ["data_freshness_stale", 1_001, "2"],
    ["upstream_unavailable", 60_000, "60"],
    ["storage_unavailable", 1, "1"],
    ["rate_limit_exceeded", 0, "0"],
  ] as const)("%s says when to come back", async (code, retryAfterMs, seconds) => {
    const alone = await Controlled.start({ paid: () => Effect.fail(fail(code, { retryAfterMs })) })
    const response = await alone.get("/v1/controlled/paid")
    assert.strictEqual(response.headers.get("retry-after"), seconds)
    const { error } = (await response.json()) as { error: { code: string; retry_after_ms: number } }
    assert.deepStrictEqual([error.code, error.retry_after_ms], [code, retryAfterMs])
    assert.strictEqual(await alone.balance(), 10_000)
    await alone.stop()
  })
})
