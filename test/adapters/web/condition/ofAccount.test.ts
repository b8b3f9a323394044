import { assert, describe, it } from "@effect/vitest"
import { type Condition, isUrgent, type Named, urgentFirst } from "../../../../adapters/web/condition/Condition.ts"
import * as conditions from "../../../../adapters/web/condition/ofAccount.ts"
import type { KeyRecord } from "../../../../core/account/AccountStore.ts"
import type { Agent, Spend } from "../../../../core/account/Agent.ts"
import { MicroUsd } from "../../../../core/account/Money.ts"
import type { OrderWithFacts } from "../../../../core/payment/OrderStore.ts"

const now = Date.UTC(2026, 10, 23, 12)

const agentOf = (caps: Partial<Agent> = {}): Agent => ({
  id: "agt_1",
  accountId: "acct_1",
  name: "nfl-lines",
  status: "active",
  createdAt: 0,
  ...caps,
})
const spendOf = (month: number, total = month, more: Partial<Spend> = {}): Spend => ({
  livemode: true,
  month: "2026-11",
  monthSpent: MicroUsd(month),
  totalSpent: MicroUsd(total),
  ...more,
})
const cap = { monthlyCap: MicroUsd(300_000) }

describe("an agent", () => {
  const said = (agent: Agent, ...spend: ReadonlyArray<Spend>) => {
    const { tone, label, cause } = conditions.agent(agent, spend)
    return [tone, label, cause ?? ""]
  }

  it("is active until its caps are near", () => {
    assert.deepStrictEqual(said(agentOf(), spendOf(9e9)), ["ok", "active", ""])
    assert.deepStrictEqual(said(agentOf(cap), spendOf(239_999)), ["ok", "active", ""])
    assert.deepStrictEqual(said(agentOf(cap), spendOf(299_000)), [
      "attention",
      "near its cap",
      "0.001 USD left of its cap of 0.30 USD, a call that costs more is refused",
    ])
  })

  it("at its cap says when it resets, and where the cap is raised", () => {
    const reached = conditions.agent(agentOf(cap), [spendOf(300_000)])
    assert.deepStrictEqual(reached, {
      tone: "stopped",
      label: "cap reached, resets 1 Dec 2026",
      cause: "reached its cap of 0.30 USD, calls are refused until 1 Dec 2026",
      next: { label: "Raise cap", href: "/dashboard/agents/agt_1#caps" },
    })
    // A call was refused that costs more than what is left.
    assert.deepStrictEqual(said(agentOf(cap), spendOf(299_000, 299_000, { isRefused: true })), [
      "stopped",
      "cap reached, resets 1 Dec 2026",
      "0.001 USD left of its cap of 0.30 USD, calls that cost more are refused until 1 Dec 2026",
    ])
    assert.deepStrictEqual(said(agentOf({ budgetCap: MicroUsd(5) }), spendOf(0, 5)), [
      "stopped",
      "lifetime cap reached",
      "reached its lifetime cap of 0.000005 USD, calls are refused",
    ])
    assert.deepStrictEqual(said(agentOf({ monthlyCap: MicroUsd(0) }), spendOf(0))[1], "cap reached, resets 1 Dec 2026")
  })

  it("tells the caps of test keys apart, and the worst first", () => {
    const test = spendOf(300_000, 300_000, { livemode: false })
    assert.strictEqual(said(agentOf(cap), spendOf(0), test)[1], "test cap reached, resets 1 Dec 2026")
    assert.strictEqual(said(agentOf(cap), spendOf(290_000), test)[1], "test cap reached, resets 1 Dec 2026")
    assert.strictEqual(said(agentOf(cap), spendOf(300_000), test)[1], "cap reached, resets 1 Dec 2026")
  })

  it("that somebody paused or revoked asks for nothing", () => {
    for (const status of ["paused", "revoked"] as const) {
      const condition = conditions.agent(agentOf({ ...cap, status }), [spendOf(300_000)])
      assert.deepStrictEqual([condition, isUrgent(condition)], [{ tone: "stopped", label: status }, false])
    }
  })
})

const attempt = (status: number) =>
  status < 300
    ? { status, detail: `${status} OK` }
    : { status, error: "status", detail: `${status} Internal Server Error` }

const sent = (state: conditions.Sent["state"], ...statuses: ReadonlyArray<number>): conditions.Sent => ({
  state,
  sent_again: false,
  attempts: statuses.map(attempt),
  ...(state === "dead" ? { reason: "exhausted" } : {}),
})

