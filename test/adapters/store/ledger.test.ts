import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import * as TestClock from "effect/TestClock"
import { Accounts } from "../../../core/account/Accounts.ts"
import { Agents } from "../../../core/account/Agents.ts"
import { MicroUsd } from "../../../core/account/Money.ts"
import { inMemory, onDisk, race, tally } from "../../support/ledger.ts"
import { everyRun } from "../../support/property.ts"
import { count, events, spend, spender, spent } from "../../support/spender.ts"

const rounds = Number(process.env["CAP_ROUNDS"] ?? 2)
const runs = Number(process.env["MODEL_RUNS"] ?? 100)

describe("a cap under concurrent calls", () => {
  const rows: ReadonlyArray<
    readonly [callers: number, micros: number, caps: Parameters<typeof spender>[1], through: number]
  > = [
    [1_000, 1_000, { monthlyCap: 500_000 }, 500],
    [1_000, 1_000, { monthlyCap: 500_999 }, 500],
    [1_000, 1_000, { budgetCap: 500_000 }, 500],
    [1_000, 1_000, { monthlyCap: 600_000, budgetCap: 500_000 }, 500],
    [20, 75, { monthlyCap: 500 }, 6],
    [20, 75, { budgetCap: 500 }, 6],
    [20, 75, { monthlyCap: 0 }, 0],
    [20, 75, { monthlyCap: 74 }, 0],
    [20, 75, {}, 20],
  ]
  for (const [callers, micros, caps, through] of rows) {
    const times = callers === 1_000 ? rounds : 1
    it(`${JSON.stringify(caps)} lets ${through} of ${callers} × ${micros} through, ${times} times`, {
      timeout: 20_000 + times * 5_000,
    }, async () => {
      for (let round = 0; round < times; round++) {
        await Effect.runPromise(
          onDisk(
            Effect.gen(function* () {
              const who = yield* spender("bot", caps)
              const said = yield* race(who, callers, micros, { at: yield* Clock.currentTimeMillis })
              const expected = { Accepted: through, Capped: callers - through }
              assert.deepStrictEqual(said, Object.fromEntries(Object.entries(expected).filter(([, n]) => n > 0)))
              assert.deepStrictEqual(yield* spent(who.agentId), [through * micros, through * micros])
              assert.deepStrictEqual(yield* spent(who.agentId, false), [0, 0])
              const { balance } = yield* (yield* Accounts).balance(who.accountId)
              assert.strictEqual(balance, 1_000_000_000 - through * micros)
              assert.deepStrictEqual([yield* count("postings"), yield* count("audit")], [through + 1, through])
            }),
          ),
        )
      }
    })
  }

  it.effect("a wallet with less than the cap lets through as many as it can pay", () =>
    inMemory(
      Effect.gen(function* () {
        const who = yield* spender("bot", { monthlyCap: 500 }, 300)
        assert.deepStrictEqual(yield* race(who, 20, 75), { Accepted: 4, Insufficient: 16 })
        assert.deepStrictEqual(yield* spent(who.agentId), [300, 300])
      }),
    ),
  )
})

describe("test keys", () => {
  it.effect("are counted separately at list price, pay nothing and are audited", () =>
    inMemory(
      Effect.gen(function* () {
        const who = yield* spender("bot", { monthlyCap: 500, budgetCap: 900 })
        const test = { livemode: false }
        assert.deepStrictEqual(yield* race(who, 100, 75, test), { Accepted: 6, Capped: 94 })
        assert.deepStrictEqual(yield* spent(who.agentId, false), [450, 450])
        assert.deepStrictEqual(yield* spent(who.agentId), [0, 0])
        assert.deepStrictEqual(yield* race(who, 100, 75), { Accepted: 6, Capped: 94 })
        const { balance } = yield* (yield* Accounts).balance(who.accountId)
        assert.strictEqual(balance, 1_000_000_000 - 450)
        const sql = yield* SqlClient.SqlClient
        assert.deepStrictEqual(yield* sql`SELECT charged_micros AS micros, COUNT(*) AS n FROM audit GROUP BY 1`, [
          { micros: 0, n: 6 },
          { micros: 75, n: 6 },
        ])
        assert.deepStrictEqual(
          (yield* events).map(({ type, livemode }) => [type, livemode]),
          [
            ["agent.budget_warning", 0],
            ["agent.budget_exceeded", 0],
            ["agent.budget_warning", 1],
            ["agent.budget_exceeded", 1],
          ],
        )
      }),
    ),
  )

  it.effect("are never billed: 10,000 calls, 0 micros", () =>
    inMemory(
      Effect.gen(function* () {
        const who = yield* spender("bot", {}, 0)
        assert.deepStrictEqual(yield* race(who, 10_000, 10_000, { livemode: false }), { Accepted: 10_000 })
        assert.deepStrictEqual([yield* count("postings"), yield* count("audit")], [0, 10_000])
        assert.deepStrictEqual(yield* spent(who.agentId, false), [100_000_000, 100_000_000])
      }),
    ),
  )
})

