import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Exit from "effect/Exit"
import * as fc from "effect/FastCheck"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import * as calls from "../../../../adapters/store/audit/Calls.ts"
import { Sqlite } from "../../../../adapters/store/engine/sqlite/client.ts"
import { getCharges } from "../../../../adapters/store/money/charge.ts"
import { FoldRows, folds } from "../../../../adapters/store/money/folds.ts"
import { Accounts } from "../../../../core/account/Accounts.ts"
import { isWarning } from "../../../../core/account/Agent.ts"
import { Agents } from "../../../../core/account/Agents.ts"
import * as Book from "../../../../core/account/Book.ts"
import { Calls } from "../../../../core/account/Calls.ts"
import { Ledger } from "../../../../core/account/Ledger.ts"
import { MicroUsd } from "../../../../core/account/Money.ts"
import { ledgers, sum } from "../../../support/accounts.ts"
import { moneyAt } from "../../../support/place.ts"
import { database, isPostgres } from "../../../support/postgres.ts"
import { everyRun } from "../../../support/property.ts"
import { settlementOf } from "../../../support/settlement.ts"
import { type Spender, spend, spender } from "../../../support/spender.ts"
import { storeFile } from "../../../support/store.ts"

const runs = Number(process.env["MODEL_RUNS"] ?? 100)

/** Calls that arrive together: all with idempotency keys, or none, since only such have an order on every store. */
interface Batch {
  readonly _tag: "Calls"
  readonly isKeyed: boolean
  readonly calls: ReadonlyArray<{
    readonly payer: number
    readonly micros: number
    readonly livemode: boolean
    readonly month: number
    readonly key: number
  }>
}

type Operation =
  | Batch
  | { readonly _tag: "Reopen" | "Fold" | "Slice" }
  | { readonly _tag: "Read"; readonly payer: number }
  | { readonly _tag: "Reverse"; readonly payer: number; readonly micros: number }
  | { readonly _tag: "Credit"; readonly payer: number; readonly micros: number }
  | { readonly _tag: "Threshold"; readonly payer: number; readonly low: number | undefined }
  | {
      readonly _tag: "Caps"
      readonly payer: number
      readonly monthlyCap: number | null
      readonly budgetCap: number | null
    }

const payer = fc.nat(3)
const large = { weight: 1, arbitrary: fc.integer({ min: 0, max: 2 ** 40 }) }
const cap = fc.option(fc.integer({ min: 0, max: 1_500 }))

const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      _tag: fc.constant("Calls" as const),
      isKeyed: fc.boolean(),
      calls: fc.array(
        fc.record({
          payer,
          micros: fc.oneof({ weight: 12, arbitrary: fc.integer({ min: 0, max: 250 }) }, large),
          livemode: fc.boolean(),
          month: fc.nat(1),
          key: fc.nat(6),
        }),
        { maxLength: 12 },
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      _tag: fc.constant("Credit" as const),
      payer,
      micros: fc.oneof({ weight: 6, arbitrary: fc.integer({ min: 1, max: 900 }) }, large).map((micros) => micros || 1),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      _tag: fc.constant("Threshold" as const),
      payer,
      low: fc.option(fc.integer({ min: 1, max: 1_500 }), { nil: undefined }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ _tag: fc.constant("Reverse" as const), payer, micros: fc.integer({ min: 1, max: 900 }) }),
  },
  { weight: 1, arbitrary: fc.record({ _tag: fc.constantFrom("Reopen" as const, "Fold" as const, "Slice" as const) }) },
  { weight: 1, arbitrary: fc.record({ _tag: fc.constant("Read" as const), payer }) },
  { weight: 2, arbitrary: fc.record({ _tag: fc.constant("Caps" as const), payer, monthlyCap: cap, budgetCap: cap }) },
)

interface Payer {
  balance: number
  low?: number | undefined
  monthlyCap?: number | null
  budgetCap?: number | null
}

/** Balances near and far from what is asked of them, caps of each kind, a threshold. */
const payers: ReadonlyArray<Payer> = [
  { balance: 1_000_000 },
  { balance: 900, monthlyCap: 700, low: 400 },
  { balance: 2_000, budgetCap: 800 },
  { balance: 1_500, monthlyCap: 900, budgetCap: 1_000, low: 1_499 },
]

