import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Accounts } from "../../../core/account/Accounts.ts"
import { Agents } from "../../../core/account/Agents.ts"
import { Ledger } from "../../../core/account/Ledger.ts"
import { MicroUsd } from "../../../core/account/Money.ts"
import * as Ulid from "../../../core/account/Ulid.ts"
import { day, minute } from "../../../core/time.ts"
import { type Running, start } from "../../support/running.ts"
import { entering } from "./support/entering.ts"
import { findings } from "./support/findings.ts"

const owner = { account: "tester" }

/** The longest names that there are, of the widest letters. */
const names = ["W".repeat(64), "鯨".repeat(64), "M-".repeat(32), "long name of four words ".repeat(3).slice(0, 63)]

const paths = [
  "/dashboard",
  ...["/dashboard/agents", "/dashboard/keys", "/dashboard/wallet", "/dashboard/wallet?lines=transactions"],
  ...["/dashboard/usage?group=agent", "/dashboard/usage?group=key", "/dashboard/usage?group=endpoint&by=month"],
  ...["/dashboard/calls", "/dashboard/top-up", "/dashboard/webhooks", "/dashboard/connect", "/dashboard/search?q=M"],
  "/dashboard/playground/weather_signal",
]

/** Whether every page fits a window of 390 pixels and the smallest one, and answers within two seconds. */
const fits = (name: string, running: () => Running) => {
  const { as } = entering(running)
  return as(name, owner, async ({ page }) => {
    const screen = await page.context().newCDPSession(page)
    const found: Array<string> = []
    for (const path of paths) {
      const begun = performance.now()
      const response = await page.goto(running().url + path)
      const took = performance.now() - begun
      assert.strictEqual(response?.status(), 200, path)
      assert.isBelow(took, 2_000, path)
      await page.setViewportSize({ width: 390, height: 844 })
      const wide = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      if (wide > 0) found.push(`${path}: ${wide} pixels too wide at 390`)
      for (const finding of await findings(page, screen, false)) found.push(`${path}: ${finding}`)
    }
    assert.deepStrictEqual(found, [])
  })
}

describe("an account with 10,000 calls and names of 64 letters", () => {
  let running: Running
  const count = 10_000
  const fill = Effect.gen(function* () {
    const accounts = yield* Accounts
    const agents = yield* Agents
    const ledger = yield* Ledger
    const callers: Array<readonly [keyId: string, agentId: string]> = []
    for (const name of names) {
      const { id } = yield* agents.create("tester", name, { monthlyCap: MicroUsd(9_000_000_000_000) })
      const { key } = yield* accounts.issueKey({ account: "tester", environment: "live", tier: "pro", agent: id, name })
      callers.push([key.id, id])
    }
    const now = Date.now()
    yield* Effect.forEach(
      Array.from({ length: count }, (_, n) => n),
      (n) => {
        const at = now - minute - Math.floor(((count - n) * 25 * day) / count)
        const [keyId, agentId] = callers[n % callers.length]!
        const micros = MicroUsd(n % 9 === 0 ? 0 : 1 + n * 7)
        const ids = { accountId: running.account.id, keyId }
        return ledger.charge({
          caller: { ...ids, livemode: true, perMinute: 60_000, agent: { id: agentId, paused: false } },
          listMicros: micros,
          chargedMicros: micros,
          audit: {
            ...ids,
            agentId,
            at,
            requestId: `req_${Ulid.encode(at, new Uint8Array([n >> 8, n & 255, 1, 2, 3, 4, 5, 6, 7, 8]))}`,
            endpoint: n % 2 === 0 ? "weather_settlement_history" : "crypto_signal",
            paramsHash: "",
            status: n % 9 === 0 ? 503 : 200,
            ...(n % 9 === 0 ? { code: "data_provider_unavailable" } : {}),
            charged: micros,
            latencyMs: n % 4_000,
          },
        })
      },
      { concurrency: 200, discard: true },
    )
  })
  beforeAll(async () => {
    running = await start({}, { balance: 9_000_000_000_000 })
    await running.run(fill as Effect.Effect<void, never, Accounts>)
  }, 120_000)
  afterAll(() => running.stop())

  it("has pages that fit a phone and come at once", { timeout: 120_000 }, () => fits("extremes", () => running))
})

describe("an account without a call", () => {
  let running: Running
  beforeAll(async () => {
    running = await start({}, { balance: 0 })
  }, 120_000)
  afterAll(() => running.stop())

  it("has the same pages, which say what to do first", { timeout: 120_000 }, async () => {
    await fits("empty", () => running)
    await entering(() => running).as("empty words", owner, async ({ page }) => {
      for (const [path, text] of [
        ["/dashboard", "First steps"],
        ["/dashboard/usage", "No call in these days."],
        ["/dashboard/wallet", "No line yet."],
        ["/dashboard/wallet?lines=transactions", "No credit yet."],
        ["/dashboard/playground/weather_signal", "top it up"],
      ] as const) {
        await page.goto(running.url + path)
        assert.include(await page.locator("main").textContent(), text, path)
      }
    })
  })
})

describe("a lane whose sources do not answer", () => {
  let running: Running
  beforeAll(async () => {
    running = await start({ crypto: "live" })
  }, 120_000)
  afterAll(() => running.stop())

  it("says so on the playground, charges nothing and keeps the form", { timeout: 120_000 }, () =>
    entering(() => running).as(
      "lane down",
      owner,
      async ({ page }) => {
        const before = await running.balance()
        await page.setViewportSize({ width: 390, height: 844 })
        await page.goto(`${running.url}/dashboard/playground/crypto_signal`)
        await page.getByLabel("Asset").selectOption("ETH")
        await page.getByRole("button", { name: /^Run for/ }).click()
        const screen = await page.context().newCDPSession(page)
        assert.deepStrictEqual(await findings(page, screen), [], "the question before a charge")
        await page.getByRole("button", { name: /^Spend/ }).click()
        await page.getByText(/^503, nothing charged/).waitFor()
        assert.strictEqual(await page.getByLabel("Asset").inputValue(), "ETH")
        assert.strictEqual(await running.balance(), before)
        assert.deepStrictEqual(await findings(page, screen), [], "the answer")
      },
      /status of 503/,
    ),
  )
})
