import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { type Running, start } from "../support/running.ts"
import { axeFindings, visit } from "./support/page.ts"

let running: Running
beforeAll(async () => {
  running = await start()
}, 60_000)
afterAll(() => running.stop())

const results = async (page: Page) => ({
  heading: await page.locator("#results h2").textContent(),
  links: await page.locator("#results a").evaluateAll((all) => all.map((each) => each.getAttribute("href"))),
  words: await page.locator("#results li").allTextContents(),
})

/** Questions, and where the first result leads. */
const questions = [
  ["/v1/weather/settlement", "/docs/weather#weather_settlement"],
  ["idempotency_key_reused", "/errors/idempotency_key_reused"],
  ["station", "/docs/weather#weather_settlement"],
  ["charged_micros", "/docs/common#fields"],
  ["dry_run", "/docs/common#common"],
] as const

describe("the search of /docs", () => {
  it("finds endpoints, parameters, fields and errors, alike as one types and without script", async () => {
    const plain: Array<unknown> = []
    await visit("search-plain", { javaScriptEnabled: false }, async ({ page }) => {
      for (const [question, path] of questions) {
        await page.goto(`${running.url}/docs`)
        await page.getByRole("searchbox").fill(question)
        await page.getByRole("button", { name: "Search" }).click()
        const found = await results(page)
        assert.strictEqual(found.links[0], path, question)
        assert.strictEqual(await page.getByRole("searchbox").inputValue(), question)
        plain.push(found)
      }
    })
    await visit("search", {}, async ({ page }) => {
      await page.goto(`${running.url}/docs`)
      for (const [at, [question]] of questions.entries()) {
        await page.getByRole("searchbox").fill("")
        await page.locator("#results h2").waitFor({ state: "detached" })
        await page.getByRole("searchbox").fill(question)
        await page.locator("#results h2").waitFor()
        assert.deepStrictEqual(await results(page), plain[at], question)
      }
      assert.deepStrictEqual(await axeFindings(page), [])
      assert.strictEqual(new URL(page.url()).search, "")
    })
  })

  it("escapes and bounds the question, and says when nothing is found", async () => {
    await visit("search-hostile", {}, async ({ page }) => {
      const question = `"><script>alert(1)</script>`
      const response = await page.goto(`${running.url}/docs?${new URLSearchParams({ q: question })}`)
      assert.strictEqual((await results(page)).heading, "Nothing found")
      assert.strictEqual(await page.getByRole("searchbox").inputValue(), question)
      assert.notInclude(await response!.text(), "<script>alert")
    })
    const long = await (await fetch(`${running.url}/docs?q=${"a".repeat(4_000)}`)).text()
    assert.notInclude(long, "a".repeat(101))
    const many = await (await fetch(`${running.url}/docs?q=e`)).text()
    assert.isAtMost(many.split("<li>").length, 50 + long.split("<li>").length)
    assert.isAtMost(Buffer.byteLength(many), 60_000)
  })
})
