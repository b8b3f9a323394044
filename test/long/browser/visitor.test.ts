import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type Running, start } from "../../support/running.ts"
import { visit } from "./support/page.ts"

let running: Running
beforeAll(async () => {
  running = await start()
  await fetch(`${running.url}/v1/markets/performance`)
}, 120_000)
afterAll(() => running.stop())

describe("a first visitor", () => {
  it.each([true, false])("runs a call in one click and another station in two, with script: %s", (javaScriptEnabled) =>
    visit("run", { javaScriptEnabled }, async ({ page }) => {
      await page.goto(running.url)
      await page.getByRole("link", { name: "run it here", exact: true }).click()
      const section = page.locator("#weather_signal")
      await section.getByText("200, free").waitFor()
      assert.isAtLeast(await section.locator(".answer svg rect.model").count(), 1)
      await section.getByLabel("station").selectOption("KMIA")
      await section.getByRole("button", { name: "Run", exact: true }).click()
      await section
        .getByText(/high in Miami/)
        .first()
        .waitFor()
      assert.include(await section.locator(".tabs .panel").first().textContent(), "station=KMIA")
    }),
  )

  it("does the same with the keyboard alone, and reads the call in another language", () =>
    visit("keys", {}, async ({ page }) => {
      await page.goto(running.url)
      const focused = () => page.evaluate(() => document.activeElement?.textContent ?? "")
      for (let press = 0; press < 40 && (await focused()) !== "run it here"; press++) await page.keyboard.press("Tab")
      await page.keyboard.press("Enter")
      const section = page.locator("#weather_signal")
      await section.getByText("200, free").waitFor()
      await section.getByLabel("station").focus()
      await page.keyboard.type("Den")
      await page.keyboard.press("Tab")
      for (let press = 0; press < 6 && (await focused()) !== "Run"; press++) await page.keyboard.press("Tab")
      await page.keyboard.press("Enter")
      await section
        .getByText(/high in Denver/)
        .first()
        .waitFor()
      await section.getByLabel("curl").focus()
      await page.keyboard.press("ArrowRight")
      assert.isTrue(await section.locator(".panel", { hasText: "market-signals/client" }).isVisible())
      assert.isFalse(await section.locator(".panel", { hasText: "curl" }).isVisible())
    }))

  it("sees at its field why a call was refused", () =>
    visit("refused", {}, async ({ page }) => {
      await page.goto(`${running.url}/docs/crypto`)
      const section = page.locator("#crypto_signal")
      await section.getByLabel("horizon_minutes").fill("9999")
      await section.getByRole("button", { name: "Run", exact: true }).click()
      await section.getByText("400, nothing charged").waitFor()
      const field = section.locator(".field", { hasText: "horizon_minutes" })
      assert.include(await field.locator(".error").textContent(), "must be an integer from 5 to 1440")
      assert.strictEqual(await section.getByLabel("horizon_minutes").inputValue(), "9999")
    }))

  it("sees no page in more than three and a half screens of a phone, and the product without scrolling", () =>
    visit("phone", { viewport: { width: 390, height: 844 } }, async ({ page }) => {
      await page.goto(running.url)
      await page.getByText("settled contracts").first().waitFor()
      assert.isAtMost(await page.evaluate(() => document.documentElement.scrollHeight), 3.5 * 844)
      const top = async (name: string) => (await page.getByText(name).first().boundingBox())!.y
      for (const words of ["Probabilities for prediction markets", "Get a key", "High in "]) {
        assert.isBelow(await top(words), 844, words)
      }
    }))
})
