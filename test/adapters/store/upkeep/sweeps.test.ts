import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import * as auditTrail from "../../../../adapters/store/audit/AuditTrail.ts"
import * as peopleStore from "../../../../adapters/store/people/PeopleStore.ts"
import { writeHeartbeat } from "../../../../adapters/store/upkeep/gauges.ts"
import { retention, retentionDays } from "../../../../adapters/store/upkeep/storeJobs.ts"
import { sweepIdempotency } from "../../../../adapters/store/upkeep/sweeps.ts"
import { PeopleStore } from "../../../../core/people/PeopleStore.ts"
import { day } from "../../../../core/time.ts"
import { anyStore } from "../../../support/anyStore.ts"
import { count } from "../../../support/spender.ts"

describe("stored replies", () => {
  it.effect("are deleted a day after their call, in slices, with the counts of past days", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const before = 10 * day + 5
      for (const [name, at, times] of [
        ["old", before, 401],
        ["new", before + 1, 3],
      ] as const) {
        yield* sql`INSERT INTO idempotency ${sql.insert(
          Array.from({ length: times }, (_, n) => ({
            key_id: "key_1",
            idempotency_key: `${name} ${n}`,
            at,
            request_hash: "h",
            stored: "{}",
          })),
        )}`
      }
      yield* sql`INSERT INTO reply_bytes ${sql.insert([9, 10, 11].map((each) => ({ key_id: "key_1", day: each })))}`
      assert.strictEqual(yield* sweepIdempotency(before), 401)
      assert.strictEqual(yield* count("idempotency"), 3)
      assert.deepStrictEqual(yield* sql`SELECT day FROM reply_bytes ORDER BY day`, [{ day: 10 }, { day: 11 }])
      assert.strictEqual(yield* sweepIdempotency(before), 0)
    }).pipe(Effect.provide(anyStore)),
  )
})

describe("sessions and invitations", () => {
  it.effect("are deleted by the retention job a month after their end", () =>
    Effect.gen(function* () {
      const people = yield* PeopleStore
      const job = yield* retention(13)
      const invite = (name: string, expiresAt: number) =>
        people.invite(
          {
            person: { issuer: "local", subject: name, name },
            isOperator: true,
            invitedBy: "test",
            role: "viewer",
            createdAt: 0,
            expiresAt,
          },
          name,
        )
      yield* invite("used", day)
      yield* people.accept("used", "psn_1", { id: "ses_1", createdAt: day - 1 }, "token")
      yield* invite("late", 2 * day)
      const left = Effect.zip(count("sessions"), count("invitations"))
      for (const [at, expected] of [
        [day - 1, [1, 2]],
        [day + 1, [0, 1]],
        [2 * day + 1, [0, 0]],
      ] as const) {
        yield* TestClock.setTime(at + retentionDays.sessions * day)
        yield* job.run
        assert.deepStrictEqual([...(yield* left)], [...expected], `${at}`)
      }
    }).pipe(Effect.provide(Layer.provideMerge(Layer.merge(auditTrail.layer, peopleStore.layer), anyStore))),
  )
})

describe("signs of life", () => {
  it.effect("are one row, written anew by each check", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const newest = Effect.map(sql<{ at: number }>`SELECT MAX(at) AS at FROM heartbeats`, ([row]) => Number(row!.at))
      for (const at of [1_000, 2_000]) {
        yield* writeHeartbeat("ready", at)
        assert.strictEqual(yield* newest, at)
      }
      assert.strictEqual(yield* count("heartbeats"), 1)
    }).pipe(Effect.provide(anyStore)),
  )
})
