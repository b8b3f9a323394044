// Proof: cuts and tears a store wherever it can be.
import { copyFileSync, existsSync, readFileSync, truncateSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import { getCharges } from "../../../../adapters/store/money/charge.ts"
import { check } from "../../../../adapters/store/upkeep/archive/checks.ts"
import { inStore } from "../../../../adapters/store/upkeep/archive/Opened.ts"
import { backup, restore } from "../../../../adapters/store/upkeep/backup.ts"
import { accountOf, charge, keyOf, type Opened, open, price, requestOf, seeded } from "../../../support/opened.ts"
import { settlementOf } from "../../../support/settlement.ts"
import { storeFile } from "../../../support/store.ts"

const accounts = 7
const perAccount = 300
const credit = 1_000_000
const at = Date.UTC(2026, 10, 15)

const charged = (program: Opened, count: number, first = 1, accountCount = accounts) =>
  Effect.forEach(Arr.range(first, first + count - 1), (n) => charge(program, n % accountCount, n, at + n), {
    concurrency: 40,
    discard: true,
  })

/** A store none of whose charges is folded. */
const unfolded = Effect.gen(function* () {
  const file = yield* storeFile
  const program = yield* open(file)
  for (let n = 0; n < accounts; n++) yield* seeded(program, n, credit)
  yield* program.sql.unsafe("PRAGMA wal_checkpoint(TRUNCATE)")
  yield* charged(program, accounts * perAccount)
  return { file, program }
})

/** Runs so many slices of a fold, as one that is cut off there; returns whether that was all. */
const foldSlices = ({ db }: Opened, slices: number): boolean => {
  const next = getCharges(db).folding()
  for (let done = 0; done < slices; done++) if (!next()) return true
  return false
}

const exact = ({ ledger }: Opened, calls = perAccount) =>
  Effect.gen(function* () {
    for (let n = 0; n < accounts; n++) {
      assert.strictEqual(yield* ledger.balance(accountOf(n)), credit - calls * price)
      assert.strictEqual(yield* ledger.accountSpent(accountOf(n), "2026-11"), calls * price)
    }
  })

/** The tables alone have each call once. */
const tables = ({ sql, db }: Opened, calls: number) =>
  Effect.gen(function* () {
    const [row] = yield* sql<Record<string, number>>`
      SELECT (SELECT sum(${credit} - balance_micros) FROM wallets) AS paid, (SELECT sum(micros) FROM key_spend) AS spent,
        (SELECT count(*) FROM audit_index) AS places,
        (SELECT sum(calls) FROM usage_sums WHERE kind = 'key') AS calls,
        (SELECT sum(charged_micros) FROM usage_sums WHERE kind = 'status') AS used,
        (SELECT seq FROM places WHERE name = 'folded') AS folded`
    const paid = calls * price
    assert.deepStrictEqual(row, { paid, spent: paid, places: calls, calls, used: paid, folded: calls })
    assert.strictEqual(getCharges(db).size(), 0)
  })

const sound = (file: string) => inStore({ _tag: "Sqlite", file }, "check", check)

/** The file as it is after a power cut: without what the program has in memory. */
const asLeft = (file: string, name: string): string => {
  const to = join(dirname(file), name)
  copyFileSync(file, to)
  if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${to}-wal`)
  return to
}

describe("a fold of charges", () => {
  it.scopedLive("is exact at whichever slice it is cut off, and its check proves it", () =>
    Effect.gen(function* () {
      for (let cut = 0, isOver = false; !isOver; cut++) {
        const { file, program } = yield* unfolded
        isOver = foldSlices(program, cut)
        yield* exact(program)
        const after = yield* open(asLeft(file, "left.db"))
        yield* exact(after)
        const { unfolded: left, charges } = yield* sound(asLeft(file, "checked.db"))
        assert.strictEqual(left + charges, accounts * perAccount)
        assert.strictEqual(left === 0, isOver)
        yield* after.folds.all
        yield* exact(after)
        yield* tables(after, accounts * perAccount)
      }
    }),
  )

  it.scopedLive("that fails at any statement has changed nothing, here and in the store", () =>
    Effect.gen(function* () {
      const { file, program } = yield* unfolded
      const { db } = program
      const events = [
        ["UPDATE ON wallets", 3],
        ["INSERT ON key_spend", 2],
        ["INSERT ON audit_index", 450],
        ["UPDATE OF last_used_at ON api_keys", 2],
        ["INSERT ON usage_sums", 5],
        ["UPDATE ON places", 1],
      ] as const
      for (const [event, time] of events) {
        db.exec(`CREATE TEMP TABLE times (n INTEGER); INSERT INTO times VALUES (0);
          CREATE TEMP TRIGGER cut BEFORE ${event} BEGIN
            UPDATE times SET n = n + 1; SELECT RAISE(ABORT, 'cut') FROM times WHERE n >= ${time}; END`)
        assert.strictEqual((yield* Effect.exit(program.folds.all))._tag, "Failure", event)
        yield* Effect.exit(program.folds.flush(accountOf(3)))
        yield* exact(program)
        yield* exact(yield* open(asLeft(file, `left after ${event}.db`)))
        db.exec("DROP TRIGGER cut; DROP TABLE times")
      }
      yield* program.folds.all
      yield* tables(program, accounts * perAccount)
    }),
  )

  it.scopedLive("of one account is out of turn, as often as somebody looks", () =>
    Effect.gen(function* () {
      const { file, program } = yield* unfolded
      const next = getCharges(program.db).folding()
      next()
      // The last account is before its turn, and the first has new rows behind it.
      yield* charged(program, accounts, accounts * perAccount + 1)
      for (const account of [6, 0, 0]) {
        yield* program.folds.flush(accountOf(account))
        const wallets = yield* program.sql`SELECT balance_micros FROM wallets WHERE account_id = ${accountOf(account)}`
        assert.deepStrictEqual(wallets, [{ balance_micros: credit - (perAccount + 1) * price }])
      }
      yield* exact(yield* open(asLeft(file, "left.db")), perAccount + 1)
      while (next());
      yield* exact(yield* open(asLeft(file, "later.db")), perAccount + 1)
      yield* program.folds.all
      yield* tables(program, accounts * (perAccount + 1))
    }),
  )

  it.scopedLive("is whole in a backup, and exact when that is restored", () =>
    Effect.gen(function* () {
      const { file, program } = yield* unfolded
      foldSlices(program, 2)
      const folder = join(dirname(file), "backup")
      const manifest = yield* backup({ store: file, keys: {} }, folder)
      assert.isAbove(manifest.unfolded!, 0)
      yield* charged(program, accounts, 10_001)
      yield* exact(program, perAccount + 1)
      const restored = join(dirname(file), "restored.db")
      yield* restore(folder, { store: restored, keys: {} })
      const after = yield* open(restored)
      yield* exact(after)
      yield* charged(after, accounts, 20_001)
      yield* after.folds.all
      yield* exact(after, perAccount + 1)
    }),
  )

  it.scopedLive("and a start lose whole batches at most where the write-ahead log is torn", () =>
    Effect.gen(function* () {
      const { file, program } = yield* unfolded
      foldSlices(program, 2)
      yield* charged(program, 35, accounts * perAccount + 1)
      const size = readFileSync(`${file}-wal`).length
      assert.isAbove(size, 100_000)
      let charges = Number.POSITIVE_INFINITY
      // The last batch without its last byte; then more of the file is missing.
      for (const part of [0, 1, 0.98, 0.9, 0.7, 0.4]) {
        const torn = asLeft(file, `torn-${part}.db`)
        if (part === 1) {
          // A sector that was written wrong, near the end.
          const bytes = readFileSync(`${torn}-wal`)
          bytes.fill(0xa5, size - 60_000, size - 59_488)
          writeFileSync(`${torn}-wal`, bytes)
        } else truncateSync(`${torn}-wal`, part === 0 ? size - 1 : Math.floor(size * part))
        const after = yield* open(torn)
        const balances = yield* Effect.forEach(Arr.range(0, accounts - 1), (n) => after.ledger.balance(accountOf(n)))
        const spent = accounts * credit - balances.reduce((one, other) => one + other, 0)
        const [row] = yield* after.sql<{ n: number }>`SELECT count(*) AS n FROM audit`
        assert.strictEqual(spent, row!.n * price)
        assert.isBelow(row!.n, accounts * perAccount + 35)
        assert.isAtMost(row!.n, charges)
        if (part > 0 && part < 1) charges = row!.n
        yield* after.folds.all
        yield* tables(after, row!.n)
        assert.strictEqual((yield* sound(asLeft(torn, `checked-${part}.db`))).charges, row!.n)
      }
      assert.isBelow(charges, accounts * perAccount)
    }),
  )

  it.scopedLive("waits on a full disk, exact all the time, and is done when there is room", () =>
    Effect.gen(function* () {
      const { program } = yield* unfolded
      const { db } = program
      const pages = db.pragma("page_count", { simple: true }) as number
      db.pragma(`max_page_count = ${pages + 2}`)
      const failed = yield* Effect.either(program.folds.all)
      assert.strictEqual(failed._tag, "Left")
      yield* exact(program)
      db.pragma(`max_page_count = ${pages * 10}`)
      yield* exact(program)
      yield* charged(program, accounts, accounts * perAccount + 1)
      yield* program.folds.all
      yield* tables(program, accounts * (perAccount + 1))
    }),
  )

  it.scopedLive("counts each charge in the month of its call, though the clock goes over a month's end and back", () =>
    Effect.gen(function* () {
      const file = yield* storeFile
      const program = yield* open(file)
      yield* seeded(program, 0, credit)
      const [october, november] = [Date.UTC(2026, 9, 31, 23, 59, 59, 990), Date.UTC(2026, 10, 1)]
      const times = [october, november, october + 5, november + 5, Date.UTC(2026, 8, 1), november + 9, october + 9]
      for (const [n, time] of times.entries()) yield* charge(program, 0, n, time)
      const spent = (each: Opened) =>
        Effect.forEach(["2026-09", "2026-10", "2026-11"], (month) => each.ledger.accountSpent(accountOf(0), month))
      const expected = [1, 3, 3].map((count) => count * price)
      assert.deepStrictEqual(yield* spent(program), expected)
      const later = yield* open(asLeft(file, "left.db"))
      assert.deepStrictEqual(yield* spent(later), expected)
      yield* later.folds.all
      assert.deepStrictEqual(yield* spent(later), expected)
      assert.deepStrictEqual(
        yield* later.sql`SELECT month, micros FROM key_spend WHERE key_id = ${keyOf(0)} ORDER BY month`,
        [1, 3, 3].map((count, n) => ({ month: `2026-${String(9 + n).padStart(2, "0")}`, micros: count * price })),
      )
    }),
  )
})

describe("a batch", () => {
  it.scopedLive("that is undone leaves no charge, and no number of its rows", () =>
    Effect.gen(function* () {
      const { file, program } = yield* unfolded
      const one = settlementOf({
        accountId: accountOf(0),
        keyId: keyOf(0),
        requestId: requestOf(90_000),
        micros: 1,
        at,
      })
      program.db.exec("CREATE TEMP TRIGGER cut BEFORE INSERT ON audit_rows BEGIN SELECT RAISE(ABORT, 'cut'); END")
      const failed = yield* Effect.exit(program.ledger.charge({ ...one, audit: { ...one.audit, endpoint: "other" } }))
      assert.strictEqual(failed._tag, "Failure")
      yield* exact(program)
      program.db.exec("DROP TRIGGER cut")
      yield* program.ledger.charge({ ...one, audit: { ...one.audit, endpoint: "other" } })
      const [row] = yield* program.sql<{ n: number }>`SELECT count(*) AS n FROM audit WHERE endpoint = 'other'`
      assert.strictEqual(row!.n, 1)
      const left = yield* open(asLeft(file, "left.db"))
      assert.strictEqual(yield* left.ledger.balance(accountOf(0)), credit - perAccount * price - 1)
    }),
  )
})
