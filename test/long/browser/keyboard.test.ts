import * as SqlClient from "@effect/sql/SqlClient"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Page } from "playwright-core"
import { linkOf } from "../../adapters/web/dashboard/visitor.ts"
import { type Running, start } from "../../support/running.ts"
import { type IdentityProvider, identityProvider } from "../support/identityProvider.ts"
import { cap, pause } from "./journeys/agents.ts"
import { key, mistakes } from "./journeys/key.ts"
import { playground } from "./journeys/playground.ts"
import {
  exported,
  journalOf,
  type MonthsEnd,
  micros,
  monthsEnd,
  opening,
  rowsOf,
  sum,
  usageOn,
} from "./journeys/sums.ts"
import { type Delivering, failing, startDelivering } from "./journeys/webhook.ts"
import { entering, sessionCookies } from "./support/entering.ts"
import { byKeyboard, keyboard } from "./support/hands.ts"
import { visit } from "./support/page.ts"

const owner = { account: "tester" }

const heading = (page: Page) => page.locator("h1").textContent()

/** Refusals are answers with a status of their own. */
const refusals = /status of (400|404|422|429)/

describe("by the keyboard alone", () => {
  let server: Delivering
  const { as } = entering(() => server.running, byKeyboard)

  beforeAll(async () => {
    server = await startDelivering({ balance: 10_000_000 })
  }, 120_000)
  afterAll(() => server.stop())

  it("a key is made, used, never shown again, rotated and revoked", () => as("key by keyboard", owner, key, mistakes))

  it("a pause stops an agent's keys within a second, and a second tab shows it", () =>
    as("pause by keyboard", owner, (visit) => pause(visit, "stopped")))

  it("a cap is spent to the micro: meter, events and journal say the same", () =>
    as("cap by keyboard", owner, (visit) => cap(visit, "capped")))

  it("the playground charges what its button says, and once for two presses and a reload", () =>
    as("playground by keyboard", owner, playground))

  it("a webhook that fails is tried again, becomes a dead letter, and is delivered by a replay", () =>
    as("failing webhook by keyboard", owner, (visit) => failing(visit, server.to, "by-keyboard")))
})

describe("signing in by the keyboard alone", () => {
  let running: Running
  let identities: IdentityProvider
  const { enter } = entering(() => running, byKeyboard)

  beforeAll(async () => {
    identities = await identityProvider()
    running = await start({ signIn: { provider: Option.some(identities.settings), isOpen: false } })
    identities.serve(running.url)
  }, 120_000)
  afterAll(async () => {
    await running.stop()
    identities.stop()
  })

  it("with the identity provider, after an invitation; a wrong answer begins no session", () =>
    visit(
      "oidc by keyboard",
      {},
      async ({ page }) => {
        const hands = keyboard(page)
        const provider = page.getByRole("link", { name: /^Sign in with/ })
        await page.goto(`${running.url}/dashboard/enter`)
        await hands.press(page.getByText("I have an invitation"))
        const invitation = await linkOf(running, { account: "tester", name: "ann" })
        await hands.fill(page.getByLabel("Invitation link"), invitation)
        await hands.go(page.getByRole("button", { name: /^Continue to/ }))
        await hands.go(provider)
        await page.waitForURL(`${running.url}/dashboard`)
        assert.strictEqual(await heading(page), "Overview")
        await hands.go(page.getByRole("button", { name: "Sign out" }))
        await page.goto(`${running.url}/dashboard/calls?status=failed`)
        await hands.go(provider)
        await page.waitForURL(/calls\?status=failed$/)
        await hands.go(page.getByRole("button", { name: "Sign out" }))
        identities.back = (to) => to.searchParams.set("state", "x")
        try {
          await hands.go(provider)
          await page.waitForURL(/oidc\/callback/)
          assert.strictEqual(await heading(page), "That did not work")
          assert.deepStrictEqual(await sessionCookies(page), [])
        } finally {
          identities.back = undefined
        }
      },
      refusals,
    ))

  it("by a link, past the navigation; a used one, a late one and the sixth try of one are refused", () =>
    visit(
      "link by keyboard",
      {},
      async ({ page }) => {
        const hands = keyboard(page)
        const used = await enter(page, owner)
        assert.strictEqual(await heading(page), "Overview")
        assert.notInclude(page.url(), used)
        // The first stop leads past the navigation: the next one is in the content.
        await page.keyboard.press("Tab")
        await page.keyboard.press("Enter")
        await page.keyboard.press("Tab")
        assert.isTrue(await page.evaluate(() => document.activeElement?.closest("main") !== null))
        await hands.go(page.getByRole("button", { name: "Sign out" }))
        const field = page.getByLabel("Sign-in link")
        const refused = async (code: string, why: RegExp) => {
          await hands.fill(field, code)
          await page.keyboard.press("Shift+Tab")
          await hands.go(page.getByRole("button", { name: "Sign in" }))
          assert.match((await page.getByRole("alert").textContent()) ?? "", why)
          assert.deepStrictEqual(await sessionCookies(page), [])
        }
        await refused(used, /already used/)
        const late = await linkOf(running, owner)
        await running.run(
          Effect.flatMap(
            SqlClient.SqlClient,
            (sql) => sql`UPDATE invitations SET expires_at = 1 WHERE used_at IS NULL`,
          ),
        )
        await refused(late, /already used/)
        for (let tries = 2; tries <= 5; tries++) await refused(used, /already used/)
        await refused(used, /too many|limit/i)
        // Nobody else behind the address is kept out.
        await hands.fill(field, await linkOf(running, owner))
        await page.keyboard.press("Shift+Tab")
        await hands.go(page.getByRole("button", { name: "Sign in" }))
        await page.waitForURL(`${running.url}/dashboard`)
      },
      refusals,
    ))
})

