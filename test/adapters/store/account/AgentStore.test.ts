import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as agentStore from "../../../../adapters/store/account/AgentStore.ts"
import type { Agent } from "../../../../core/account/Agent.ts"
import { type AgentFilter, AgentStore, type CapChange, maxComparedAgents } from "../../../../core/account/AgentStore.ts"
import { MicroUsd } from "../../../../core/account/Money.ts"
import { anyStore } from "../../../support/anyStore.ts"

const month = "2026-07"

const agent = (n: number, more: Partial<Agent> = {}): Agent => ({
  id: `agt_${n}`,
  accountId: "acct_1",
  name: `Bot ${n}`,
  status: "active",
  createdAt: n,
  ...more,
})

interface Spent {
  readonly agent_id: string
  readonly livemode?: number
  readonly month?: string
  readonly micros: number
  readonly warned?: number
  readonly exceeded?: number
}

const spent = (row: Spent) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`INSERT INTO agent_spend ${sql.insert({ livemode: 1, month, warned: 0, exceeded: 0, ...row })}`,
  )

/** A test over a store with two accounts and some agents. */
const over = <A, E>(
  agents: ReadonlyArray<Agent>,
  work: (store: AgentStore["Type"]) => Effect.Effect<A, E, SqlClient.SqlClient>,
) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    for (const id of ["acct_1", "acct_2"])
      yield* sql`INSERT INTO accounts ${sql.insert({ id, name: id, created_at: 0 })}`
    const store = yield* AgentStore
    for (const each of agents) assert.isTrue(yield* store.insert(each))
    return yield* work(store)
  }).pipe(Effect.provide(Layer.provideMerge(agentStore.layer, anyStore)))

const idsOf = (store: AgentStore["Type"], filter: Partial<AgentFilter> = {}) =>
  Effect.map(store.page("acct_1", month, { limit: 100, ...filter }), (all) => all.map((each) => each.agent.id))

describe("the spend of an agent", () => {
  it.effect("is of one month and in total; a refusal counts in its month alone", () =>
    over([agent(1)], (store) =>
      Effect.gen(function* () {
        yield* spent({ agent_id: "agt_1", micros: 30 })
        yield* spent({ agent_id: "agt_1", micros: 12, month: "2026-06", exceeded: 1 })
        yield* spent({ agent_id: "agt_1", micros: 5, livemode: 0, exceeded: 1 })
        const july = [
          { livemode: true, month, monthSpent: MicroUsd(30), totalSpent: MicroUsd(42) },
          { livemode: false, month, monthSpent: MicroUsd(5), totalSpent: MicroUsd(5), isRefused: true },
        ]
        assert.deepStrictEqual(yield* store.spend("agt_1", month), july as never)
        assert.deepStrictEqual((yield* store.page("acct_1", month, { limit: 1 }))[0]!.spend, july as never)
        const [june] = yield* store.spend("agt_1", "2026-06")
        assert.deepInclude(june, { monthSpent: MicroUsd(12), isRefused: true })
      }),
    ),
  )
})

describe("agents near a cap", () => {
  it.effect("have spent 80 % of the monthly one, in the month and with one kind of keys", () =>
    over(
      [1, 2, 3, 4, 5].map((n) => agent(n, { monthlyCap: MicroUsd(100) })),
      (store) =>
        Effect.gen(function* () {
          yield* spent({ agent_id: "agt_1", micros: 79 })
          yield* spent({ agent_id: "agt_2", micros: 80 })
          yield* spent({ agent_id: "agt_3", micros: 80, month: "2026-06" })
          yield* spent({ agent_id: "agt_4", micros: 79 })
          yield* spent({ agent_id: "agt_4", micros: 79, livemode: 0 })
          yield* spent({ agent_id: "agt_5", micros: 1, exceeded: 1 })
          assert.deepStrictEqual(yield* idsOf(store, { nearCap: true }), ["agt_5", "agt_2"])
        }),
    ),
  )

  it.effect("or of the one for all time, over all months", () =>
    over(
      [1, 2, 3].map((n) => agent(n, { budgetCap: MicroUsd(100) })),
      (store) =>
        Effect.gen(function* () {
          for (const [n, micros] of [
            [1, 39],
            [2, 40],
          ] as const) {
            yield* spent({ agent_id: `agt_${n}`, micros: 40, month: "2026-05" })
            yield* spent({ agent_id: `agt_${n}`, micros })
          }
          yield* spent({ agent_id: "agt_3", micros: 40 })
          yield* spent({ agent_id: "agt_3", micros: 40, livemode: 0 })
          assert.deepStrictEqual(yield* idsOf(store, { nearCap: true }), ["agt_2"])
        }),
    ),
  )

  it.effect("are those with a cap of nothing too, but none without a cap, and none that does not run", () =>
    over(
      [
        agent(1, { monthlyCap: MicroUsd(0) }),
        agent(2, { budgetCap: MicroUsd(0) }),
        agent(3, { budgetCap: MicroUsd(0), status: "paused" }),
        agent(4, { budgetCap: MicroUsd(0), status: "revoked" }),
        agent(5),
        agent(6, { budgetCap: MicroUsd(1) }),
      ],
      (store) =>
        Effect.gen(function* () {
          yield* spent({ agent_id: "agt_5", micros: 1_000 })
          assert.deepStrictEqual(yield* idsOf(store, { nearCap: true }), ["agt_2", "agt_1"])
          assert.deepStrictEqual(yield* idsOf(store, { nearCap: true, limit: 1 }), ["agt_2"])
          assert.deepStrictEqual(yield* idsOf(store, { nearCap: true, cursor: "agt_2" }), ["agt_1"])
        }),
    ),
  )
})

