import { readFileSync } from "node:fs"
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, describe, expectTypeOf, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Client from "../../../adapters/client/mod.ts"
import { sleep } from "../../../adapters/client/platform.ts"
import { defaultRetries } from "../../../adapters/client/transport.ts"
import { Accounts } from "../../../core/account/Accounts.ts"
import { Agents } from "../../../core/account/Agents.ts"
import { MicroUsd } from "../../../core/account/Money.ts"
import { catalogue } from "../../../core/lanes/all.ts"
import { type Running, start } from "../../support/running.ts"

/** A proxy's treatment of one request: the service's answer, or something else. */
type Fate = (incoming: IncomingMessage, outgoing: ServerResponse, forward: () => void) => void

const pass: Fate = (_, __, forward) => forward()
/** The service does not receive it. */
const cut: Fate = ({ socket }) => socket.destroy()
const status =
  (code: number, body: string, headers: Record<string, string> = {}): Fate =>
  (_, outgoing) =>
    void outgoing.writeHead(code, headers).end(body)

let running: Running
let proxy: ReturnType<typeof createServer>
let url: string
let fates: Array<Fate> = []
let keys: Array<string | undefined> = []

/** Passes the request on and drops the answer with the connection. */
const dropped: Fate = (incoming) => {
  const target = new URL(incoming.url!, running.url)
  request(target, { method: incoming.method!, headers: { ...incoming.headers, host: target.host } }, (answer) => {
    answer.resume().on("end", () => incoming.socket.destroy())
  }).end()
}

/** Sends the head and part of the answer, then closes the connection. */
const broken: Fate = (incoming, outgoing) => {
  const target = new URL(incoming.url!, running.url)
  request(target, { method: incoming.method!, headers: { ...incoming.headers, host: target.host } }, (answer) => {
    outgoing.writeHead(answer.statusCode!, answer.headers)
    answer.once("data", (chunk: Buffer) => {
      outgoing.write(chunk.subarray(0, 10), () => incoming.socket.destroy())
    })
  }).end()
}

beforeAll(async () => {
  running = await start({}, { balance: 1_000_000 })
  proxy = createServer((incoming, outgoing) => {
    keys.push(incoming.headers["idempotency-key"] as string | undefined)
    const forward = () => {
      const target = new URL(incoming.url!, running.url)
      const onward = request(
        target,
        { method: incoming.method!, headers: { ...incoming.headers, host: target.host } },
        (answer) => {
          outgoing.writeHead(answer.statusCode!, answer.headers)
          answer.pipe(outgoing)
        },
      )
      incoming.pipe(onward)
    }
    ;(fates.shift() ?? pass)(incoming, outgoing, forward)
  })
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve))
  url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
})
afterAll(async () => {
  proxy.closeAllConnections()
  await new Promise((resolve) => proxy.close(resolve))
  await running.stop()
})

interface Made {
  readonly client: Client.Client
  readonly pauses: ReadonlyArray<number>
}

/** A client behind a proxy with one treatment per request; its waits take no time. */
const through = (met: ReadonlyArray<Fate> = [], options: Partial<Client.ClientOptions> = {}): Made => {
  fates = [...met]
  keys = []
  const pauses: Array<number> = []
  const client = Client.makeClient({
    baseUrl: `${url}/`,
    key: running.account.live.token,
    sleep: (ms) => {
      pauses.push(ms)
      return Promise.resolve()
    },
    ...options,
  })
  return { client, pauses }
}

const day = { station: "KNYC", day: "2026-07-08" } as const

const failing = async (call: Promise<unknown>): Promise<unknown> => {
  try {
    await call
  } catch (error) {
    return error
  }
  return assert.fail("The call did not fail.")
}

describe("a base URL", () => {
  it.each(["127.0.0.1:8080", "localhost:8080", "api.example.com", "", "/v1", "ftp://api.example.com", "http://"])(
    "%j is refused before anything is sent",
    (baseUrl) => {
      const send = () => assert.fail("sent")
      assert.throws(
        () => Client.makeClient({ baseUrl, fetch: send }),
        TypeError,
        `baseUrl must begin with http:// or https://; got ${JSON.stringify(baseUrl)}.`,
      )
    },
  )

  it("names no setting in its documents that does not exist", () => {
    const text = readFileSync(fileURLToPath(new URL("../../../adapters/client/Client.ts", import.meta.url)), "utf8")
    const named = [...text.matchAll(/`retries\.(\w+)`/g)].map(([, name]) => name)
    assert.isNotEmpty(named)
    for (const name of named) assert.property(defaultRetries, name!)
  })
})

