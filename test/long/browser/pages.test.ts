import { setTimeout as sleep } from "node:timers/promises"
import { gzipSync } from "node:zlib"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Page } from "playwright-core"
import { type Running, start } from "../../support/running.ts"
import { costOf, excesses } from "./support/budget.ts"
import { findings } from "./support/findings.ts"
import { loading, visit } from "./support/page.ts"
import { templates } from "./support/templates.ts"

let running: Running
beforeAll(async () => {
  running = await start()
  // Generating the mock board takes seconds, on a busy machine half a minute: no page's time limit includes it.
  await fetch(`${running.url}/v1/markets/performance`)
  // A page that is not made yet is loaded again, and moves.
  const isPending = async () => (await (await fetch(`${running.url}/forecasts`)).text()).includes("data-reload")
  while (await isPending()) await sleep(500)
}, 120_000)
afterAll(() => running.stop())

/** Tables that are wider than their box: on the first page none needs to be, from the width of a usual phone. */
const scrolling = (page: Page): Promise<ReadonlyArray<string>> =>
  page.evaluate(() =>
    [...document.querySelectorAll(".scroll")].flatMap((box) =>
      box.scrollWidth > box.clientWidth
        ? [`${box.getAttribute("aria-label")} scrolls by ${box.scrollWidth - box.clientWidth} pixels`]
        : [],
    ),
  )

describe("a block of code", () => {
  it("is copied by its button", { timeout: 60_000 }, () =>
    visit("copy", { permissions: ["clipboard-read", "clipboard-write"] }, async ({ page }) => {
      await page.goto(`${running.url}/docs`)
      const block = page.locator("pre", { hasText: "Authorization: Bearer" }).first()
      const code = await block.locator("code").textContent()
      await block.getByRole("button", { name: "Copy" }).click()
      await block.getByRole("button", { name: "✓ Copied" }).waitFor()
      assert.strictEqual(await page.evaluate(() => navigator.clipboard.readText()), code)
    }),
  )
})

describe("every page", () => {
  it("is small and whole", { timeout: 90_000 }, async () => {
    const loaded = new Set<string>()
    for (const path of [...(await templates(running.url)).values()].flat()) {
      const response = await fetch(running.url + path)
      const html = await response.text()
      assert.strictEqual(response.status, 200, path)
      assert.isAtMost(Buffer.byteLength(html), 100_000, path)
      assert.isAtMost(gzipSync(html).length, 20_000, path)
      for (const [, file] of html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)) loaded.add(file!)
    }
    for (const file of loaded) {
      const asset = await (await fetch(running.url + file)).text()
      assert.isAtMost(gzipSync(asset).length, 8_800, file)
    }
  })

  it("costs little, and does not move while it comes slowly to a phone", { timeout: 300_000 }, async () => {
    const paths = [...(await templates(running.url)).values()].map(([path]) => path!)
    const each = async (path: string) =>
      excesses(await costOf(running.url + path, 390)).map((excess) => `${path}: ${excess}`)
    const found = await Effect.runPromise(
      Effect.forEach(paths, (path) => Effect.promise(() => each(path)), { concurrency: 6 }),
    )
    assert.deepStrictEqual(found.flat(), [])
  })

  it("fits every window and can be read by everybody", { timeout: 300_000 }, async () => {
    const found: Array<string> = []
    await visit("pages", {}, async ({ page, requests }) => {
      const screen = await page.context().newCDPSession(page)
      for (const all of (await templates(running.url)).values()) {
        for (const [at, path] of all.entries()) {
          // Pages of errors differ in their words alone, so that one of them stands for their colours and marks.
          const isLooked = at === 0 || !path.startsWith("/errors/")
          requests.length = 0
          await page.goto(running.url + path)
          assert.isAtMost(loading(requests).length, 4, path)
          for (const finding of await findings(page, screen, isLooked)) found.push(`${path}, ${finding}`)
          if (path === "/") {
            await page.setViewportSize({ width: 390, height: 900 })
            found.push(...(await scrolling(page)))
            await page.setViewportSize({ width: 1_280, height: 900 })
          }
        }
      }
    })
    assert.deepStrictEqual([...new Set(found)], [])
  })
})
