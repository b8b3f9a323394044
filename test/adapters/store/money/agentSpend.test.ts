import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Sqlite } from "../../../../adapters/store/engine/sqlite/client.ts"
import * as sqlite from "../../../../adapters/store/engine/sqlite/open.ts"
import { type AgentRow, agentMonth, agentText, capsOf, statusOf } from "../../../../adapters/store/money/agentSpend.ts"
import { MicroUsd } from "../../../../core/account/Money.ts"

const row: AgentRow = {
  name: "night",
  monthly_cap_micros: null,
  budget_cap_micros: null,
  month_micros: 40,
  warned: 0,
  exceeded: 0,
  total_micros: 90,
}

describe("the spend of an agent", () => {
  it("has the caps that are set: one of nothing is a cap, and one that is absent is none", () => {
    assert.deepStrictEqual(capsOf(row), {})
    assert.deepStrictEqual(capsOf({ ...row, monthly_cap_micros: 0 }), { monthlyCap: MicroUsd(0) })
    assert.deepStrictEqual(capsOf({ ...row, budget_cap_micros: 7 }), { budgetCap: MicroUsd(7) })
    assert.deepStrictEqual(capsOf({ ...row, monthly_cap_micros: 5, budget_cap_micros: 7 }), {
      monthlyCap: MicroUsd(5),
      budgetCap: MicroUsd(7),
    })
  })

  it("has what a settlement needs, with the events that were emitted", () => {
    const spent = { name: "night", monthSpent: MicroUsd(40), totalSpent: MicroUsd(90) }
    assert.deepStrictEqual(agentMonth({ ...row, warned: 1 }), { ...spent, warned: true, exceeded: false })
    assert.deepStrictEqual(agentMonth({ ...row, exceeded: 1, monthly_cap_micros: 40 }), {
      ...spent,
      monthlyCap: MicroUsd(40),
      warned: false,
      exceeded: true,
    })
  })

  it("is shown to a caller without the events, and not at all without an agent", () => {
    assert.deepStrictEqual(statusOf(undefined), {})
    assert.deepStrictEqual(statusOf({ ...row, warned: 1, exceeded: 1, budget_cap_micros: 100 }), {
      agent: { name: "night", budgetCap: MicroUsd(100), monthSpent: MicroUsd(40), totalSpent: MicroUsd(90) },
    })
  })

  it.scoped("is read for one month, and over all months of the same kind of keys", () =>
    Effect.gen(function* () {
      const { db } = yield* Sqlite
      db.exec(`
        INSERT INTO accounts (id, name, created_at) VALUES ('acct_1', 'one', 0);
        INSERT INTO agents (id, account_id, name, status, monthly_cap_micros, created_at)
          VALUES ('agent_1', 'acct_1', 'night', 'active', 500, 0), ('agent_2', 'acct_1', 'day', 'active', NULL, 0);
        INSERT INTO agent_spend (agent_id, livemode, month, micros, warned, exceeded) VALUES
          ('agent_1', 1, '2026-06', 50, 1, 1), ('agent_1', 1, '2026-07', 40, 1, 0), ('agent_1', 0, '2026-07', 7, 0, 0),
          ('agent_2', 1, '2026-07', 1000, 0, 0);`)
      const of = (agent: string, livemode: number, month: string) =>
        db.prepare(agentText()).get({ agent, livemode, month })
      const found = { ...row, monthly_cap_micros: 500 }
      assert.deepStrictEqual(of("agent_1", 1, "2026-07"), { ...found, warned: 1 })
      assert.deepStrictEqual(of("agent_1", 0, "2026-07"), { ...found, month_micros: 7, total_micros: 7 })
      assert.deepStrictEqual(of("agent_1", 1, "2026-08"), { ...found, month_micros: 0 })
      assert.deepStrictEqual(of("agent_2", 0, "2026-07"), { ...row, name: "day", month_micros: 0, total_micros: 0 })
      assert.isUndefined(of("agent_3", 1, "2026-07"))
    }).pipe(Effect.provide(sqlite.layer(":memory:"))),
  )
})
