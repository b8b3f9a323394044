import type { CDPSession, Page } from "playwright-core"
import { axeFindings } from "./page.ts"

/** 200 % zoom of a window of 640 pixels is 320 CSS pixels on twice as many of the screen. */
const sizes = [
  { name: "1280", width: 1_280, scale: 1 },
  { name: "390", width: 390, scale: 1 },
  { name: "320", width: 320, scale: 1 },
  { name: "640 at 200 %", width: 320, scale: 2 },
  { name: "1280 at 200 %", width: 640, scale: 2 },
]
const looks = [
  { name: "dark", colorScheme: "dark", forcedColors: "none" },
  { name: "forced colours", colorScheme: "dark", forcedColors: "active" },
] as const

/** Rules whose findings change with the width of the window, and those that change with its colours. */
const ofWidth = ["scrollable-region-focusable", "target-size"]
const ofColour = ["color-contrast", "link-in-text-block"]

/** How far the page is wider than the window, and targets smaller than 24 pixels that are no link in a sentence. */
const misfits = (page: Page): Promise<ReadonlyArray<string>> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    const isInText = (element: Element) =>
      element.matches("p a, dd a, td a, th a, li a, summary a") && getComputedStyle(element).display === "inline"
    const small = [...document.querySelectorAll("a, button, input, select, summary")].flatMap((element) => {
      const { width, height } = element.getBoundingClientRect()
      if (width === 0 || height === 0 || element.matches(".skip") || isInText(element)) return []
      return Math.min(width, height) >= 23.5 ? [] : [`${element.outerHTML.slice(0, 80)} is ${width} by ${height}`]
    })
    return [...(scrollWidth > clientWidth ? [`${scrollWidth - clientWidth} pixels too wide`] : []), ...small]
  })

/**
 * What a page does wrong for somebody: in light, dark and forced colours, at every width, at 200 %. One line for each.
 *
 * @param isWhole false: only whether it fits the smallest window
 */
export const findings = async (page: Page, screen: CDPSession, isWhole = true): Promise<ReadonlyArray<string>> => {
  const found: Array<string> = []
  const note = (place: string, all: ReadonlyArray<string>) => void found.push(...all.map((each) => `${place}: ${each}`))
  await page.emulateMedia({ colorScheme: "light", forcedColors: "none" })
  if (isWhole) note("light", await axeFindings(page))
  for (const { name, width, scale } of isWhole ? sizes : sizes.filter((size) => size.width === 320)) {
    const size = { width, height: 900, deviceScaleFactor: scale, mobile: false }
    await screen.send("Emulation.setDeviceMetricsOverride", size)
    note(name, await misfits(page))
    if (isWhole && width < 600 && scale === 1) note(name, await axeFindings(page, ofWidth))
  }
  for (const { name, ...look } of isWhole ? looks : []) {
    await page.emulateMedia(look)
    note(name, await axeFindings(page, ofColour))
  }
  await screen.send("Emulation.clearDeviceMetricsOverride")
  return found
}
