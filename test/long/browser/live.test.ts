import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { BrowserContext, Page } from "playwright-core"
import { Accounts } from "../../../core/account/Accounts.ts"
import { Agents } from "../../../core/account/Agents.ts"
import { MicroUsd } from "../../../core/account/Money.ts"
import { People } from "../../../core/people/People.ts"
import { type Running, start } from "../../support/running.ts"
import { entering } from "./support/entering.ts"

let running: Running
beforeAll(async () => {
  running = await start({}, { balance: 1_000_000 })
}, 120_000)
afterAll(() => running.stop())

const { as } = entering(() => running)

const paid = "/v1/weather/signal?station=KNYC"

const says = (page: Page, text: string, options = {}) => page.getByText(text, { exact: true }).first().waitFor(options)

const tab = async (context: BrowserContext, path = "/dashboard"): Promise<Page> => {
  const page = await context.newPage()
  await page.goto(running.url + path)
  await says(page, "Updates live")
  return page
}

/** Charges by an API key, and says the balance after it. */
const charge = async (): Promise<string> => {
  assert.strictEqual((await running.get(paid)).status, 200)
  return `${Number(await running.balance()) / 1e6} USD`
}

describe("open tabs", () => {
  it("all show a charge, however many there are", () =>
    as("tabs", { account: "tester" }, async ({ page }) => {
      const tabs = [page, await tab(page.context()), await tab(page.context(), "/dashboard/wallet")]
      const balance = await charge()
      await Promise.all(tabs.map((each) => says(each, balance)))
    }))

  it("do not ask while nobody looks, and at once when somebody does", () =>
    as("hidden", { account: "tester", name: "away" }, async ({ page, requests }) => {
      const turn = (isHidden: boolean) =>
        page.evaluate((value) => {
          Object.defineProperty(document, "hidden", { value, configurable: true })
          document.dispatchEvent(new Event("visibilitychange"))
        }, isHidden)
      await says(page, "Updates live")
      await turn(true)
      const balance = await charge()
      await page.waitForTimeout(2_500)
      requests.length = 0
      await page.waitForTimeout(2_500)
      assert.deepStrictEqual(requests, [])
      assert.notStrictEqual(await page.locator("[data-live=balance]").textContent(), balance)
      await turn(false)
      await says(page, balance)
    }))

  it("stop together when the session is signed out", () =>
    as(
      "signed out",
      { account: "tester", name: "leaver" },
      async ({ page }) => {
        const second = await tab(page.context(), "/dashboard/wallet")
        await page.getByRole("button", { name: "Sign out" }).click()
        await page.waitForURL(/enter/)
        await says(second, "Signed out", { timeout: 5_000 })
      },
      /status of 401/,
    ))

  it("of another account are left alone", () =>
    as("operator tabs", { operator: true, account: "tester", name: "op" }, async ({ page }) => {
      const { id } = await running.run(
        Effect.flatMap(Accounts, (accounts) =>
          Effect.tap(accounts.create("other"), (account) => accounts.credit(account.id, MicroUsd(7_000_000))),
        ),
      )
      const old = await tab(page.context(), "/dashboard/wallet")
      const shown = await old.locator("[data-live=balance]").textContent()
      await page.goto(`${running.url}/dashboard/operator`)
      await page.getByRole("link", { name: "other", exact: true }).click()
      await page.getByRole("button", { name: "Show the dashboard of other" }).click()
      await says(old, "Another account is shown now", { timeout: 5_000 })
      await says(page, "Updates live")
      await running.run(Effect.flatMap(Accounts, ({ credit }) => credit(id, MicroUsd(1_000_000))))
      await says(page, "8.00 USD")
      assert.strictEqual(await old.locator("[data-live=balance]").textContent(), shown)
    }))
})

