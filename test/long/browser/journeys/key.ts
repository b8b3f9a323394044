import { assert } from "@effect/vitest"
import { aSecond } from "../../../support/clock.ts"
import type { Entered } from "../support/entering.ts"

/** What the browser says of the journey: the page of a form's answer is not kept, and forms are refused. */
export const mistakes = /ERR_CACHE_MISS|status of (400|422)/

const paid = "/v1/weather/signal?station=KNYC"

/** A live key is made and used, and never shown again; it is rotated, so that both work, and then one; it is revoked. */
export const key = async ({ page, hands, running }: Entered): Promise<void> => {
  const tokenOf = async () => ((await page.locator(".secret").textContent()) ?? "").trim()
  const answer = async (token: string) => (await running.get(paid, token)).status
  const link = (name: string) => page.getByRole("link", { name, exact: true })
  await hands.go(link("Keys"))
  await hands.go(link("New key"))
  await hands.choose(page.getByRole("group", { name: "Kind" }), "Live")
  await hands.go(page.getByRole("button", { name: "Create key" }))
  const first = await tokenOf()
  assert.match(first, /^svk_live_/)
  assert.strictEqual(await answer(first), 200)
  await hands.go(link("View key"))
  const keyUrl = page.url()
  assert.match(keyUrl, /keys\/key_/)
  // The browser does not keep the page of a form's answer, and does not send the form again unasked.
  await page.goBack().catch(() => undefined)
  await page.waitForURL(/^chrome-error:/)
  assert.strictEqual(await page.getByText(first).count(), 0)
  await page.goto(keyUrl)
  await page.reload()
  assert.strictEqual(await page.getByText(first).count(), 0)
  // An overlap of some seconds, which a busy machine needs to see both work; and then one.
  await hands.fill(page.getByLabel("Overlap (seconds)"), "6")
  await hands.go(page.getByRole("button", { name: "Rotate key" }))
  const second = await tokenOf()
  assert.deepStrictEqual([await answer(first), await answer(second)], [200, 200])
  await hands.go(link("View key"))
  while ((await answer(first)) === 200) await new Promise((resolve) => setTimeout(resolve, 250))
  assert.deepStrictEqual([await answer(first), await answer(second)], [401, 200])
  await hands.fill(page.getByLabel("Last four characters"), second.slice(-4))
  await hands.go(page.getByRole("button", { name: /^Revoke / }))
  await page.getByText("revoked", { exact: true }).waitFor()
  await aSecond()
  assert.strictEqual(await answer(second), 401)
}
