// Proof: random sequences of two processes.
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import * as Layer from "effect/Layer"
import * as hasher from "../../../../adapters/runtime/node/hasher.ts"
import { Sqlite } from "../../../../adapters/store/engine/sqlite/client.ts"
import * as sqlite from "../../../../adapters/store/engine/sqlite/open.ts"
import { FoldRows, folded } from "../../../../adapters/store/money/sqlite/folded.ts"
import * as ledger from "../../../../adapters/store/money/sqlite/Ledger.ts"
import { makeTail } from "../../../../adapters/store/money/sqlite/Tail.ts"
import { sweepIdempotency } from "../../../../adapters/store/upkeep/sweeps.ts"
import { Ledger } from "../../../../core/account/Ledger.ts"
import { day } from "../../../../core/time.ts"
import { everyRun } from "../../../support/property.ts"
import { settlementOf } from "../../../support/settlement.ts"
import { storeFile } from "../../../support/store.ts"

const runs = Number(process.env["MODEL_RUNS"] ?? 60)

const accountOf = (n: number) => `acct_0000000000000000000000000${n}`
const keyOf = (n: number) => `key_0000000000000000000000000${n}`

/** A process of its own over a store. */
const open = (file: string) =>
  Effect.map(
    Layer.build(
      Layer.fresh(
        Layer.provide(ledger.layer, hasher.layer).pipe(
          Layer.provideMerge(sqlite.layer(file)),
          Layer.provide(Layer.succeed(FoldRows, 1_000_000)),
        ),
      ),
    ),
    (context) => ({
      context,
      ledger: Context.get(context, Ledger),
      sql: Context.get(context, SqlClient.SqlClient),
      db: Context.get(context, Sqlite).db,
    }),
  )

type Process = Effect.Effect.Success<ReturnType<typeof open>>

const foldAll = ({ context }: Process) => Effect.flatMap(Effect.provide(folded, context), ({ all }) => all)

const seeded = ({ sql }: Process, n: number) =>
  Effect.gen(function* () {
    yield* sql`INSERT INTO accounts (id, name, created_at) VALUES (${accountOf(n)}, ${`account ${n}`}, 0)`
    yield* sql`INSERT INTO wallets (account_id, balance_micros) VALUES (${accountOf(n)}, 1000000)`
    yield* sql`INSERT INTO api_keys (id, account_id, hash, last_four, environment, tier, per_minute, created_at)
      VALUES (${keyOf(n)}, ${accountOf(n)}, ${`hash ${n}`}, '', 'live', 'pro', 600, 0)`
  })

interface Keyed {
  readonly account: number
  readonly key: string
  readonly micros: number
  readonly id: string
  readonly at: number
  readonly stored: string
}

const keyed = ({ ledger }: Process, { account, key, micros, id, at, stored }: Keyed) =>
  ledger.settle({
    ...settlementOf({ accountId: accountOf(account), keyId: keyOf(account), requestId: `req_${id}`, micros, at }),
    reply: { key, requestHash: "hash", stored },
  })

/** Bytes of a key in the day of an instant. */
const bytes = ({ sql }: Process, account: number, at: number) =>
  sql<{ charged: number; free: number }>`
    SELECT coalesce(sum(charged), 0) AS charged, coalesce(sum(free), 0) AS free FROM reply_bytes
    WHERE key_id = ${keyOf(account)} AND day = ${Math.floor(at / day)}`

type Operation =
  | {
      readonly _tag: "Keyed"
      readonly process: number
      readonly account: number
      readonly key: number
      readonly micros: number
    }
  | { readonly _tag: "Recall" | "Fold" | "Reopen"; readonly process: number }
  | { readonly _tag: "NextDay"; readonly process: number }

const base = { process: fc.nat(1) }
const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      _tag: fc.constant("Keyed" as const),
      ...base,
      account: fc.nat(1),
      key: fc.nat(5),
      micros: fc.constantFrom(0, 10),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ _tag: fc.constantFrom("Recall" as const, "Fold" as const, "Reopen" as const), ...base }),
  },
  { weight: 1, arbitrary: fc.record({ _tag: fc.constant("NextDay" as const), ...base }) },
)

