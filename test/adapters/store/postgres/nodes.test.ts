import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Arr from "effect/Array"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { deleteFullText } from "../../../../adapters/store/account/postgres/RateLimits.ts"
import { Accounts } from "../../../../core/account/Accounts.ts"
import { Ledger } from "../../../../core/account/Ledger.ts"
import { CurrentChange } from "../../../../core/people/Change.ts"
import { tally } from "../../../support/ledger.ts"
import { database } from "../../../support/postgres.ts"
import { type Node, node } from "../../../support/postgresNode.ts"
import { settlementOf } from "../../../support/settlement.ts"
import { count, spender } from "../../../support/spender.ts"

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

  it.scopedLive("a form that is sent to all of them at once is done once", () =>
    Effect.gen(function* () {
      const nodes = yield* four
      for (let round = 0; round < 10; round++) {
        // Each request has a change of its own.
        const change = () => ({ at: 1, who: "psn_1", verb: "v", subject: "s", formId: `form ${round}` })
        const said = yield* on(nodes, (index) =>
          Effect.either(
            Effect.flatMap(Accounts, ({ create }) => create(`account ${round} ${index}`)).pipe(
              Effect.provideService(CurrentChange, change()),
            ),
          ),
        )
        const refused = said.flatMap((each) => (each._tag === "Left" ? [each.left.code] : []))
        assert.deepStrictEqual(refused, ["invalid_request_body", "invalid_request_body", "invalid_request_body"])
      }
      for (const table of ["accounts", "changes"]) {
        assert.strictEqual(yield* Effect.provide(count(table), nodes[0]!), 10)
      }
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
      const forget = Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(deleteFullText))
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
