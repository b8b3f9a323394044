import type { Page } from "playwright-core"
import { linkOf } from "../../adapters/http/dashboard/visitor.ts"
import type { Running } from "../../support/running.ts"
import { type Visit, visit } from "./page.ts"

type Guest = Parameters<typeof linkOf>[1]

/** How somebody comes to the dashboard of a server. */
export const entering = (running: () => Running) => {
  /** Opens a link as one does: the code is in the fragment. */
  const enter = async (page: Page, guest: Guest): Promise<string> => {
    const code = await linkOf(running(), guest)
    await page.goto(`${running().url}/dashboard/enter#${code}`)
    await page.getByRole("button", { name: "Sign in" }).click()
    await page.waitForURL((url) => url.pathname !== "/dashboard/enter")
    return code
  }

  /** A visit of somebody who is signed in. */
  const as = (name: string, guest: Guest, body: (visit: Visit) => Promise<void>, allowed?: RegExp) =>
    visit(
      name,
      {},
      async (given) => {
        await enter(given.page, guest)
        await body(given)
      },
      allowed,
    )

  return { enter, as }
}
