import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Place } from "../../../../adapters/store/engine/opening.ts"
import { copy } from "../../../../adapters/store/upkeep/copy/copy.ts"
import { Agents } from "../../../../core/account/Agents.ts"
import { Ledger } from "../../../../core/account/Ledger.ts"
import { Scoreboard } from "../../../../core/lanes/markets/ports.ts"
import { RecordLog } from "../../../../core/record/log/RecordLog.ts"
import { signCheckpoint } from "../../../../core/record/log/signCheckpoint.ts"
import { SettledStore } from "../../../../core/record/scoreboard/SettledStore.ts"
import { fill, nodeOver, read, trailIsComplete } from "../../../support/filledStore.ts"
import { leaves } from "../../../support/record.ts"
import { settledRow } from "../../../support/settledRows.ts"
import { settlementOf } from "../../../support/settlement.ts"
import type { Spender } from "../../../support/spender.ts"
import { folder, tablesNever } from "../../../support/store.ts"
import { counts, filledIn, newDatabase, run, sqliteIn } from "../../../support/storeCopies.ts"

/** A node goes on: a charge, a leaf, a checkpoint by the same key, a settled row, an event with its delivery. */
const goOn = ([payer, other]: ReadonlyArray<Spender>) =>
  Effect.gen(function* () {
    const ledger = yield* Ledger
    const log = yield* RecordLog
    const sql = yield* SqlClient.SqlClient
    const before = yield* ledger.balance(other!.accountId)
    const at = Date.UTC(2026, 7, 9)
    const agents = yield* Agents
    yield* trailIsComplete
    const last = (yield* agents.audit(other!.agentId, 1_000)).at(-1)!
    const verdict = yield* ledger.settle(settlementOf({ ...other!, requestId: "req_after", micros: 1_000, at }))
    assert.strictEqual(verdict._tag, "Settled")
    assert.strictEqual(yield* ledger.balance(other!.accountId), before - 1_000)
    // A reader goes on after the last row that it has read before the move.
    yield* trailIsComplete
    const trail = yield* agents.audit(other!.agentId, 10, last.requestId)
    assert.deepStrictEqual(
      trail.map(({ requestId }) => requestId),
      ["req_after"],
    )
    const deliveries = sql<{ last: number; n: number }>`SELECT max(seq) AS last, count(*) AS n FROM webhook_deliveries`
    const [known] = yield* deliveries
    yield* Effect.forEach(Array.from({ length: 20 }), (_, n) =>
      ledger.settle(settlementOf({ ...payer!, requestId: `req_cap_${n}`, micros: 1_000, at })),
    )
    const [fresh] = yield* deliveries
    assert.isAbove(fresh!.n, known!.n)
    assert.strictEqual(fresh!.last, known!.last + fresh!.n - known!.n)
    const size = yield* log.size
    assert.deepStrictEqual(yield* log.append(leaves(size, size + 3)), [size, size + 1, size + 2])
    assert.strictEqual((yield* signCheckpoint)?.size, size + 3)
    const row = settledRow({ ticker: "after", settledAt: at, closeTime: at - 1, capturedAt: at - 2 })
    assert.strictEqual(yield* (yield* SettledStore).append([row]), 1)
  })

const late = Date.UTC(2026, 6, 30)
const lateReplies = ({ keyId }: Spender) =>
  Effect.flatMap(Ledger, ({ recall }) =>
    Effect.forEach([0, 1, 2, 3, 4, 5], (n) => recall(keyId, `late ${n}`, late + 1)),
  )

