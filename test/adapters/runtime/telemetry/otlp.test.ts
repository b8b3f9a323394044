import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { OtlpSpan } from "../../../../adapters/runtime/telemetry/otlp.ts"
import { freePort } from "../../../support/freePort.ts"
import * as processes from "../../../support/processes.ts"
import { answering, type Received, receiver } from "../../../support/receiver.ts"
import { makeFolder, removeFolder } from "../../../support/store.ts"
import { send, token } from "../../server/http/adminClient.ts"

const spansOf = (received: ReadonlyArray<Received>): ReadonlyArray<OtlpSpan> =>
  received.flatMap(({ body }) =>
    JSON.parse(body).resourceSpans.flatMap(
      ({ scopeSpans }: { readonly scopeSpans: ReadonlyArray<{ spans: Array<OtlpSpan> }> }) =>
        scopeSpans.flatMap(({ spans }) => spans),
    ),
  )

const valueOf = ({ attributes }: OtlpSpan, key: string): unknown =>
  Object.values(attributes.find((each) => each.key === key)?.value ?? {})[0]

const folder = makeFolder()
afterAll(() => removeFolder(folder))

/** What a collector gets of the program, which ends. */
const traced = async (
  ratio: string,
  work: (
    get: (path: string, headers?: Readonly<Record<string, string>>) => Promise<Response>,
    key: string,
  ) => Promise<void>,
) => {
  const [collector, upstream] = [await receiver(), await receiver(answering(500))]
  const child = processes.start("services/server.ts", [], {
    DATABASE_URL: `sqlite:${join(folder, `${crypto.randomUUID()}.db`)}`,
    PORT: String(await freePort()),
    ADMIN_TOKEN: token,
    ADMIN_LISTEN: String(await freePort()),
    LOG_LEVEL: "none",
    DATA_FRESHNESS_WEATHER: "live",
    NWS_URL: upstream.url,
    IEM_URL: upstream.url,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_SAMPLER_ARG: ratio,
  })
  const lines = await child.linesUntil(3)
  const [url, adminUrl] = [0, 2].map((at) => / on (http:\/\/\S+)/.exec(lines[at]!)![1]!) as [string, string]
  await send(adminUrl, "POST", "accounts", { name: "canary-account" })
  await send(adminUrl, "POST", "accounts/canary-account/credits", { micros: 1_000_000 })
  const { key } = (await send(adminUrl, "POST", "accounts/canary-account/keys", { environment: "live", tier: "pro" }))
    .json
  await work(
    (path, headers = {}) => fetch(url + path, { headers: { authorization: `Bearer ${key}`, ...headers } }),
    key,
  )
  child.process.kill("SIGTERM")
  assert.strictEqual(await child.ended, 0)
  await Promise.all([collector.stop(), upstream.stop()])
  return { received: collector.received, spans: spansOf(collector.received), key: String(key) }
}

