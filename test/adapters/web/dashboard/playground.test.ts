import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Catalogue from "../../../../core/endpoint/Catalogue.ts"
import * as Endpoint from "../../../../core/endpoint/Endpoint.ts"
import { catalogue } from "../../../../core/lanes/all.ts"
import { type Running, start } from "../../../support/running.ts"
import { hidden, signIn, type Visitor } from "./visitor.ts"

let running: Running
let owner: Visitor

beforeAll(async () => {
  running = await start()
  owner = await signIn(running, { account: "tester" })
}, 120_000)
afterAll(() => running.stop())

const path = "/dashboard/playground/weather_signal"

describe("the button of a live call", () => {
  it("is the price of the endpoint, before the first call and after it, and what is charged", async () => {
    assert.include((await owner.get("/dashboard/playground")).html, "0.01 USD")
    for (let calls = 0; calls < 2; calls++) {
      const { html } = await owner.get(path)
      assert.include(html, "Run for 0.01 USD")
      const before = await running.balance()
      const body = hidden(html, "run")
      body.set("station", "KNYC")
      body.set("environment", "live")
      const { html: asked } = await owner.post(path, body)
      assert.include(asked, "This call costs 0.01 USD.")
      assert.strictEqual(before, await running.balance())
      const spending = hidden(asked, "run")
      for (const replayed of [false, true]) {
        const { html: answer } = await owner.post(path, spending)
        assert.include(answer, replayed ? "which was charged once" : "charged 0.01 USD")
        assert.strictEqual(before - (await running.balance()), 10_000)
      }
    }
  })

  it("cannot be pressed without money for that price", async () => {
    const poor = await start({}, { balance: 10_000 })
    try {
      const visitor = await signIn(poor, { account: "tester" })
      assert.notMatch((await visitor.get(path)).html, /value="live" disabled/)
      const { html } = await visitor.send(path, "run", { station: "KNYC", environment: "live" })
      await visitor.post(path, hidden(html, "run"))
      assert.match((await visitor.get(path)).html, /value="live" disabled/)
    } finally {
      await poor.stop()
    }
  })
})

describe("before a live call", () => {
  it("its fields are checked, and a price that is not the one which was shown is asked for again", async () => {
    const before = await running.balance()
    const wrong = await owner.send(path, "run", { station: "NOWHERE", environment: "live" })
    assert.strictEqual(wrong.status, 422)
    assert.include(wrong.html, "must be one of KNYC")
    assert.match(wrong.html, /<option value="NOWHERE" selected/)
    assert.notInclude(wrong.html, "This call costs")
    const { html } = await owner.send(path, "run", { station: "KMIA", environment: "live" })
    // The form keeps what was chosen.
    assert.match(html, /<option value="KMIA" selected[^>]*>Miami, Miami International \(KMIA\)/)
    const cheaper = hidden(html, "run")
    cheaper.set("confirmed_micros", "1")
    assert.include((await owner.post(path, cheaper)).html, "This call costs 0.01 USD.")
    assert.strictEqual(await running.balance(), before)
  })

  it("offers codes by their names", async () => {
    for (const [id, options] of [
      ["nfl_injuries", ["Buffalo Bills (BUF)", "Washington Commanders (WAS)"]],
      ["crypto_signal", ["Bitcoin (BTC)", "Ether (ETH)"]],
      ["weather_settlement", ["New York, Central Park (KNYC)"]],
    ] as const) {
      const { html } = await owner.get(`/dashboard/playground/${id}`)
      for (const option of options) assert.include(html, `>${option}</option>`, id)
    }
  })

  it("of a body, the body is asked for again as it was typed", async () => {
    const posted = "/dashboard/playground/bench_opinions"
    const body = JSON.stringify({ model: 'fox "<1>"', opinions: [] }, null, 2)
    const { status, html } = await owner.send(posted, "run", { body, environment: "test" })
    assert.strictEqual(status, 200)
    assert.include(html, "fox \\&quot;&lt;1>")
  })
})

describe("the fields", () => {
  it("begin with the parameters in the address, as text, and with no other name", async () => {
    const attack = '"><script>alert(1)</script>'
    const query = new URLSearchParams({ station: attack, form_id: "x", nothing: "1" })
    const { status, html } = await owner.get(`${path}?${query}`)
    assert.strictEqual(status, 200)
    assert.notInclude(html, "<script>alert")
    assert.include(html, "&lt;script>alert(1)")
    assert.notInclude(html, 'name="form_id" value="x"')
    assert.notInclude(html, 'name="nothing"')
  })
})

describe("the reference", () => {
  it("leads from every endpoint that is sold to its page here, with the example's parameters", async () => {
    const sold = Catalogue.live(catalogue).filter(({ endpoint }) => !Endpoint.isKeyless(endpoint))
    const found = new Set<string>()
    for (const name of new Set(sold.map(({ endpoint, lane }) => Endpoint.sectionOf(endpoint, lane)))) {
      const docs = await (await fetch(`${running.url}/docs/${name}`)).text()
      for (const [, link] of docs.matchAll(/href="(\/dashboard\/playground\/[^"]+)"/g)) {
        const to = link!.replaceAll("&amp;", "&")
        const { status, html } = await owner.get(to)
        assert.strictEqual(status, 200, to)
        const url = new URL(to, running.url)
        const id = url.pathname.split("/").at(-1)!
        found.add(id)
        for (const [parameter, value] of url.searchParams) {
          assert.include(html, `name="${parameter}"`, to)
          if (!/[&<"]/.test(value)) assert.include(html, value, to)
        }
        if (!html.includes('name="body"')) continue
        const { endpoint } = sold.find((entry) => entry.endpoint.id === id)!
        for (const name of Object.keys(endpoint.example as object)) assert.include(html, name, to)
      }
    }
    assert.deepStrictEqual([...found].sort(), sold.map(({ endpoint }) => endpoint.id).sort())
  })
})