describe("the month of a call", () => {
  const boundaries: ReadonlyArray<readonly [last: string, first: string]> = [
    ["2026-11-30T23:59:59.999Z", "2026-12-01T00:00:00.000Z"],
    ["2026-12-31T23:59:59.999Z", "2027-01-01T00:00:00.000Z"],
    ["2028-02-29T23:59:59.999Z", "2028-03-01T00:00:00.000Z"],
    ["2027-02-28T23:59:59.999Z", "2027-03-01T00:00:00.000Z"],
    ["2000-02-29T23:59:59.999Z", "2000-03-01T00:00:00.000Z"],
  ]
  for (const [last, first] of boundaries) {
    it.effect(`ends after ${last} in any order of arrival; the cap resets once`, () =>
      inMemory(
        Effect.gen(function* () {
          const who = yield* spender("bot", { monthlyCap: 200, budgetCap: 10_000 })
          const [old, next] = [{ at: Date.parse(last) }, { at: Date.parse(first) }]
          const hour = 3_600_000
          const said = yield* Effect.forEach(
            [
              old,
              next,
              // A call that took long is settled behind one of the new month.
              old,
              old,
              next,
              // The clock steps back an hour, and comes again over the line.
              { at: next.at - hour },
              { at: next.at - 1 },
              next,
              { at: next.at + hour },
            ],
            (at) => spend(who, 100, at),
          )
          assert.deepStrictEqual(
            said.map(({ _tag }) => _tag),
            ["Accepted", "Accepted", "Accepted", "Capped", "Accepted", "Capped", "Capped", "Capped", "Capped"],
          )
          const sql = yield* SqlClient.SqlClient
          assert.deepStrictEqual(yield* sql`SELECT month, micros FROM agent_spend ORDER BY month`, [
            { month: last.slice(0, 7), micros: 200 },
            { month: first.slice(0, 7), micros: 200 },
          ])
          yield* TestClock.setTime(next.at)
          assert.deepStrictEqual(yield* spent(who.agentId), [200, 400])
          yield* TestClock.setTime(old.at)
          assert.deepStrictEqual(yield* spent(who.agentId), [200, 400])
          const all = yield* events
          assert.deepStrictEqual(
            all.map(({ type, data }) => [type, data["period"], data["resets_at"]]),
            [old, old, next, next].map(({ at }, index) => [
              `agent.budget_${index % 2 === 0 ? "warning" : "exceeded"}`,
              new Date(at).toISOString().slice(0, 7),
              at === old.at
                ? first
                : new Date(Date.UTC(new Date(at).getUTCFullYear(), new Date(at).getUTCMonth() + 1, 1)).toISOString(),
            ]),
          )
        }),
      ),
    )
  }

  it.effect("does not reset a lifetime cap", () =>
    inMemory(
      Effect.gen(function* () {
        const who = yield* spender("bot", { budgetCap: 150 })
        const said = yield* Effect.forEach(["2026-11-30", "2026-12-01", "2027-01-01"], (day) =>
          spend(who, 100, { at: Date.parse(day) }),
        )
        assert.deepStrictEqual(tally(said), { Accepted: 1, Capped: 2 })
      }),
    ),
  )
})

