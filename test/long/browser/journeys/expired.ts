import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Agents } from "../../../../core/account/Agents.ts"
import { linkOf } from "../../../adapters/web/dashboard/visitor.ts"
import type { Entered } from "../support/entering.ts"

/** The stream of values of a page whose session has ended is refused. */
export const mistakes = /status of 40\d|ERR_ABORTED|net::ERR/

/** A session ends while a form is filled in: it is not sent, and the page to sign in says so. */
export const expired = async ({ page, hands, running }: Entered, name: string): Promise<void> => {
  await page.goto(`${running.url}/dashboard/agents/new`)
  await hands.fill(page.getByLabel("Name"), name)
  await hands.fill(page.getByLabel("Monthly cap (USD)"), "7.50")
  await page.context().clearCookies({ name: /^session/ })
  await hands.go(page.getByRole("button", { name: "Create agent" }))
  await page.getByText("Your session has ended, and your form was not sent.").waitFor()
  const find = () => running.run(Effect.flatMap(Agents, ({ findIn }) => findIn(running.account.id, name)))
  assert.isUndefined(await find())
  await hands.fill(page.getByLabel("Sign-in link"), await linkOf(running, { account: "tester" }))
  await hands.go(page.getByRole("button", { name: "Sign in" }))
  assert.strictEqual(new URL(page.url()).pathname, "/dashboard/agents/new")
  await hands.fill(page.getByLabel("Name"), name)
  await hands.go(page.getByRole("button", { name: "Create agent" }))
  assert.match(page.url(), /agents\/agt_/)
  assert.isDefined(await find())
}
