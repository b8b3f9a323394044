import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Webhooks } from "../../../core/events/Webhooks.ts"
import { answering, type Receiver } from "../../support/receiver.ts"
import type { Running } from "../../support/running.ts"
import { failing, make, shows, startDelivering } from "./journeys/webhook.ts"
import { entering } from "./support/entering.ts"
import { counting, hits, payloads } from "./support/payloads.ts"

let to: Receiver
let running: Running
let stop: () => Promise<void>
const { as } = entering(() => running)
const owner = { account: "tester" }

beforeAll(async () => {
  ;({ to, running, stop } = await startDelivering())
}, 120_000)
afterAll(() => stop())

const refusals = /status of 422/

describe("a webhook that fails", () => {
  it("is tried again, becomes a dead letter, and is delivered by a replay", { timeout: 120_000 }, () =>
    as("failing webhook", owner, (visit) => failing(visit, to, "failing")),
  )
})

describe("500 payloads", () => {
  it("as URLs of webhooks run nowhere", { timeout: 120_000 }, () =>
    as(
      "payload urls",
      owner,
      async ({ page }) => {
        await counting(page)
        to.answers(answering(200))
        const form = `${running.url}/dashboard/webhooks/new`
        for (let at = 0; at < payloads.length; at += 25) {
          const some = payloads.slice(at, at + 25)
          // No URL: refused, and shown again as it was typed.
          await page.goto(form)
          await page.getByLabel("URL").fill(some.join(" ").slice(0, 2_000))
          await page.getByRole("button", { name: "Create webhook" }).click()
          await page.locator(".error").first().waitFor()
          assert.strictEqual(await hits(page), 0)
          // In the path and the query of one that is a URL: those have no spaces and no backslashes.
          const plain = some.map((each) => each.replaceAll(" ", "/").replaceAll("\\", ""))
          await page.goto(form)
          await page.getByLabel("URL").fill(`${to.url}/${plain.slice(0, 10).join("/")}?${plain.slice(10).join("&")}`)
          await page.getByRole("button", { name: "Create webhook" }).click()
          await page.locator(".secret").waitFor()
          assert.strictEqual(await hits(page), 0)
          await page.getByRole("link", { name: "View webhook" }).click()
          await page.waitForURL(/whk_/)
          assert.isAbove(await page.getByText("hit()").count(), 0)
          assert.strictEqual(await hits(page), 0)
          await page.goto(`${running.url}/dashboard/webhooks`)
          assert.strictEqual(await hits(page), 0)
          // An account has a limited number of webhooks.
          await running.run(
            Effect.gen(function* () {
              const webhooks = yield* Webhooks
              for (const { id, url } of yield* webhooks.list("tester")) {
                if (url.includes("hit()")) yield* webhooks.remove(id)
              }
            }),
          )
        }
      },
      refusals,
    ),
  )

  it("as answers of a receiver run nowhere", { timeout: 120_000 }, () =>
    as("payload answers", owner, async ({ page, hands }) => {
      await counting(page)
      // As many in one answer as are stored of it.
      const bodies: Array<string> = [""]
      for (const payload of payloads) {
        const last = bodies.at(-1)!
        if (last.length + payload.length > 1_000) bodies.push(payload)
        else bodies[bodies.length - 1] = `${last} ${payload}`
      }
      await make(page, hands, `${to.url}/answers`)
      const own = page.url()
      const received = () => to.received.filter(({ path }) => path === "/answers")
      const id = own.split("/").at(-1)!
      for (const [at, body] of bodies.entries()) {
        to.answers(answering(500, { "content-type": "text/html" }, body))
        await running.run(Effect.flatMap(Webhooks, ({ test }) => test(id)))
        await to.until(() => received().length > at)
      }
      await page.goto(own)
      await shows(page, /500 Internal Server Error/)
      for (const summary of await page.getByText(/^1 attempt/).all()) await summary.click()
      assert.isAbove(await page.locator("pre").count(), 0)
      assert.strictEqual(await hits(page), 0)
      for (const [at, body] of bodies.entries()) {
        await page.goto(`${own}?event=${received()[at]!.id}`)
        await page.locator("pre").first().waitFor()
        assert.strictEqual(await page.locator("pre").first().textContent(), body)
        assert.strictEqual(await hits(page), 0)
      }
      // The last of them becomes a dead letter.
      to.answers(answering(410, {}, payloads.slice(0, 15).join(" ")))
      await running.run(Effect.flatMap(Webhooks, ({ test }) => test(id)))
      await page.goto(own)
      await shows(page, "its receiver answered 410 Gone")
      await page.goto(`${running.url}/dashboard/webhooks/dead-letters`)
      assert.strictEqual(await hits(page), 0)
      assert.isAbove(bodies.length, 20)
    }),
  )
})
