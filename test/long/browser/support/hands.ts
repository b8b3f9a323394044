import { assert } from "@effect/vitest"
import type { Locator, Page } from "playwright-core"

/** How somebody uses a page. Each locator finds one element, by its accessible name where it has one. */
export interface Hands {
  /** Presses a link, a button, a check box or the summary of folded text. */
  readonly press: (on: Locator) => Promise<void>
  /** Presses what leads to another page, and waits for that page. */
  readonly go: (on: Locator) => Promise<void>
  /** Presses it twice at once, as by an impatient hand, and waits for what it leads to. */
  readonly goTwice: (on: Locator) => Promise<void>
  /** Replaces the text of a field; a day is given as `2026-11-01`. */
  readonly fill: (field: Locator, text: string) => Promise<void>
  /** Chooses by its words: an option of a list, or one of the buttons of a group. */
  readonly choose: (choice: Locator, option: string) => Promise<void>
}

const isList = (choice: Locator): Promise<boolean> => choice.evaluate((element) => element.matches("select"))

const leading = (page: Page, pressing: () => Promise<void>): Promise<void> =>
  Promise.all([page.waitForEvent("domcontentloaded"), pressing()]).then(() => undefined)

export const mouse = (page: Page): Hands => ({
  press: (on) => on.click(),
  go: (on) => leading(page, () => on.click()),
  goTwice: (on) => leading(page, () => on.dblclick()),
  fill: (field, text) => field.fill(text),
  choose: async (choice, option) => {
    if (await isList(choice)) await choice.selectOption({ label: option })
    else await choice.getByLabel(option, { exact: true }).click()
  },
})

/** Most stops of the Tab key on the way to an element: more than any page has. */
const most = 200

interface Stop {
  readonly isThere: boolean
  /** What the focus is on; empty: the page itself. */
  readonly on: string
  /** Why nobody sees where the focus is. */
  readonly unseen: string | undefined
}

/** The place of the focus, and whether one sees it: an outline, within the window. */
const stopAt = (page: Page, target: Awaited<ReturnType<Locator["elementHandle"]>>): Promise<Stop> =>
  page.evaluate((wanted): Stop => {
    const element = document.activeElement
    if (element === null || element === document.body || element === document.documentElement) {
      return { isThere: false, on: "", unseen: undefined }
    }
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    const isIn = [...element.getClientRects()].some(
      ({ top, bottom, left, right, width, height }) =>
        width * height > 0 && bottom > 0 && right > 0 && top < innerHeight && left < innerWidth,
    )
    const hasOutline = outlineStyle !== "none" && Number.parseFloat(outlineWidth) > 0
    return {
      isThere: element === wanted,
      on: element.outerHTML.slice(0, 120),
      unseen: !hasOutline ? "no outline" : isIn ? undefined : "outside the window",
    }
  }, target)

/** Tab, Shift with Tab, Enter, Space and letters, and nothing else. The focus is visible at each stop. */
export const keyboard = (page: Page): Hands => {
  const stop = async (target: Parameters<typeof stopAt>[1]): Promise<Stop> => {
    const found = await stopAt(page, target)
    assert.isUndefined(found.unseen, `the focus on ${found.on}`)
    return found
  }

  const tabTo = async (wanted: Locator): Promise<void> => {
    const target = await wanted.elementHandle()
    // A page may begin with the focus in a field.
    if ((await stop(target)).isThere) return
    for (let stops = 0; stops < most; stops++) {
      await page.keyboard.press("Tab")
      if ((await stop(target)).isThere) return
    }
    throw new Error(`${wanted} does not have the focus after ${most} stops.`)
  }

  /** A check box is turned by the space bar, everything else is pressed by Enter. */
  const keyOf = async (on: Locator): Promise<string> =>
    (await on.evaluate((element) => element.matches("input[type=checkbox]"))) ? "Space" : "Enter"

  const press = async (on: Locator): Promise<void> => {
    await tabTo(on)
    await page.keyboard.press(await keyOf(on))
  }

  return {
    press,
    go: (on) => leading(page, () => press(on)),
    goTwice: async (on) => {
      await tabTo(on)
      await leading(page, async () => {
        await Promise.all([page.keyboard.press("Enter"), page.keyboard.press("Enter")])
      })
    },
    fill: async (field, text) => {
      await tabTo(field)
      if ((await field.getAttribute("type")) === "date") {
        // The field's parts are in the order of the browser's language: month, day, year.
        const [year, month, day] = text.split("-")
        await page.keyboard.type(`${month}${day}${year}`)
      } else {
        await page.keyboard.press("Control+a")
        await page.keyboard.type(text)
      }
      assert.strictEqual(await field.inputValue(), text)
    },
    choose: async (choice, option) => {
      if (await isList(choice)) {
        await tabTo(choice)
        await page.keyboard.type(option)
        assert.strictEqual(await choice.locator("option:checked").textContent(), option)
        return
      }
      await tabTo(choice.locator("input:checked"))
      const wanted = choice.getByLabel(option, { exact: true })
      const values = await choice.getByRole("radio").count()
      for (let presses = 0; presses < values; presses++) {
        if (await wanted.isChecked()) return
        await page.keyboard.press("ArrowRight")
      }
      assert.isTrue(await wanted.isChecked(), option)
    },
  }
}

/** One way of using the dashboard: journeys are the same in all of them. */
export interface Way {
  readonly hands: (page: Page) => Hands
  readonly hasScript: boolean
}

export const byMouse: Way = { hands: mouse, hasScript: true }
export const byKeyboard: Way = { hands: keyboard, hasScript: true }
export const withoutScript: Way = { hands: mouse, hasScript: false }
