import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type Running, start } from "../../support/running.ts"
import { axeFindings, visit } from "./support/page.ts"

let running: Running
beforeAll(async () => {
  running = await start()
}, 60_000)
afterAll(() => running.stop())

describe("the search of every page", () => {
  it.each([1_280, 390])("is in the header and needs no script, %i pixels wide", (width) =>
    visit(`search-${width}`, { javaScriptEnabled: false, viewport: { width, height: 800 } }, async ({ page }) => {
      for (const path of ["/", "/docs"]) {
        await page.goto(running.url + path)
        if (width < 640) await page.getByText("Menu", { exact: true }).click()
        await page.getByRole("searchbox").fill("official settlement report")
        await page.getByRole("searchbox").press("Enter")
        await page.waitForURL("**/docs/search?q=official+settlement+report")
        assert.strictEqual(
          await page.locator(".results a").first().getAttribute("href"),
          "/docs/weather#weather_settlement",
        )
        assert.strictEqual(await page.locator("input[type=search]").first().inputValue(), "official settlement report")
      }
    }),
  )

  it("is accessible, with results and without", () =>
    visit("search-axe", {}, async ({ page }) => {
      for (const question of ["", "settlement", "zzzzzz"]) {
        await page.goto(`${running.url}/docs/search?q=${question}`)
        assert.deepStrictEqual(await axeFindings(page), [], question)
      }
    }))
})