describe("over a month's end, by the keyboard alone", () => {
  let made: MonthsEnd
  const { as } = entering(() => made.running, byKeyboard)

  beforeAll(async () => {
    made = await monthsEnd()
  }, 120_000)
  afterAll(() => made.running.stop())

  it("usage, calls, exports and journal have the same sums", () =>
    as("sums by keyboard", owner, async ({ page, hands, running }) => {
      const { spent } = made
      const all = { calls: 60, spend: spent.before + spent.after }
      const link = (name: string) => page.getByRole("link", { name, exact: true })
      const days = async (from: string, to: string) => {
        await hands.fill(page.getByLabel("From (UTC)"), from)
        await hands.fill(page.getByLabel("To (UTC)"), to)
        await hands.go(page.getByLabel("To (UTC)"))
      }
      await hands.go(link("Usage"))
      await days("2026-10-31", "2026-10-31")
      assert.deepStrictEqual(await usageOn(page, "the old month"), { calls: 30, spend: spent.before })
      await days("2026-10-31", "2026-11-01")
      assert.deepStrictEqual(await usageOn(page, "both months"), all)
      await hands.choose(page.getByLabel("Group by"), "key")
      await page.waitForURL(/group=key/)
      await hands.choose(page.getByLabel("Interval"), "hour")
      // Choices apply without a button, and the focus stays.
      await page.waitForURL(/by=hour&group=key/)
      assert.strictEqual(await page.evaluate(() => document.activeElement?.id), "filter-by")
      assert.deepStrictEqual(await usageOn(page, "by hour and key"), all)
      await hands.go(link("Calls"))
      await days("2026-10-31", "2026-11-01")
      const calls = page.url()
      for (const ending of ["CSV", "NDJSON"] as const) {
        assert.deepStrictEqual(await exported(page, hands, ending), all, ending)
      }
      assert.strictEqual(page.url(), calls)
      const rows = await rowsOf(page, hands, "Calls", "Older calls")
      assert.strictEqual(sum(rows.map((cells) => micros(cells[2]!))), all.spend)
      await hands.go(link("Wallet"))
      assert.deepStrictEqual(await journalOf(page, hands), { charged: all.spend, all: opening - all.spend })
      assert.strictEqual(await running.balance(), opening - all.spend)
    }))
})
