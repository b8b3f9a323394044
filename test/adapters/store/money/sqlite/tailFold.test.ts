import { copyFileSync, existsSync, readFileSync, truncateSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as hasher from "../../../../../adapters/runtime/node/hasher.ts"
import * as accountStore from "../../../../../adapters/store/account/AccountStore.ts"
import { Sqlite } from "../../../../../adapters/store/engine/sqlite/client.ts"
import * as sqlite from "../../../../../adapters/store/engine/sqlite/open.ts"
import { folded } from "../../../../../adapters/store/money/sqlite/folded.ts"
import * as ledger from "../../../../../adapters/store/money/sqlite/Ledger.ts"
import { makeTail } from "../../../../../adapters/store/money/sqlite/Tail.ts"
import { backup, restore } from "../../../../../adapters/store/upkeep/backup.ts"
import { check } from "../../../../../adapters/store/upkeep/copy/checks.ts"
import * as End from "../../../../../adapters/store/upkeep/copy/End.ts"
import { AccountStore } from "../../../../../core/account/AccountStore.ts"
import { Ledger } from "../../../../../core/account/Ledger.ts"
import { MicroUsd } from "../../../../../core/account/Money.ts"
import { settlementOf } from "../../../../support/settlement.ts"
import { storeFile, tablesNever } from "../../../../support/store.ts"

const accounts = 7
const perAccount = 300
const price = 10
const credit = 1_000_000
const at = Date.UTC(2026, 10, 15)

const accountOf = (n: number) => `acct_0000000000000000000000000${n}`
const keyOf = (n: number) => `key_0000000000000000000000000${n}`

const open = (file: string) =>
  Effect.map(
    Layer.build(
      Layer.fresh(
        Layer.merge(accountStore.layer, Layer.provide(ledger.layer, hasher.layer)).pipe(
          Layer.provideMerge(sqlite.layer(file)),
          Layer.provide(tablesNever),
        ),
      ),
    ),
    (context) => ({
      context,
      ledger: Context.get(context, Ledger),
      accounts: Context.get(context, AccountStore),
      sql: Context.get(context, SqlClient.SqlClient),
      db: Context.get(context, Sqlite).db,
    }),
  )

type Process = Effect.Effect.Success<ReturnType<typeof open>>

const foldAll = ({ context }: Process) => Effect.flatMap(Effect.provide(folded, context), ({ all }) => all)

const charged = (process: Process, count: number, prefix = "0") =>
  Effect.forEach(
    Arr.range(1, count),
    (n) =>
      process.ledger.settle(
        settlementOf({
          accountId: accountOf(n % accounts),
          keyId: keyOf(n % accounts),
          requestId: `req_${prefix}${String(n).padStart(25, "0")}`,
          micros: price,
          at: at + n,
        }),
      ),
    { concurrency: 40, discard: true },
  )

/** A store whose charges are all in the tail. */
const unfolded = Effect.gen(function* () {
  const file = yield* storeFile
  const process = yield* open(file)
  const { sql } = process
  for (let n = 0; n < accounts; n++) {
    yield* sql`INSERT INTO accounts (id, name, created_at) VALUES (${accountOf(n)}, ${`account ${n}`}, 0)`
    yield* sql`INSERT INTO wallets (account_id, balance_micros) VALUES (${accountOf(n)}, 0)`
    yield* sql`INSERT INTO api_keys (id, account_id, hash, last_four, environment, tier, per_minute, created_at)
      VALUES (${keyOf(n)}, ${accountOf(n)}, ${`hash ${n}`}, '', 'live', 'pro', 600, 0)`
    yield* process.accounts.credit({
      ...{ id: `txn_${String(n).padStart(26, "0")}`, accountId: accountOf(n), micros: MicroUsd(credit), at: 0 },
    })
  }
  yield* sql.unsafe("PRAGMA wal_checkpoint(TRUNCATE)")
  yield* charged(process, accounts * perAccount)
  return { file, process }
})

/** Runs so many slices of a fold, as one that is cut off there. */
const foldSlices = ({ db }: Process, slices: number): boolean => {
  const tail = makeTail(db)
  const [ids, ends] = [tail.accountIds(), tail.ends()]
  let from = 0
  for (let done = 0; done < slices && from < ids.length; done++) {
    db.exec("BEGIN IMMEDIATE")
    from = tail.foldFrom(ids, from, ends)
    db.exec("COMMIT")
  }
  return from === ids.length
}

const exact = (process: Process, calls = perAccount) =>
  Effect.gen(function* () {
    for (let n = 0; n < accounts; n++) {
      assert.strictEqual(yield* process.ledger.balance(accountOf(n)), credit - calls * price)
      assert.strictEqual(yield* process.ledger.accountSpent(accountOf(n), "2026-11"), calls * price)
    }
  })

const sound = (file: string) => Effect.scoped(Effect.flatMap(End.open("DATABASE_URL", { _tag: "Sqlite", file }), check))

/** The file as it is after a power cut: without what the process has in memory. */
const asLeft = (file: string, name: string): string => {
  const to = join(dirname(file), name)
  copyFileSync(file, to)
  if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${to}-wal`)
  return to
}

describe("a tail that is being folded", () => {
  it.scopedLive("is exact at whichever slice the fold is cut off, and its check proves it", () =>
    Effect.gen(function* () {
      for (let cut = 0, isOver = false; !isOver; cut++) {
        const { file, process } = yield* unfolded
        isOver = foldSlices(process, cut)
        const after = yield* open(asLeft(file, "left.db"))
        yield* exact(after)
        const { unfolded: left, charges } = yield* sound(asLeft(file, "checked.db"))
        assert.strictEqual(left + charges, accounts * perAccount)
        assert.strictEqual(left === 0, isOver)
        yield* foldAll(after)
        yield* exact(after)
        assert.deepStrictEqual(yield* after.sql`SELECT count(*) AS n FROM postings WHERE kind = 'charge'`, [
          { n: accounts * perAccount },
        ])
      }
    }),
  )

  it.scopedLive("is whole in a backup, and exact when that is restored", () =>
    Effect.gen(function* () {
      const { file, process } = yield* unfolded
      foldSlices(process, 2)
      const folder = join(dirname(file), "backup")
      const manifest = yield* backup({ store: file, keys: {} }, folder)
      assert.isAbove(manifest.unfolded!, 0)
      yield* charged(process, accounts, "1")
      yield* exact(process, perAccount + 1)
      const restored = join(dirname(file), "restored.db")
      yield* restore(folder, { store: restored, keys: {} })
      const after = yield* open(restored)
      yield* exact(after)
      yield* charged(after, accounts, "2")
      yield* foldAll(after)
      yield* exact(after, perAccount + 1)
    }),
  )

  it.scopedLive("loses whole commits at most where its write-ahead log is torn, and stays sound", () =>
    Effect.gen(function* () {
      const { file, process } = yield* unfolded
      foldSlices(process, 2)
      const size = readFileSync(`${file}-wal`).length
      assert.isAbove(size, 100_000)
      let charges = Number.POSITIVE_INFINITY
      for (const part of [1, 0.98, 0.9, 0.7, 0.4]) {
        const torn = asLeft(file, `torn-${part}.db`)
        if (part === 1) {
          // A sector that was written wrong, near the end.
          const bytes = readFileSync(`${torn}-wal`)
          bytes.fill(0xa5, size - 60_000, size - 59_488)
          writeFileSync(`${torn}-wal`, bytes)
        } else truncateSync(`${torn}-wal`, Math.floor(size * part))
        const after = yield* open(torn)
        const balances = yield* Effect.forEach(Arr.range(0, accounts - 1), (n) => after.ledger.balance(accountOf(n)))
        const spent = accounts * credit - balances.reduce((one, other) => one + other, 0)
        const [row] = yield* after.sql<{ n: number }>`SELECT count(*) AS n FROM audit`
        assert.strictEqual(spent, row!.n * price)
        assert.isAtMost(row!.n, charges)
        if (part < 1) charges = row!.n
        yield* foldAll(after)
        assert.strictEqual((yield* sound(asLeft(torn, `checked-${part}.db`))).charges, row!.n)
      }
      assert.isBelow(charges, accounts * perAccount)
    }),
  )

  it.scopedLive("waits on a full disk, exact all the time, and is folded when there is room", () =>
    Effect.gen(function* () {
      const { process } = yield* unfolded
      const { db } = process
      const pages = db.pragma("page_count", { simple: true }) as number
      db.pragma(`max_page_count = ${pages + 2}`)
      const failed = yield* Effect.either(foldAll(process))
      assert.strictEqual(failed._tag, "Left")
      yield* exact(process)
      db.pragma(`max_page_count = ${pages * 10}`)
      yield* exact(process)
      yield* charged(process, accounts, "1")
      yield* foldAll(process)
      yield* exact(process, perAccount + 1)
      assert.deepStrictEqual(yield* process.sql`SELECT count(*) AS n FROM postings WHERE kind = 'charge'`, [
        { n: accounts * (perAccount + 1) },
      ])
    }),
  )
})