describe("a page of agents near a cap", () => {
  it.effect("looks at so many newer ones with caps at most", () =>
    over([agent(0, { budgetCap: MicroUsd(0) }), agent(1)], (store) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const newer = (n: number) => sql`
          INSERT INTO agents ${sql.insert({
            ...{ id: `agt_Z${n}`, account_id: "acct_1", name: `newer ${n}`, status: "active" },
            ...{ monthly_cap_micros: 1, created_at: n },
          })}`
        for (let n = 2; n <= maxComparedAgents; n++) yield* newer(n)
        assert.deepStrictEqual(yield* idsOf(store, { nearCap: true }), ["agt_0"])
        yield* newer(maxComparedAgents + 1)
        assert.deepStrictEqual(yield* idsOf(store, { nearCap: true }), [])
      }),
    ),
  )
})

describe("a page of agents", () => {
  it.effect("has the newest of the account, open ones or ended ones, found by id and by name", () =>
    over(
      [
        agent(1, { name: "Night" }),
        agent(2, { name: "night_2", status: "paused" }),
        agent(3, { name: "day", status: "revoked" }),
        agent(4, { accountId: "acct_2", name: "night" }),
      ],
      (store) =>
        Effect.gen(function* () {
          assert.deepStrictEqual(yield* idsOf(store), ["agt_3", "agt_2", "agt_1"])
          assert.deepStrictEqual(yield* idsOf(store, { open: true }), ["agt_2", "agt_1"])
          assert.deepStrictEqual(yield* idsOf(store, { open: false }), ["agt_3"])
          assert.deepStrictEqual(yield* idsOf(store, { limit: 1 }), ["agt_3"])
          assert.deepStrictEqual(yield* idsOf(store, { cursor: "agt_3" }), ["agt_2", "agt_1"])
          for (const [text, ids] of [
            ["", ["agt_3", "agt_2", "agt_1"]],
            ["NIGHT", ["agt_2", "agt_1"]],
            ["_2", ["agt_2"]],
            ["%", []],
            ["\\", []],
            ["agt_3", ["agt_3"]],
          ] as const) {
            assert.deepStrictEqual(yield* idsOf(store, { text }), [...ids], text)
          }
          const list = yield* store.ofAccount("acct_1", { cursor: "agt_3", limit: 1 })
          assert.deepStrictEqual(list, [agent(2, { name: "night_2", status: "paused" })])
        }),
    ),
  )
})

describe("an agent in the store", () => {
  it.effect("gets caps one by one, and loses them", () =>
    over([agent(1, { monthlyCap: MicroUsd(5) })], (store) =>
      Effect.gen(function* () {
        for (const [change, caps] of [
          [{ budgetCap: MicroUsd(9) }, { monthlyCap: MicroUsd(5), budgetCap: MicroUsd(9) }],
          [{ monthlyCap: MicroUsd(0) }, { monthlyCap: MicroUsd(0), budgetCap: MicroUsd(9) }],
          [{}, { monthlyCap: MicroUsd(0), budgetCap: MicroUsd(9) }],
          [{ monthlyCap: null }, { budgetCap: MicroUsd(9) }],
          [{ budgetCap: null }, {}],
        ] as ReadonlyArray<readonly [CapChange, Partial<Agent>]>) {
          yield* store.setCaps("agt_1", change)
          assert.deepStrictEqual(yield* store.find("agt_1"), agent(1, caps))
        }
      }),
    ),
  )
})

/** The events of a spend of 80 after a change of a monthly cap of 50, both of which were emitted. */
const eventsAfter = (change: CapChange, before: number | null = 50) =>
  over([agent(1, before === null ? {} : { monthlyCap: MicroUsd(before) })], (store) =>
    Effect.gen(function* () {
      yield* spent({ agent_id: "agt_1", micros: 80, warned: 1, exceeded: 1 })
      yield* store.setCaps("agt_1", change)
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql<{ warned: number; exceeded: number }>`SELECT warned, exceeded FROM agent_spend`
      return [row!.warned, row!.exceeded]
    }),
  )

describe("the events of a monthly cap", () => {
  it.effect("can come again for levels that the spend is below after it was raised or removed", () =>
    Effect.gen(function* () {
      for (const [monthlyCap, events] of [
        [80, [1, 1]],
        [81, [1, 0]],
        [100, [1, 0]],
        [101, [0, 0]],
        [null, [0, 0]],
      ] as const) {
        const cap = monthlyCap === null ? null : MicroUsd(monthlyCap)
        assert.deepStrictEqual(yield* eventsAfter({ monthlyCap: cap }), [...events], `${monthlyCap}`)
      }
    }),
  )

  it.effect("stay when it is lowered, kept, or there was none", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* eventsAfter({ monthlyCap: MicroUsd(200) }, 300), [1, 1])
      assert.deepStrictEqual(yield* eventsAfter({ monthlyCap: MicroUsd(300) }, 300), [1, 1])
      assert.deepStrictEqual(yield* eventsAfter({ budgetCap: MicroUsd(300) }, 300), [1, 1])
      assert.deepStrictEqual(yield* eventsAfter({ monthlyCap: MicroUsd(300) }, null), [1, 1])
    }),
  )
})
