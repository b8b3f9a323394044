import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { Page } from "playwright-core"
import { pagesOf } from "../../adapters/http/dashboard/pages/all.ts"
import { Accounts } from "../../core/account/Accounts.ts"
import { Agents } from "../../core/account/Agents.ts"
import { MicroUsd } from "../../core/account/Money.ts"
import { catalogue } from "../../core/lanes/all.ts"
import { linkOf, otherAccount } from "../adapters/http/dashboard/visitor.ts"
import { type Running, start } from "../support/running.ts"
import { entering } from "./support/entering.ts"
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

const paid = "/v1/weather/signal?station=KNYC"

describe("every page of the dashboard", () => {
  it("fits every window and can be read by everybody", { timeout: 300_000 }, async () => {
    const found: Array<string> = []
    await as("dashboard pages", { operator: true, account: "tester", name: "op" }, async ({ page, requests }) => {
      const screen = await page.context().newCDPSession(page)
      const paths = pagesOf(catalogue).map(({ path }) =>
        path
          .replace(":key", running.account.live.id)
          .replace(":agent", agent)
          .replace(":endpoint", "weather_signal")
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

describe("signing in", () => {
  it("by a link works once and leaves no code in the address", () =>
    visit(
      "link",
      {},
      async ({ page }) => {
        const code = await enter(page, owner)
        assert.strictEqual(await heading(page), "Overview")
        assert.notInclude(page.url(), code)
        await page.context().clearCookies()
        await page.goto(`${running.url}/dashboard/enter#${code}`)
        await page.getByRole("button", { name: "Sign in" }).click()
        await page.getByRole("alert").waitFor()
        assert.include(await page.getByRole("alert").textContent(), "used before")
        assert.deepStrictEqual(await page.context().cookies(), [])
      },
      refusals,
    ))
})

describe("a key", () => {
  it("is made, used, never shown again, rotated and revoked", () =>
    as(
      "key",
      owner,
      async ({ page }) => {
        const tokenOf = async () => ((await page.locator(".secret").textContent()) ?? "").trim()
        const answer = async (token: string) => (await running.get(paid, token)).status
        await page.goto(`${running.url}/dashboard/keys/new`)
        await page.getByLabel("Environment").selectOption("live")
        await page.getByRole("button", { name: "Make the key" }).click()
        await page.locator(".secret").waitFor()
        const first = await tokenOf()
        assert.match(first, /^svk_live_/)
        assert.strictEqual(await answer(first), 200)
        await page.getByRole("link", { name: "To the key" }).click()
        await page.waitForURL(/keys\/key_/)
        const keyUrl = page.url()
        // The browser does not keep the page of a form's answer, and does not send the form again unasked.
        await page.goBack().catch(() => undefined)
        await page.waitForURL(/^chrome-error:/)
        assert.strictEqual(await page.getByText(first).count(), 0)
        await page.goto(keyUrl)
        await page.getByRole("button", { name: "Rotate the key" }).click()
        await page.locator(".secret").waitFor()
        const second = await tokenOf()
        assert.deepStrictEqual([await answer(first), await answer(second)], [200, 200])
        await page.getByRole("link", { name: "To the key" }).click()
        await page.getByLabel("Last four characters").fill(second.slice(-4))
        await page.getByRole("button", { name: "Revoke the key" }).click()
        await page.getByText("revoked").first().waitFor()
        await new Promise((resolve) => setTimeout(resolve, 1_000))
        assert.strictEqual(await answer(second), 401)
      },
      /ERR_CACHE_MISS|status of (400|422)/,
    ))
})

describe("the playground", () => {
  it("charges what its button says, and once for a double click and a reload", () =>
    as("playground", owner, async ({ page }) => {
      const before = await running.balance()
      await page.goto(`${running.url}/dashboard/playground/weather_signal`)
      await page.getByRole("button", { name: "Run for 0.01 USD" }).dblclick()
      await page.getByRole("status").waitFor()
      assert.include(await page.getByRole("status").textContent(), "200, charged 0.01 USD")
      assert.strictEqual(before - (await running.balance()), 10_000)
      await page.reload()
      assert.include(await page.getByRole("status").textContent(), "charged once")
      assert.strictEqual(before - (await running.balance()), 10_000)
      await page.getByRole("button", { name: "Run, free" }).click()
      await page.getByText("charged 0 USD").waitFor()
      assert.strictEqual(before - (await running.balance()), 10_000)
    }))
})

describe("without script", () => {
  it("keys, agents and the playground work the same", () =>
    visit("no script", { javaScriptEnabled: false }, async ({ page }) => {
      const code = await linkOf(running, owner)
      await page.goto(`${running.url}/dashboard/enter`)
      await page.getByLabel("Code of the link").fill(code)
      await page.getByRole("button", { name: "Sign in" }).click()
      assert.strictEqual(await heading(page), "Overview")
      await page.goto(`${running.url}/dashboard/keys/new`)
      await page.getByRole("button", { name: "Make the key" }).click()
      assert.match((await page.locator(".secret").textContent()) ?? "", /svk_test_/)
      await page.goto(`${running.url}/dashboard/agents`)
      await page.getByRole("button", { name: "Pause bot" }).click()
      assert.strictEqual(await page.getByRole("button", { name: "Resume bot" }).count(), 1)
      await page.getByRole("button", { name: "Resume bot" }).click()
      await page.goto(`${running.url}/dashboard/playground/weather_signal`)
      await page.getByRole("button", { name: "Run, free" }).click()
      assert.include(await page.getByRole("status").textContent(), "200")
    }))

  it("and by the keyboard alone", () =>
    as("keyboard", owner, async ({ page }) => {
      await page.goto(`${running.url}/dashboard/agents/new`)
      await page.getByLabel("Name").focus()
      await page.keyboard.type("typed")
      await page.keyboard.press("Enter")
      await page.getByRole("heading", { name: "Agent typed" }).waitFor()
    }))
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
      await page.getByText("No account has this text.").waitFor()
      const use = page.getByLabel("Use these keys")
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
          await page.getByRole("button", { name: "Make the agent" }).click()
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

describe("a cap", () => {
  it("is spent to the micro: meter, events and journal say the same", () =>
    as("cap", owner, async ({ page }) => {
      const { token, id } = await running.run(
        Effect.gen(function* () {
          const { create } = yield* Agents
          const { issueKey } = yield* Accounts
          const { id } = yield* create("tester", "capped", { monthlyCap: MicroUsd(50_000) })
          const { plaintext } = yield* issueKey({ account: "tester", environment: "live", tier: "pro", agent: id })
          return { id, token: Redacted.value(plaintext) }
        }),
      )
      const meter = async () => {
        await page.goto(`${running.url}/dashboard/agents/${id}`)
        return ((await page.locator("table tbody tr").first().locator("td").first().textContent()) ?? "").trim()
      }
      assert.strictEqual(await meter(), "0 USD of 0.05 USD")
      for (let call = 1; call <= 5; call++) assert.strictEqual((await running.get(paid, token)).status, 200)
      assert.strictEqual(await meter(), "0.05 USD of 0.05 USD")
      const over = await running.get(paid, token)
      assert.deepStrictEqual([over.status, over.json.error.code], [429, "agent_budget_exceeded"])
      await page.goto(`${running.url}/dashboard/calls?agent=${id}`)
      assert.strictEqual(await page.getByText("0.01 USD").count(), 5)
      await page.getByRole("cell", { name: "429" }).waitFor()
    }))

  it("that pauses by a button stops its keys within a second, under load", () =>
    as("pause", owner, async ({ page }) => {
      const { token, name, id } = await running.run(
        Effect.gen(function* () {
          const { create } = yield* Agents
          const { issueKey } = yield* Accounts
          const { id, name } = yield* create("tester", "stopped", {})
          const { plaintext } = yield* issueKey({ account: "tester", environment: "live", tier: "pro", agent: id })
          return { id, name, token: Redacted.value(plaintext) }
        }),
      )
      await page.goto(`${running.url}/dashboard/agents`)
      const second = await page.context().newPage()
      await second.goto(`${running.url}/dashboard/agents/${id}`)
      await second.getByText("Updates live", { exact: true }).waitFor()
      let isOn = true
      const statuses: Array<readonly [at: number, status: number]> = []
      const load = Array.from({ length: 4 }, async () => {
        while (isOn) {
          const at = performance.now()
          statuses.push([at, (await running.get("/v1/weather/settlement?station=KNYC", token)).status])
        }
      })
      await page.getByRole("button", { name: `Pause ${name}` }).click()
      await page.getByRole("button", { name: `Resume ${name}` }).waitFor()
      const pausedAt = performance.now()
      const seen = second.getByText("paused", { exact: true }).waitFor({ timeout: 2_000 })
      await Promise.all([seen, new Promise((resolve) => setTimeout(resolve, 2_000))])
      // The button stays as it is, so that it never does the opposite of what one is about to press.
      assert.strictEqual(await second.getByRole("button", { name: `Pause ${name}` }).count(), 1)
      await second.getByRole("link", { name: "Open it again" }).click()
      await second.getByRole("button", { name: `Resume ${name}` }).waitFor()
      isOn = false
      await Promise.all(load)
      const late = statuses.filter(([at]) => at > pausedAt + 1_000)
      assert.isAbove(late.length, 0)
      assert.deepStrictEqual([...new Set(late.map(([, status]) => status))], [403])
    }))
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
        await page.getByRole("button", { name: "Make the account" }).click()
        await page.getByRole("button", { name: "Look at newcomer" }).click()
        await page.getByRole("heading", { name: "Overview" }).waitFor()
        await page.goto(`${running.url}/dashboard/operator`)
        await page.getByLabel("Amount (USD)").fill("2.50")
        await page.getByRole("button", { name: "Credit the wallet" }).click()
        await page.waitForLoadState()
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