interface Operation {
  readonly agent: 0 | 1
  readonly livemode: boolean
  readonly micros: number
  readonly month: 0 | 1
  readonly cap: number | null
  readonly _tag: "Charge" | "Cap"
}

const operation: fc.Arbitrary<Operation> = fc.record({
  _tag: fc.oneof(
    { weight: 8, arbitrary: fc.constant("Charge" as const) },
    { weight: 1, arbitrary: fc.constant("Cap" as const) },
  ),
  agent: fc.constantFrom(0 as const, 1 as const),
  livemode: fc.boolean(),
  micros: fc.integer({ min: 0, max: 400 }),
  month: fc.constantFrom(0 as const, 1 as const),
  cap: fc.oneof(fc.constant(null), fc.integer({ min: 0, max: 1_500 })),
})

/** Does the operations on two new agents of the store and on a few numbers, and compares. */
const agreesWithModel = (operations: ReadonlyArray<Operation>, run: number) =>
  Effect.gen(function* () {
    const opening = 2_000
    const earlier = (yield* events).length
    const who = yield* Effect.forEach(["one", "two"], (name) =>
      spender(`${name} of run ${run}`, { budgetCap: 3_000 }, opening),
    )
    const caps: Array<number | null> = [null, null]
    const balances = [opening, opening]
    const sums = new Map<string, number>()
    const sumOf = (...parts: ReadonlyArray<unknown>) => sums.get(parts.join()) ?? 0
    for (const { _tag, agent, livemode, micros, month, cap } of operations) {
      const own = who[agent]!
      if (_tag === "Cap") {
        yield* (yield* Agents).setCaps(own.agentId, { monthlyCap: cap === null ? null : MicroUsd(cap) })
        caps[agent] = cap
        continue
      }
      const monthly = caps[agent] ?? Number.POSITIVE_INFINITY
      const [spentMonth, spentAll] = [
        sumOf(agent, livemode, month),
        sumOf(agent, livemode, 0) + sumOf(agent, livemode, 1),
      ]
      const fits = micros === 0 || (spentMonth + micros <= monthly && spentAll + micros <= 3_000)
      const expected = !fits ? "Capped" : livemode && balances[agent]! < micros ? "Insufficient" : "Accepted"
      const at = Date.UTC(2026, 10 + month, 15)
      assert.strictEqual((yield* spend(own, micros, { livemode, at }))._tag, expected)
      if (expected !== "Accepted") continue
      sums.set([agent, livemode, month].join(), spentMonth + micros)
      if (livemode) balances[agent]! -= micros
    }
    const sql = yield* SqlClient.SqlClient
    for (const [agent, { accountId, agentId, keyId }] of who.entries()) {
      const { balance } = yield* (yield* Accounts).balance(accountId)
      assert.strictEqual(balance, balances[agent])
      // An agent's spend with live keys equals its keys' charges in the journal and on the audit trail.
      const [, live] = yield* spent(agentId)
      assert.strictEqual(live, sumOf(agent, true, 0) + sumOf(agent, true, 1))
      for (const charged of [
        sql<{
          n: number
        }>`SELECT coalesce(SUM(micros), 0) AS n FROM postings WHERE key_id = ${keyId} AND kind = 'charge'`,
        sql<{ n: number }>`SELECT coalesce(SUM(charged_micros), 0) AS n FROM audit WHERE agent_id = ${agentId}`,
      ]) {
        assert.strictEqual((yield* charged)[0]!.n, live)
      }
      assert.strictEqual((yield* spent(agentId, false))[1], sumOf(agent, false, 0) + sumOf(agent, false, 1))
    }
    // A lifetime cap alone emits no event.
    if (operations.every(({ _tag }) => _tag === "Charge")) {
      assert.strictEqual((yield* events).length, earlier)
    }
  })

describe("agents, caps, wallets and the audit trail", () => {
  it("are consistent after any sequence of operations", { timeout: 60_000 + runs * 500 }, () =>
    Effect.runPromise(inMemory(everyRun(fc.array(operation, { maxLength: 40 }), runs, agreesWithModel))),
  )
})
