import { assert, describe, it } from "@effect/vitest"
import { h } from "preact"
import { renderToStaticMarkup } from "preact-render-to-string"
import { Deliveries, type Delivery, endOf, Outcome } from "../../../../../adapters/web/dashboard/pages/deliveries.tsx"
import { webhookHost } from "../../../../../core/events/Webhook.ts"
import { visit } from "../visit.ts"

const at = "2026-11-24T21:05:00.000Z"

const delivery = (more: Partial<Delivery> = {}): Delivery => ({
  webhook: "whk_1",
  event: "evt/1",
  type: "wallet.low",
  cause: "event",
  created_at: at,
  state: "delivered",
  sent_again: false,
  attempts: [],
  ...more,
})

const attempt = (more: Partial<Delivery["attempts"][number]>) => ({ number: 1, at, ...more })

describe("the end of an attempt in words", () => {
  it.each([
    [{}, "under way"],
    [{ error: "timeout" as const }, "timeout"],
    [{ status: 200, duration_ms: 0 }, "200, 0 ms"],
    [{ status: 500, detail: "500 Internal Server Error", duration_ms: 12 }, "500 Internal Server Error, 12 ms"],
    [{ status: 500, detail: "no body" }, "500, no body"],
    [{ status: 302, error: "redirect" as const }, "302, redirects are not followed"],
    [{ error: "redirect" as const }, "redirect"],
  ])("of %o is %s", (given, words) => {
    assert.strictEqual(endOf(attempt(given)), words)
  })
})

describe("the host of a webhook", () => {
  it("has its port", () => {
    assert.strictEqual(webhookHost({ url: "https://a.example:8443/hook" }), "a.example:8443")
    assert.strictEqual(webhookHost({ url: "mailto:ann@example.com" }), "ann@example.com")
  })
})

describe("the outcome of a delivery", () => {
  const outcome = (given: Partial<Delivery>) => renderToStaticMarkup(h("p", null, h(Outcome, delivery(given))))

  it("says why, where it was given up", () => {
    assert.include(outcome({ state: "dead", reason: "exhausted" }), "<small> the last attempt failed</small>")
    assert.notInclude(outcome({ state: "dead", reason: "exhausted", sent_again: true }), "<small>")
    assert.notInclude(outcome({ state: "pending", attempts: [attempt({ error: "timeout" })] }), "<small>")
  })
})

const webhooks = [{ id: "whk_1", url: "https://a.example/hook", status: "enabled" }]

const list = (all: ReadonlyArray<Delivery>, more: Partial<Parameters<typeof Deliveries>[0]> = {}) =>
  renderToStaticMarkup(h(Deliveries, { visit: visit(), all, empty: "None.", webhooks, ...more }))

describe("the list of deliveries", () => {
  it("says so where there are none", () => {
    assert.strictEqual(list([]), "<p>None.</p>")
  })

  it("leads to the deliveries of an event, of a webhook that there is", () => {
    assert.include(list([delivery()]), '<a href="/dashboard/webhooks/whk_1?event=evt%2F1">wallet.low</a>')
    const html = list([delivery()], { webhooks: [], withWebhook: true })
    assert.include(html, '<th scope="row">wallet.low')
    assert.include(html, ">deleted</td>")
  })

  it("names the webhook and the cause where they say something", () => {
    const html = list([delivery({ cause: "replay" })], { withWebhook: true })
    assert.include(html, 'data-label="Webhook"><a href="/dashboard/webhooks/whk_1">a.example</a></td>')
    assert.include(html, "<small> replay</small>")
    assert.notInclude(list([delivery()]), "<small> event</small>")
  })

  it("counts attempts, and shows an excerpt of the last response", () => {
    assert.include(list([delivery()]), "none yet")
    const attempts = [
      attempt({ status: 500, response: "first" }),
      attempt({ number: 2, status: 503, response: "x".repeat(161) }),
    ]
    const html = list([delivery({ state: "pending", attempts, next_attempt_at: at })])
    assert.include(html, "<summary>2 attempts: 503</summary>")
    assert.include(html, `<pre>${"x".repeat(160)}</pre>`)
    assert.notInclude(html, "<pre>first")
    assert.include(html, " next try <time")
    assert.include(list([delivery({ attempts: [attempt({ status: 200 })] })]), "<summary>1 attempt: 200</summary>")
  })

  it("shows every response whole on the page of one event", () => {
    const attempts = [attempt({ status: 500, response: "first" }), attempt({ number: 2, response: "x".repeat(161) })]
    const html = list([delivery({ attempts })], { isWhole: true })
    assert.include(html, "<details open>")
    assert.include(html, "<pre>first</pre>")
    assert.include(html, `<pre>${"x".repeat(161)}</pre>`)
  })

  it.each([
    ["delivered", delivery(), "enabled", true],
    ["given up", delivery({ state: "dead" }), "enabled", true],
    ["given up, and sent again", delivery({ state: "dead", sent_again: true }), "enabled", false],
    ["on its way", delivery({ state: "pending" }), "enabled", false],
    ["a test", delivery({ cause: "test" }), "enabled", false],
    ["of a disabled webhook", delivery(), "disabled", false],
    ["of a paused webhook", delivery(), "paused", true],
  ])("offers to send again, or not, what is %s", (_, given, status, offered) => {
    const html = list([given], { webhooks: [{ ...webhooks[0]!, status }] })
    assert.strictEqual(html.includes('name="action" value="replay"'), offered)
  })

  it("offers nothing to a viewer, nor of a deleted webhook", () => {
    const viewer = visit({ actor: { who: "per_1", member: { accountId: "acc_1", role: "viewer" } } })
    assert.notInclude(list([delivery()], { visit: viewer }), "Action")
    assert.notInclude(list([delivery()], { webhooks: [] }), "Replay")
  })
})
