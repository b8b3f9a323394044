import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { Accounts } from "../../../../core/account/Accounts.ts"
import * as ApiKey from "../../../../core/account/ApiKey.ts"
import { notOffered } from "../../../../core/endpoint/Catalogue.ts"
import { fail } from "../../../../core/Failure.ts"
import { type Running, start } from "../../../support/running.ts"
import * as Controlled from "./controlled.ts"
import { answered, assertUnbilled, type Expected, invalid, unauthorized, wellFormed } from "./errorReply.ts"
import { exchange, request } from "./exchange.ts"

const settlement = "/v1/weather/settlement"
const allow = "GET, HEAD, OPTIONS"
const notFound: Expected = { status: 404, code: "not_found", recoverable: true, hints: ["change path"] }
const wrongMethod: Expected = {
  status: 405,
  code: "method_not_allowed",
  recoverable: false,
  headers: { allow },
  hints: ["change method"],
}
const gone: Expected = { status: 410, code: "not_offered", recoverable: false }

let service: Running
let revoked: string

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

const malformedKey: Expected = { ...unauthorized("invalid_api_key_format"), hints: ["change Authorization"] }

describe("authorization", () => {
  const good = ApiKey.fromBytes("live", new Uint8Array(32).fill(1))
  it.each<[string, string | undefined, Expected]>([
    ["no header", undefined, unauthorized("missing_authorization")],
    ["Bearer without a token", "Bearer ", unauthorized("missing_authorization")],
    ["a key cut short", `Bearer ${good.slice(0, -1)}`, malformedKey],
    ["SQL", "Bearer svk_live_'OR'1'='1", malformedKey],
    ["a key that was never issued", `Bearer ${good}`, unauthorized("invalid_api_key", false)],
  ])("%s", async (_, authorization, expected) => {
    for (const path of [`${settlement}?station=KNYC`, "/v1/weather/stations"]) {
      const init = authorization === undefined ? {} : { headers: { authorization } }
      await wellFormed(service.url, await answered(await fetch(service.url + path, init)), expected)
    }
    await assertUnbilled(service)
  })

  it("a key that was revoked", async () => {
    const init = { headers: { authorization: `Bearer ${revoked}` } }
    const response = await answered(await fetch(`${service.url}${settlement}?station=KNYC`, init))
    await wellFormed(service.url, response, unauthorized("invalid_api_key", false))
    assert.notInclude(response.text, revoked)
    await assertUnbilled(service)
  })

  it("is checked before parameters: a bad parameter without a key is a 401", async () => {
    const response = await answered(await fetch(`${service.url}${settlement}?station=XXXX`))
    await wellFormed(service.url, response, unauthorized("missing_authorization"))
  })
})

describe("bad parameters", () => {
  const many = Array.from({ length: 65 }, () => "station.id").join(",")
  it.each<[string, Expected]>([
    ["", invalid("add station")],
    ["station=XXXX", invalid("change station")],
    ["station=KNYC&station=KNYC", invalid("remove station")],
    ["station=KNYC&day=2025-02-29", invalid("change day")],
    ["station=KNYC&day=2999-01-01", invalid("change day")],
    ["station=KNYC&verbose=yes", invalid("change verbose")],
    ["station=KNYC&fields=settlement.hihg_f", invalid("change fields")],
    [`station=KNYC&fields=${many}`, invalid("change fields")],
    ["station=KNYC&include=_reasoning", invalid("change include")],
    [
      "day=never&verbose=1&include=x&fields=",
      invalid("add station", "change day", "change verbose", "change include", "change fields"),
    ],
    ["station=KNYC&day=1999-12-31", { status: 404, code: "not_found", recoverable: true, hints: ["change day"] }],
  ])("?%s", async (query, expected) => {
    const { url, account } = service
    const init = { headers: { authorization: `Bearer ${account.live.token}` } }
    await wellFormed(url, await answered(await fetch(`${url}${settlement}?${query}`, init)), expected)
    await assertUnbilled(service)
  })

  it("hints list the allowed values and the nearest field", async () => {
    const suggestion = async (query: string) =>
      (await service.get(`${settlement}?${query}`)).json.error.hints[0].suggestion as string
    assert.include(await suggestion("station=XXXX"), "KNYC, KMDW, KMIA, KAUS, KLAX, KDEN, KPHL, KBOS, KHOU")
    assert.include(await suggestion("station=KNYC&fields=settlement.hihg_f"), "settlement.high_f")
  })

  it("a bad accession number has its own code; together with another bad field, the general code", async () => {
    const hints = ["change accession_number"]
    const own = await service.get("/v1/sec/filing?accession_number=1")
    assert.deepStrictEqual([own.status, own.json.error.code], [400, "invalid_accession_number"])
    assert.deepStrictEqual(
      own.json.error.hints.map((hint: Record<string, string>) => `${hint["action"]} ${hint["field"]}`),
      hints,
    )
    const both = await service.get("/v1/sec/filing?accession_number=1&diff=2")
    assert.deepStrictEqual([both.status, both.json.error.code], [400, "invalid_parameter"])
    await assertUnbilled(service)
  })
})

