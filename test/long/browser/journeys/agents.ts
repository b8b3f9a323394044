import * as SqlClient from "@effect/sql/SqlClient"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Agents } from "../../../../core/account/Agents.ts"
import { agentKey } from "../../../support/agentKey.ts"
import type { Entered } from "../support/entering.ts"

const paid = "/v1/weather/signal?station=KNYC"

/** An agent is paused while it calls: 403 within a second, and a second tab says so. */
export const pause = async ({ page, hands, running, hasScript }: Entered, name: string): Promise<void> => {
  const token = await agentKey(running, name, 50_000)
  await hands.go(page.getByRole("link", { name: "Agents", exact: true }))
  const second = await page.context().newPage()
  await second.goto(page.url())
  await second.locator("main").getByRole("link", { name, exact: true }).click()
  if (hasScript) await second.getByText("Updates live", { exact: true }).waitFor()
  await page.bringToFront()
  let isOn = true
  const statuses: Array<readonly [at: number, status: number]> = []
  const load = Array.from({ length: 4 }, async () => {
    while (isOn) {
      const at = performance.now()
      statuses.push([at, (await running.get("/v1/weather/settlement?station=KNYC", token)).status])
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  })
  try {
    await hands.go(page.getByRole("button", { name: `Pause ${name}` }))
    await page.getByRole("button", { name: `Resume ${name}` }).waitFor()
    const pausedAt = performance.now()
    const paused = second.getByText("paused", { exact: true })
    if (hasScript) {
      await paused.waitFor()
      // The button stays as it is, so that it never does the opposite of what one is about to press.
      assert.strictEqual(await second.getByRole("button", { name: `Pause ${name}` }).count(), 1)
      await second.getByRole("link", { name: "Reopen" }).click()
    } else await second.reload()
    await paused.waitFor()
    await second.getByRole("button", { name: `Resume ${name}` }).waitFor()
    // Each call that begins a second later is refused.
    const late = () => statuses.filter(([at]) => at > pausedAt + 1_000).map(([, status]) => status)
    while (late().length < 8) await new Promise((resolve) => setTimeout(resolve, 10))
    isOn = false
    await Promise.all(load)
    assert.deepStrictEqual([...new Set(late())], [403])
  } finally {
    isOn = false
    await second.close()
  }
  await hands.go(page.getByRole("button", { name: `Resume ${name}` }))
  await page.getByRole("button", { name: `Pause ${name}` }).waitFor()
}

/** A cap is spent to 80 and to 100 %: meter, events and journal agree to the micro. */
export const cap = async ({ page, hands, running }: Entered, name: string): Promise<void> => {
  const link = (text: string) => page.getByRole("link", { name: text, exact: true })
  await hands.go(link("Agents"))
  await hands.go(link("New agent"))
  await hands.fill(page.getByLabel("Name"), name)
  await hands.fill(page.getByLabel("Monthly cap (USD)"), "0.05")
  await hands.go(page.getByRole("button", { name: "Create agent" }))
  const own = page.url()
  const id = own.split("/").at(-1)!
  await hands.go(link("New key for this agent"))
  await hands.choose(page.getByRole("group", { name: "Kind" }), "Live")
  await hands.go(page.getByRole("button", { name: "Create key" }))
  const token = ((await page.locator(".secret").textContent()) ?? "").trim()
  const meter = async () => {
    await hands.go(link("Agents"))
    await hands.go(page.locator("main").getByRole("link", { name, exact: true }))
    const row = page.locator("table tbody tr").first()
    return ((await row.locator("td").first().textContent()) ?? "").trim()
  }
  const spend = () => running.run(Effect.flatMap(Agents, ({ get }) => Effect.map(get(id), ({ spend }) => spend)))
  const call = async (count: number) => {
    for (let n = 0; n < count; n++) assert.strictEqual((await running.get(paid, token)).status, 200)
  }
  assert.strictEqual(await meter(), "0.00 USD of 0.05 USD")
  const before = await running.balance()
  await call(4)
  assert.strictEqual(await meter(), "0.04 USD of 0.05 USD")
  await call(1)
  assert.strictEqual(await meter(), "0.05 USD of 0.05 USD")
  assert.deepStrictEqual(
    (await spend()).filter(({ livemode }) => livemode).map(({ monthSpent, totalSpent }) => [monthSpent, totalSpent]),
    [[50_000, 50_000]],
  )
  const over = await running.get(paid, token)
  assert.deepStrictEqual([over.status, over.json.error.code], [429, "agent_budget_exceeded"])
  assert.strictEqual(before - (await running.balance()), 50_000)
  const events = await running.run(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) =>
        sql<{ type: string; data: string }>`SELECT type, data FROM outbox WHERE data LIKE ${`%${id}%`} ORDER BY at`,
    ),
  )
  assert.deepStrictEqual(
    events.map(({ type, data }) => [type, JSON.parse(data).spent_micros, JSON.parse(data).percent]),
    [
      ["agent.budget_warning", 40_000, 80],
      ["agent.budget_exceeded", 50_000, 100],
    ],
  )
  await hands.go(link("Wallet"))
  await hands.press(page.locator("table summary").first())
  assert.match((await page.locator("table li").allTextContents()).join(), /weather_signal: \d+ calls?, 0\.\d+ USD/)
  await hands.go(link("Agents"))
  await hands.go(page.locator("main").getByRole("link", { name, exact: true }))
  await hands.go(link("Calls of this agent"))
  assert.strictEqual(await page.getByText("0.01 USD").count(), 5)
  await page.getByRole("cell", { name: "429" }).waitFor()
}