describe("a webhook", () => {
  const said = (status: "active" | "paused" | "disabled", ...newest: ReadonlyArray<conditions.Sent>) => {
    const { tone, label, cause } = conditions.webhook({ id: "whk_1", status }, newest)
    return [tone, label, cause ?? ""]
  }

  it("that only fails is not active", () => {
    const failing = ["attention", "failing", "the last 4 attempts failed: 500 Internal Server Error"]
    assert.deepStrictEqual(said("active", sent("pending", 500, 500), sent("pending", 500, 500)), failing)
    assert.deepStrictEqual(said("active", sent("pending", 500), sent("dead", 500, 500, 500)), failing)
    const gone = ["attention", "failing", "the last attempt failed: 500 Internal Server Error"]
    assert.deepStrictEqual(said("active", sent("dead", 500)), gone)
    // What arrived since, or was sent again, is no failure of today.
    assert.strictEqual(said("active", sent("delivered", 200), sent("dead", 500))[1], "active")
    assert.strictEqual(said("active", sent("delivered", 500, 500, 200))[1], "active")
    assert.strictEqual(said("active", { ...sent("dead", 500, 500), sent_again: true })[1], "active")
    // One attempt that failed is tried again by itself.
    assert.strictEqual(said("active", sent("pending", 500))[1], "active")
    assert.strictEqual(said("active")[1], "active")
  })

  it("that is paused or disabled says so", () => {
    assert.deepStrictEqual(said("paused", sent("pending", 500, 500)), ["stopped", "paused", ""])
    assert.deepStrictEqual(said("disabled")[2], "its receiver answered 410 Gone, nothing is sent to it")
  })
})

describe("a delivery", () => {
  it.each([
    [sent("pending"), "waiting", "pending"],
    [sent("under_way"), "waiting", "being sent"],
    [sent("waiting", 500), "waiting", "waiting for its webhook"],
    [sent("pending", 500, 500), "attention", "retrying", "2 attempts failed: 500 Internal Server Error"],
    [sent("under_way", 500), "attention", "retrying", "1 attempt failed: 500 Internal Server Error"],
    [sent("delivered", 500, 200), "ok", "delivered"],
    [sent("dead", 500), "stopped", "failed", "the last attempt failed"],
    [{ ...sent("dead", 500), sent_again: true }, "waiting", "failed, sent again"],
  ] as const)("%j", (of, tone, label, cause?: string) => {
    const found = conditions.delivery(of)
    assert.deepStrictEqual([found.tone, found.label, found.cause], [tone, label, cause])
  })
})

describe("the rest of an account", () => {
  it("an empty or low wallet, a suspension and a payment under review ask for something", () => {
    const urgent = (condition: Condition) => [condition.tone, condition.label, isUrgent(condition)]
    assert.deepStrictEqual(urgent(conditions.balance(0, undefined)), ["stopped", "empty", true])
    assert.deepStrictEqual(urgent(conditions.balance(4, 5)), ["attention", "low", true])
    assert.deepStrictEqual(urgent(conditions.balance(5, 5)), ["ok", "0.000005 USD", false])
    assert.deepStrictEqual(urgent(conditions.account({ suspendedAt: now })), ["stopped", "suspended", true])
    assert.deepStrictEqual(urgent(conditions.account({})), ["ok", "active", false])
    const order = (state: OrderWithFacts["state"], facts: OrderWithFacts["facts"] = []) =>
      urgent(
        conditions.order(
          {
            id: "txn_1",
            accountId: "acct_1",
            provider: "stripe",
            micros: MicroUsd(5_000_000),
            createdAt: 0,
            state,
            facts,
            creditedMicros: 0,
            takenBackMicros: 2_500_000,
          },
          now,
        ),
      )
    const opened = [{ kind: "opened", reference: "cs_1", url: "https://pay.example", endsAt: now + 1, at: 0 }] as const
    assert.deepStrictEqual(order("open", opened), ["waiting", "unpaid", false])
    assert.deepStrictEqual(order("open", [{ ...opened[0], endsAt: now - 1 }]), ["stopped", "unpaid, expired", false])
    assert.deepStrictEqual(order("paid"), ["ok", "paid", false])
    assert.deepStrictEqual(order("mismatched"), ["attention", "under review", true])
    assert.deepStrictEqual(order("ended"), ["stopped", "expired or failed", false])
    assert.deepStrictEqual(order("returned"), ["waiting", "2.50 USD refunded", false])
  })

  it("a key works, is being replaced, or has ended", () => {
    const key: KeyRecord = {
      id: "key_1",
      accountId: "acct_1",
      environment: "live",
      tier: "indie",
      perMinute: 60,
      lastFour: "rWca",
      createdAt: 0,
    }
    const said = (changes: Partial<KeyRecord>) => {
      const { tone, label } = conditions.key({ ...key, ...changes }, now)
      return `${tone} ${label}`
    }
    assert.deepStrictEqual(
      [{}, { overlapEndsAt: now + 1 }, { overlapEndsAt: now }, { expiresAt: now }, { revokedAt: 5 }].map(said),
      ["ok active", "waiting being replaced", "stopped expired", "stopped expired", "stopped revoked"],
    )
  })

  it("is listed worst first, and only what somebody has to mend", () => {
    const named = (name: string, tone: Named["condition"]["tone"], cause?: string): Named => ({
      name,
      condition: { tone, label: name, ...(cause === undefined ? {} : { cause }) },
    })
    const all = [
      named("well", "ok"),
      named("late", "attention", "late"),
      named("paused", "stopped"),
      named("waits", "waiting", "for something"),
      named("down", "stopped", "down"),
      named("later", "attention", "later"),
    ]
    assert.deepStrictEqual(
      urgentFirst(all).map(({ name }) => name),
      ["down", "late", "later"],
    )
  })
})
