import { gzipSync } from "node:zlib"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { signIn } from "../../adapters/web/dashboard/visitor.ts"
import { type Running, start } from "../../support/running.ts"
import { isLook, loading, visit } from "./support/page.ts"
import { paintOf, slowly } from "./support/paint.ts"

/** Those with most on them: tables of 50 rows, a chart. */
const paths = ["/dashboard", "/dashboard/calls", "/dashboard/wallet", "/dashboard/usage"]

let running: Running
let cookie: { readonly name: string; readonly value: string }
beforeAll(async () => {
  running = await start({}, { balance: 10_000_000 })
  for (let call = 0; call < 60; call++) {
    const path = call % 2 === 0 ? "/v1/weather/signal?station=KNYC" : "/v1/crypto/signal?asset=BTC"
    assert.strictEqual((await running.get(path)).status, 200)
  }
  const [name = "", value = ""] = (await signIn(running, { account: "tester", name: "ann" })).cookie.split("=")
  cookie = { name, value }
}, 120_000)
afterAll(() => running.stop())

describe("the dashboard's largest pages", () => {
  const open = async (page: Page, path: string) => {
    await page.context().addCookies([{ ...cookie, url: running.url }])
    await page.goto(running.url + path)
  }

  it("are at most 4,000 pixels high on a phone", () =>
    visit("phone", { viewport: { width: 390, height: 844 } }, async ({ page }) => {
      for (const path of paths) {
        await open(page, path)
        assert.isAtMost(await page.evaluate(() => document.documentElement.scrollHeight), 4_000, path)
      }
    }))

  it("have their filters in one row", () =>
    visit("filters", { viewport: { width: 1_280, height: 900 } }, async ({ page }) => {
      await open(page, "/dashboard/calls?status=2xx")
      const bottoms = await page
        .locator(".filters > .field")
        .evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().bottom / 8)))
      assert.strictEqual(new Set(bottoms).size, 1, String(bottoms))
    }))

  it("are as wide as the paper when they are printed", () =>
    visit("print", { viewport: { width: 800, height: 900 } }, async ({ page }) => {
      await page.emulateMedia({ media: "print" })
      for (const path of paths) {
        await open(page, path)
        const box = await page.locator("main").boundingBox()
        assert.isAtLeast(box!.width, 740, path)
        assert.isFalse(await page.locator(".side, .search, .modes").first().isVisible(), path)
      }
    }))

  it("are light on the wire: 20 kB, and 9 kB each for style and scripts, in four requests", () =>
    visit("weight", {}, async ({ page, requests }) => {
      await page.context().addCookies([{ ...cookie, url: running.url }])
      for (const path of paths) {
        const sizes: Array<readonly [url: string, bytes: number]> = []
        const bodies: Array<Promise<void>> = []
        const listen = (response: Awaited<ReturnType<typeof page.goto>>) => {
          if (isLook(response!.url())) return
          bodies.push(response!.body().then((body) => void sizes.push([response!.url(), gzipSync(body).length])))
        }
        page.on("response", listen)
        requests.length = 0
        const response = await page.goto(running.url + path)
        await page.getByText("Updates live", { exact: true }).waitFor({ state: "attached" })
        page.off("response", listen)
        await Promise.all(bodies)
        assert.strictEqual(response?.status(), 200, path)
        assert.isAtMost(loading(requests).length, 4, path)
        assert.isAtLeast(sizes.length, 1)
        for (const [url, bytes] of sizes) assert.isAtMost(bytes, url === running.url + path ? 20_000 : 8_800, url)
        if (path === "/dashboard/calls") {
          assert.isAtLeast(await page.locator("tbody tr").count(), 50, path)
        }
      }
    }))

  it.each([1_280, 390])("do not move while they load, %i pixels wide", (width) =>
    visit("shift", { viewport: { width, height: 900 } }, async ({ page }) => {
      await page.context().addCookies([{ ...cookie, url: running.url }])
      // A page that comes at once on a quiet machine is painted at once: slowly it is painted in pieces.
      await slowly(page)
      for (const path of paths) {
        await page.goto(running.url + path)
        const { cls, lcp } = await paintOf(page)
        assert.strictEqual(cls, 0, path)
        assert.isAbove(lcp, 0, path)
      }
      // The measure sees a page that moves.
      await page.evaluate(() => {
        const late = document.createElement("p")
        late.textContent = "late"
        document.body.prepend(late)
      })
      assert.isAbove((await paintOf(page)).cls, 0)
    }),
  )
})
