import * as SqlClient from "@effect/sql/SqlClient"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Page } from "playwright-core"
import { Webhook } from "standardwebhooks"
import { standard } from "../../core/events/retry.ts"
import { Webhooks } from "../../core/events/Webhooks.ts"
import { linkOf } from "../adapters/http/dashboard/visitor.ts"
import { agentKey } from "../support/agentKey.ts"
import { delivering } from "../support/delivering.ts"
import { answering, type Received, type Receiver, receiver } from "../support/receiver.ts"
import { type Running, start } from "../support/running.ts"
import { entering } from "./support/entering.ts"
import { visit } from "./support/page.ts"
import { counting, hits, payloads } from "./support/payloads.ts"

let to: Receiver
let running: Running
let stopDelivery: () => Promise<void>
const { as } = entering(() => running)
const owner = { account: "tester" }

beforeAll(async () => {
  to = await receiver()
  const changes = { webhooks: { allowHosts: [to.host] } }
  running = await start(changes)
  stopDelivery = delivering(running, changes)
}, 120_000)
afterAll(async () => {
  await stopDelivery()
  await running.stop()
  await to.stop()
})

const refusals = /status of 422/

/** Makes a webhook by the form; its secret is shown once. */
const make = async (page: Page, url: string): Promise<string> => {
  await page.goto(`${running.url}/dashboard/webhooks/new`)
  await page.getByLabel("URL").fill(url)
  await page.getByRole("button", { name: "Make the webhook" }).click()
  const secret = ((await page.locator(".secret").textContent()) ?? "").trim()
  await page.getByRole("link", { name: "To the webhook" }).click()
  await page.waitForURL(/webhooks\/whk_/)
  return secret
}

/** Lets what waits for its next attempt wait no longer. */
const hurry = () =>
  running.run(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql`UPDATE webhook_deliveries SET due_at = 0 WHERE ended_at IS NULL AND lease_owner IS NULL`,
    ),
  )

/** Opens the page again until it says something. */
const shows = async (page: Page, text: string | RegExp): Promise<void> => {
  while ((await page.getByText(text).count()) === 0) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    await page.reload()
  }
}

/** One event: a call takes an agent to 80 % of its cap. */
const spend = async (name: string): Promise<void> => {
  const token = await agentKey(running, name, 12_000)
  assert.strictEqual((await running.get("/v1/weather/signal?station=KNYC", token)).status, 200)
}

const verify = (secret: string, { body, headers }: Received): unknown =>
  new Webhook(secret).verify(body, headers as Record<string, string>)

describe("a webhook that fails", () => {
  const attempts = standard.offsetsMs.length

  const journey = async (page: Page, name: string) => {
    to.answers(answering(500, {}, "out of order"))
    const secret = await make(page, `${to.url}/${name}`)
    const received = () => to.received.filter(({ path }) => path === `/${name}`)
    const own = page.url()
    await spend(`bot of ${name}`)
    for (let count = 1; count <= attempts; count++) {
      await to.until(() => received().length >= count)
      if (count === 2) {
        await page.goto(own)
        await shows(page, /2 attempts: 500/)
        await page.getByText(/2 attempts/).click()
        assert.include(await page.locator("details ol").first().textContent(), "out of order")
        assert.include(await page.locator("main").textContent(), "next try")
      }
      // The end of an attempt is stored shortly after its answer.
      for (let waits = 0; waits < 100 && received().length === count && count < attempts; waits++) {
        await hurry()
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }
    assert.lengthOf(received(), attempts)
    await page.goto(`${running.url}/dashboard/webhooks/dead-letters`)
    await shows(page, "the last attempt failed")
    await page.goto(`${running.url}/dashboard`)
    // A replay is a delivery of its own: the dead letters of other journeys stay.
    await page
      .locator(".card", { hasText: "Dead-lettered deliveries" })
      .getByRole("link", { name: /^[1-9]$/ })
      .click()
    to.answers((one, response) => {
      try {
        verify(secret, one)
        response.writeHead(200).end("taken")
      } catch {
        response.writeHead(401).end("not signed")
      }
    })
    await page.goto(`${running.url}/dashboard/webhooks/dead-letters`)
    await page
      .getByRole("button", { name: /^Replay/ })
      .first()
      .click()
    await page.waitForURL(own)
    await to.until(() => received().length > attempts)
    await shows(page, "delivered")
    // The same event, the same bytes, each attempt signed.
    const all = received()
    assert.lengthOf(all, attempts + 1)
    assert.lengthOf([...new Set(all.map(({ id }) => id))], 1)
    assert.lengthOf([...new Set(all.map(({ body }) => body))], 1)
    for (const one of all) assert.strictEqual((verify(secret, one) as { type: string }).type, "agent.budget_warning")
    await page.getByRole("button", { name: "Pause" }).click()
    await page.getByRole("button", { name: "Resume" }).waitFor()
  }

  it("is tried again, becomes a dead letter, and is delivered by a replay", { timeout: 120_000 }, () =>
    as("failing webhook", owner, ({ page }) => journey(page, "failing")),
  )

  it("the same without script", { timeout: 120_000 }, () =>
    visit("failing webhook without script", { javaScriptEnabled: false }, async ({ page }) => {
      await page.goto(`${running.url}/dashboard/enter`)
      await page.getByLabel("Code of the link").fill(await linkOf(running, owner))
      await page.getByRole("button", { name: "Sign in" }).click()
      await journey(page, "without-script")
    }),
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
          await page.getByRole("button", { name: "Make the webhook" }).click()
          await page.locator(".error").first().waitFor()
          assert.strictEqual(await hits(page), 0)
          // In the path and the query of one that is a URL: those have no spaces and no backslashes.
          const plain = some.map((each) => each.replaceAll(" ", "/").replaceAll("\\", ""))
          await page.goto(form)
          await page.getByLabel("URL").fill(`${to.url}/${plain.slice(0, 10).join("/")}?${plain.slice(10).join("&")}`)
          await page.getByRole("button", { name: "Make the webhook" }).click()
          await page.locator(".secret").waitFor()
          assert.strictEqual(await hits(page), 0)
          await page.getByRole("link", { name: "To the webhook" }).click()
          await page.waitForURL(/whk_/)
          assert.strictEqual(await hits(page), 0)
          await page.goto(`${running.url}/dashboard/webhooks`)
          assert.isAbove(await page.getByText("hit()").count(), 0)
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
    as("payload answers", owner, async ({ page }) => {
      await counting(page)
      // As many in one answer as are stored of it.
      const bodies: Array<string> = [""]
      for (const payload of payloads) {
        const last = bodies.at(-1)!
        if (last.length + payload.length > 1_000) bodies.push(payload)
        else bodies[bodies.length - 1] = `${last} ${payload}`
      }
      await make(page, `${to.url}/answers`)
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
      await shows(page, "disabled by 410 Gone")
      await page.goto(`${running.url}/dashboard/webhooks/dead-letters`)
      assert.strictEqual(await hits(page), 0)
      assert.isAbove(bodies.length, 20)
    }),
  )
})