describe("a call", () => {
  it("is typed by its endpoint and returns the received answer", async () => {
    const { client } = through()
    const { results, _meta } = await client.weather_settlement(day)
    expectTypeOf(results.settlement.high_f).toEqualTypeOf<number | undefined>()
    // @ts-expect-error a station is required
    const missing = () => client.weather_settlement({})
    // @ts-expect-error no such asset
    const unknown = () => client.crypto_spot({ asset: "DOGE" })
    assert.isFunction(missing ?? unknown)
    const other = await running.get("/v1/weather/settlement?station=KNYC&day=2026-07-08")
    assert.deepStrictEqual(results, other.json.results)
    assert.strictEqual(_meta.price.charged_micros, 1_000)
  })

  it("of an endpoint without a key is plain, and brings no key along", async () => {
    let header: string | null = ""
    const { client } = through([], {
      fetch: (input, init) => {
        header = new Headers(init?.headers).get("authorization")
        return fetch(input, init)
      },
    })
    const { rows } = await client.markets_settled({ domain: "weather", limit: 3 })
    expectTypeOf(rows[0]!.market_prob).toEqualTypeOf<number>()
    assert.isAtLeast(rows.length, 1)
    assert.isNull(header)
  })

  it("selects fields, and its type knows that the others may be missing", async () => {
    const { client } = through()
    const { results } = await client.weather_settlement(day, { fields: ["settlement.high_f"] })
    expectTypeOf(results.station).toBeNullable()
    assert.deepStrictEqual(Object.keys(results), ["settlement"])
    const full = await client.weather_settlement(day, { verbose: true, include: ["_suggestions"] })
    assert.isDefined(full.results.settlement.revision)
    assert.isArray(full._suggestions)
  })

  it("takes an endpoint as a value, with lists and numbers", async () => {
    const { client } = through()
    const { results } = await client.call(catalogue.get("crypto_signal"), {
      horizon_minutes: 30,
      strikes: [50_000, 60_000.5],
    })
    assert.deepStrictEqual(
      [results.horizon_minutes, results.p_above.map(({ strike }) => strike)],
      [30, [50_000, 60_000.5]],
    )
  })

  it("has a method for every endpoint of the catalogue", () => {
    const { client } = through()
    for (const { endpoint } of catalogue.entries) assert.isFunction(client[endpoint.id as keyof Client.Methods])
  })
})

const envelope = (code: string, recoverable: boolean, retry_after_ms: number | null) =>
  JSON.stringify({
    error: { code, message: "No.", recoverable, retry_after_ms, docs_url: "", request_id: "req_1", hints: [] },
  })

