import { assert, describe, it } from "@effect/vitest"
import { h } from "preact"
import { renderToStaticMarkup } from "preact-render-to-string"
import {
  Changed,
  Live,
  LiveState,
  Newer,
  spendMeter,
  Unless,
} from "../../../../../adapters/web/dashboard/live/Live.tsx"
import * as values from "../../../../../adapters/web/dashboard/live/values.ts"
import type { Agent } from "../../../../../core/account/Agent.ts"
import { MicroUsd } from "../../../../../core/account/Money.ts"

const agent: Agent = {
  id: "agt_1",
  accountId: "acc_1",
  name: "nightly",
  status: "active",
  createdAt: 0,
  monthlyCap: MicroUsd(2_000_000),
}
const spend = [
  {
    livemode: true,
    month: "2026-11",
    monthSpent: MicroUsd(500_000),
    totalSpent: MicroUsd(3_000_000),
  },
]

describe("a value that script keeps up to date", () => {
  it("has its name, in the element that is asked for", () => {
    const is = values.balance(1_500_000)
    assert.strictEqual(renderToStaticMarkup(h(Live, { is })), '<span data-live="balance">1.50 USD</span>')
    assert.strictEqual(renderToStaticMarkup(h(Live, { is, as: "time" })), '<time data-live="balance">1.50 USD</time>')
  })

  it("that is a state has its shape; without one it waits", () => {
    assert.strictEqual(
      renderToStaticMarkup(h(LiveState, { is: values.agentState(agent, spend) })),
      '<span class="badge ok" data-live="agt_1.state"><span aria-hidden="true">●</span> <span>active</span></span>',
    )
    assert.include(renderToStaticMarkup(h(LiveState, { is: values.balance(1) })), 'class="badge waiting"')
  })
})

describe("spend against a cap", () => {
  const shown = (...given: Parameters<typeof spendMeter>) => renderToStaticMarkup(spendMeter(...given))

  it("is a meter under a cap, named after the agent and the time", () => {
    assert.strictEqual(
      shown({ agent, spend }, "month"),
      '<span data-live="agt_1.live.month"><meter aria-label="nightly this month" min="0" value="500000" max="2000000"' +
        ' high="1600000"></meter> <span>0.50 USD of 2.00 USD</span></span>',
    )
  })

  it("is words alone without a cap", () => {
    assert.strictEqual(shown({ agent, spend }, "total"), '<span data-live="agt_1.live.total">3.00 USD, no cap</span>')
  })

  it("of test keys is told apart, and may have another name", () => {
    const html = shown({ agent, spend }, "month", "nightly, test", "test")
    assert.include(html, 'data-live="agt_1.test.month"')
    assert.include(html, 'aria-label="nightly, test this month"')
    assert.include(html, "0.00 USD of 2.00 USD")
  })
})

describe("what script shows", () => {
  it("is a notice while a value is another one", () => {
    const is = values.suspended({})
    const notice = (isShown: boolean) => renderToStaticMarkup(h(Unless, { is, isShown, children: "Suspended." }))
    assert.strictEqual(
      notice(false),
      '<p class="notice" role="status" data-live-unless="suspended=no" hidden>Suspended.</p>',
    )
    assert.notInclude(notice(true), "hidden")
  })

  it("is that there are newer rows, and that a state has changed", () => {
    const is = values.newestCall("req_1")
    assert.strictEqual(
      renderToStaticMarkup(h(Newer, { is, what: "calls", href: "/calls" })),
      '<p data-live-unless="newest.call=req_1" hidden>There are newer calls. <a href="/calls">Show them</a></p>',
    )
    assert.include(renderToStaticMarkup(h(Changed, { href: "/keys" })), 'data-live-changed="true" hidden>')
    assert.include(renderToStaticMarkup(h(Changed, { href: "/keys" })), '<a href="/keys">Reopen</a>')
  })
})