describe("a path that does not exist", () => {
  it.each([
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
    "/favicon.png",
  ])("GET %s", async (path) => {
    const answer = await answered(await fetch(service.url + path))
    // The nearest path may come before the document of all.
    const hints = JSON.parse(answer.text).error.hints.map(() => "change path")
    assert.include([1, 2], hints.length)
    await wellFormed(service.url, answer, { ...notFound, hints })
  })

  it.each(["POST", "PUT", "PATCH", "DELETE", "PROPFIND"])("%s on a read-only path", async (method) => {
    const init = { method, headers: { authorization: `Bearer ${service.account.live.token}` } }
    for (const path of [
      `${settlement}?station=KNYC`,
      "/v1/nfl/performance",
      "/healthz",
      "/readyz",
      "/errors/not_found",
    ])
      await wellFormed(service.url, await answered(await fetch(service.url + path, init)), wrongMethod)
    await assertUnbilled(service)
  })

  it("a method override is ignored", async () => {
    const headers = { "x-http-method-override": "GET", authorization: `Bearer ${service.account.live.token}` }
    const response = await fetch(`${service.url}${settlement}?station=KNYC&_method=GET`, { method: "POST", headers })
    await wellFormed(service.url, await answered(response), wrongMethod)
    await assertUnbilled(service)
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

  it("the list matches the specification's eight paths", () => {
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

describe("an empty wallet", () => {
  it.each([0, 999])("with %d micros: the error contains a quote", async (balance) => {
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
    assert.match(topup_url, /^http:\/\/.*\/dashboard\/top-up$/)
    // Whoever follows it is asked to sign in first.
    const page = await fetch(poor.url + new URL(topup_url).pathname, { redirect: "manual" })
    assert.deepStrictEqual(
      [page.status, page.headers.get("location")],
      [303, "/dashboard/enter?return_to=%2Fdashboard%2Ftop-up"],
    )
    // Parameters are checked before the wallet.
    assert.strictEqual((await poor.get(`${settlement}?station=XXXX`)).status, 400)
    assert.deepStrictEqual([await poor.balance(), await poor.charges()], [balance, 0])
    await poor.stop()
  })
})

describe("unavailable data sources", () => {
  it("no provider: 503, with and without a key", async () => {
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
  ] as const)("%s sets Retry-After", async (code, retryAfterMs, seconds) => {
    const alone = await Controlled.start({ paid: () => Effect.fail(fail(code, { retryAfterMs })) })
    const response = await alone.get("/v1/controlled/paid")
    assert.strictEqual(response.headers.get("retry-after"), seconds)
    const { error } = (await response.json()) as { error: { code: string; retry_after_ms: number } }
    assert.deepStrictEqual([error.code, error.retry_after_ms], [code, retryAfterMs])
    assert.strictEqual(await alone.balance(), 10_000)
    await alone.stop()
  })
})
