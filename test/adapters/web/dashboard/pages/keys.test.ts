import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Accounts } from "../../../../../core/account/Accounts.ts"
import { type Running, start } from "../../../../support/running.ts"
import { hidden, signIn, type Visitor } from "../visitor.ts"

let running: Running
let owner: Visitor
beforeAll(async () => {
  running = await start()
  owner = await signIn(running, { account: "tester", name: "ann" })
}, 120_000)
afterAll(() => running.stop())

describe("keys", () => {
  it("have one name wherever they are named, and are found by it", async () => {
    const { key } = await running.run(
      Effect.flatMap(Accounts, ({ issueKey }) => issueKey({ account: "tester", environment: "live", name: "Nightly" })),
    )
    const name = `Nightly (svk_live_…${key.lastFour})`
    const html = async (path: string) => (await owner.get(path)).html
    assert.include(await html("/dashboard/keys"), `<a href="/dashboard/keys/${key.id}">${name}</a>`)
    assert.include(await html(`/dashboard/keys/${key.id}`), `<h1>Key ${name}</h1>`)
    assert.include(await html("/dashboard/calls"), `<option value="${key.id}">${name}</option>`)
    for (const text of ["nightly", "Night", name]) {
      const found = await html(`/dashboard/keys?q=${encodeURIComponent(text)}`)
      assert.include(found, name, text)
      assert.notInclude(found, running.account.live.id, text)
    }
    assert.include(await html("/dashboard/keys?q=weekly"), "No active keys match your search.")
  })

  it.each([
    ["test", "Its calls are free and answer sample data."],
    [
      "live",
      'Its calls are charged to the <a href="/dashboard/wallet">wallet</a>: <a href="/dashboard/top-up">top up</a>.',
    ],
  ])(
    "that are new are shown once, with what a %s key costs and settings that have the key",
    async (environment, cost) => {
      const { html } = await owner.send("/dashboard/keys/new", "create", { environment })
      const token = /<pre><code class="secret">(svk_\w+)<\/code><\/pre>/.exec(html)![1]!
      assert.include(html, cost)
      assert.match(html, /data-live-unless="key_\w+\.used=never" hidden>.*Waiting for the first call</)
      const settings = html.split('class="tabs"')[1]!.replace(/<\/?(?:span|i)\b[^>]*>/g, "")
      for (const each of ["curl", "mcpServers", "claude mcp add"]) {
        const block = [...settings.matchAll(/<pre><code>([\s\S]*?)<\/code>/g)].find(([, code]) => code!.includes(each))
        assert.include(block?.[1], token, each)
      }
    },
  )

  it.each([
    [{ lanes: "All lanes", scopes: "weather" }, "all"],
    [{ lanes: "Only these", scopes: "weather" }, "weather"],
    [{ scopes: "weather" }, "weather"],
    [{ lanes: "Only these", scopes: "weather", manage: "true" }, "weather, manage"],
    [{ lanes: "All lanes", manage: "true" }, "weather, football, baseball, crypto, markets, filings, manage"],
  ])("may do what is chosen: %o is %s", async (chosen, rights) => {
    const { html } = await owner.send("/dashboard/keys/new", "create", { environment: "test", ...chosen } as never)
    const [, at] = /href="(\/dashboard\/keys\/key_\w+)">View key/.exec(html)!
    assert.include((await owner.get(at!)).html, `<dt>Lanes</dt><dd>${rights}</dd>`)
  })

  it("need a lane where only some are wanted", async () => {
    const { status, html } = await owner.send("/dashboard/keys/new", "create", {
      environment: "test",
      lanes: "Only these",
    })
    assert.strictEqual(status, 422)
    assert.strictEqual(/id="create-scopes-error">([^<]*)/.exec(html)?.[1], "Choose at least one.")
  })

  it("expire as the form says: never, after some days, or at the end of a day", async () => {
    const made = async (values: Readonly<Record<string, string>>) => {
      const { status, html } = await owner.send("/dashboard/keys/new", "create", { environment: "test", ...values })
      const id = /href="\/dashboard\/keys\/(key_\w+)">View key/.exec(html)?.[1]
      const [key] = await running.run(Effect.flatMap(Accounts, (all) => all.keysNamed(running.account.id, [id ?? ""])))
      return { status, html, expiresAt: key?.expiresAt }
    }
    assert.isUndefined((await made({ expires: "Never", expires_at: "2030-01-01" })).expiresAt)
    for (const [expires, days] of Object.entries({ "30 days": 30, "90 days": 90, "1 year": 365 })) {
      const { expiresAt } = await made({ expires, expires_at: "" })
      assert.closeTo(expiresAt! - Date.now(), days * 86_400_000, 60_000, expires)
    }
    const day = await made({ expires: "On a day", expires_at: "2030-01-31" })
    assert.strictEqual(day.expiresAt, Date.UTC(2030, 1, 1))
    for (const expires_at of ["", "2030-02-30"]) {
      const { status, html } = await made({ expires: "On a day", expires_at })
      assert.strictEqual(status, 422)
      assert.include(html, "Last day (UTC) must be a day such as 2027-01-31.")
    }
  })

  it("that are rotated are shown in the same way", async () => {
    const { html } = await owner.send(`/dashboard/keys/${running.account.test.id}`, "rotate")
    const token = /<code class="secret">(svk_test_\w+)</.exec(html)![1]!
    assert.isAbove(html.split(token).length, 6)
  })

  it("that exist are named before one is asked to make another", async () => {
    assert.include((await owner.get("/dashboard")).html, "Or use a key that you have.")
  })

  it("of the playground are folded away", async () => {
    const path = "/dashboard/playground/weather_signal"
    const { html: asked } = await owner.send(path, "run", { station: "KNYC", environment: "live" })
    const tried = await owner.post(path, hidden(asked, "run"))
    assert.include(tried.html, "charged 0.01 USD")
    const { html } = await owner.get("/dashboard/keys")
    const [list = "", folded = ""] = html.split("<summary>Keys of alerts and of the playground</summary>")
    assert.notInclude(list, "playground (svk_live_…")
    assert.match(folded, /playground \(svk_live_…\w{4}\)/)
  })
})
