import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { assert } from "@effect/vitest"
import axe from "axe-core"
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core"
import { inject } from "vitest"

const folder = join(import.meta.dirname, "..", "..", "..", "var", "browser")

let connected: Promise<Browser> | undefined
const browser = (): Promise<Browser> => {
  connected ??= chromium.connect(inject("browserAddress"))
  return connected
}

/** A page whose mistakes are counted. */
export interface Visit {
  readonly page: Page
  /** Console errors, thrown errors and violations of the policy so far. */
  readonly mistakes: ReadonlyArray<string>
  /** URLs that were asked for so far. */
  readonly requests: Array<string>
}

/**
 * Opens a page in a context of its own and closes it at the end. Any mistake of the page fails the test, with a picture in
 * `var/browser`.
 *
 * @param allowed mistakes that the test itself provokes
 */
export const visit = async (
  name: string,
  options: BrowserContextOptions,
  body: (visit: Visit) => Promise<void>,
  allowed: RegExp = /^$/,
): Promise<void> => {
  const context = await (await browser()).newContext({ viewport: { width: 1_280, height: 900 }, ...options })
  const mistakes: Array<string> = []
  const requests: Array<string> = []
  const mistake = (text: string) => void (allowed.test(text) || mistakes.push(text))
  try {
    const page = await context.newPage()
    page.on("console", (message) => {
      if (message.type() === "error") mistake(`${page.url()}: ${message.text()}`)
    })
    page.on("pageerror", (error) => mistake(`${page.url()}: ${error}`))
    page.on("request", (request) => void requests.push(request.url()))
    await page.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
        // biome-ignore lint/suspicious/noConsole: the test listens to the page's console
        console.error(`policy violated: ${violatedDirective} ${blockedURI}`)
      })
    })
    try {
      await body({ page, mistakes, requests })
      assert.deepStrictEqual(mistakes, [])
    } catch (error) {
      mkdirSync(folder, { recursive: true })
      await page.screenshot({ path: join(folder, `${name.replace(/\W+/g, "-")}.png`), fullPage: true })
      throw error
    }
  } finally {
    await context.close()
  }
}

/** A look at the values of a page, which a tab begins after it is loaded; the next page may meet it. */
export const isLook = (url: string): boolean => url.includes("/dashboard/live.json?")

/** The requests that a page was loaded with. */
export const loading = (requests: ReadonlyArray<string>): ReadonlyArray<string> =>
  requests.filter((url) => !isLook(url))

const accessible = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

/**
 * What axe finds, one line for each place. It runs in the world of the debugger, which the page's policy does not bind, so
 * that the policy stays on.
 *
 * @param rules these alone; absent: all of WCAG 2.2 AA, and what axe recommends beyond it
 */
export const axeFindings = async (page: Page, rules?: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe.source)
  const only: axe.RunOptions = {
    runOnly: rules === undefined ? { type: "tag", values: accessible } : { type: "rule", values: [...rules] },
    resultTypes: ["violations"],
    // The one style sheet is the page's own.
    preload: false,
  }
  const { violations } = await page.evaluate(
    (options) => (globalThis as unknown as { readonly axe: typeof axe }).axe.run(document, options),
    only,
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, html }) => `${id}: ${target} ${html.slice(0, 120)}`),
  )
}
