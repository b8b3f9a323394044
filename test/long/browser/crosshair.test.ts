import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Locator, Page } from "playwright-core"
import { type Running, start } from "../../support/running.ts"
import { visit } from "./support/page.ts"

/** A picture over places, and one with a line for each place. */
const pictures = [
  { path: "/crypto/BTC", figure: "is above each strike at", isAcross: false },
  { path: "/scoreboard", figure: "By subject", isAcross: true },
] as const

let running: Running
beforeAll(async () => {
  running = await start()
  await fetch(`${running.url}/v1/markets/performance`)
  // What the pages generate when they are first asked for takes longer than a browser waits.
  for (const { path } of pictures) await fetch(running.url + path)
}, 120_000)
afterAll(() => running.stop())

/** A picture as a reader meets it. */
const shown = async (page: Page, { path, figure }: (typeof pictures)[number]) => {
  await page.goto(running.url + path)
  const plot = page.locator("figure.plot", { has: page.locator("caption", { hasText: figure }) }).first()
  await plot.scrollIntoViewIfNeeded()
  return { picture: plot.getByRole("img").first(), said: plot.locator("output"), rows: await spoken(plot) }
}

/** What is said of each row of a picture's table, in the order of their places. */
const spoken = (plot: Locator): Promise<ReadonlyArray<string>> =>
  plot.evaluate((figure) => {
    const [table] = figure.querySelectorAll("table")
    const [, ...names] = [...table!.querySelectorAll("thead th")].map((name) => name.textContent)
    return [...table!.querySelectorAll<HTMLTableRowElement>("tr[data-at]")]
      .sort((a, b) => Number.parseFloat(a.dataset["at"]!) - Number.parseFloat(b.dataset["at"]!))
      .map(
        ({ cells: [first, ...rest] }) =>
          `${first!.textContent}: ${rest.map((cell, at) => `${names[at]} ${cell.textContent}`).join(", ")}`,
      )
  })

/** A place of a picture, as shares of its box. */
const at = async (picture: Locator, right: number, down: number) => {
  const { x, y, width, height } = (await picture.boundingBox())!
  return { x: x + right * width, y: y + down * height }
}

describe.each(pictures)("the crosshair of the picture on $path", (which) => {
  it("follows the mouse and goes with it", () =>
    visit("mouse", {}, async ({ page }) => {
      const { picture, said, rows } = await shown(page, which)
      const before = await picture.evaluate((svg) => svg.getBoundingClientRect().top + scrollY)
      const first = await at(picture, which.isAcross ? 0.5 : 0.01, which.isAcross ? 0.05 : 0.5)
      await page.mouse.move(first.x, first.y)
      assert.strictEqual(await said.textContent(), rows[0])
      const last = await at(picture, which.isAcross ? 0.5 : 0.99, which.isAcross ? 0.7 : 0.5)
      await page.mouse.move(last.x, last.y)
      assert.strictEqual(await said.textContent(), rows.at(-1))
      assert.closeTo(await picture.evaluate((svg) => svg.getBoundingClientRect().top + scrollY), before, 0.1)
      await page.mouse.move(0, 0)
      assert.strictEqual(await said.textContent(), "")
    }))

  it("stays where a finger was", () =>
    visit("touch", { hasTouch: true, viewport: { width: 390, height: 844 } }, async ({ page }) => {
      const { picture, said, rows } = await shown(page, which)
      const first = await at(picture, which.isAcross ? 0.5 : 0.2, which.isAcross ? 0.05 : 0.5)
      await page.touchscreen.tap(first.x, first.y)
      if (which.isAcross) assert.strictEqual(await said.textContent(), rows[0])
      else assert.include(rows.slice(0, rows.length / 2), await said.textContent())
      assert.strictEqual(new URL(page.url()).pathname, which.path)
    }))

  it("goes by arrows, Home and End, with a visible focus, and Escape ends it", () =>
    visit("keys", {}, async ({ page }) => {
      const { picture, said, rows } = await shown(page, which)
      await picture.focus()
      const steps = [
        ["ArrowRight", 0],
        ["ArrowDown", 1],
        ["ArrowLeft", 0],
        ["ArrowUp", 0],
        ["End", rows.length - 1],
        ["ArrowRight", rows.length - 1],
        ["ArrowLeft", rows.length - 2],
        ["Home", 0],
      ] as const
      for (const [key, row] of steps) {
        await page.keyboard.press(key)
        assert.strictEqual(await said.textContent(), rows[row], key)
      }
      assert.notStrictEqual(await picture.evaluate((svg) => getComputedStyle(svg).outlineStyle), "none")
      await page.keyboard.press("Escape")
      assert.strictEqual(await said.textContent(), "")
    }))
})

describe("a picture of the scoreboard", () => {
  it("leads to the rows behind a place by Enter and by a click, and its table does without script", async () => {
    const links: Array<string> = []
    for (const javaScriptEnabled of [true, false]) {
      await visit("rows", { javaScriptEnabled }, async ({ page }) => {
        await page.goto(`${running.url}/scoreboard`)
        if (javaScriptEnabled) {
          const picture = page.getByRole("img", { name: "Left of zero the model is ahead" }).first()
          await picture.focus()
          await page.keyboard.press("Home")
          await page.keyboard.press("ArrowDown")
          await Promise.all([page.waitForEvent("domcontentloaded"), page.keyboard.press("Enter")])
        } else {
          await page.getByText("By subject in figures").click()
          await page.getByRole("link", { name: "Football", exact: true }).first().click()
        }
        links.push(page.url())
      })
    }
    assert.match(links[0]!, /\/scoreboard\/markets\?domain=nfl$/)
    assert.strictEqual(links[1], links[0])
  })
})

describe("words in pictures", () => {
  it.each(["/mlb/777001", "/nfl/2026_01_KC_TEN", "/crypto/BTC", "/weather/KNYC", "/scoreboard"])(
    "on %s are not cut and do not lie on each other, on a phone and on a screen",
    (path) =>
      visit("words", {}, async ({ page }) => {
        for (const width of [320, 390, 1_280]) {
          await page.setViewportSize({ width, height: 900 })
          await page.goto(running.url + path)
          const found = await page.evaluate(() =>
            [...document.querySelectorAll(".plot > svg")].flatMap((svg) => {
              const all = [...svg.querySelectorAll("text")].map((text) => ({
                text: text.textContent,
                box: text.getBoundingClientRect(),
              }))
              const cut = all.filter(({ box }) => box.left < -0.5 || box.right > innerWidth + 0.5)
              const over = all.flatMap((one, n) =>
                all
                  .slice(n + 1)
                  .filter(
                    ({ box }) =>
                      Math.min(box.right, one.box.right) - Math.max(box.left, one.box.left) > 1 &&
                      Math.min(box.bottom, one.box.bottom) - Math.max(box.top, one.box.top) > 4,
                  )
                  .map(({ text }) => `${one.text} on ${text}`),
              )
              return [...cut.map(({ text }) => `${text} is cut`), ...over]
            }),
          )
          assert.deepStrictEqual(found, [], `${width}`)
        }
      }),
  )
})
