import * as SqlClient from "@effect/sql/SqlClient"
import { withTransformer } from "@effect/sql/Statement"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import type * as AdminOperation from "../../../adapters/admin/AdminOperation.ts"
import { perform } from "../../../adapters/admin/AdminOperation.ts"
import { verbs as verbsOf } from "../../../adapters/admin/verbs.ts"
import * as voids from "../../../adapters/lanes/weather/store/Voids.ts"
import * as changes from "../../../adapters/store/engine/changes.ts"
import * as orders from "../../../adapters/store/money/Orders.ts"
import * as peopleStore from "../../../adapters/store/people/PeopleStore.ts"
import * as installation from "../../../adapters/store/upkeep/Installation.ts"
import { Accounts } from "../../../core/account/Accounts.ts"
import { Agents } from "../../../core/account/Agents.ts"
import { AuditTrail } from "../../../core/account/AuditTrail.ts"
import { MicroUsd } from "../../../core/account/Money.ts"
import { BaseUrl } from "../../../core/call/BaseUrl.ts"
import { Webhooks } from "../../../core/events/Webhooks.ts"
import { catalogue } from "../../../core/lanes/all.ts"
import { Installation } from "../../../core/operation/Installation.ts"
import { PaymentProviders } from "../../../core/payment/PaymentProviders.ts"
import { Payments } from "../../../core/payment/Payments.ts"
import { People } from "../../../core/people/People.ts"
import { anyAccounts } from "../../support/anyStore.ts"
import { entered, owner } from "../../support/people.ts"
import { isPostgres } from "../../support/postgres.ts"
import { webhooksOn } from "../../support/webhooks.ts"

const verbs = verbsOf(catalogue)

const store = Layer.mergeAll(
  People.layer.pipe(Layer.provideMerge(Layer.merge(peopleStore.layer, changes.layer))),
  Payments.layer.pipe(
    Layer.provide([BaseUrl.layer("https://api.test"), Layer.succeed(PaymentProviders, { topUps: [] }), orders.layer]),
  ),
  Layer.succeed(AuditTrail, {} as typeof AuditTrail.Service),
  installation.layer,
  voids.layer,
).pipe(Layer.provideMerge(webhooksOn(anyAccounts)))

const account = "one"

/** Services by which a test makes rows. */
interface World {
  readonly id: string
  readonly webhooks: ReadonlyArray<string>
}

type Made = Effect.Effect<unknown, unknown, Layer.Layer.Success<typeof store>>

/** The end of an order's or a delivery's story, without the provider or the receiver. */
const failed = (webhook: string) =>
  Effect.gen(function* () {
    yield* (yield* Webhooks).test(webhook)
    const sql = yield* SqlClient.SqlClient
    yield* sql`
      UPDATE webhook_deliveries SET ended_at = due_at, outcome = 'dead', reason = 'exhausted' WHERE ended_at IS NULL`
  })

/** Each list: its verb, its parameters, and how its n-th row is made. */
const lists: ReadonlyArray<
  readonly [AdminOperation.Any, rows: string, (world: World) => object, (n: number, world: World) => Made]
> = [
  [verbs.accountsList, "accounts", () => ({}), (n) => Effect.flatMap(Accounts, (all) => all.create(`more ${n}`))],
  [
    verbs.keysList,
    "keys",
    () => ({ account }),
    () => Effect.flatMap(Accounts, (all) => all.issueKey({ account, environment: "test" })),
  ],
  [
    verbs.agentsList,
    "agents",
    () => ({ account }),
    (n) => Effect.flatMap(Agents, (all) => all.create(account, `a${n}`, {})),
  ],
  [verbs.peopleList, "people", () => ({ account }), (n) => entered({ ...owner, account, name: `p${n}` })],
  [verbs.changesList, "changes", () => ({ account }), () => perform(verbs.accountsTier, { account, tier: "pro" })],
  [
    verbs.walletShow,
    "postings",
    () => ({ account }),
    (n) => Effect.flatMap(Accounts, (all) => all.credit(account, MicroUsd(n + 1))),
  ],
  [
    verbs.ordersList,
    "orders",
    () => ({ account }),
    (n, { id }) =>
      Effect.flatMap(SqlClient.SqlClient, (sql) => {
        const row = { id: `txn_${String(n).padStart(26, "0")}`, account_id: id, provider: "test", micros: 1 }
        return sql`INSERT INTO orders ${sql.insert({ ...row, created_at: n })}`
      }),
  ],
  [
    verbs.webhooksDeliveries,
    "deliveries",
    ({ webhooks }) => ({ webhook: webhooks[0] }),
    (_, { webhooks }) => Effect.flatMap(Webhooks, ({ test }) => test(webhooks[0]!)),
  ],
  [
    verbs.webhooksDeadLetters,
    "dead_letters",
    () => ({ account }),
    (n, { webhooks }) => failed(webhooks[n % webhooks.length]!),
  ],
]

/** An account with two webhooks; a second account has one of its own. */
const begin = Effect.gen(function* () {
  yield* TestClock.setTime(1_800_000_000_000)
  const accounts = yield* Accounts
  const { id } = yield* accounts.create(account)
  yield* accounts.create("two")
  const { create } = yield* Webhooks
  const webhooks = []
  for (const host of ["a", "b"]) {
    webhooks.push((yield* create(account, `https://${host}.example/`, ["agent.budget_warning"])).webhook.id)
  }
  yield* failed((yield* create("two", "https://c.example/", ["agent.budget_warning"])).webhook.id)
  return { id, webhooks } satisfies World
})

/** A row, later than all before it. */
const add = (make: Made) => Effect.zipRight(TestClock.adjust("1 second"), make)

