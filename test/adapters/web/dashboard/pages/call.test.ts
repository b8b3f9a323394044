import * as SqlClient from "@effect/sql/SqlClient"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { deleteReasons } from "../../../../../adapters/store/upkeep/sweeps.ts"
import { findCall } from "../../../../../core/account/Calls.ts"
import { day } from "../../../../../core/time.ts"
import { newestCall } from "../../../../support/newestCall.ts"
import { type Running, start } from "../../../../support/running.ts"
import { otherAccount, signIn, type Visitor } from "../visitor.ts"

let running: Running
let owner: Visitor
let stranger: Visitor
let call: string

beforeAll(async () => {
  running = await start()
  await otherAccount(running, "other")
  owner = await signIn(running, { account: "tester" })
  stranger = await signIn(running, { account: "other", name: "sam" })
  call = await newestCall(running)
}, 120_000)
afterAll(() => running.stop())

const pathOf = (id: string) => `/dashboard/calls/${id}`

it("calls are filtered by days, which a browser offers in a calendar", async () => {
  const { html } = await owner.get("/dashboard/calls?from=2026-11-01")
  assert.include(html, 'name="from" type="date" min="1970-01-01" value="2026-11-01"')
  assert.include(html, 'name="to" type="date" min="1970-01-01"')
})

describe("the page of a call", () => {
  it("has what is stored: outcome, endpoint, key, charge and latency; generated data has no entry on the record", async () => {
    const { status, html } = await owner.get(pathOf(call))
    assert.strictEqual(status, 200)
    assert.include(html, `<h1>Call of weather_signal</h1>`)
    assert.match(html, /<dt>Outcome<\/dt><dd>.*? 200<\/span>/s)
    assert.include(html, "<dt>Charged</dt><dd>0.01 USD</dd>")
    assert.match(html, /<dt>Latency<\/dt><dd>[\d,]+ ms<\/dd>/)
    assert.include(html, `href="/dashboard/keys/${running.account.live.id}"`)
    assert.include(html, 'href="/dashboard/playground/weather_signal"')
    assert.notInclude(html, "Record entry")
    assert.notInclude(html, "kept here for a day")
  })

  it("says why a call failed and what to do, and leads to others like it", async () => {
    await running.get("/v1/weather/signal?station=NONE&tagret=2026-07-08")
    const list = await owner.get("/dashboard/calls?status=400&code=invalid_parameter")
    const failed = /href="(\/dashboard\/calls\/req_\w+)"/.exec(list.html)![1]!
    const { html } = await owner.get(failed)
    assert.include(html, "One or more parameters are not valid.")
    assert.include(html, "Check <code>tagret</code>, <code>station</code>.")
    assert.notInclude(html, "NONE")
    assert.include(html, 'href="/errors/invalid_parameter"')
    assert.include(html, "<dt>Charged</dt><dd>nothing, it failed</dd>")
    const others = /href="(\/dashboard\/calls\?code=[^"]*)"/.exec(html)![1]!.replaceAll("&amp;", "&")
    assert.include((await owner.get(others)).html, failed)
  })

  it("has the names of bad fields for a day, and says so then", async () => {
    const failed = /href="(\/dashboard\/calls\/req_\w+)"/.exec(
      (await owner.get("/dashboard/calls?status=400")).html,
    )![1]!
    const stored = () => running.run(Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT fields FROM call_reasons`))
    await running.run(deleteReasons(Date.now() - day))
    assert.deepStrictEqual(await stored(), [{ fields: "tagret, station" }])
    await running.run(deleteReasons(Date.now()))
    assert.deepStrictEqual(await stored(), [])
    assert.include((await owner.get(failed)).html, "Names of bad fields are kept here for a day.")
  })

  it("keeps few and short names, and none of calls that are told to wait or to pay", async () => {
    const many = Array.from({ length: 50 }, (_, n) => `${"long-name-".repeat(20)}${n}=1`).join("&")
    await running.get(`/v1/weather/signal?station=KNYC&${many}`)
    await running.get("/v1/weather/signal?station=KNYC", running.account.live.token, {
      headers: { "idempotency-key": "no" },
    })
    const rows = await running.run(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql<{ fields: string }>`SELECT fields FROM call_reasons ORDER BY at, request_id`,
      ),
    )
    for (const { fields } of rows) assert.isAtMost(fields.length, 8 * 42)
    assert.include(rows.at(-1)!.fields, "Idempotency-Key")
  })

  it("is not there for another account, nor for an id that is none", async () => {
    assert.strictEqual((await stranger.get(pathOf(call))).status, 404)
    for (const id of ["req_", "req_x", call.toLowerCase(), `${call.slice(0, -1)}${call.endsWith("0") ? "1" : "0"}`]) {
      assert.strictEqual((await owner.get(pathOf(id))).status, 404, id)
    }
  })

  it("is found by its id, as a search of the header does", async () => {
    const found = await running.run(findCall(running.account.id, call))
    assert.strictEqual(found?.requestId, call)
    const { html } = await owner.get(`/dashboard/search?q=${call}`)
    assert.include(html, `<a href="${pathOf(call)}">${call}</a>`)
    assert.notInclude((await stranger.get(`/dashboard/search?q=${call}`)).html, pathOf(call))
  })
})

describe("the search", () => {
  it("finds pages, keys, agents and endpoints by a part of their names", async () => {
    const { html } = await owner.get("/dashboard/search?q=Usage")
    assert.include(html, '<li><a href="/dashboard/usage">Usage</a></li>')
    assert.include((await owner.get("/dashboard/search?q=weather_signal")).html, "/dashboard/playground/weather_signal")
    const key = running.account.live.token.slice(-4)
    assert.include((await owner.get(`/dashboard/search?q=${key}`)).html, `/dashboard/keys/${running.account.live.id}`)
    assert.notInclude((await stranger.get(`/dashboard/search?q=${key}`)).html, running.account.live.id)
  })

  it("says where else to look where nothing is found, and takes what one types as text", async () => {
    const { html } = await owner.get(`/dashboard/search?q=${encodeURIComponent("<script>x")}`)
    assert.include(html, "Nothing is called &lt;script>x")
    assert.notInclude((await owner.get("/dashboard/search?q=accounts")).html, 'main"><a href="/dashboard/operator"')
  })
})