describe("a copy of a store", () => {
  it.scopedLive(
    "has the same rows, books, record and scoreboard there and back, and a node goes on with it",
    () =>
      Effect.gen(function* () {
        const keys = yield* folder
        const [first, second, third] = [sqliteIn(keys, "a"), yield* newDatabase, sqliteIn(keys, "b")]
        const filled = Effect.gen(function* () {
          const payers = yield* fill
          assert.deepStrictEqual(
            (yield* counts).filter(([, rows]) => rows === 0).map(([name]) => name),
            [],
          )
          const state = yield* read(payers)
          assert.deepStrictEqual(
            state.months.map(({ month, exportedAt }) => [month, exportedAt !== undefined]),
            [
              ["2026-06", true],
              ["2026-07", false],
            ],
          )
          assert.isTrue(state.replies.every((reply) => reply?.stored !== undefined))
          return { payers, state, board: yield* (yield* Scoreboard).current }
        })
        const { payers, state, board } = yield* Effect.provide(filled, nodeOver(first, keys))
        const there = yield* copy({ from: first, to: second, keepSource: false })
        assert.isDefined(there.movedAt)
        assert.deepInclude(there.checked, { wallets: 3, leaves: 67, settled: 99 })
        assert.strictEqual(there.checked.checkpoint?.size, 53 + 1)
        const back = yield* copy({ from: second, to: third, keepSource: true })
        assert.deepStrictEqual([back.tables, back.checked], [there.tables, there.checked])
        for (const place of [third, second]) {
          const same = Effect.gen(function* () {
            assert.deepStrictEqual(yield* read(payers), state)
            assert.deepStrictEqual(yield* (yield* Scoreboard).current, board)
            yield* goOn(payers)
          })
          yield* Effect.provide(same, nodeOver(place, keys))
        }
        // What has gone on is copied again.
        const again = yield* copy({ from: second, to: sqliteIn(keys, "c"), keepSource: false })
        assert.strictEqual(again.checked.leaves, 70)
        assert.deepStrictEqual(
          (yield* copy({ from: third, to: yield* newDatabase, keepSource: false })).tables.length,
          again.tables.length,
        )
      }),
    120_000,
  )

  it.scopedLive(
    "takes charges and replies along that are not folded yet, there and back",
    () =>
      Effect.gen(function* () {
        const keys = yield* folder
        const [first, second, third] = [sqliteIn(keys, "a"), yield* newDatabase, sqliteIn(keys, "b")]
        const filled = Effect.gen(function* () {
          const payers = yield* fill
          const ledger = yield* Ledger
          for (let n = 0; n < 5; n++) {
            const remember = { key: `late ${n}`, requestHash: "hash", stored: `answer ${n}` }
            const asked = { ...payers[1]!, requestId: `req_late_${n}`, micros: 1_000, at: late, remember }
            yield* ledger.settle(settlementOf(asked))
          }
          return payers
        })
        const payers = yield* Effect.provide(filled, nodeOver(first, keys, tablesNever))
        const rowsOf = `
          SELECT (SELECT count(*) FROM postings WHERE kind = 'charge') AS charges,
            (SELECT count(*) FROM journal WHERE kind = 'charge') AS journal, (SELECT count(*) FROM idempotency_names) AS names,
            (SELECT count(*) FROM idempotency) AS replies`
        const [before] = yield* run(first, rowsOf)
        assert.isBelow(before!["journal"] as number, before!["charges"] as number)
        assert.isBelow(before!["names"] as number, before!["replies"] as number)
        const there = yield* copy({ from: first, to: second, keepSource: true })
        const back = yield* copy({ from: second, to: third, keepSource: true })
        assert.deepStrictEqual(back.checked, there.checked)
        const charges = before!["charges"]
        for (const place of [second, third]) {
          const rows = yield* run(place, rowsOf.replace("FROM idempotency_names", "FROM idempotency"))
          assert.deepInclude(rows[0], { charges, journal: charges })
        }
        const stateOf = (place: Place) =>
          Effect.provide(Effect.zip(read(payers), lateReplies(payers[1]!)), nodeOver(place, keys, tablesNever))
        const state = yield* stateOf(first)
        assert.deepStrictEqual([yield* stateOf(second), yield* stateOf(third)], [state, state])
      }),
    120_000,
  )

  it.scopedLive(
    "has no month of the audit trail that is being dropped",
    () =>
      Effect.gen(function* () {
        const keys = yield* folder
        const first = yield* filledIn(keys)
        yield* run(first, "UPDATE audit_months SET dropping = 1 WHERE month = '2026-06'")
        const second = yield* newDatabase
        const months = "SELECT (SELECT min(month) FROM audit) AS trail, (SELECT min(month) FROM audit_months) AS month"
        yield* copy({ from: first, to: second, keepSource: true })
        assert.deepStrictEqual<unknown>(yield* run(second, months), [{ trail: "2026-07", month: "2026-07" }])
        yield* run(second, "UPDATE audit_months SET dropping = 1")
        const third = sqliteIn(keys, "b")
        yield* copy({ from: second, to: third, keepSource: true })
        assert.deepStrictEqual<unknown>(yield* run(third, months), [{ trail: null, month: null }])
      }),
    120_000,
  )
})