describe("a list", () => {
  it.effect.each(lists.map((each) => [each[0].id, each] as const))(
    "%s: its pages are the whole, in order, while rows are added",
    ([, [verb, name, given, make]]) =>
      Effect.gen(function* () {
        const world = yield* begin
        const params = given(world)
        const read = (more: object) =>
          perform(verb, { ...params, ...more }) as Effect.Effect<
            Readonly<Record<string, ReadonlyArray<object>>> & { readonly next?: string },
            never,
            AdminOperation.Services
          >
        for (let n = 0; n < 7; n++) yield* add(make(n, world))
        const whole = yield* read({ limit: 1_000 })
        assert.isUndefined(whole.next)
        assert.isAtLeast(whole[name]!.length, 7)
        const rows: Array<object> = []
        let cursor: string | undefined
        for (let n = 10; n === 10 || cursor !== undefined; n++) {
          const page = yield* read({ limit: 3, ...(cursor === undefined ? {} : { cursor }) })
          assert.isAtMost(page[name]!.length, 3)
          rows.push(...page[name]!)
          cursor = page.next
          yield* add(make(n, world))
        }
        assert.deepStrictEqual(rows, whole[name])
        // The last page is full, and says that it is the last.
        const all = yield* read({ limit: 1_000 })
        assert.isUndefined((yield* read({ limit: all[name]!.length })).next)
      }).pipe(Effect.provide(store)),
  )

  it.effect.each(lists.map((each) => [each[0].id, each] as const))(
    "%s refuses a limit out of bounds and a foreign cursor by its name",
    ([id, [verb, , given, make]]) =>
      Effect.gen(function* () {
        const world = yield* begin
        for (let n = 0; n < 2; n++) yield* add(make(n, world))
        const { next } = (yield* perform(verb, { ...given(world), limit: 1 })) as { readonly next: string }
        const other = id === "accounts_list" ? verbs.keysList : verbs.accountsList
        const least = id === "wallet_show" ? -1 : 0
        for (const [asked, params, field] of [
          [verb, { ...given(world), limit: least }, "limit"],
          [verb, { ...given(world), limit: 1_001 }, "limit"],
          [verb, { ...given(world), cursor: "x" }, "cursor"],
          [verb, { ...given(world), cursor: "" }, "cursor"],
          [other, { ...(other === verbs.keysList ? { account } : {}), cursor: next }, "cursor"],
        ] as const) {
          const failure = yield* Effect.flip(perform(asked as AdminOperation.Any, params))
          assert.deepStrictEqual(
            [failure.code, failure.hints?.map((hint) => hint.field)],
            ["invalid_parameter", [field]],
          )
        }
      }).pipe(Effect.provide(store)),
  )

  it.effect.each(lists.map((each) => [each[0].id, each] as const))(
    "%s reads its page off an index, without sorting",
    ([, [verb, , given, make]]) =>
      Effect.gen(function* () {
        const world = yield* begin
        for (let n = 0; n < 3; n++) yield* add(make(n, world))
        const { next } = (yield* perform(verb, { ...given(world), limit: 1 })) as { readonly next: string }
        const statements: Array<readonly [text: string, params: ReadonlyArray<unknown>]> = []
        yield* withTransformer(perform(verb, { ...given(world), limit: 1, cursor: next }), (statement) =>
          Effect.sync(() => {
            statements.push(statement.compile())
            return statement
          }),
        )
        const pages = statements.filter(([text]) => /\bLIMIT\b/.test(text))
        assert.isAtLeast(pages.length, 1)
        for (const [text, params] of pages) {
          const plan = yield* planOf(text, params)
          assert.notMatch(
            plan,
            isPostgres ? /\bSort\b|Seq Scan/ : /TEMP B-TREE|SCAN (?!d$|.*(INDEX|CONSTANT))/m,
            `${text}\n${plan}`,
          )
        }
      }).pipe(Effect.provide(store)),
  )
})

/** How a store reads a statement. PostgreSQL sorts or reads a whole table here only if no index will do. */
const planOf = (text: string, params: ReadonlyArray<unknown>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const explained = (prefix: string) => sql.unsafe<Record<string, string>>(`${prefix} ${text}`, params as never)
    const rows = isPostgres
      ? yield* sql.withTransaction(
          Effect.zipRight(
            sql`SELECT set_config('enable_sort', 'off', true), set_config('enable_seqscan', 'off', true),
              set_config('enable_bitmapscan', 'off', true)`,
            explained("EXPLAIN"),
          ),
        )
      : yield* explained("EXPLAIN QUERY PLAN")
    return rows.map((row) => row["detail"] ?? row["QUERY PLAN"]).join("\n")
  })

describe("the operator's search for an account", () => {
  it.effect("finds the whole name or id of any, and pages go back from an id", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const ids: Array<string> = []
      for (const name of ["alpha", "beta", "alphabet"]) {
        yield* TestClock.adjust("1 second")
        ids.push((yield* accounts.create(name)).id)
      }
      const find = (yield* Installation).accounts
      const found = (...asked: Parameters<typeof find>) =>
        Effect.map(find(...asked), (all) => all.map(({ account }) => account.name))
      assert.deepStrictEqual(yield* found("", 2), ["alphabet", "beta"])
      assert.deepStrictEqual(yield* found("", 2, ids[1]), ["alpha"])
      assert.deepStrictEqual(yield* found("alpha", 2, ids[2]), ["alpha"])
      assert.deepStrictEqual(yield* found(ids[0]!, 2), ["alpha"])
    }).pipe(Effect.provide(store)),
  )
})
