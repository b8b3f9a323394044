import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { newest } from "../../../../adapters/store/schema/migrate.ts"
import * as installation from "../../../../adapters/store/upkeep/Installation.ts"
import { Accounts } from "../../../../core/account/Accounts.ts"
import { MicroUsd } from "../../../../core/account/Money.ts"
import { maxCounted } from "../../../../core/BoundedCount.ts"
import { Webhooks } from "../../../../core/events/Webhooks.ts"
import { Installation } from "../../../../core/operation/Installation.ts"
import { anyAccountsOnDisk } from "../../../support/anyStore.ts"
import { endOf, inStore, leaseMs, one, retry, start, turn } from "../../../support/deliveryQueue.ts"
import { isPostgres } from "../../../support/postgres.ts"
import { spender } from "../../../support/spender.ts"
import { cross, owner } from "../../../support/webhooks.ts"

/** The port over the store of a test. */
const port = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.provide(Installation, Layer.provide(installation.layer, Layer.succeed(SqlClient.SqlClient, sql))),
)

describe("accounts", () => {
  it.effect("are found by a part of their name or id, newest first, with their wallets", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const names = ["acme", "Beta 100.5", "beta_2", "ÉCOLE"]
      const ids: Array<string> = []
      for (const name of names) ids.push((yield* accounts.create(name)).id)
      yield* accounts.credit("acme", MicroUsd(1_500_000))
      const { accounts: find } = yield* port
      const found = (text: string, limit = 10) =>
        Effect.map(find(text, limit), (all) => all.map(({ account }) => account.name).sort())
      assert.deepStrictEqual(yield* found(""), [...names].sort())
      assert.deepStrictEqual(yield* found("BETA"), ["Beta 100.5", "beta_2"])
      assert.deepStrictEqual(yield* found("%"), [])
      assert.deepStrictEqual(yield* found("_2"), ["beta_2"])
      assert.deepStrictEqual(yield* found("ÉC"), ["ÉCOLE"])
      assert.deepStrictEqual(yield* found("\\"), [])
      assert.deepStrictEqual(yield* found(ids[0]!), ["acme"])
      assert.lengthOf(yield* find("", 2), 2)
      assert.deepStrictEqual(
        (yield* find("acme", 10)).map(({ balance }) => balance),
        [MicroUsd(1_500_000)],
      )
    }).pipe(Effect.provide(anyAccountsOnDisk)),
  )
})

describe("deliveries of all accounts", () => {
  it.effect("are counted by their end, and listed with whose they are", () =>
    inStore(
      Effect.gen(function* () {
        const installed = yield* port
        const nobody = yield* installed.deliveries(0)
        assert.deepStrictEqual(nobody, {
          pending: { count: 0, isMore: false },
          failing: 0,
          ended: { count: 0, isMore: false },
          dead: { count: 0, isMore: false },
          deadByAccount: [],
        })
        const first = yield* owner(one)
        const second = yield* spender("other", { monthlyCap: 1_000 })
        const budgets = ["agent.budget_warning", "agent.budget_exceeded"]
        const { webhook } = yield* (yield* Webhooks).create(second.accountId, "https://two.example/in", budgets)
        yield* cross(first, 1)
        yield* cross(second, 1)
        const pending = yield* installed.deliveries(0)
        assert.deepStrictEqual([pending.pending, pending.dueAt], [{ count: 4, isMore: false }, Date.UTC(1700, 0, 1)])
        const held = yield* turn("worker", start, { [webhook.id]: 1 })
        const dead = { _tag: "Dead", reason: "exhausted", eventId: crypto.randomUUID() } as const
        yield* turn("worker", start + 1, {}, [endOf(held[0]!, dead, { status: 500, error: "status", response: "no" })])
        const ended = yield* installed.deliveries(start)
        assert.deepStrictEqual(
          [ended.pending.count, ended.ended.count, ended.dead.count, ended.deadByAccount],
          [3, 1, 1, [{ account: { id: second.accountId, name: "owner of other" }, count: 1 }]],
        )
        // What ended before the time that is asked for is not counted.
        assert.deepStrictEqual((yield* installed.deliveries(start + 1_000)).ended.count, 0)
        const [letter, ...others] = yield* installed.sent({ dead: true, limit: 10 })
        assert.lengthOf(others, 0)
        assert.deepInclude(letter, {
          account: { id: second.accountId, name: "owner of other" },
          url: "https://two.example/in",
        })
        assert.deepStrictEqual(letter!.delivery.state, { _tag: "Dead", at: start + 100, reason: "exhausted" })
        assert.deepInclude(letter!.delivery.attempts[0], { number: 1, status: 500, response: "no" })
        assert.isFalse(letter!.delivery.isRepeated)
        const newest = yield* installed.sent({ dead: false, limit: 3 })
        assert.deepStrictEqual(
          newest.map(({ account }) => account.id),
          [second.accountId, second.accountId, first.accountId],
        )
        yield* (yield* Webhooks).replay(letter!.delivery.webhookId, { _tag: "Dead" })
        assert.isTrue((yield* installed.sent({ dead: true, limit: 1 }))[0]!.delivery.isRepeated)
      }),
    ),
  )

  it.effect("count a webhook as failing after three attempts, until it is paused", () =>
    inStore(
      Effect.gen(function* () {
        const { deliveries } = yield* port
        const failing = Effect.map(deliveries(0), ({ failing }) => failing)
        const caused = yield* owner(one)
        const { id } = caused.webhooks[0]!
        yield* cross(caused, 1)
        for (let most = 0, now = start; most < 3; now += leaseMs) {
          assert.strictEqual(yield* failing, 0)
          const [held] = yield* turn("worker", now, { [id]: 1 })
          most = Math.max(most, held!.attempt)
          const refused = endOf(held!, retry(now + 2), { status: 500, error: "status" })
          yield* turn("worker", now + 1, {}, [refused])
        }
        assert.strictEqual(yield* failing, 1)
        yield* (yield* Webhooks).pause(id)
        assert.strictEqual(yield* failing, 0)
      }),
    ),
  )

  it.effect("are counted up to a bound", () =>
    inStore(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { webhooks } = yield* owner(one)
        const rows = Array.from({ length: maxCounted + 5 }, (_, at) => ({
          webhook_id: webhooks[0]!.id,
          event_id: `e${at}`,
          type: "agent.budget_warning",
          cause: "event",
          created_at: at,
          due_at: at,
        }))
        for (let at = 0; at < rows.length; at += 200) {
          yield* sql`INSERT INTO webhook_deliveries ${sql.insert(rows.slice(at, at + 200))}`
        }
        const { pending, dueAt } = yield* (yield* port).deliveries(0)
        assert.deepStrictEqual([pending, dueAt], [{ count: maxCounted, isMore: true }, 0])
      }),
    ),
  )
})

describe("the store", () => {
  it.effect("says its kind, schema and size", () =>
    Effect.gen(function* () {
      const { server, schema, bytes } = yield* Effect.flatMap(port, ({ store }) => store)
      assert.match(server, isPostgres ? /^PostgreSQL \d/ : /^SQLite 3\./)
      assert.strictEqual(schema, newest)
      assert.isAbove(bytes, 10_000)
    }).pipe(Effect.provide(anyAccountsOnDisk)),
  )
})