const money = (micros: number | null | undefined) => (micros == null ? undefined : MicroUsd(micros))

/** A book over numbers, which are what the tables must say. */
const numbersOf = (who: ReadonlyArray<Spender>) => {
  const all = payers.map((each) => ({
    ...each,
    credited: each.balance,
    /** Of the first credit. */
    left: each.balance,
    postings: 1,
    calls: 0,
    spent: [0, 0],
    months: new Map<string, { micros: number; warned: boolean; exceeded: boolean }>(),
  }))
  const at = (id: string) => all[who.findIndex(({ accountId, agentId }) => id === accountId || id === agentId)]!
  const replies = new Map<string, { requestHash: string; isStored: boolean }>()
  const book = Book.make({
    wallet: (id) => ({ balance: MicroUsd(at(id).balance), lowBalance: money(at(id).low) }),
    agent: (id, livemode, month) => {
      const { months, monthlyCap, budgetCap } = at(id)
      const { micros = 0, warned = false, exceeded = false } = months.get(`${livemode} ${month}`) ?? {}
      const total = sum([...months].flatMap(([name, each]) => (name.startsWith(`${livemode} `) ? [each.micros] : [])))
      const caps = { monthlyCap: money(monthlyCap), budgetCap: money(budgetCap) } as object
      return { name: "", ...caps, monthSpent: MicroUsd(micros), totalSpent: MicroUsd(total), warned, exceeded }
    },
    reply: (keyId, key) => replies.get(`${keyId}/${key}`),
    bytes: () => ({ charged: 0, free: 0 }),
  })
  const events: Array<string> = []
  return {
    all,
    events,
    charge: (asked: Parameters<typeof settlementOf>[0]) => {
      const { caller, listMicros: list, chargedMicros: micros, reply } = settlementOf(asked)
      const keyed = reply === undefined ? {} : { reply: { ...reply, bytes: 100 } }
      const { verdict, reply: row, ...rest } = book.charge({ caller, list, micros, at: asked.at, ...keyed })
      if (row !== undefined) {
        replies.set(`${caller.keyId}/${reply!.key}`, { requestHash: reply!.requestHash, isStored: row.isWhole })
      }
      if (verdict._tag === "Accepted") {
        const own = at(caller.accountId)
        own.calls++
        own.spent[new Date(asked.at).getUTCMonth() - 10]! += micros
        if (micros > 0) own.postings++
      }
      events.push(...rest.events.map(({ type, data }) => `${caller.accountId} ${type} ${JSON.stringify(data)}`))
      return verdict
    },
    write: () => {
      const { wallets, agents } = book.changes()
      for (const { accountId, debit } of wallets) at(accountId).balance -= debit
      for (const { agentId, livemode, month, counted, ...flags } of agents) {
        const { months } = at(agentId)
        const before = months.get(`${livemode} ${month}`) ?? { micros: 0, warned: false, exceeded: false }
        months.set(`${livemode} ${month}`, {
          micros: before.micros + counted,
          warned: before.warned || flags.warningSent,
          exceeded: before.exceeded || flags.exceededSent,
        })
      }
      book.clear()
    },
    /** A higher cap, or none: an event whose level is not reached any more comes again. */
    setCaps: (n: number, monthlyCap: number | null, budgetCap: number | null) => {
      const before = all[n]!.monthlyCap ?? null
      Object.assign(all[n]!, { monthlyCap, budgetCap })
      if (before === null || (monthlyCap !== null && monthlyCap <= before)) return
      for (const month of all[n]!.months.values()) {
        month.warned &&= monthlyCap !== null && isWarning(MicroUsd(month.micros), MicroUsd(monthlyCap))
        month.exceeded &&= monthlyCap !== null && month.micros >= monthlyCap
      }
    },
  }
}

type Numbers = ReturnType<typeof numbersOf>

