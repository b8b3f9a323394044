import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Arr from "effect/Array"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { forgetText } from "../../../../adapters/store/account/postgres/RateLimits.ts"
import { Accounts } from "../../../../core/account/Accounts.ts"
import { Agents } from "../../../../core/account/Agents.ts"
import { Keyring } from "../../../../core/account/Keyring.ts"
import { Ledger } from "../../../../core/account/Ledger.ts"
import { PlatformCrypto } from "../../../../core/account/PlatformCrypto.ts"
import { RateLimits } from "../../../../core/account/RateLimits.ts"
import { tally } from "../../../support/ledger.ts"
import { database } from "../../../support/postgres.ts"
import { type Node, node } from "../../../support/postgresNode.ts"
import { settlementOf } from "../../../support/settlement.ts"
import { count, events, spend, spender } from "../../../support/spender.ts"

const four = Effect.flatMap(database, (url) => Effect.all(Arr.makeBy(4, () => node(url))))

const on = <A, E>(nodes: ReadonlyArray<Context.Context<Node>>, work: (index: number) => Effect.Effect<A, E, Node>) =>
  Effect.forEach(nodes, (context, index) => Effect.provide(work(index), context), { concurrency: "unbounded" })

const total = (all: ReadonlyArray<Readonly<Record<string, number>>>): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [...new Set(all.flatMap(Object.keys))].map((name) => [
      name,
      Arr.reduce(all, 0, (sum, each) => sum + (each[name] ?? 0)),
    ]),
  )

