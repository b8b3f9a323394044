import type { Page } from "playwright-core"
import { linkOf } from "../../../adapters/web/dashboard/visitor.ts"
import type { Running } from "../../../support/running.ts"
import { byMouse, type Hands, type Way } from "./hands.ts"
import { type Visit, visit } from "./page.ts"

type Guest = Parameters<typeof linkOf>[1]

/** A visit of somebody who is signed in. */
export interface Entered extends Visit {
  readonly hands: Hands
  readonly hasScript: boolean
  /** The server that is visited. */
  readonly running: Running
}

/** How somebody comes to the dashboard of a server. */
export const entering = (running: () => Running, { hands: handsOf, hasScript }: Way = byMouse) => {
  /** Opens a link as one does: the code is in the fragment, from where script takes it. Without script it is typed. */
  const enter = async (page: Page, guest: Guest): Promise<string> => {
    const code = await linkOf(running(), guest)
    const hands = handsOf(page)
    await page.goto(`${running().url}/dashboard/enter#${code}`)
    if (!hasScript) await hands.fill(page.getByLabel("Sign-in link"), code)
    await hands.go(page.getByRole("button", { name: "Sign in" }))
    await page.waitForURL((url) => url.pathname !== "/dashboard/enter")
    return code
  }

  /** A visit of somebody who is signed in. */
  const as = (name: string, guest: Guest, body: (visit: Entered) => Promise<void>, allowed?: RegExp) =>
    visit(
      name,
      { javaScriptEnabled: hasScript },
      async (given) => {
        await enter(given.page, guest)
        await body({ ...given, hands: handsOf(given.page), hasScript, running: running() })
      },
      allowed,
    )

  return { enter, as }
}

/** The names of the sessions that a browser has. */
export const sessionCookies = async (page: Page): Promise<ReadonlyArray<string>> =>
  (await page.context().cookies()).map(({ name }) => name).filter((name) => /^(__Host-)?session/.test(name))
