import { assert } from "@effect/vitest"
import type { Entered } from "../support/entering.ts"

/** A live call is asked for once; two presses and a reload are one charge; a test call is free. */
export const playground = async ({ page, hands, running, hasScript }: Entered): Promise<void> => {
  const before = await running.balance()
  const said = async () => (await page.getByRole("status").first().textContent()) ?? ""
  const spent = async () => before - (await running.balance())
  await hands.go(page.getByRole("link", { name: "Playground", exact: true }))
  await hands.go(page.locator('a[href="/dashboard/playground/weather_signal"]'))
  await hands.choose(page.getByLabel("Station"), "Miami, Miami International (KMIA)")
  await hands.go(page.getByRole("button", { name: "Run for 0.01 USD" }))
  assert.match(await said(), /^This call costs 0\.01 USD\./)
  assert.strictEqual(await page.getByLabel("Station").inputValue(), "KMIA")
  assert.strictEqual(await spent(), 0)
  await hands.goTwice(page.getByRole("button", { name: "Spend 0.01 USD" }))
  await page.getByRole("status").first().waitFor()
  // Without script both presses send the form, and the page is the answer to one of them.
  assert.match(await said(), hasScript ? /^200, charged 0\.01 USD/ : /^200, (charged 0\.01 USD|.*charged once)/)
  assert.strictEqual(await spent(), 10_000)
  await page.reload()
  assert.include(await said(), "charged once")
  assert.strictEqual(await spent(), 10_000)
  assert.strictEqual(await page.getByLabel("Station").inputValue(), "KMIA")
  await hands.go(page.getByRole("button", { name: "Run, free" }))
  await page.getByText("charged 0.00 USD").waitFor()
  assert.strictEqual(await spent(), 10_000)
}