/** Two processes over one store, against a map. */
const agrees = (operations: ReadonlyArray<Operation>) =>
  Effect.gen(function* () {
    const file = yield* storeFile
    const opened: Array<Process> = [yield* open(file), yield* open(file)]
    for (const n of [0, 1]) yield* seeded(opened[0]!, n)
    const replies = new Map<string, { readonly at: number; readonly stored: string }>()
    const sums = [
      { charged: 0, free: 0 },
      { charged: 0, free: 0 },
    ]
    let now = Date.UTC(2026, 10, 30)
    const recalled = (process: Process) =>
      Effect.forEach(Arr.cartesian([0, 1], Arr.range(0, 5)), ([account, n]) =>
        Effect.gen(function* () {
          // Takes note of what the other process has written, as a settlement does.
          yield* process.ledger.balance(accountOf(account))
          const reply = replies.get(`${account}/${n}`)
          const expected =
            reply === undefined || reply.at <= now - day
              ? undefined
              : { key: `key ${n}`, requestHash: "hash", stored: reply.stored }
          assert.deepStrictEqual(yield* process.ledger.recall(keyOf(account), `key ${n}`, now), expected)
        }),
      )
    for (const [turn, each] of operations.entries()) {
      const process = opened[each.process]!
      now += 1_000
      switch (each._tag) {
        case "Keyed": {
          const { account, key, micros } = each
          const before = replies.get(`${account}/${key}`)
          const isTaken = before !== undefined && before.at > now - day
          const stored = "x".repeat(turn)
          const id = String(turn).padStart(26, "0")
          const verdict = yield* keyed(process, { account, key: `key ${key}`, micros, id, at: now, stored })
          assert.strictEqual(verdict._tag, isTaken ? "Concurrent" : "Settled")
          if (isTaken) break
          replies.set(`${account}/${key}`, { at: now, stored })
          const [row] = yield* process.sql<{ length: number }>`
            SELECT length(stored) AS length FROM idempotency WHERE key_id = ${keyOf(account)} AND at = ${now}`
          sums[account]![micros > 0 ? "charged" : "free"] += 256 + row!.length
          break
        }
        case "Recall":
          yield* recalled(process)
          break
        case "Fold":
          yield* foldAll(process)
          break
        case "Reopen":
          opened[each.process] = yield* open(file)
          break
        case "NextDay":
          now += day
          for (const each of sums) Object.assign(each, { charged: 0, free: 0 })
          yield* Effect.provide(sweepIdempotency(now - day), process.context)
      }
    }
    for (const process of opened) yield* recalled(process)
    const [first] = opened
    yield* foldAll(first!)
    for (const process of [first!, yield* open(file)]) yield* recalled(process)
    for (const n of [0, 1]) assert.deepStrictEqual(yield* bytes(first!, n, now), [sums[n]!])
    // Each row has its name.
    const [{ names, rows }] = (yield* first!.sql<{ names: number; rows: number }>`
      SELECT (SELECT count(*) FROM idempotency_names n JOIN idempotency i ON i.seq = n.seq) AS names,
        (SELECT count(*) FROM idempotency) AS rows`) as [{ names: number; rows: number }]
    assert.strictEqual(names, rows)
  }).pipe(Effect.scoped)

describe("the log of stored replies", () => {
  it(
    "gives each reply again, for two processes, whatever is folded or swept when",
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
        yield* seeded(server, 0)
        const call = (n: number) => ({
          ...{ account: 0, key: `key ${n}`, micros: n % 2, id: String(n).padStart(26, "0"), at: n, stored: "{}" },
        })
        yield* Effect.forEach(Arr.range(1, count), (n) => keyed(server, call(n)), { concurrency: "unbounded" })
        const next = makeTail(server.db).foldingReplies()
        for (let done = 0; done < cut && !isOver; done++) {
          server.db.exec("BEGIN IMMEDIATE")
          isOver = !next()
          server.db.exec("COMMIT")
        }
        const after = yield* open(file)
        assert.strictEqual((yield* keyed(after, call(count)))._tag, "Concurrent")
        assert.isDefined(yield* after.ledger.recall(keyOf(0), "key 1", count))
        assert.isUndefined(yield* after.ledger.recall(keyOf(0), "key 0", count))
        yield* foldAll(after)
        assert.deepStrictEqual(yield* bytes(after, 0, 0), [
          { charged: (count / 2) * (256 + 3), free: (count / 2) * (256 + 4) },
        ])
        assert.strictEqual((yield* keyed(yield* open(file), call(count)))._tag, "Concurrent")
      }
    }),
  )
})