const calling = (who: ReadonlyArray<Spender>, numbers: Numbers, { isKeyed, calls }: Batch) =>
  Effect.gen(function* () {
    const asked = calls.map(({ payer, micros, livemode, month, key }) => {
      const remember = { key: `${month}a${key}`, requestHash: String(micros % 2), stored: "x".repeat(micros % 251) }
      const one = { ...who[payer]!, micros, livemode, at: Date.UTC(2026, 10 + month, 15), requestId: "" }
      return isKeyed ? { ...one, remember } : one
    })
    const expected = asked.map(numbers.charge)
    numbers.write()
    const verdicts = yield* Effect.forEach(
      asked,
      ({ requestId: _, accountId, keyId, agentId, micros, ...rest }) =>
        spend({ accountId, keyId, agentId }, micros, rest),
      { concurrency: "unbounded" },
    )
    assert.deepStrictEqual(verdicts, expected)
  })

/** The tables say what the numbers say. */
const compared = (who: ReadonlyArray<Spender>, { all, events }: Numbers) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const one = <A extends object>(rows: ReadonlyArray<A>): A => rows[0]!
    for (const [n, { accountId, agentId, keyId }] of who.entries()) {
      const { balance, low, credited, calls, months } = all[n]!
      const charged = credited - balance
      assert.deepStrictEqual(
        {
          ...one(
            yield* sql`
          SELECT w.balance_micros AS balance, w.low_micros AS low,
            (SELECT sum(CASE WHEN kind = 'credit' THEN micros ELSE -micros END) FROM postings WHERE account_id = ${accountId}) AS journal,
            (SELECT coalesce(sum(micros), 0) FROM postings WHERE key_id = ${keyId} AND kind = 'charge') AS charged,
            (SELECT coalesce(sum(micros), 0) FROM key_spend WHERE key_id = ${keyId}) AS spent,
            (SELECT coalesce(sum(charged_micros), 0) FROM audit WHERE agent_id = ${agentId}) AS audited,
            (SELECT count(*) FROM audit WHERE agent_id = ${agentId}) AS calls
          FROM wallets w WHERE w.account_id = ${accountId}`,
          ),
        },
        { balance, low: low ?? null, journal: balance, charged, spent: charged, audited: charged, calls },
      )
      assert.sameDeepMembers(
        [
          ...(yield* sql`
            SELECT livemode, month, micros, warned, exceeded FROM agent_spend
            WHERE agent_id = ${agentId} AND micros + warned + exceeded > 0`),
        ].map((row) => ({ ...row })),
        [...months].flatMap(([name, { micros, warned, exceeded }]) => {
          const [livemode, month] = name.split(" ")
          const flags = { warned: Number(warned), exceeded: Number(exceeded) }
          return micros > 0 || warned || exceeded
            ? [{ livemode: Number(livemode === "true"), month, micros, ...flags }]
            : []
        }),
      )
    }
    const written = yield* sql<{ account_id: string; type: string; data: string }>`
      SELECT account_id, type, data FROM outbox WHERE account_id IN ${sql.in(who.map(({ accountId }) => accountId))}`
    const unnamed = (text: string) => text.replace(/"agent_name":"[^"]*",/, "")
    assert.sameMembers(
      written.map(({ account_id, type, data }) => unnamed(`${account_id} ${type} ${data}`)),
      events.map(unnamed),
    )
    assert.strictEqual(sum(Object.values(yield* ledgers)), 0)
  })

/** What everybody reads says so too, whatever is in the tables. */
const read = ({ accountId }: Spender, { balance, spent, postings, calls }: Numbers["all"][number]) =>
  Effect.gen(function* () {
    const ledger = yield* Ledger
    const trail = yield* (yield* Calls).page(accountId, {}, 500)
    assert.deepStrictEqual(
      [
        yield* ledger.balance(accountId),
        yield* ledger.accountSpent(accountId, "2026-11"),
        yield* ledger.accountSpent(accountId, "2026-12"),
        (yield* (yield* Accounts).journal(accountId, 500)).length,
        trail.rows.length,
      ],
      [balance, ...spent, postings, calls],
    )
  })

/** Folds as far as a program has come when it ends in the middle of it. */
const slice = Effect.map(Effect.serviceOption(Sqlite), (sqlite) => {
  if (Option.isSome(sqlite)) getCharges(sqlite.value.db).folding()()
})

