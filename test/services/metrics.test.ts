import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { parse } from "yaml"
import { catalogue } from "../../core/lanes/all.ts"
import { version } from "../../core/release.ts"
import { send, token } from "../adapters/server/http/adminClient.ts"
import { freePort } from "../support/freePort.ts"
import * as processes from "../support/processes.ts"
import { answering, type Receiver, receiver } from "../support/receiver.ts"
import { type Scrape, scrapeOf } from "../support/scrape.ts"
import { makeFolder, removeFolder } from "../support/store.ts"

const folder = makeFolder()
let upstream: Receiver
let child: processes.Child
let [url, adminUrl, metricsUrl, key] = ["", "", "", ""]

const scrape = async (): Promise<Scrape> => scrapeOf(await (await fetch(metricsUrl)).text())

const get = (path: string, authorization = `Bearer ${key}`) => fetch(url + path, { headers: { authorization } })

/** The program itself, with a live lane whose source is broken. */
beforeAll(async () => {
  upstream = await receiver(answering(500))
  child = processes.start("services/server.ts", [], {
    DATABASE_URL: `sqlite:${join(folder, "store.db")}`,
    PORT: String(await freePort()),
    ADMIN_TOKEN: token,
    ADMIN_LISTEN: String(await freePort()),
    METRICS_LISTEN: String(await freePort()),
    LOG_LEVEL: "none",
    DATA_FRESHNESS_CRYPTO: "live",
    TERMS_ACCEPTED: "coinbase,kraken",
    COINBASE_URL: upstream.url,
    KRAKEN_URL: upstream.url,
  })
  const lines = await child.linesUntil(4)
  ;[url, adminUrl, metricsUrl] = [0, 2, 3].map((at) => / on (http:\/\/\S+)/.exec(lines[at]!)![1]!) as [
    string,
    string,
    string,
  ]
  await send(adminUrl, "POST", "accounts", { name: "canary-account" })
  await send(adminUrl, "POST", "accounts/canary-account/credits", { micros: 1_000_000 })
  key = (await send(adminUrl, "POST", "accounts/canary-account/keys", { environment: "live", tier: "pro" })).json.key
})

afterAll(async () => {
  child.process.kill("SIGTERM")
  assert.strictEqual(await child.ended, 0)
  await upstream.stop()
  removeFolder(folder)
})

