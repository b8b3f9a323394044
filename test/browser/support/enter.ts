import type { Page } from "playwright-core"
import { linkOf } from "../../adapters/http/dashboard/visitor.ts"
import type { Running } from "../../support/running.ts"
import { type Visit, visit } from "./page.ts"

export type Guest = Parameters<typeof linkOf>[1]

/** Opens a link as one does: the code is in the fragment. */
export const enter = async (running: Running, page: Page, guest: Guest): Promise<string> => {
  const code = await linkOf(running, guest)
  await page.goto(`${running.url}/dashboard/enter#${code}`)
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.waitForURL((url) => url.pathname !== "/dashboard/enter")
  return code
}

/** Visits as a guest who has signed in. */
export const visitAs = (
  running: Running,
  name: string,
  guest: Guest,
  body: (visit: Visit) => Promise<void>,
  allowed?: RegExp,
) =>
  visit(
    name,
    {},
    async (given) => {
      await enter(running, given.page, guest)
      await body(given)
    },
    allowed,
  )