describe("an open page", () => {
  it("moves its meters, and says that there are newer rows", () =>
    as("values", { account: "tester", name: "reader" }, async ({ page }) => {
      const { token, key, id } = await running.run(
        Effect.gen(function* () {
          const { id } = yield* (yield* Agents).create("tester", "metered", { monthlyCap: MicroUsd(20_000) })
          const { issueKey } = yield* Accounts
          const issued = yield* issueKey({ account: "tester", environment: "live", tier: "pro", agent: id })
          return { id, key: issued.key.id, token: Redacted.value(issued.plaintext) }
        }),
      )
      const calls = await tab(page.context(), "/dashboard/calls")
      const journal = await tab(page.context(), "/dashboard/wallet")
      const keys = await tab(page.context(), "/dashboard/keys")
      const one = await tab(page.context(), `/dashboard/agents/${id}`)
      const used = keys.locator(`[data-live="${key}.used"]`)
      assert.strictEqual(await used.textContent(), "never")
      assert.strictEqual(await calls.getByText("There are newer calls.").isVisible(), false)
      assert.strictEqual((await running.get(paid, token)).status, 200)
      await says(one, "0.01 USD of 0.02 USD")
      const meter = one.getByLabel("live this month")
      assert.strictEqual(await meter.evaluate((found) => (found as HTMLMeterElement).value), 10_000)
      await running.run(Effect.flatMap(Agents, ({ setCaps }) => setCaps(id, { monthlyCap: MicroUsd(40_000) })))
      await says(one, "0.01 USD of 0.04 USD")
      assert.strictEqual(await meter.evaluate((found) => (found as HTMLMeterElement).max), 40_000)
      await running.run(Effect.flatMap(Agents, ({ setCaps }) => setCaps(id, { monthlyCap: null })))
      await one.locator(`[data-live="${id}.live.month"]`, { hasText: "no cap" }).waitFor()
      assert.strictEqual(await meter.isVisible(), false)
      await calls.getByText("There are newer calls.").waitFor()
      await calls.getByRole("link", { name: "Show them" }).click()
      await calls.getByRole("cell", { name: "metered" }).waitFor()
      await journal.getByText("There are newer lines.").waitFor()
      await used.filter({ hasText: / 20\d\d, / }).waitFor()
    }))

  it("says that its account is suspended, and when it is so no more", () =>
    as("suspension", { account: "tester", name: "suspended" }, async ({ page }) => {
      const banner = page.getByText(/This account is suspended since \d+ \w{3} 20\d\d, [\d:]{5} UTC/)
      await says(page, "Updates live")
      assert.isFalse(await page.getByText("This account is suspended").isVisible())
      await running.run(Effect.flatMap(Accounts, ({ suspend }) => suspend("tester")))
      await banner.waitFor()
      // A page that is opened now says the same.
      const second = await tab(page.context(), "/dashboard/keys")
      const text = async (on: Page) => (await on.locator('[data-live-unless^="suspended="]').textContent())?.trim()
      assert.strictEqual(await text(second), await text(page))
      await running.run(Effect.flatMap(Accounts, ({ resume }) => resume("tester")))
      await banner.waitFor({ state: "hidden" })
      await second.getByText("This account is suspended").waitFor({ state: "hidden" })
    }))

  it("is read out only when it is no longer up to date", () =>
    as(
      "note",
      { account: "tester", name: "listener" },
      async ({ page }) => {
        await says(page, "Updates live")
        const note = page.getByText("Updates live", { exact: true })
        assert.isNull(await note.getAttribute("aria-live"))
        await running.run(
          Effect.gen(function* () {
            const people = yield* People
            const found = (yield* people.members("tester", { limit: 10 })).find(
              ({ person }) => person.name === "listener",
            )!
            yield* people.endOthers(found.person.id)
          }),
        )
        await says(page, "Signed out", { timeout: 5_000 })
        assert.strictEqual(await page.locator("[data-live-account]").getAttribute("aria-live"), "polite")
      },
      /status of 401/,
    ))
})