describe("the metrics of a server", () => {
  it("count every call by endpoint, lane and status, and what was charged", async () => {
    const [paid, free] = ["/v1/weather/settlement", "/v1/weather/stations"]
    const before = await scrape()
    for (let call = 0; call < 7; call++) assert.strictEqual((await get(`${paid}?station=KNYC`)).status, 200)
    for (let call = 0; call < 3; call++) assert.strictEqual((await get(`${paid}?station=CANARY`)).status, 400)
    assert.strictEqual((await get(free, "Bearer wrong")).status, 401)
    assert.strictEqual((await get("/v1/canary")).status, 404)
    const { value, text } = await scrape()
    const { endpoint, lane } = catalogue.byPath.get(paid)!
    const of = { endpoint: endpoint.id, lane: lane.name }
    const grown = (name: string, labels: Readonly<Record<string, string>>) =>
      (value(name, labels) ?? 0) - (before.value(name, labels) ?? 0)
    const calls = "market_signals_calls_total"
    assert.strictEqual(grown(calls, { ...of, status: "200" }), 7)
    assert.strictEqual(grown(calls, { ...of, status: "400" }), 3)
    assert.strictEqual(grown(calls, { endpoint: catalogue.byPath.get(free)!.endpoint.id, status: "401" }), 1)
    assert.strictEqual(grown(calls, { endpoint: "none", lane: "none", status: "404" }), 1)
    assert.strictEqual(grown("market_signals_call_duration_seconds_count", { endpoint: endpoint.id }), 10)
    assert.isAbove(grown("market_signals_call_duration_seconds_sum", { endpoint: endpoint.id }), 0)
    const { balance_micros: balance } = (await send(adminUrl, "GET", "accounts/canary-account/wallet")).json
    assert.strictEqual(value("market_signals_charged_micros_total", { lane: lane.name }), 1_000_000 - balance)
    assert.isBelow(balance, 1_000_000)
    for (const secret of [key, key.slice(9), token, "canary", "CANARY", "KNYC", folder]) assert.notInclude(text, secret)
  })

  it("do not count an answer that is repeated from the stored reply as a charge", async () => {
    const again = { authorization: `Bearer ${key}`, "idempotency-key": crypto.randomUUID() }
    const charged = async () => (await scrape()).value("market_signals_charged_micros_total", { lane: "weather" })!
    const ask = () => fetch(`${url}/v1/weather/settlement?station=KNYC`, { headers: again })
    assert.strictEqual((await ask()).status, 200)
    const once = await charged()
    assert.strictEqual((await ask()).headers.get("x-idempotent-replay"), "true")
    assert.strictEqual(await charged(), once)
  })

  it("have the batches of the ledger: all settled calls are in them", async () => {
    const { value } = await scrape()
    assert.isAtLeast(value("market_signals_commit_batch_size_sum")!, 8)
    assert.strictEqual(
      value("market_signals_commit_batch_size_count"),
      value("market_signals_commit_duration_seconds_count"),
    )
    assert.strictEqual(value("market_signals_commit_undone_total"), 0)
  })

  it("have the attempts of requests to sources, by how they ended", async () => {
    // Each source is tried three times before it fails.
    await upstream.until(({ length }) => length >= 6)
    const { series } = await scrape()
    const failed = series.filter(
      ({ name, labels }) => name === "market_signals_upstream_requests_total" && labels["outcome"] === "status",
    )
    assert.isNotEmpty(failed)
    for (const { labels, value } of failed) {
      assert.include(["coinbase", "kraken"], labels["upstream"])
      assert.isAtLeast(value, 1)
    }
  })

  it("have the state of store, record, lanes, jobs and process", async () => {
    const { value, series, types } = await scrape()
    const report = await (await fetch(`${url}/readyz`)).json()
    assert.strictEqual(value("market_signals_store_answers"), 1)
    assert.isAbove(value("market_signals_store_bytes")!, 100_000)
    assert.strictEqual(value("market_signals_webhook_deliveries_due"), 0)
    assert.strictEqual(value("market_signals_webhook_dead_letters"), 0)
    assert.strictEqual(value("market_signals_record_leaves"), report.record.leaves)
    const overdue = series
      .filter(({ name }) => name === "market_signals_job_overdue")
      .map(({ labels }) => labels["job_name"])
    assert.sameMembers(
      overdue,
      report.jobs.map(({ name }: { readonly name: string }) => name),
    )
    assert.strictEqual(value("market_signals_lane_data_stale", { lane: "crypto" }), 1)
    assert.strictEqual(series.filter(({ name, value }) => name === "market_signals_state" && value === 1).length, 1)
    assert.isAbove(value("process_resident_memory_bytes")!, 10_000_000)
    assert.isAtLeast(value("nodejs_eventloop_lag_p99_seconds")!, 0)
    assert.strictEqual(value("market_signals_build_info", { version, store: "sqlite" }), 1)
    assert.strictEqual(types.get("market_signals_call_duration_seconds"), "histogram")
  })

  it("are on their own listener alone, which has nothing else", async () => {
    assert.strictEqual((await get("/metrics")).status, 404)
    assert.strictEqual((await send(adminUrl, "GET", "/metrics")).status, 404)
    const answer = await fetch(metricsUrl)
    assert.strictEqual(answer.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8")
    const base = metricsUrl.replace("/metrics", "")
    for (const path of ["/", "/readyz", "/v1/weather/stations", "/admin/v1/accounts"]) {
      assert.strictEqual((await fetch(base + path)).status, 404)
    }
    assert.strictEqual((await fetch(metricsUrl, { method: "POST" })).status, 405)
    assert.strictEqual((await fetch(metricsUrl, { method: "HEAD" })).status, 200)
  })

  it("are those that the dashboard of Grafana and the alert rules name, with the labels that they name", async () => {
    const folder = new URL("../../services/monitoring/", import.meta.url)
    const { panels } = JSON.parse(readFileSync(new URL("grafana.json", folder), "utf8"))
    const { groups } = parse(readFileSync(new URL("alerts.yaml", folder), "utf8"))
    const found: ReadonlyArray<{ readonly expr: string }> = [
      ...panels.flatMap(({ targets = [] }: { readonly targets?: ReadonlyArray<{ readonly expr: string }> }) => targets),
      ...groups.flatMap(({ rules }: { readonly rules: ReadonlyArray<{ readonly expr: string }> }) => rules),
    ]
    assert.isAbove(found.length, 40)
    const { types, series } = await scrape()
    const named = new Set<string>()
    for (const { expr } of found) {
      const names = expr.match(/\b(market_signals|nodejs|process)_\w+/g) ?? []
      for (const name of names) {
        const family = types.has(name) ? name : name.replace(/_(bucket|sum|count)$/, "")
        assert.isTrue(types.has(family), `${name} in ${expr}`)
        named.add(family)
      }
      // Of Prometheus itself: the target's labels.
      const known = new Set(["instance", "job", ...series.flatMap(({ labels }) => Object.keys(labels))])
      for (const [, list] of expr.matchAll(/\bby \(([^)]*)\)/g)) {
        for (const label of list!.split(",")) assert.isTrue(known.has(label.trim()), `${label} in ${expr}`)
      }
      for (const [, label] of expr.matchAll(/(\w+)(?:=~|!=|!~|=)"/g))
        assert.isTrue(known.has(label!), `${label} in ${expr}`)
    }
    const silent = [...types.keys()].filter((name) => !named.has(name))
    assert.deepStrictEqual(silent, ["process_start_time_seconds"], "series that no panel shows")
  })
})