describe("a call whose answer is lost", () => {
  const cases: ReadonlyArray<readonly [string, ReadonlyArray<Fate>]> = [
    ["before the service heard of it", [cut, pass]],
    ["after the charge", [dropped, pass]],
    ["after the charge, twice", [dropped, dropped, pass]],
    ["in the middle of its body", [broken, pass]],
    ["to a gateway's 502", [status(502, "<html>"), pass]],
    ["to a gateway's 503 that is JSON", [status(503, "{}"), pass]],
    ["to a gateway's 408", [status(408, "<html>"), pass]],
    ["to a time-out of the service", [status(408, envelope("request_timeout", true, null)), pass]],
    ["to a 200 that is no JSON", [status(200, "<html>"), pass]],
  ]
  for (const [what, met] of cases) {
    it(`${what}, is answered and charged once`, async () => {
      const before = { balance: await running.balance(), charges: await running.charges() }
      const { client, pauses } = through(met)
      const attempt = client.weather_settlement({ station: "KMIA", day: "2026-07-08" })
      if (what.startsWith("to a 200")) {
        assert.instanceOf(await failing(attempt), Client.Unreachable)
        return
      }
      const { results } = await attempt
      assert.strictEqual(results.station.id, "KMIA")
      assert.strictEqual(await running.balance(), before.balance - 1_000)
      assert.strictEqual(await running.charges(), before.charges + 1)
      assert.strictEqual(pauses.length, met.length - 1)
      assert.strictEqual(keys.length, met.length)
      assert.match(keys[0]!, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      assert.deepStrictEqual(new Set(keys).size, 1)
    })
  }

  it("is another call when it is made again", async () => {
    const { client } = through()
    await client.weather_settlement(day)
    await client.weather_settlement(day)
    assert.strictEqual(new Set(keys).size, 2)
  })

  it("is the same call under a key of the caller's own", async () => {
    const { client } = through()
    const idempotencyKey = "0b8f6c1e-9d2a-4f3b-8c5d-7e6f5a4b3c2d"
    const first = await client.weather_settlement(day, { idempotencyKey })
    const again = await client.weather_settlement(day, { idempotencyKey })
    assert.deepStrictEqual([first._meta.price.charged_micros, again._meta.price.charged_micros], [1_000, 0])
  })

  it("is given up after the attempts that were agreed on, with pauses that double", async () => {
    const { client, pauses } = through([cut, cut, cut, cut, cut], { retries: { attempts: 4, baseMs: 100 } })
    assert.instanceOf(await failing(client.weather_settlement(day)), Client.Unreachable)
    assert.deepStrictEqual([keys.length, pauses], [4, [100, 200, 400]])
  })
})

describe("a failure", () => {
  it("of the service has its code and hints, and is not tried again", async () => {
    const { client } = through()
    const error = await failing(client.weather_settlement({ station: "KXXX" as "KNYC" }))
    if (!(error instanceof Client.ServiceError)) return assert.fail(String(error))
    assert.deepStrictEqual([error.status, error.code, error.recoverable], [400, "invalid_parameter", true])
    assert.strictEqual(error.hints[0]!.field, "station")
    assert.match(error.requestId, /^req_/)
    assert.strictEqual(keys.length, 1)
  })

  it("for want of money brings the quote", async () => {
    const { key } = await running.run(
      Effect.flatMap(Accounts, (accounts) =>
        Effect.flatMap(accounts.create("poor"), ({ id }) =>
          Effect.map(accounts.issueKey({ account: id, environment: "live", tier: "pro" }), ({ plaintext }) => ({
            key: Redacted.value(plaintext),
          })),
        ),
      ),
    )
    const { client } = through([], { key })
    const error = await failing(client.weather_settlement(day))
    if (!(error instanceof Client.InsufficientFunds)) return assert.fail(String(error))
    assert.deepStrictEqual([error.quote.shortfall_micros, error.quote.price.micros], [1_000, 1_000])
    assert.strictEqual(keys.length, 1)
  })

  it("at an agent's cap has the reset time", async () => {
    const key = await running.run(
      Effect.gen(function* () {
        const agents = yield* Agents
        const accounts = yield* Accounts
        const agent = yield* agents.create(running.account.id, "capped", { monthlyCap: MicroUsd(500) })
        const { plaintext } = yield* accounts.issueKey({
          account: running.account.id,
          environment: "live",
          tier: "pro",
          agent: agent.id,
        })
        return Redacted.value(plaintext)
      }),
    )
    const { client, pauses } = through([], { key })
    const error = await failing(client.weather_settlement(day))
    if (!(error instanceof Client.BudgetExceeded)) return assert.fail(String(error))
    assert.isAbove(error.retryAfterMs!, 0)
    assert.deepStrictEqual([pauses, keys.length], [[], 1])
  })

  const waits: ReadonlyArray<readonly [string, Fate, ReadonlyArray<number>]> = [
    ["by its envelope", status(429, envelope("rate_limit_exceeded", true, 1_500), { "retry-after": "2" }), [1_500]],
    ["by its header", status(429, envelope("rate_limit_exceeded", true, null), { "retry-after": "2" }), [2_000]],
    ["while the first attempt still runs", status(409, envelope("idempotency_in_progress", true, 1_000)), [1_000]],
    ["while an upstream is down", status(503, envelope("upstream_unavailable", true, null)), [200]],
    ["after a time-out", status(408, envelope("request_timeout", true, null)), [200]],
  ]
  for (const [what, fate, expected] of waits) {
    it(`that is transient is retried after a pause, ${what}`, async () => {
      const { client, pauses } = through([fate])
      await client.weather_stations()
      assert.deepStrictEqual(pauses, expected)
    })
  }

  const ends: ReadonlyArray<
    readonly [string, Fate, typeof Client.RateLimited | typeof Client.ServiceError | typeof Client.Unreachable]
  > = [
    ["a limit that lasts", status(429, envelope("rate_limit_exceeded", true, 30_000)), Client.RateLimited],
    ["a lane without a provider", status(503, envelope("data_provider_unavailable", false, null)), Client.ServiceError],
    ["a bad parameter", status(400, envelope("invalid_parameter", true, null)), Client.ServiceError],
    ["a bug of the service", status(500, envelope("internal_error", false, null)), Client.ServiceError],
    ["something that is no answer of the service", status(404, "{}"), Client.Unreachable],
  ]
  for (const [what, fate, expected] of ends) {
    it(`is not retried: ${what}`, async () => {
      const { client, pauses } = through([fate])
      assert.isTrue((await failing(client.weather_stations())) instanceof expected)
      assert.deepStrictEqual([pauses, keys.length], [[], 1])
    })
  }
})

describe("a caller who ends a call", () => {
  it("gets the reason, and nothing is tried again", async () => {
    const ending = new AbortController()
    const { client } = through([() => ending.abort(new Error("enough"))])
    const error = await failing(client.weather_settlement(day, { signal: ending.signal }))
    assert.strictEqual((error as Error).message, "enough")
    assert.strictEqual(keys.length, 1)
  })

  it("ends the pause between two attempts too", async () => {
    const ending = new AbortController()
    const { client } = through([cut], {
      retries: { baseMs: 60_000, maxDelayMs: 60_000 },
      sleep: (ms, signal) => {
        const pause = sleep(ms, signal)
        ending.abort(new Error("enough"))
        return pause
      },
    })
    const error = await failing(client.weather_settlement(day, { signal: ending.signal }))
    assert.strictEqual((error as Error).message, "enough")
    assert.strictEqual(keys.length, 1)
  })
})

describe("pages", () => {
  it("follow the cursor of an envelope, each charged", async () => {
    const before = await running.balance()
    const { client } = through()
    const days: Array<string> = []
    const range = { station: "KNYC", start: "2026-05-01", end: "2026-05-10", limit: 4 } as const
    for await (const { results } of client.pages(catalogue.get("weather_settlement_history"), range)) {
      days.push(...results.days.map(({ day }) => day))
    }
    assert.deepStrictEqual([days.length, new Set(days).size, days.length <= 12], [10, 10, true])
    assert.strictEqual(await running.balance(), before - 3 * 5_000)
  })

  it("follow the times of the settled rows, every row once", async () => {
    const { client } = through()
    const seen = new Set<string>()
    let count = 0
    let pages = 0
    for await (const { rows } of client.pages(catalogue.get("markets_settled"), { domain: "crypto", limit: 400 })) {
      pages++
      for (const { market_ticker, venue } of rows) seen.add(`${venue}/${market_ticker}`)
      count += rows.length
    }
    const { domains } = await client.markets_performance()
    assert.isAbove(pages, 1)
    assert.deepStrictEqual([seen.size, count], [count, domains.crypto.markets_scored])
  })
})

describe("prices", () => {
  it("are shown before anything is paid", async () => {
    const before = await running.balance()
    const { client } = through()
    const { results } = await client.dryRun(catalogue.get("weather_signal"), { station: "KNYC" })
    assert.deepStrictEqual([results.quote.charged_micros, results.quote.affordable], [10_000, true])
    const plan = await client.plan_estimate({
      calls: [{ endpoint: "weather_settlement", params: day }, { endpoint: "/v1/crypto/signal" }],
    })
    assert.deepStrictEqual([plan.results.total_micros, plan.results.affordable], [11_000, true])
    const { results: self } = await client.key()
    assert.strictEqual(self.key_id, running.account.live.id)
    assert.strictEqual(await running.balance(), before)
  })
})