describe("four nodes over one database", () => {
  it.scopedLive("each month has its own cap, whatever arrives first at its end", () =>
    Effect.gen(function* () {
      const nodes = yield* four
      const who = yield* Effect.provide(spender("bot", { monthlyCap: 50_000 }), nodes[0]!)
      const next = Date.UTC(2026, 11, 1)
      const said = yield* on(nodes, (index) =>
        Effect.map(
          Effect.forEach(Arr.range(1, 100), (n) => spend(who, 1_000, { at: (n + index) % 2 === 0 ? next : next - 1 }), {
            concurrency: "unbounded",
          }),
          tally,
        ),
      )
      assert.deepStrictEqual(total(said), { Accepted: 100, Capped: 300 })
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        assert.deepStrictEqual(yield* sql`SELECT month, micros FROM agent_spend ORDER BY month`, [
          { month: "2026-11", micros: 50_000 },
          { month: "2026-12", micros: 50_000 },
        ])
        const types = (yield* events).map(({ type, data }) => `${data["period"]} ${type}`).sort()
        assert.deepStrictEqual(types, [
          "2026-11 agent.budget_exceeded",
          "2026-11 agent.budget_warning",
          "2026-12 agent.budget_exceeded",
          "2026-12 agent.budget_warning",
        ])
      }).pipe(Effect.provide(nodes[1]!))
    }),
  )

  it.scopedLive("one idempotency key is charged once", () =>
    Effect.gen(function* () {
      const nodes = yield* four
      const who = yield* Effect.provide(spender("bot", {}), nodes[0]!)
      const said = yield* on(nodes, (index) =>
        Effect.map(
          Effect.forEach(
            Arr.range(1, 100),
            (n) =>
              Effect.flatMap(Ledger, (ledger) =>
                ledger.charge({
                  ...settlementOf({ ...who, requestId: `req_${index}_${n}`, micros: 1_000, at: Date.now() }),
                  reply: { key: "00000000-0000-4000-8000-000000000001", requestHash: "a", stored: "{}" },
                }),
              ),
            { concurrency: "unbounded" },
          ),
          tally,
        ),
      )
      assert.deepStrictEqual(total(said), { Accepted: 1, Concurrent: 399 })
      assert.strictEqual(yield* Effect.provide(count("postings"), nodes[2]!), 2)
    }),
  )

  it.scopedLive(
    "a paused agent, a suspended account and a revoked key stop on every node within a second, and go on when resumed",
    () =>
      Effect.gen(function* () {
        const nodes = yield* four
        const [first] = nodes
        const { accountId, agentId } = yield* Effect.provide(spender("bot", {}), first!)
        const { plaintext, key } = yield* Effect.provide(
          Effect.flatMap(Accounts, (accounts) =>
            accounts.issueKey({ account: accountId, agent: agentId, environment: "live", tier: "pro" }),
          ),
          first!,
        )
        const find = Effect.gen(function* () {
          const hash = yield* (yield* PlatformCrypto).sha256(Redacted.value(plaintext))
          return yield* (yield* Keyring).find(hash)
        })
        const seen = on(nodes, () => find)
        const within = <A>(
          isDone: (all: ReadonlyArray<A>) => boolean,
          look: Effect.Effect<ReadonlyArray<A>, unknown>,
        ) =>
          Effect.gen(function* () {
            const begun = performance.now()
            while (!isDone(yield* look)) {
              assert.isBelow(performance.now() - begun, 1_000)
              yield* Effect.sleep(5)
            }
          })
        for (let round = 0; round < 5; round++) {
          yield* Effect.provide(
            Effect.flatMap(Agents, ({ pause }) => pause(agentId)),
            nodes[round % 4]!,
          )
          yield* within((all) => all.every((caller) => caller?.agent?.paused === true), seen)
          yield* Effect.provide(
            Effect.flatMap(Agents, ({ resume }) => resume(agentId)),
            nodes[(round + 1) % 4]!,
          )
          yield* within((all) => all.every((caller) => caller?.agent?.paused === false), seen)
          for (const turn of ["suspend", "resume"] as const) {
            yield* Effect.provide(
              Effect.flatMap(Accounts, (accounts) => accounts[turn](accountId)),
              nodes[(round + 2) % 4]!,
            )
            const suspended = turn === "suspend" ? true : undefined
            yield* within((all) => all.every((caller) => caller !== undefined && caller.suspended === suspended), seen)
          }
        }
        yield* Effect.provide(
          Effect.flatMap(Accounts, ({ revokeKey }) => revokeKey(key.id)),
          nodes[3]!,
        )
        yield* within((all) => all.every((caller) => caller === undefined), seen)
      }),
  )

  it.scopedLive("a rate limit lets its calls of a minute through, and those that time has added", () =>
    Effect.gen(function* () {
      const nodes = yield* four
      const begun = performance.now()
      const said = yield* on(nodes, () =>
        Effect.flatMap(RateLimits, ({ take }) =>
          Effect.forEach(Arr.range(1, 200), () => take("key_1", 300), { concurrency: "unbounded" }),
        ),
      )
      const added = ((performance.now() - begun) / 60_000) * 300
      const passed = said.flat().filter(({ ok }) => ok).length
      assert.isAtLeast(passed, 300)
      assert.isAtMost(passed, 301 + added)
      for (const { ok, retryAfterMs, remaining } of said.flat().filter((each) => !each.ok)) {
        assert.deepStrictEqual([ok, remaining], [false, 0])
        assert.isAbove(retryAfterMs, 0)
      }
      const [peeked] = yield* on(nodes.slice(0, 1), () => Effect.flatMap(RateLimits, ({ peek }) => peek("key_1", 300)))
      assert.isAtMost(peeked!.remaining, Math.ceil(added) + 1)
    }),
  )

  it.scopedLive("full buckets are forgotten without waiting for calls that take from some of them", () =>
    Effect.gen(function* () {
      const [first, second] = yield* four
      // Full again within a millisecond.
      const take = (name: string) =>
        Effect.flatMap(
          SqlClient.SqlClient,
          (sql) => sql`SELECT * FROM take(ARRAY[${name}]::text[], ARRAY[1], ARRAY[0.000001]::float8[])`,
        )
      const forget = Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(forgetText))
      const names = Effect.flatMap(SqlClient.SqlClient, (sql) => sql<{ name: string }>`SELECT name FROM buckets`)
      yield* Effect.provide(Effect.all([take("taken"), take("full")]), first!)
      const left = yield* Effect.provide(
        Effect.flatMap(SqlClient.SqlClient, (sql) =>
          sql.withTransaction(
            Effect.gen(function* () {
              yield* take("taken")
              yield* Effect.sleep(10)
              // In a fiber of its own, which has no part in this transaction.
              const other = Effect.provide(Effect.zipRight(Effect.timeout(forget, 2_000), names), second!)
              return yield* Effect.promise(() => Effect.runPromise(other))
            }),
          ),
        ),
        first!,
      )
      assert.deepStrictEqual(left, [{ name: "taken" }])
    }),
  )
})
