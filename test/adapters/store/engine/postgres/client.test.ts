import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Client from "../../../../../adapters/store/engine/postgres/client.ts"
import { database } from "../../../../support/postgres.ts"

describe("an interrupted query", () => {
  it.scopedLive("is cancelled at once although every connection of the node is waiting", () =>
    Effect.gen(function* () {
      const url = yield* database
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const connections = Effect.provide(
          Effect.flatMap(
            SqlClient.SqlClient,
            (other) => other<{ state: string; query: string }>`
              SELECT state, query FROM pg_stat_activity
              WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = 'market-signals'`,
          ),
          Client.layer(url, { connections: 1 }),
        )
        const asleep = Effect.map(
          connections,
          (all) => all.filter(({ state, query }) => state === "active" && query.includes("pg_sleep")).length,
        )
        const fibers = yield* Effect.replicateEffect(Effect.fork(sql`SELECT pg_sleep(20)`), 2)
        yield* Effect.repeat(asleep, { until: (count) => count === 2 })
        const begun = performance.now()
        yield* Fiber.interruptAll(fibers)
        assert.isBelow(performance.now() - begun, 3_000)
        assert.strictEqual(yield* asleep, 0)
        assert.deepStrictEqual(yield* sql`SELECT 1 AS one`, [{ one: 1 }])
        assert.isBelow(performance.now() - begun, 4_000)
        // Half of them are kept for the money path.
      }).pipe(Effect.provide(Client.layer(url, { connections: 4 })))
    }),
  )
})
