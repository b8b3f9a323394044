import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Page } from "playwright-core"
import { allPages } from "../../../adapters/web/dashboard/pages/all.ts"
import { Accounts } from "../../../core/account/Accounts.ts"
import { Agents } from "../../../core/account/Agents.ts"
import { MicroUsd } from "../../../core/account/Money.ts"
import { catalogue } from "../../../core/lanes/all.ts"
import { otherAccount } from "../../adapters/web/dashboard/visitor.ts"
import { newestCall } from "../../support/newestCall.ts"
import { type Running, start } from "../../support/running.ts"
import { cap, pause } from "./journeys/agents.ts"
import { key, mistakes as keyMistakes } from "./journeys/key.ts"
import { playground } from "./journeys/playground.ts"
import { entering, sessionCookies } from "./support/entering.ts"
import { findings } from "./support/findings.ts"
import { loading, visit } from "./support/page.ts"
import { counting, hits, payloads } from "./support/payloads.ts"

let running: Running
let agent: string
beforeAll(async () => {
  running = await start({}, { balance: 10_000_000 })
  agent = await running.run(
    Effect.flatMap(Agents, ({ create }) =>
      Effect.map(create("tester", "bot", { monthlyCap: MicroUsd(50_000) }), ({ id }) => id),
    ),
  )
}, 120_000)
afterAll(() => running.stop())

const { enter, as } = entering(() => running)

const owner = { account: "tester" }

const heading = (page: Page) => page.locator("h1").textContent()

/** Refused forms answer 422, which the console calls an error. */
const refusals = /status of (400|404|422|429)/

describe("every page of the dashboard", () => {
  it("fits every window and can be read by everybody", { timeout: 300_000 }, async () => {
    const found: Array<string> = []
    const call = await newestCall(running)
    await as("dashboard pages", { operator: true, account: "tester", name: "op" }, async ({ page, requests }) => {
      const screen = await page.context().newCDPSession(page)
      const paths = allPages(catalogue).map(({ path }) =>
        path
          .replace(":account", running.account.id)
          .replace(":key", running.account.live.id)
          .replace(":agent", agent)
          .replace(":endpoint", "weather_signal")
          .replace(":call", call)
          .replace(":webhook", "whk_none"),
      )
      for (const path of paths.filter((each) => !each.endsWith("whk_none"))) {
        requests.length = 0
        const response = await page.goto(running.url + path)
        assert.strictEqual(response?.status(), 200, path)
        assert.isAtMost(loading(requests).length, 4, path)
        for (const finding of await findings(page, screen)) found.push(`${path}, ${finding}`)
      }
    })
    assert.deepStrictEqual([...new Set(found)], [])
  })
})

describe("what is made and stopped by a button", () => {
  it("a new key is copied, and so are the settings with it", { timeout: 60_000 }, () =>
    as("copied key", owner, async ({ page }) => {
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
      await page.goto(`${running.url}/dashboard/keys/new`)
      await page.getByRole("button", { name: "Create key" }).click()
      const token = await page.locator("code.secret").textContent()
      const copied = async (text: string) => {
        await page.locator("pre", { hasText: text }).first().getByRole("button", { name: "Copy" }).click()
        return page.evaluate(() => navigator.clipboard.readText())
      }
      assert.strictEqual(await copied(token!), token)
      assert.include(await copied("curl"), token!)
    }),
  )

  it("an alert is made of its kind's fields, paused, resumed and deleted", { timeout: 60_000 }, () =>
    as("alert", owner, async ({ page }) => {
      const button = (name: RegExp) => page.getByRole("button", { name })
      await page.goto(`${running.url}/dashboard/alerts/new`)
      await page.getByRole("link", { name: /^Edge/ }).click()
      await page.getByLabel("Edge (points)").fill("8.5")
      await button(/^Create alert/).click()
      await page.getByText("Edge ≥ 8.5 points · weather").first().waitFor()
      await button(/^Pause/).click()
      await button(/^Resume/).click()
      await button(/^Pause/).waitFor()
      await page.getByRole("link", { name: /^Delete/ }).click()
      await button(/^Delete alert/).click()
      await page.getByText("No alerts yet.").waitFor()
    }),
  )
})

describe("signing in", () => {
  it("by a link works once and leaves no code in the address", () =>
    visit(
      "link",
      {},
      async ({ page }) => {
        const code = await enter(page, owner)
        assert.strictEqual(await heading(page), "Overview")
        assert.notInclude(page.url(), code)
        // The page opens its stream of values later, which would be refused without the cookie.
        await page.goto("about:blank")
        await page.context().clearCookies()
        await page.goto(`${running.url}/dashboard/enter#${code}`)
        await page.getByRole("button", { name: "Sign in" }).click()
        await page.getByRole("alert").waitFor()
        assert.include(await page.getByRole("alert").textContent(), "already used")
        assert.deepStrictEqual(await sessionCookies(page), [])
      },
      refusals,
    ))
})

describe("by the mouse", () => {
  it("a key is made, used, never shown again, rotated and revoked", () => as("key", owner, key, keyMistakes))

  it("the playground charges what its button says, and once for a double click and a reload", () =>
    as("playground", owner, playground))

  it("a cap is spent to the micro: meter, events and journal say the same", () =>
    as("cap", owner, (visit) => cap(visit, "capped")))

  it("a pause by a button stops an agent's keys within a second, under load", () =>
    as("pause", owner, (visit) => pause(visit, "stopped")))
})

