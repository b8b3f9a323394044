import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import { make, maxRowsPerDay } from "../../../../adapters/store/trail/notes.ts"
import type { Audit } from "../../../../core/account/Ledger.ts"
import { MicroUsd } from "../../../../core/account/Money.ts"

const noon = Date.UTC(2026, 6, 9, 12)
const minute = 60_000

const line = (changes: Partial<Audit> = {}): Audit => ({
  at: noon,
  requestId: "req_1",
  accountId: "acct_1",
  keyId: "key_1",
  endpoint: "spot",
  paramsHash: "abc",
  status: 200,
  charged: MicroUsd(0),
  latencyMs: 5,
  ...changes,
})

/** Refused by the rate limit, before its parameters were read. */
const limited = (changes: Partial<Audit> = {}) =>
  line({ status: 429, code: "rate_limit_exceeded", paramsHash: "", ...changes })

/** Notes lines over rows that are kept here. */
const noting = <A>(
  body: (note: (line: Audit) => Effect.Effect<void>, rows: Array<Audit>) => Effect.Effect<A>,
  isLow = () => false,
) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(noon)
    const rows: Array<Audit> = []
    yield* Effect.scoped(
      Effect.flatMap(
        make(isLow, (row) => void rows.push(row)),
        (note) => body(note, rows),
      ),
    )
    return rows
  })

describe("calls without a charge", () => {
  it.effect("have a row of their own at once", () =>
    noting((note, rows) =>
      Effect.gen(function* () {
        yield* note(line())
        yield* note(line({ status: 400, requestId: "req_2" }))
        // One that reached its parameters counts as any other, whatever its status.
        yield* note(limited({ paramsHash: "abc", requestId: "req_3" }))
        assert.deepStrictEqual(
          rows.map(({ requestId, calls }) => [requestId, calls]),
          [
            ["req_1", undefined],
            ["req_2", undefined],
            ["req_3", undefined],
          ],
        )
      }),
    ),
  )

  it.effect("of a key keep to its bound of rows a day while 100,000 other keys call", () =>
    Effect.map(
      noting((note) =>
        Effect.gen(function* () {
          const refused = note(line({ keyId: "busy", status: 400 }))
          for (let n = 0; n < maxRowsPerDay.refused; n++) yield* refused
          for (let n = 0; n <= 100_000; n++) {
            yield* note(line({ keyId: `key_${n}` }))
            if (n % 10_000 === 0) yield* refused
          }
        }),
      ),
      (rows) => {
        const own = rows.filter(({ keyId }) => keyId === "busy")
        assert.strictEqual(own.filter(({ calls }) => calls === undefined).length, maxRowsPerDay.refused)
        assert.deepStrictEqual(
          own.flatMap(({ calls }) => calls ?? []),
          [11],
        )
      },
    ),
  )

  it.effect("at the door are one row for each key, minute and result, a millisecond after the minute", () =>
    noting((note, rows) =>
      Effect.gen(function* () {
        yield* note(limited({ requestId: "req_1", latencyMs: 9 }))
        yield* note(limited({ requestId: "req_2", at: noon + minute - 1, latencyMs: 3 }))
        yield* note(limited({ requestId: "req_3", keyId: "key_2" }))
        yield* note(limited({ requestId: "req_4", status: 403, code: "insufficient_scope" }))
        yield* note(limited({ requestId: "req_5", at: noon + minute }))
        yield* TestClock.setTime(noon + minute)
        assert.deepStrictEqual(rows, [])
        yield* TestClock.adjust(1)
        assert.deepStrictEqual(
          rows.map(({ requestId, at, calls, latencyMs, endpoint, paramsHash }) => ({
            ...{ requestId, at, calls, latencyMs, endpoint, paramsHash },
          })),
          [
            { requestId: "req_2", at: noon, calls: 2, latencyMs: 9, endpoint: "spot", paramsHash: "" },
            { requestId: "req_3", at: noon, calls: 1, latencyMs: 5, endpoint: "spot", paramsHash: "" },
            { requestId: "req_4", at: noon, calls: 1, latencyMs: 5, endpoint: "spot", paramsHash: "" },
          ],
        )
        // The one of the next minute at its own end.
        yield* TestClock.adjust(minute)
        assert.deepStrictEqual(
          rows.slice(3).map(({ requestId, calls }) => [requestId, calls]),
          [["req_5", 1]],
        )
      }),
    ),
  )

  it.effect("of several endpoints are under a star, and all are written when the scope ends", () =>
    Effect.gen(function* () {
      const rows = yield* noting((note) =>
        Effect.all([note(limited()), note(limited({ endpoint: "signal" })), note(limited({ endpoint: "signal" }))]),
      )
      assert.deepStrictEqual(
        rows.map(({ endpoint, calls }) => [endpoint, calls]),
        [["*", 3]],
      )
    }),
  )

  it.effect("are counted beyond so many rows of a key in a UTC day, refused and answered apart", () =>
    noting((note, rows) =>
      Effect.gen(function* () {
        for (let n = 0; n < maxRowsPerDay.refused + 2; n++) yield* note(line({ status: 404 }))
        assert.lengthOf(rows, maxRowsPerDay.refused)
        for (const row of [
          line({ status: 399 }),
          line({ status: 404, keyId: "key_2" }),
          line({ charged: MicroUsd(1), status: 500 }),
        ]) {
          yield* note(row)
        }
        assert.lengthOf(rows, maxRowsPerDay.refused + 3)
        // A line of the day before counts to this one; the next day begins anew.
        yield* note(line({ status: 404, at: noon - 12 * 3_600_000 - 1 }))
        yield* note(line({ status: 404, at: noon + 12 * 3_600_000 - 1 }))
        assert.lengthOf(rows, maxRowsPerDay.refused + 3)
        yield* note(line({ status: 404, at: noon + 12 * 3_600_000 }))
        assert.lengthOf(rows, maxRowsPerDay.refused + 4)
      }),
    ),
  )

  it.effect("are all counted while the disk is low", () =>
    Effect.gen(function* () {
      const rows = yield* noting(
        (note, rows) =>
          Effect.gen(function* () {
            yield* note(line())
            yield* note(line({ charged: MicroUsd(1) }))
            assert.lengthOf(rows, 1)
          }),
        () => true,
      )
      assert.lengthOf(rows, 2)
    }),
  )

  it.effect("are written before their minute ends if there are 5,000 counts", () =>
    noting((note, rows) =>
      Effect.gen(function* () {
        for (let n = 0; n < 4_999; n++) yield* note(limited({ keyId: `key_${n}` }))
        assert.lengthOf(rows, 0)
        yield* note(limited({ keyId: "key_4999" }))
        assert.lengthOf(rows, 5_000)
      }),
    ),
  )
})
