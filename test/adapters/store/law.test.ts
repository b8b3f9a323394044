import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import { Accounts } from "../../../core/account/Accounts.ts"
import * as Book from "../../../core/account/Book.ts"
import { MicroUsd } from "../../../core/account/Money.ts"
import { inMemory } from "../../support/ledger.ts"
import { everyRun } from "../../support/property.ts"
import { settlementOf } from "../../support/settlement.ts"
import { spend, spender } from "../../support/spender.ts"

const runs = Number(process.env["MODEL_RUNS"] ?? 60)

interface Call {
  readonly payer: number
  readonly micros: number
  readonly livemode: boolean
  readonly key: number
}

/** Calls that arrive together: all with idempotency keys, or none, since only such have an order on every store. */
interface Batch {
  readonly isKeyed: boolean
  readonly calls: ReadonlyArray<Call>
}

const batch: fc.Arbitrary<Batch> = fc.record({
  isKeyed: fc.boolean(),
  calls: fc.array(
    fc.record({
      payer: fc.nat(3),
      micros: fc.integer({ min: 0, max: 250 }),
      livemode: fc.boolean(),
      key: fc.nat(6),
    }),
    { maxLength: 12 },
  ),
})

/** Balances near and far from what is asked of them, caps of each kind, a threshold. */
const payers = [
  { balance: 1_000_000, caps: {} },
  { balance: 900, caps: { monthlyCap: 700 }, low: 400 },
  { balance: 2_000, caps: { budgetCap: 800 } },
  { balance: 1_500, caps: { monthlyCap: 900, budgetCap: 1_000 }, low: 1_499 },
] as const

const at = Date.UTC(2026, 10, 15)
const keyOf = (n: number) => `3f0f7a3e-8a3c-4b7e-9d53-0b1c6f1f2a3${n}`

const agrees = (batches: ReadonlyArray<Batch>, run: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const accounts = yield* Accounts
    const who = yield* Effect.forEach(payers, ({ balance, caps, ...rest }, n) =>
      Effect.tap(spender(`${n} of run ${run}`, caps, balance), ({ accountId }) =>
        accounts.setLowBalance(accountId, "low" in rest ? MicroUsd(rest.low) : undefined),
      ),
    )
    const replies = new Map<string, { requestHash: string; isStored: boolean }>()
    const book = Book.make({
      wallet: (id) => {
        const { balance, ...rest } = payers[who.findIndex(({ accountId }) => accountId === id)]!
        return { balance: MicroUsd(balance), lowBalance: "low" in rest ? MicroUsd(rest.low) : undefined }
      },
      agent: (id) => {
        const { caps } = payers[who.findIndex(({ agentId }) => agentId === id)]!
        const zero = MicroUsd(0)
        return { name: "", ...(caps as object), monthSpent: zero, totalSpent: zero, warned: false, exceeded: false }
      },
      reply: (keyId, key) => replies.get(`${keyId}/${key}`),
      bytes: () => ({ charged: 0, free: 0 }),
    })
    const emitted: Array<string> = []
    const keys = new Map<string, number>()
    for (const { isKeyed, calls } of batches) {
      const asked = calls.map(({ payer, micros, livemode, key }) => ({
        ...who[payer]!,
        micros,
        livemode,
        at,
        requestId: "",
        ...(isKeyed
          ? { remember: { key: keyOf(key), requestHash: String(micros % 2), stored: "x".repeat(micros) } }
          : {}),
      }))
      const expected = asked.map((each) => {
        const { caller, list, micros, reply } = settlementOf(each)
        const entry = { caller, list, micros, at }
        const { verdict, events } = book.charge(
          reply === undefined ? entry : { ...entry, reply: { ...reply, bytes: 100 } },
        )
        if (verdict._tag === "Accepted" && micros > 0) {
          keys.set(caller.keyId, (keys.get(caller.keyId) ?? 0) + micros)
        }
        emitted.push(
          ...events.map(
            ({ type, data }) =>
              `${caller.accountId} ${type} ${JSON.stringify(data).replace(/"agent_name":"[^"]*",/, "")}`,
          ),
        )
        return verdict
      })
      const verdicts = yield* Effect.forEach(
        asked,
        ({ requestId: _, accountId, keyId, agentId, micros, ...rest }) =>
          spend({ accountId, keyId, agentId }, micros, rest),
        { concurrency: "unbounded" },
      )
      assert.deepStrictEqual(verdicts, expected)
    }
    const { wallets, agents } = book.changes()
    const balances = new Map([...wallets].map(({ accountId, balance }) => [accountId, balance]))
    const accountIds = who.map(({ accountId }) => accountId)
    assert.deepStrictEqual(
      yield* sql`SELECT account_id, balance_micros FROM wallets WHERE account_id IN ${sql.in(accountIds)} ORDER BY 1`,
      who
        .map(({ accountId }, n) => ({
          account_id: accountId,
          balance_micros: balances.get(accountId) ?? payers[n]!.balance,
        }))
        .sort((one, other) => (one.account_id < other.account_id ? -1 : 1)),
    )
    const stored = <A extends object>(rows: Iterable<A>) => [...rows].map((row) => JSON.stringify(row)).sort()
    assert.deepStrictEqual(
      stored(yield* sql`SELECT key_id, micros FROM key_spend WHERE key_id IN ${sql.in(who.map(({ keyId }) => keyId))}`),
      stored([...keys].map(([key_id, micros]) => ({ key_id, micros }))),
    )
    assert.deepStrictEqual(
      stored(
        yield* sql`
        SELECT agent_id, livemode, micros, warned, exceeded FROM agent_spend
        WHERE agent_id IN ${sql.in(who.map(({ agentId }) => agentId))} AND micros + warned + exceeded > 0`,
      ),
      stored(
        [...agents].flatMap(({ agentId, livemode, counted, warned, exceeded }) =>
          counted > 0 || warned || exceeded
            ? [
                {
                  agent_id: agentId,
                  livemode: Number(livemode),
                  micros: counted,
                  warned: Number(warned),
                  exceeded: Number(exceeded),
                },
              ]
            : [],
        ),
      ),
    )
    const events = yield* sql<{ account_id: string; type: string; data: string }>`
      SELECT account_id, type, data FROM outbox WHERE account_id IN ${sql.in(accountIds)}`
    assert.deepStrictEqual(
      events
        .map(({ account_id, type, data }) => `${account_id} ${type} ${data.replace(/"agent_name":"[^"]*",/, "")}`)
        .sort(),
      emitted.sort(),
    )
  })

describe("charges that arrive together", () => {
  it("are decided by a store as one by one, with the same sums and events", { timeout: 60_000 + runs * 1_000 }, () =>
    Effect.runPromise(inMemory(everyRun(fc.array(batch, { maxLength: 6 }), runs, agrees))),
  )
})
