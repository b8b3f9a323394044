import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import { Accounts } from "../../../../core/account/Accounts.ts"
import { Ledger } from "../../../../core/account/Ledger.ts"
import { MicroUsd } from "../../../../core/account/Money.ts"
import { ledgers, sum } from "../../../support/accounts.ts"
import { inMemory, programs, race, tally, typesOf } from "../../../support/ledger.ts"
import { settlementOf } from "../../../support/settlement.ts"
import { count, spender, spent, writingOrder } from "../../../support/spender.ts"

const rounds = Number(process.env["CAP_ROUNDS"] ?? 2)

interface Case {
  readonly callers: number
  readonly micros: number
  readonly balance?: number
  readonly low?: number
  readonly caps?: Parameters<typeof spender>[1]
  readonly settled: number
  readonly events?: string
}

describe("callers at once", () => {
  const cases: ReadonlyArray<Case> = [
    { callers: 1_000, micros: 1_000, caps: { monthlyCap: 500_000 }, settled: 500, events: "warning exceeded" },
    { callers: 1_000, micros: 1_000, caps: { monthlyCap: 500_999 }, settled: 500, events: "warning exceeded" },
    { callers: 1_000, micros: 1_000, caps: { budgetCap: 500_000 }, settled: 500 },
    {
      callers: 1_000,
      micros: 1_000,
      caps: { monthlyCap: 600_000, budgetCap: 500_000 },
      settled: 500,
      events: "warning",
    },
    { callers: 1_000, micros: 1_000, balance: 500_000, settled: 500 },
    { callers: 1_000, micros: 1_000, balance: 500_999, low: 1_000, settled: 500, events: "wallet.low" },
    { callers: 1_000, micros: 1_000, balance: 1_000_000, low: 500_001, settled: 1_000, events: "wallet.low" },
    { callers: 1_000, micros: 10_000, balance: 10_000, settled: 1 },
    { callers: 1_000, micros: 1, balance: 0, settled: 0 },
    { callers: 20, micros: 75, balance: 300, caps: { monthlyCap: 500 }, settled: 4 },
    { callers: 20, micros: 75, caps: { monthlyCap: 500 }, settled: 6, events: "warning exceeded" },
    { callers: 20, micros: 75, caps: { monthlyCap: 0 }, settled: 0, events: "exceeded" },
    { callers: 20, micros: 75, caps: { budgetCap: 74 }, settled: 0 },
  ]
  for (const each of cases) {
    const { callers, micros, balance = 1_000_000_000, low, caps = {}, settled, events = "" } = each
    const times = callers === 1_000 ? rounds : 1
    it(`are ${JSON.stringify(each)}, ${times} times`, { timeout: 20_000 + times * 5_000 }, async () => {
      for (let round = 0; round < times; round++) {
        await Effect.runPromise(
          Effect.scoped(
            Effect.gen(function* () {
              const all = yield* programs
              yield* Effect.gen(function* () {
                const accounts = yield* Accounts
                const sql = yield* SqlClient.SqlClient
                const both = [yield* spender("one", caps, balance), yield* spender("other", caps, balance)]
                if (low !== undefined) {
                  yield* Effect.forEach(both, ({ accountId }) => accounts.setLowBalance(accountId, MicroUsd(low)))
                }
                const rest = { at: Date.UTC(2026, 10, 15) }
                const told = yield* Effect.forEach(
                  Arr.cartesian(both, all),
                  ([who, program]) => Effect.provide(race(who, callers / all.length, micros, rest), program),
                  { concurrency: "unbounded" },
                )
                assert.strictEqual(sum(told.map(({ Accepted = 0 }) => Accepted)), 2 * settled)
                assert.strictEqual(
                  sum(told.flatMap(({ Accepted: _, ...refused }) => Object.values(refused))),
                  2 * (callers - settled),
                )
                for (const { accountId, agentId } of both) {
                  assert.deepStrictEqual(yield* spent(agentId, false), [0, 0])
                  assert.strictEqual((yield* spent(agentId))[1], settled * micros)
                  assert.strictEqual((yield* accounts.balance(accountId)).balance, balance - settled * micros)
                  const written = yield* sql<{ type: string }>`
                    SELECT type FROM outbox WHERE account_id = ${accountId} ORDER BY ${sql.literal(writingOrder(sql))}`
                  assert.strictEqual(written.map(({ type }) => type.replace("agent.budget_", "")).join(" "), events)
                }
                assert.strictEqual((yield* ledgers)["revenue"] ?? 0, 2 * settled * micros)
                assert.strictEqual(yield* count("audit"), 2 * settled)
              }).pipe(Effect.provide(all[0]))
            }),
          ),
        )
      }
    })
  }
})

describe("a look at what can be paid", () => {
  it.effect("has the event of a cap that refuses it, once", () =>
    inMemory(
      Effect.gen(function* () {
        const who = yield* spender("bot", { monthlyCap: 10 })
        const { caller } = settlementOf({ ...who, requestId: "req", micros: 100, at: 0 })
        const look = (yield* Ledger).precheck(caller, MicroUsd(100), MicroUsd(100), 0)
        const told = yield* Effect.all(
          Arr.makeBy(100, () => look),
          { concurrency: "unbounded" },
        )
        assert.deepStrictEqual(tally(told), { Capped: 100 })
        assert.deepStrictEqual(yield* typesOf, ["exceeded"])
      }),
    ),
  )
})
