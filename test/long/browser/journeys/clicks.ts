import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as captures from "../../../../adapters/store/record/Captures.ts"
import { Captures } from "../../../../core/record/captures/Captures.ts"
import { otherAccount } from "../../../adapters/web/dashboard/visitor.ts"
import { captured } from "../../../support/captures.ts"
import { newestCall } from "../../../support/newestCall.ts"
import type { Running } from "../../../support/running.ts"
import { signedRecord } from "../../../support/signedRecord.ts"
import type { Entered } from "../support/entering.ts"

/** Makes a journey that counts what is pressed: links and buttons, not the keys of a text. Each begins on the first page. */
const within =
  (most: number, journey: (visit: Entered) => Promise<void>) =>
  async (visit: Entered): Promise<void> => {
    let clicks = 0
    const counted =
      (act: Entered["hands"]["go"]): Entered["hands"]["go"] =>
      (on) => {
        clicks++
        return act(on)
      }
    const { press, go, ...hands } = visit.hands
    await journey({ ...visit, hands: { ...hands, press: counted(press), go: counted(go) } })
    assert.isAtMost(clicks, most)
    assert.isAbove(clicks, 0)
  }

const link = ({ page }: Pick<Entered, "page">, name: string) => page.getByRole("link", { name, exact: true })
const button = ({ page }: Pick<Entered, "page">, name: string) => page.getByRole("button", { name, exact: true })

/** A live key, and a paid answer by the line that stands there with it. */
export const keyAndAnswer = within(4, async (visit) => {
  const { page, hands, running } = visit
  await hands.go(link(visit, "Connect"))
  await hands.go(link(visit, "New key"))
  await hands.choose(page.getByRole("group", { name: "Kind" }), "Live")
  await hands.go(button(visit, "Create key"))
  const line = (await page
    .locator("pre code", { hasText: /^curl / })
    .first()
    .textContent())!
  const [, url, header] = /^curl "([^"]+)" -H "Authorization: ([^"]+)"/.exec(line)!
  const before = await running.balance()
  const { pathname, search } = new URL(url!)
  const answer = await running.get(pathname + search, header!.replace("Bearer ", ""))
  assert.strictEqual(answer.status, 200)
  const charged = answer.json._meta.price.charged_micros
  assert.isAbove(charged, 0)
  assert.strictEqual(before - (await running.balance()), charged)
})

/** A paid answer without a program. */
export const paidAnswer = within(4, async (visit) => {
  const { page, hands, running } = visit
  const before = await running.balance()
  await hands.go(link(visit, "Playground"))
  await hands.go(page.locator('a[href="/dashboard/playground/weather_signal"]'))
  await hands.go(button(visit, "Run for 0.01 USD"))
  await hands.go(button(visit, "Spend 0.01 USD"))
  await page.locator(".answer svg").first().waitFor()
  assert.strictEqual(before - (await running.balance()), 10_000)
})

/** An agent with a cap, and a key of it that stops there. */
export const cappedAgent = (name: string) =>
  within(5, async (visit) => {
    const { page, hands, running } = visit
    await hands.go(link(visit, "Agents"))
    await hands.go(link(visit, "New agent"))
    await hands.fill(page.getByLabel("Name"), name)
    await hands.fill(page.getByLabel("Monthly cap (USD)"), "0.01")
    await hands.go(button(visit, "Create agent"))
    await hands.go(link(visit, "New key for this agent"))
    await hands.choose(page.getByRole("group", { name: "Kind" }), "Live")
    await hands.go(button(visit, "Create key"))
    const token = (await page.locator(".secret").textContent())!.trim()
    const statuses = []
    for (let n = 0; n < 2; n++) statuses.push((await running.get("/v1/weather/signal?station=KNYC", token)).status)
    assert.deepStrictEqual(statuses, [200, 429])
  })

/** Why calls fail. */
export const whyCallsFail = within(2, async (visit) => {
  const { page, hands, running } = visit
  await running.get("/v1/weather/signal?station=NONE")
  await page.reload()
  await hands.go(page.locator(".urgent a[href*='status=failed']").first())
  await hands.go(page.locator("table a[href^='/dashboard/calls/req_']").first())
  await page.getByRole("heading", { name: "One or more parameters are not valid." }).waitFor()
})

/** An operator suspends an account. */
export const suspension = (name: string) =>
  within(3, async (visit) => {
    const { page, hands, running } = visit
    const client = await otherAccount(running, name)
    await page.reload()
    await hands.go(link(visit, name))
    await hands.go(link(visit, `Suspend ${name}`))
    await hands.go(button(visit, `Suspend ${name}`))
    await button(visit, `Resume ${name}`).waitFor()
    const answer = () => running.get("/v1/weather/signal?station=KNYC", client.token)
    for (let found = await answer(); found.status !== 403; found = await answer()) {
      assert.strictEqual(found.status, 402)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  })

/** A sold answer whose entry is on a signed record, newest of the calls. */
export const sellRecorded = async (running: Running): Promise<void> => {
  const requestId = await newestCall(running)
  const bought = { requestId, accountId: running.account.id, keyId: running.account.live.id }
  const append = Effect.flatMap(Captures, ({ append }) => append([captured({ kind: "on_demand", bought })]))
  await running.run(Effect.provide(append, captures.layer))
  await running.run(signedRecord(4))
}

/** A sold answer is verified, from the list of calls. */
export const verification = within(2, async (visit) => {
  const { page, hands, hasScript } = visit
  await page.goto(`${visit.running.url}/dashboard/calls?endpoint=weather_signal&status=200`)
  await hands.go(page.locator("table td > a[href^='/dashboard/calls/req_']").last())
  await hands.go(page.locator("a[href^='/record?leaf=']"))
  const verdict = hasScript
    ? "Your browser checked this entry: it is in the signed record."
    : "Automatic checks need JavaScript"
  await page.getByText(verdict).first().waitFor()
})
