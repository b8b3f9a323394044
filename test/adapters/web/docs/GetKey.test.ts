import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Option from "effect/Option"
import { getKeyPage } from "../../../../adapters/web/docs/GetKey.tsx"
import { demoKey } from "../../../../core/account/ApiKey.ts"
import { catalogue } from "../../../../core/lanes/all.ts"
import { type Running, start } from "../../../support/running.ts"

const site = { served: () => true }
const baseUrl = "https://api.example.com"

describe("the page on getting a key", () => {
  it("has the demo key with a call that runs, and the operator's commands folded", () => {
    const html = getKeyPage({ baseUrl }, site, catalogue)
    assert.include(html, `<pre><code>${demoKey}</code></pre>`)
    assert.include(
      html.replace(/<[^>]+>/g, "").replaceAll("&quot;", '"'),
      `"${baseUrl}/v1/weather/signal?station=KNYC"`,
    )
    assert.isAbove(html.indexOf("account create"), html.indexOf("<details>"))
    assert.include(html, "Ask the operator of this server for an account: you get a sign-in link.")
  })

  it("names whom to write to, or leads to the provider", () => {
    const operator = { support: "mailto:help@example.com" }
    const support = '<a href="mailto:help@example.com">help@example.com</a>'
    assert.include(
      getKeyPage({ baseUrl, operator }, site, catalogue),
      `Ask ${support} for an account: you get a sign-in link.`,
    )
    const invited = getKeyPage({ baseUrl, operator, signIn: { host: "id.example", isOpen: false } }, site, catalogue)
    assert.include(invited, `Ask ${support} for an account: you get an invitation.`)
    const open = getKeyPage({ baseUrl, operator, signIn: { host: "id.example", isOpen: true } }, site, catalogue)
    assert.notInclude(open, "invitation")
    assert.include(
      open,
      'href="/dashboard/oidc/begin?return_to=%2Fdashboard%2Fkeys%2Fnew">Continue with id.example</a>',
    )
  })

  it("offers no account where there is no dashboard", () => {
    assert.notInclude(getKeyPage({ baseUrl }, { served: () => false }, catalogue), "Live key")
  })
})

describe("the foot of every page", () => {
  let running: Running
  beforeAll(async () => {
    running = await start({
      operator: {
        support: Option.some("mailto:help@example.com"),
        terms: Option.some("https://example.com/terms"),
        privacy: Option.none(),
      },
    })
  }, 60_000)
  afterAll(() => running.stop())

  it("links what the operator named, and nothing else", async () => {
    for (const path of ["/", "/get-a-key", "/dashboard/enter", "/errors"]) {
      const html = await (await fetch(running.url + path)).text()
      assert.include(html, '<a href="/support">Support</a>', path)
      assert.include(html, '<a href="/terms">Terms</a>', path)
      assert.notInclude(html, "Privacy", path)
    }
    const terms = await fetch(`${running.url}/terms`, { redirect: "manual" })
    assert.deepStrictEqual([terms.status, terms.headers.get("location")], [302, "https://example.com/terms"])
    assert.strictEqual((await fetch(`${running.url}/privacy`)).status, 404)
  })

  it("is reached from the first page, in one press", async () => {
    assert.include(await (await fetch(running.url)).text(), '<a class="button" href="/get-a-key">Get a key</a>')
    assert.include(await (await fetch(`${running.url}/get-a-key`)).text(), "help@example.com")
  })
})
