// Proof: random sequences.
import { assert, describe, it } from "@effect/vitest"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import { getCharges } from "../../../../../adapters/store/money/charge.ts"
import { sweepIdempotency } from "../../../../../adapters/store/upkeep/sweeps.ts"
import { day } from "../../../../../core/time.ts"
import { accountOf, keyOf, type Opened, open, seeded } from "../../../../support/opened.ts"
import { everyRun } from "../../../../support/property.ts"
import { settlementOf } from "../../../../support/settlement.ts"
import { storeFile } from "../../../../support/store.ts"

const runs = Number(process.env["MODEL_RUNS"] ?? 60)

interface Keyed {
  readonly account: number
  readonly key: string
  readonly micros: number
  readonly id: string
  readonly at: number
  readonly stored: string
}

const keyed = ({ ledger }: Opened, { account, key, micros, id, at, stored }: Keyed) =>
  ledger.charge({
    ...settlementOf({ accountId: accountOf(account), keyId: keyOf(account), requestId: `req_${id}`, micros, at }),
    reply: { key, requestHash: "hash", stored },
  })

/** Bytes of a key in the day of an instant. */
const bytes = ({ sql }: Opened, account: number, at: number) =>
  sql<{ charged: number; free: number }>`
    SELECT coalesce(sum(charged), 0) AS charged, coalesce(sum(free), 0) AS free FROM reply_bytes
    WHERE key_id = ${keyOf(account)} AND day = ${Math.floor(at / day)}`

type Operation =
  | {
      readonly _tag: "Keyed"
      readonly account: number
      readonly key: number
      readonly micros: number
    }
  | { readonly _tag: "Recall" | "Fold" | "Reopen" | "NextDay" }

const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      _tag: fc.constant("Keyed" as const),
      account: fc.nat(1),
      key: fc.nat(5),
      micros: fc.constantFrom(0, 10),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ _tag: fc.constantFrom("Recall" as const, "Fold" as const, "Reopen" as const) }),
  },
  { weight: 1, arbitrary: fc.record({ _tag: fc.constant("NextDay" as const) }) },
)

/** A program over a store, which is reopened at random, against a map. */
const agrees = (operations: ReadonlyArray<Operation>) =>
  Effect.gen(function* () {
    const file = yield* storeFile
    let program = yield* open(file)
    for (const n of [0, 1]) yield* seeded(program, n, 1_000_000)
    const replies = new Map<string, { readonly at: number; readonly stored: string }>()
    const sums = [
      { charged: 0, free: 0 },
      { charged: 0, free: 0 },
    ]
    let now = Date.UTC(2026, 10, 30)
    const recalled = (each: Opened) =>
      Effect.forEach(Arr.cartesian([0, 1], Arr.range(0, 5)), ([account, n]) =>
        Effect.gen(function* () {
          const reply = replies.get(`${account}/${n}`)
          const expected =
            reply === undefined || reply.at <= now - day
              ? undefined
              : { key: `key ${n}`, requestHash: "hash", stored: reply.stored }
          assert.deepStrictEqual(yield* each.ledger.recall(keyOf(account), `key ${n}`, now), expected)
        }),
      )
    for (const [turn, each] of operations.entries()) {
      now += 1_000
      switch (each._tag) {
        case "Keyed": {
          const { account, key, micros } = each
          const before = replies.get(`${account}/${key}`)
          const isTaken = before !== undefined && before.at > now - day
          const stored = "x".repeat(turn)
          const id = String(turn).padStart(26, "0")
          const verdict = yield* keyed(program, { account, key: `key ${key}`, micros, id, at: now, stored })
          assert.strictEqual(verdict._tag, isTaken ? "Concurrent" : "Accepted")
          if (isTaken) break
          replies.set(`${account}/${key}`, { at: now, stored })
          const [row] = yield* program.sql<{ length: number }>`
            SELECT length(stored) AS length FROM idempotency WHERE key_id = ${keyOf(account)} AND at = ${now}`
          sums[account]![micros > 0 ? "charged" : "free"] += 256 + row!.length
          break
        }
        case "Recall":
          yield* recalled(program)
          break
        case "Fold":
          yield* program.folds.all
          break
        case "Reopen":
          yield* program.close
          program = yield* open(file)
          break
        case "NextDay":
          now += day
          for (const each of sums) Object.assign(each, { charged: 0, free: 0 })
          yield* Effect.provide(sweepIdempotency(now - day), program.context)
      }
    }
    yield* recalled(program)
    yield* program.folds.all
    yield* recalled(program)
    for (const n of [0, 1]) assert.deepStrictEqual(yield* bytes(program, n, now), [sums[n]!])
    // Each row has its name.
    const [{ names, rows }] = (yield* program.sql<{ names: number; rows: number }>`
      SELECT (SELECT count(*) FROM idempotency_names n JOIN idempotency i ON i.seq = n.seq) AS names,
        (SELECT count(*) FROM idempotency) AS rows`) as [{ names: number; rows: number }]
    assert.strictEqual(names, rows)
  }).pipe(Effect.scoped)

describe("the log of stored replies", () => {
  it(
    "gives each reply again, whatever is folded, swept and opened when",
    {
      timeout: 60_000 + runs * 2_000,
    },
    () => Effect.runPromise(everyRun(fc.array(operation, { maxLength: 40 }), runs, agrees)),
  )

  it.scopedLive("loses and repeats nothing, at whichever slice a fold is cut off", () =>
    Effect.gen(function* () {
      const count = 2_300
      for (let cut = 0, isOver = false; !isOver; cut++) {
        const file = yield* storeFile
        const server = yield* open(file)
        yield* seeded(server, 0, 1_000_000)
        const call = (n: number) => ({
          ...{ account: 0, key: `key ${n}`, micros: n % 2, id: String(n).padStart(26, "0"), at: n, stored: "{}" },
        })
        yield* Effect.forEach(Arr.range(1, count), (n) => keyed(server, call(n)), { concurrency: "unbounded" })
        const next = getCharges(server.db).foldingReplies()
        for (let done = 0; done < cut && !isOver; done++) isOver = !next()
        yield* server.close
        const after = yield* open(file)
        assert.strictEqual((yield* keyed(after, call(count)))._tag, "Concurrent")
        assert.isDefined(yield* after.ledger.recall(keyOf(0), "key 1", count))
        assert.isUndefined(yield* after.ledger.recall(keyOf(0), "key 0", count))
        yield* after.folds.all
        assert.deepStrictEqual(yield* bytes(after, 0, 0), [
          { charged: (count / 2) * (256 + 3), free: (count / 2) * (256 + 4) },
        ])
        yield* after.close
        assert.strictEqual((yield* keyed(yield* open(file), call(count)))._tag, "Concurrent")
      }
    }),
  )
})
