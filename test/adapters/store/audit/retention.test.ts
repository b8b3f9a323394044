import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import { accountOf, charge, type Opened, open, seeded } from "../../../support/opened.ts"
import { storeFile } from "../../../support/store.ts"

const [august, november] = [Date.UTC(2026, 7, 15), Date.UTC(2026, 10, 15)]

/** A store with charges of August, which may be dropped, and one of November. */
const filled = (calls: number) =>
  Effect.gen(function* () {
    const program = yield* open(yield* storeFile)
    yield* TestClock.setTime(november)
    for (const n of [0, 1]) yield* seeded(program, n, 1_000_000)
    for (let n = 1; n <= calls; n++) yield* charge(program, n % 2, n, august + n)
    yield* charge(program, 0, calls + 1, november)
    return program
  })

const sums = ({ sql }: Opened) =>
  sql<{ n: number; micros: number }>`
    SELECT count(*) AS n, sum(micros) AS micros FROM postings WHERE kind = 'charge'`

const postingsOf = ({ accounts }: Opened) => accounts.journal(accountOf(0), 5_000)

describe("a month of the audit trail that is dropped", () => {
  it.scoped("leaves its charges as rows of the journal, each once, wherever that is cut off", () =>
    Effect.gen(function* () {
      const calls = 600
      const cuts = {
        "UPDATE ON places": [1, 2, 2, 2],
        "DELETE ON audit_begins": [1],
        "DELETE ON audit_months": [1],
        "DELETE ON audit_index": [1, 300],
        "DELETE ON audit_rows": [1, 501],
      }
      for (const [event, times] of Object.entries(cuts)) {
        const program = yield* filled(calls)
        const { db, trail } = program
        const before = yield* postingsOf(program)
        const exact = Effect.gen(function* () {
          assert.deepStrictEqual(yield* sums(program), [{ n: calls + 1, micros: (calls + 1) * 10 }])
          assert.deepStrictEqual(yield* postingsOf(program), before)
          assert.strictEqual(yield* program.ledger.balance(accountOf(0)), 1_000_000 - 10 * (calls / 2 + 1))
        })
        for (const time of times) {
          db.exec(`CREATE TEMP TABLE times (n INTEGER); INSERT INTO times VALUES (0);
            CREATE TEMP TRIGGER cut AFTER ${event} BEGIN
              UPDATE times SET n = n + 1; SELECT RAISE(ABORT, 'cut') FROM times WHERE n >= ${time}; END`)
          assert.strictEqual((yield* Effect.exit(trail.dropOlderThan(2)))._tag, "Failure", `${event} ${time}`)
          db.exec("DROP TRIGGER cut; DROP TABLE times")
          yield* exact
        }
        yield* trail.dropOlderThan(2)
        yield* exact
        assert.deepStrictEqual(yield* trail.dropOlderThan(2), [])
        const [left] = yield* program.sql<{ rows: number; places: number; first: number }>`
          SELECT count(*) AS rows, (SELECT count(*) FROM audit_index) AS places, min(seq) AS first FROM audit_rows`
        // The row before those that are kept stays, so that places go on from it.
        assert.deepStrictEqual(left, { rows: 2, places: 1, first: calls })
        assert.lengthOf((yield* program.calls.page(accountOf(0), {}, 500)).rows, 1)
        assert.deepStrictEqual(
          (yield* trail.months).map(({ month, rows }) => [month, rows]),
          [["2026-11", 1]],
        )
      }
    }),
  )

  it.scoped("does not come back, and rows of its time that come later belong to the newest", () =>
    Effect.gen(function* () {
      const program = yield* filled(5)
      yield* program.trail.drop("2026-08", true)
      for (const n of [10, 11]) yield* charge(program, 0, n, august + n)
      assert.lengthOf((yield* program.calls.page(accountOf(0), {}, 500)).rows, 3)
      assert.deepStrictEqual(
        (yield* program.trail.months).map(({ month, rows }) => [month, rows]),
        [["2026-11", 3]],
      )
      assert.deepStrictEqual(yield* sums(program), [{ n: 8, micros: 80 }])
      assert.strictEqual(yield* program.ledger.balance(accountOf(0)), 1_000_000 - 50)
    }),
  )

  it.scoped("goes after those before it", () =>
    Effect.gen(function* () {
      const program = yield* filled(3)
      yield* TestClock.setTime(Date.UTC(2027, 5, 1))
      yield* charge(program, 0, 100, Date.UTC(2027, 5, 1))
      const refused = yield* Effect.flip(program.trail.drop("2026-11", true))
      assert.include(JSON.stringify(refused.hints), "2026-08")
      yield* program.trail.drop("2026-08", true)
      yield* program.trail.drop("2026-11", true)
      assert.deepStrictEqual(
        (yield* program.trail.months).map(({ month }) => month),
        ["2027-06"],
      )
    }),
  )

  it.scoped("leaves places that rise, though no row is left", () =>
    Effect.gen(function* () {
      const program = yield* filled(3)
      yield* TestClock.setTime(Date.UTC(2027, 5, 1))
      yield* program.trail.dropOlderThan(2)
      yield* charge(program, 0, 100, Date.UTC(2027, 5, 1))
      assert.deepStrictEqual(yield* program.sql`SELECT seq FROM audit`, [{ seq: 5 }])
      assert.lengthOf((yield* program.calls.page(accountOf(0), {}, 500)).rows, 1)
    }),
  )
})