describe("the keyboard", () => {
  it("goes to the search by a key, to its help by another, and to neither when they are turned off", () =>
    as("keys", { operator: true, account: "tester", name: "op" }, async ({ page }) => {
      await page.goto(`${running.url}/dashboard/operator`)
      const search = page.getByLabel("Find an account")
      const isThere = () => search.evaluate((field) => field === document.activeElement)
      await page.keyboard.press("/")
      assert.isTrue(await isThere())
      await page.keyboard.type("no/body?")
      assert.strictEqual(await search.inputValue(), "no/body?")
      await page.keyboard.press("Enter")
      await page.getByText("No accounts match your search.").waitFor()
      const use = page.getByLabel("search, ? this menu")
      assert.isFalse(await use.isVisible())
      await page.keyboard.press("?")
      await use.uncheck()
      await page.reload()
      await page.keyboard.press("/")
      assert.isFalse(await isThere())
      await page.keyboard.press("?")
      assert.isFalse(await use.isVisible())
    }))
})

describe("what others write", () => {
  it("of another site changes nothing, and nothing of another account is there", () =>
    as(
      "foreign",
      owner,
      async ({ page }) => {
        const other = await otherAccount(running, "elsewhere")
        assert.strictEqual((await page.goto(`${running.url}/dashboard/keys/${other.key}`))?.status(), 404)
        // A page of another port of this machine is another origin of the same site, which SameSite does not see.
        const html = `<form method="post" action="${running.url}/dashboard/agents"><input name="action" value="pause"><input name="agent" value="${agent}"></form><script>document.forms[0].submit()</script>`
        await page.route("http://127.0.0.1:1/**", (route) => route.fulfill({ contentType: "text/html", body: html }))
        await page.goto("http://127.0.0.1:1/evil").catch(() => undefined)
        await page.waitForURL(/dashboard/)
        assert.include(await page.locator("main").textContent(), "not sent from a page of this session")
        const { status } = await running.run(
          Effect.flatMap(Agents, ({ get }) => Effect.map(get(agent), (found) => found.agent)),
        )
        assert.strictEqual(status, "active")
      },
      refusals,
    ))

  it("is text: 500 payloads as what one types run nowhere", { timeout: 120_000 }, () =>
    as(
      "payloads",
      owner,
      async ({ page }) => {
        await counting(page)
        // Shown again in the form that refuses them, 25 in one value and each alone in the query of a search.
        for (let at = 0; at < payloads.length; at += 25) {
          const text = payloads.slice(at, at + 25).join(" ")
          await page.goto(`${running.url}/dashboard/agents/new`)
          await page.getByLabel("Name").evaluate((field, value) => {
            ;(field as HTMLInputElement).removeAttribute("maxlength")
            ;(field as HTMLInputElement).value = value
          }, text)
          await page.getByRole("button", { name: "Create agent" }).click()
          await page.locator(".error").first().waitFor()
          assert.strictEqual(await hits(page), 0)
          await page.goto(`${running.url}/dashboard/agents?q=${encodeURIComponent(text.slice(0, 4_000))}`)
          assert.strictEqual(await hits(page), 0)
        }
      },
      refusals,
    ),
  )
})

describe("sessions", () => {
  it("end everywhere at once", () =>
    as("sessions", { ...owner, name: "everywhere" }, async ({ page }) => {
      const browser = page.context().browser()!
      const second = await browser.newContext()
      try {
        const other = await second.newPage()
        await enter(other, { ...owner, name: "everywhere" })
        await page.goto(`${running.url}/dashboard/sessions`)
        await page.getByRole("button", { name: "End all other sessions" }).click()
        await page.waitForLoadState()
        await other.goto(`${running.url}/dashboard`)
        assert.strictEqual(new URL(other.url()).pathname, "/dashboard/enter")
        await page.getByRole("button", { name: "Sign out" }).click()
        await page.waitForURL(/enter/)
      } finally {
        await second.close()
      }
    }))
})

describe("an operator", () => {
  it("makes an account, credits it and looks at it; an owner has no such page", () =>
    as(
      "operator",
      { operator: true, name: "op" },
      async ({ page }) => {
        await page.getByLabel("Name").fill("newcomer")
        await page.getByRole("button", { name: "Create account" }).click()
        await page.getByRole("heading", { name: "newcomer" }).waitFor()
        await page.getByLabel("Amount (USD)").first().fill("2.50")
        await page.getByRole("button", { name: "Continue" }).first().click()
        await page.getByText("Credit newcomer 2.50 USD, new balance 2.50 USD").waitFor()
        await page.getByRole("button", { name: "Credit 2.50 USD" }).click()
        await page.waitForURL(/accounts\/acct_\w+$/)
        await page.getByRole("button", { name: "Show the dashboard of newcomer" }).click()
        await page.getByRole("heading", { name: "Overview" }).waitFor()
        const { balance } = await running.run(Effect.flatMap(Accounts, (all) => all.balance("newcomer")))
        assert.strictEqual(Number(balance), 2_500_000)
        // No page is left that would ask for its stream without a session.
        await page.goto("about:blank")
        await page.context().clearCookies()
        await enter(page, owner)
        assert.strictEqual((await page.goto(`${running.url}/dashboard/operator`))?.status(), 404)
      },
      refusals,
    ))
})