describe("traces, every call sampled", () => {
  const traceId = "4bf92f3577b34da6a3ce929d0e0e4736"
  const own = `00-${traceId}-00f067aa0ba902b7-01`
  let found: Awaited<ReturnType<typeof traced>>
  const ids: Record<string, string> = {}

  beforeAll(async () => {
    found = await traced("1", async (get, key) => {
      const ask = async (name: string, path: string, headers?: Readonly<Record<string, string>>) => {
        const response = await get(path, headers)
        await response.arrayBuffer()
        ids[name] = `${response.headers.get("x-request-id")} ${response.status}`
      }
      await ask("plain", "/v1/crypto/spot?asset=BTC")
      await ask("continued", "/v1/crypto/spot?asset=BTC", { traceparent: own })
      await ask("not sampled", "/v1/crypto/spot?asset=BTC", { traceparent: own.replace(/1$/, "0") })
      await ask("malformed", "/v1/crypto/spot?asset=BTC", { traceparent: `00-${key}-1` })
      await ask("asks", "/v1/weather/forecast?lat=41.8757&lon=-87.6243")
      await ask("refused", `/v1/crypto/spot?asset=${key}`)
    })
  })

  const spanOf = (name: string): OtlpSpan | undefined => {
    const [requestId] = ids[name]!.split(" ")
    return found.spans.find((span) => valueOf(span, "market_signals.request_id") === requestId)
  }

  it("go to the collector as OTLP in JSON, with the service's name", () => {
    for (const { path, headers, body } of found.received) {
      assert.strictEqual(path, "/v1/traces")
      assert.strictEqual(headers["content-type"], "application/json")
      const [{ resource }] = JSON.parse(body).resourceSpans
      assert.deepInclude(resource.attributes, { key: "service.name", value: { stringValue: "market-signals" } })
    }
    assert.strictEqual(new Set(found.spans.map(({ spanId }) => spanId)).size, found.spans.length)
    for (const span of found.spans) {
      assert.match(`${span.traceId} ${span.spanId}`, /^[\da-f]{32} [\da-f]{16}$/)
      const took = BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)
      assert.isTrue(took >= 0n && took < 60_000_000_000n, `${span.name} took ${took} ns`)
      assert.closeTo(Number(BigInt(span.endTimeUnixNano) / 1_000_000n), Date.now(), 120_000)
    }
  })

  it("a call is one span with route, status and request id; the client's span is its parent", () => {
    const plain = spanOf("plain")!
    assert.deepInclude(plain, { name: "GET /v1/crypto/spot", kind: 2, status: { code: 0 } })
    assert.notProperty(plain, "parentSpanId")
    assert.strictEqual(valueOf(plain, "http.response.status_code"), "200")
    assert.strictEqual(valueOf(plain, "market_signals.lane"), "crypto")
    assert.deepInclude(spanOf("continued"), { traceId, parentSpanId: "00f067aa0ba902b7" })
    assert.strictEqual(valueOf(spanOf("refused")!, "http.response.status_code"), "400")
  })

  it("a client's decision not to sample holds, and a malformed header is none", () => {
    assert.isUndefined(spanOf("not sampled"))
    assert.notProperty(spanOf("malformed"), "parentSpanId")
  })

  it("what a call asks of an upstream is a part of it, and fails with it", () => {
    const call = spanOf("asks")!
    assert.match(ids["asks"]!, / 503$/)
    assert.deepStrictEqual(call.status, { code: 2 })
    const asked = found.spans.filter(({ traceId }) => traceId === call.traceId && call.name !== "")
    const upstream = asked.filter(({ name }) => name === "ask nws")
    assert.isNotEmpty(upstream)
    for (const span of upstream) {
      assert.deepInclude(span, { kind: 3, parentSpanId: call.spanId, status: { code: 2 } })
    }
  })

  it("jobs and commits have spans", () => {
    assert.isTrue(found.spans.some(({ name }) => name.startsWith("job ")))
    const commits = found.spans.filter(({ name }) => name === "commit")
    assert.isNotEmpty(commits)
    for (const commit of commits) assert.isAtLeast(Number(valueOf(commit, "market_signals.commit.items")), 1)
  })

  it("nothing but these leaves, and no key, account or value of a parameter", () => {
    for (const { name } of found.spans) assert.match(name, /^(GET \/v1\/|job |ask |commit$)/)
    const text = found.received.map(({ body }) => body).join("")
    for (const secret of [found.key, found.key.slice(9), token, "canary", "BTC", "41.8757", folder]) {
      assert.notInclude(text, secret)
    }
  })
})

it("a quarter of the calls is traced, evenly, if that is asked for", async () => {
  const { spans } = await traced("0.25", async (get) => {
    for (let call = 0; call < 40; call++) await (await get("/v1/crypto/spot?asset=BTC")).arrayBuffer()
  })
  assert.lengthOf(
    spans.filter(({ name }) => name === "GET /v1/crypto/spot"),
    10,
  )
})

it("a collector that is away costs no call", async () => {
  const child = processes.start("services/server.ts", [], {
    DATABASE_URL: "sqlite::memory:",
    PORT: String(await freePort()),
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
    OTEL_TRACES_SAMPLER_ARG: "1",
  })
  const [line] = await child.linesUntil(1)
  const url = / on (http:\/\/\S+)/.exec(line!)![1]!
  for (let call = 0; call < 5; call++) assert.strictEqual((await fetch(`${url}/v1/weather/stations`)).status, 401)
  child.process.kill("SIGTERM")
  assert.strictEqual(await child.ended, 0)
  assert.match(child.stderr(), /spans were dropped: the collector of traces did not take them/)
})
