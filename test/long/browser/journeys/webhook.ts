import * as SqlClient from "@effect/sql/SqlClient"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Page } from "playwright-core"
import { Webhook } from "standardwebhooks"
import { standard } from "../../../../core/events/retry.ts"
import { agentKey } from "../../../support/agentKey.ts"
import { delivering } from "../../../support/delivering.ts"
import { answering, type Received, type Receiver, receiver } from "../../../support/receiver.ts"
import { type Running, start } from "../../../support/running.ts"
import type { Entered } from "../support/entering.ts"
import type { Hands } from "../support/hands.ts"

/** A server that delivers, and a receiver of its webhooks. */
export interface Delivering {
  readonly running: Running
  readonly to: Receiver
  readonly stop: () => Promise<void>
}

export const startDelivering = async (options?: Parameters<typeof start>[1]): Promise<Delivering> => {
  const to = await receiver()
  const changes = { webhooks: { allowHosts: [to.host] } }
  const running = await start(changes, options)
  const stopDelivery = delivering(running, changes)
  return {
    running,
    to,
    stop: async () => {
      await stopDelivery()
      await running.stop()
      await to.stop()
    },
  }
}

const attempts = standard.offsetsMs.length

const link = (page: Page, name: string | RegExp) => page.locator("main").getByRole("link", { name, exact: true })

/** Makes a webhook of one type of event by the form; its secret is shown once. */
export const make = async (page: Page, hands: Hands, url: string): Promise<string> => {
  await hands.go(page.getByRole("link", { name: "Webhooks", exact: true }))
  await hands.go(link(page, "New webhook"))
  await hands.fill(page.getByLabel("URL"), url)
  await hands.press(page.getByLabel("agent.budget_exceeded"))
  await hands.go(page.getByRole("button", { name: "Create webhook" }))
  const secret = ((await page.locator(".secret").textContent()) ?? "").trim()
  await hands.go(link(page, "View webhook"))
  await page.waitForURL(/webhooks\/whk_/)
  return secret
}

/** Lets what waits for its next attempt wait no longer. */
const hurry = ({ run }: Running) =>
  run(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql`UPDATE webhook_deliveries SET due_at = 0 WHERE ended_at IS NULL AND lease_owner IS NULL`,
    ),
  )

/** Opens the page again until it says something. */
export const shows = async (page: Page, text: string | RegExp): Promise<void> => {
  while ((await page.getByText(text).count()) === 0) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    await page.reload()
  }
}

const verify = (secret: string, { body, headers }: Received): unknown =>
  new Webhook(secret).verify(body, headers as Record<string, string>)

/** A webhook fails, is tried again, becomes a dead letter, is replayed and delivered; then it is no dead letter any more. */
export const failing = async ({ page, hands, running }: Entered, to: Receiver, name: string): Promise<void> => {
  to.answers(answering(500, {}, "out of order"))
  const secret = await make(page, hands, `${to.url}/${name}`)
  const received = () => to.received.filter(({ path }) => path === `/${name}`)
  const own = page.url()
  // One event: a call takes an agent to 80 % of its cap.
  const token = await agentKey(running, `bot of ${name}`, 12_000)
  assert.strictEqual((await running.get("/v1/weather/signal?station=KNYC", token)).status, 200)
  for (let count = 1; count <= attempts; count++) {
    await to.until(() => received().length >= count)
    if (count === 2) {
      await shows(page, /2 attempts: 500/)
      await hands.press(page.getByText(/^2 attempts: /))
      assert.include(await page.locator("details[open] ol").first().textContent(), "out of order")
      assert.include(await page.locator("main").textContent(), "next try")
    }
    // The end of an attempt is stored shortly after its answer.
    for (let waits = 0; waits < 100 && received().length === count && count < attempts; waits++) {
      await hurry(running)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  assert.lengthOf(received(), attempts)
  await shows(page, "the last attempt failed")
  await hands.go(page.getByRole("link", { name: "Webhooks", exact: true }))
  await hands.go(page.getByRole("link", { name: "Failed deliveries", exact: true }))
  to.answers((one, response) => {
    try {
      verify(secret, one)
      response.writeHead(200).end("taken")
    } catch {
      response.writeHead(401).end("not signed")
    }
  })
  await hands.go(page.getByRole("button", { name: /^Replay/ }))
  await page.waitForURL(own)
  await to.until(() => received().length > attempts)
  await shows(page, "delivered")
  // The first delivery is still listed, as one that was sent again.
  await page.getByText("failed, sent again").waitFor()
  await hands.go(page.getByRole("link", { name: "Webhooks", exact: true }))
  await hands.go(link(page, "Failed deliveries"))
  await page.getByText("No failed deliveries.").waitFor()
  // The same event, the same bytes, each attempt signed.
  const all = received()
  assert.lengthOf(all, attempts + 1)
  assert.lengthOf([...new Set(all.map(({ id }) => id))], 1)
  assert.lengthOf([...new Set(all.map(({ body }) => body))], 1)
  for (const one of all) assert.strictEqual((verify(secret, one) as { type: string }).type, "agent.budget_warning")
  await hands.go(page.getByRole("link", { name: "Webhooks", exact: true }))
  await hands.go(page.locator(`main a[href="${new URL(own).pathname}"]`))
  await hands.go(page.getByRole("button", { name: "Pause" }))
  await page.getByRole("button", { name: "Resume" }).waitFor()
}