const changed = (each: Exclude<Operation, Batch>, who: ReadonlyArray<Spender>, numbers: Numbers) =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    if (!("payer" in each)) {
      if (each._tag === "Slice") yield* slice
      if (each._tag === "Fold") yield* (yield* folds).all
      return
    }
    const { accountId, agentId } = who[each.payer]!
    const own = numbers.all[each.payer]!
    if (each._tag === "Read") return yield* read(who[each.payer]!, own)
    if (each._tag === "Credit") {
      own.balance += each.micros
      own.credited += each.micros
      own.postings++
      assert.strictEqual((yield* accounts.credit(accountId, MicroUsd(each.micros))).balance, own.balance)
    } else if (each._tag === "Reverse") {
      const taken = Math.min(each.micros, own.left, own.balance)
      for (const name of ["balance", "credited", "left"] as const) own[name] -= taken
      if (taken > 0) own.postings++
      const [first] = (yield* accounts.journal(accountId, 500)).filter(({ kind }) => kind === "credit").slice(-1)
      const reversed = yield* accounts.reverse(accountId, first!.id, MicroUsd(each.micros))
      const { left, balance } = own
      assert.deepInclude({ ...reversed } as object, { taken, left, balance })
    } else if (each._tag === "Threshold") {
      own.low = each.low
      yield* accounts.setLowBalance(accountId, money(each.low))
    } else {
      numbers.setCaps(each.payer, each.monthlyCap, each.budgetCap)
      const monthlyCap = each.monthlyCap === null ? null : MicroUsd(each.monthlyCap)
      const budgetCap = each.budgetCap === null ? null : MicroUsd(each.budgetCap)
      yield* (yield* Agents).setCaps(agentId, { monthlyCap, budgetCap })
    }
  })

/** A program over a store; on SQLite it folds its charges often, seldom or at once. */
const opened = (place: string, turn: number) =>
  Effect.gen(function* () {
    const scope = yield* Scope.fork(yield* Effect.scope, ExecutionStrategy.sequential)
    const folding = Layer.succeed(FoldRows, [7, 1_000_000, 0][turn % 3]!) as Layer.Layer<never>
    const layer = Layer.provideMerge(calls.layer, moneyAt(place, folding))
    return { context: yield* Layer.buildWithScope(Layer.fresh(layer), scope), close: Scope.close(scope, Exit.void) }
  })

const everySequence = Effect.gen(function* () {
  const place = isPostgres ? Redacted.value(yield* database) : yield* storeFile
  let [turn, program] = [0, yield* opened(place, 0)]
  type Ports = typeof program.context extends Context.Context<infer Port> ? Port : never
  const inProgram = <A, E>(work: Effect.Effect<A, E, Ports>) =>
    Effect.suspend(() => Effect.provide(work, program.context))
  yield* everyRun(fc.array(operation, { maxLength: 14 }), runs, (operations, run) =>
    Effect.gen(function* () {
      const who = yield* inProgram(
        Effect.forEach(payers, ({ balance, low, ...caps }, n) =>
          Effect.tap(spender(`${n} of run ${run}`, caps as object, balance), ({ accountId }) =>
            Effect.flatMap(Accounts, (accounts) => accounts.setLowBalance(accountId, money(low))),
          ),
        ),
      )
      const numbers = numbersOf(who)
      for (const each of operations) {
        if (each._tag === "Reopen") {
          yield* program.close
          program = yield* opened(place, ++turn)
        }
        yield* inProgram(each._tag === "Calls" ? calling(who, numbers, each) : changed(each, who, numbers))
      }
      for (const [n, each] of who.entries()) yield* inProgram(read(each, numbers.all[n]!))
      yield* inProgram(Effect.flatMap(folds, ({ all }) => all))
      yield* inProgram(compared(who, numbers))
    }),
  )
}).pipe(Effect.scoped)

describe("charges, credits, caps and thresholds", () => {
  it(
    "are in a store what a book says, call by call, with the same sums and events, whatever is folded and opened when",
    { timeout: 60_000 + runs * 1_000 },
    () => Effect.runPromise(everySequence),
  )
})
