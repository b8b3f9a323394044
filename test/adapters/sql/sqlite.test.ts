import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient"
import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { migrations, oldest } from "../../../adapters/sql/migrations/mod.ts"
import * as sqlite from "../../../adapters/sql/sqlite.ts"
import { inTransaction } from "../../../adapters/sql/storage.ts"
import { Accounts } from "../../../core/account/Accounts.ts"
import { Keyring } from "../../../core/account/Keyring.ts"
import { Ledger } from "../../../core/account/Ledger.ts"
import { MicroUsd } from "../../../core/account/Money.ts"
import { PlatformCrypto } from "../../../core/account/PlatformCrypto.ts"
import { type Failure, fail } from "../../../core/Failure.ts"
import * as processes from "../../support/processes.ts"
import { charge as settle } from "../../support/settlement.ts"
import { accountsOver, folder, makeFolder, removeFolder, storeFile } from "../../support/store.ts"

const storeProcess = "test/support/storeProcess.ts"

/** Runs against a store and closes it. */
const using = <A, E>(file: string, effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.provide(effect, Layer.fresh(sqlite.layer(file)))

/** Runs against a database as any other program would: no migrations, SQLite's own settings. */
const withOther = <A, E>(file: string, effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.provide(effect, Layer.fresh(SqliteClient.layer({ filename: file })))

/** Another program's connection to a store that is open. */
const otherClient = (file: string) =>
  Effect.map(Layer.build(SqliteClient.layer({ filename: file })), (context) =>
    Context.get(context, SqlClient.SqlClient),
  )

const rowsOf = (statement: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe<Record<string, unknown>>(statement))

const valueOf = (statement: string) => Effect.map(rowsOf(statement), ([row]) => Object.values(row ?? {})[0])

/** Every table, its definition and its rows. */
const dump = Effect.gen(function* () {
  const schema = yield* rowsOf("SELECT * FROM sqlite_master ORDER BY name")
  const tables = schema.filter(({ type }) => type === "table")
  const rows = yield* Effect.forEach(tables, ({ name }) => rowsOf(`SELECT * FROM "${name}" ORDER BY 1`))
  return { schema, rows }
})

const defectOf = (exit: Exit.Exit<unknown, unknown>): string =>
  Exit.isFailure(exit) ? Cause.pretty(exit.cause, { renderErrorCause: true }) : ""

/** An account with two keys, ten dollars and one charge, and one climate report. */
const populated = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`INSERT INTO accounts ${sql.insert({ id: "acct_1", name: "one", created_at: 1 })}`
  yield* sql`INSERT INTO wallets ${sql.insert({ account_id: "acct_1", balance_micros: 9_000_000 })}`
  yield* sql`INSERT INTO api_keys ${sql.insert(key)}`
  yield* sql`INSERT INTO journal ${sql.insert({ ...posting, id: "txn_1", kind: "credit", debit: "cash", credit: "wallet:acct_1", micros: 10_000_000 })}`
  yield* sql`INSERT INTO journal ${sql.insert(posting)}`
  yield* sql`INSERT INTO climate_reports ${sql.insert(report)}`
})

const key = {
  id: "key_1",
  account_id: "acct_1",
  hash: "a".repeat(64),
  last_four: "wxyz",
  environment: "live",
  tier: "indie",
  per_minute: 60,
  created_at: 1,
}
const posting = {
  id: "req_1",
  at: 2,
  kind: "charge",
  account_id: "acct_1",
  debit: "wallet:acct_1",
  credit: "revenue",
  micros: 1_000_000,
}
const report = {
  station: "KNYC",
  day: "2026-07-08",
  product_id: "202607090626-KOKX-CDUS41-CLINYC",
  issued_at: 3,
  status: "final",
  source: "test",
  received_at: 4,
  headline: "CENTRAL PARK NY",
  correction: 0,
  flags: "",
  text: "…",
}

const inserted = (table: string, row: Record<string, unknown>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`INSERT INTO ${sql(table)} ${sql.insert(row as never)}`)

describe("an opened store", () => {
  const pragmas = { journal_mode: "wal", synchronous: 2, foreign_keys: 1, busy_timeout: 10, recursive_triggers: 1 }
  const inForce = Effect.map(
    Effect.forEach(Object.keys(pragmas), (name) => Effect.map(valueOf(`PRAGMA ${name}`), (value) => [name, value])),
    Object.fromEntries,
  )

  it.scoped("is durable and strict, made new and reopened", () =>
    Effect.gen(function* () {
      const file = yield* storeFile
      assert.deepStrictEqual(yield* using(file, inForce), pragmas, "new")
      assert.deepStrictEqual(yield* using(file, inForce), pragmas, "reopened")
    }),
  )

  it.effect("is strict in memory too", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* using(":memory:", inForce), { ...pragmas, journal_mode: "memory" })
    }),
  )

  it("declares migrations that ascend from the first release's without a gap", () => {
    assert.deepStrictEqual(
      migrations.map(([id]) => id),
      migrations.map((_, index) => oldest + index),
    )
    assert.strictEqual(new Set(migrations.map(([, name]) => name)).size, migrations.length)
  })

  it.scoped("has applied every declared migration, once", () =>
    Effect.gen(function* () {
      const file = yield* storeFile
      const applied = Effect.map(rowsOf("SELECT migration_id, name FROM migrations ORDER BY migration_id"), (rows) =>
        rows.map(({ migration_id, name }) => [migration_id, name]),
      )
      const declared = migrations.map(([id, name]) => [id, name])
      assert.deepStrictEqual(yield* using(file, applied), declared)
      assert.deepStrictEqual(yield* using(file, applied), declared)
    }),
  )

  it.scoped("is not changed by opening it again", () =>
    Effect.gen(function* () {
      const file = yield* storeFile
      const before = yield* using(file, Effect.zipRight(populated, dump))
      assert.isAbove(before.rows.flat().length, 6)
      assert.deepStrictEqual(yield* using(file, dump), before)
    }),
  )

  it("is whole for each of several programs that open it new at the same moment", { timeout: 30_000 }, async () => {
    const path = makeFolder()
    const openers = Array.from({ length: 3 }, () => processes.start(storeProcess, ["open"]))
    try {
      await Promise.all(openers.map((opener) => opener.linesUntil(1)))
      for (let round = 1; round <= 20; round++) {
        for (const { process } of openers) process.stdin.write(`${path}/${round}.db\n`)
        const said = await Promise.all(openers.map(async (opener) => (await opener.linesUntil(round + 1)).at(-1)))
        assert.deepStrictEqual(said, ["open", "open", "open"], `round ${round}`)
      }
    } finally {
      for (const { process } of openers) process.stdin.end()
      await Promise.all(openers.map(({ ended }) => ended))
      removeFolder(path)
    }
  })

  const unusable: ReadonlyArray<
    readonly [name: string, make: (path: string) => string, reason: string, message: RegExp]
  > = [
    [
      "a folder that cannot be made",
      (path) => {
        writeFileSync(join(path, "file"), "")
        return join(path, "file", "below", "store.db")
      },
      "open",
      /^Cannot create the folder of \/.*\/store\.db: ENOTDIR/,
    ],
    [
      "a file that is no database",
      (path) => {
        writeFileSync(join(path, "notes.txt"), "Not a database, whatever its name.\n".repeat(200), { mode: 0o600 })
        return join(path, "notes.txt")
      },
      "open",
      /^Cannot use \/.*\/notes\.txt: file is not a database\.$/,
    ],
    [
      "a folder",
      (path) => {
        mkdirSync(join(path, "folder"))
        return join(path, "folder")
      },
      "open",
      /^Cannot open \/.*\/folder: unable to open database file\.$/,
    ],
  ]
  for (const [name, make, reason, message] of unusable) {
    it.scoped(`cannot be ${name}`, () =>
      Effect.gen(function* () {
        const file = make(yield* folder)
        const error = yield* Effect.flip(using(file, Effect.void))
        assert.instanceOf(error, sqlite.StoreError)
        assert.strictEqual(error.reason, reason)
        assert.match(error.message, message)
        assert.isDefined(error.cause)
      }),
    )
  }

  it.scoped("is not made out of another program's database, which stays as it is", () =>
    Effect.gen(function* () {
      const file = yield* storeFile
      const before = yield* withOther(
        file,
        Effect.gen(function* () {
          yield* rowsOf("CREATE TABLE journal (colour TEXT)")
          yield* rowsOf("INSERT INTO journal VALUES ('green')")
          return yield* dump
        }),
      )
      chmodSync(file, 0o600)
      const error = yield* Effect.flip(using(file, Effect.void))
      assert.instanceOf(error, sqlite.StoreError)
      assert.strictEqual(error.reason, "migrate")
      assert.match(error.message, /^Cannot migrate \/.*\/store\.db: table journal already exists\.$/)
      assert.deepStrictEqual(yield* withOther(file, dump), before)
    }),
  )
})

describe("the schema", () => {
  const refused = (name: string, effect: Effect.Effect<unknown, unknown, SqlClient.SqlClient>, message: RegExp) =>
    it.effect(name, () =>
      using(
        ":memory:",
        Effect.gen(function* () {
          yield* populated
          const before = yield* dump
          const exit = yield* Effect.exit(effect)
          assert.match(defectOf(exit), message)
          assert.deepStrictEqual(yield* dump, before)
        }),
      ),
    )

  it.effect("has append-only tables: money, the record, what is scored, and what the weather model learned", () =>
    using(
      ":memory:",
      Effect.gen(function* () {
        const tables = yield* rowsOf(`
          SELECT tbl_name AS name FROM sqlite_schema
          WHERE type = 'trigger' AND name IN (tbl_name || '_no_update', tbl_name || '_no_delete')
            AND sql LIKE '% BEFORE ' || substr(name, -6) || ' ON ' || tbl_name || '%BEGIN SELECT RAISE(ABORT, %'
          GROUP BY 1 HAVING COUNT(*) = 2 ORDER BY 1`)
        assert.deepStrictEqual(
          tables.map(({ name }) => name),
          [
            ...["capture_outcomes", "captured_contracts", "captures", "climate_days_no_report", "climate_reports"],
            ...["journal", "outbox", "record_checkpoints", "record_inputs", "record_leaves", "settled_rows"],
            ...["temperature_calibrations", "temperature_forecasts", "temperature_residuals", "temperature_steps"],
          ],
        )
      }),
    ),
  )

  describe("refuses to change what is append-only", () => {
    const statements: ReadonlyArray<readonly [table: string, statement: string]> = [
      ["journal", "UPDATE journal SET micros = micros + 1"],
      ["journal", "UPDATE journal SET endpoint = 'x' WHERE id = 'req_1'"],
      ["journal", "DELETE FROM journal"],
      ["journal", "DELETE FROM journal WHERE id = 'req_1'"],
      ["journal", "INSERT OR REPLACE INTO journal SELECT * FROM journal WHERE id = 'req_1'"],
      ["climate_reports", "UPDATE climate_reports SET high_f = 100"],
      ["climate_reports", "DELETE FROM climate_reports"],
      ["climate_reports", "INSERT OR REPLACE INTO climate_reports SELECT * FROM climate_reports"],
    ]
    for (const [table, statement] of statements) {
      refused(statement, rowsOf(statement), new RegExp(`${table} is append-only`))
    }
  })

  describe("refuses rows that cannot be true", () => {
    const rows: ReadonlyArray<readonly [name: string, table: string, row: Record<string, unknown>, message: RegExp]> = [
      ["a charge of nothing", "journal", { ...posting, id: "x", micros: 0 }, /CHECK constraint failed: micros > 0/],
      ["a charge below nothing", "journal", { ...posting, id: "x", micros: -1 }, /CHECK constraint failed: micros > 0/],
      [
        "a posting from a ledger to itself",
        "journal",
        { ...posting, id: "x", credit: posting.debit },
        /CHECK constraint failed: credit <> debit/,
      ],
      ["an unknown kind of posting", "journal", { ...posting, id: "x", kind: "gift" }, /CHECK constraint failed: kind/],
      ["a posting twice", "journal", posting, /UNIQUE constraint failed: journal\.account_id, journal\.id/],
      ["a posting without an id", "journal", { ...posting, id: null }, /NOT NULL constraint failed: journal\.id/],
      ["an unknown environment", "api_keys", { ...key, id: "x", hash: "x", environment: "prod" }, /CHECK constraint/],
      [
        "a key without calls",
        "api_keys",
        { ...key, id: "x", hash: "x", per_minute: 0 },
        /CHECK constraint failed: per/,
      ],
      ["a hash twice", "api_keys", { ...key, id: "x" }, /UNIQUE constraint failed: api_keys\.hash/],
      ["a name twice", "accounts", { id: "x", name: "one", created_at: 1 }, /UNIQUE constraint failed: accounts\.name/],
      ["a second wallet", "wallets", { account_id: "acct_1", balance_micros: 0 }, /UNIQUE constraint failed: wallets/],
      [
        "an unknown status",
        "climate_reports",
        { ...report, day: "x", status: "draft" },
        /CHECK constraint failed: sta/,
      ],
      ["half a correction", "climate_reports", { ...report, day: "x", correction: 2 }, /CHECK constraint failed: corr/],
    ]
    for (const [name, table, row, message] of rows) refused(name, inserted(table, row), message)
    refused(
      "a balance below zero",
      rowsOf("UPDATE wallets SET balance_micros = balance_micros - 9000001"),
      /CHECK constraint failed: balance_micros >= 0/,
    )
  })

  describe("refuses rows that belong to nobody", () => {
    const rows: ReadonlyArray<readonly [table: string, row: Record<string, unknown>]> = [
      ["api_keys", { ...key, id: "x", hash: "x", account_id: "acct_2" }],
      ["wallets", { account_id: "acct_2", balance_micros: 0 }],
      ["journal", { ...posting, id: "x", account_id: "acct_2" }],
      ["journal", { ...posting, id: "x", key_id: "key_2" }],
    ]
    for (const [table, row] of rows) {
      refused(`${table} ${JSON.stringify(row)}`, inserted(table, row), /FOREIGN KEY constraint failed/)
    }
    refused("an account that still has rows", rowsOf("DELETE FROM accounts"), /FOREIGN KEY constraint failed/)
  })
})

describe("a transaction", () => {
  const account = (n: number) => inserted("accounts", { id: `acct_${n}`, name: `${n}`, created_at: n })
  const names = Effect.map(rowsOf("SELECT name FROM accounts ORDER BY name"), (rows) => rows.map(({ name }) => name))
  const transact = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.flatMap(SqlClient.SqlClient, (sql) => inTransaction(sql, effect))

  it.effect("cannot be opened inside another one, and takes that one with it", () =>
    using(
      ":memory:",
      Effect.gen(function* () {
        const exit = yield* Effect.exit(transact(Effect.zipRight(account(1), transact(account(2)))))
        assert.match(defectOf(exit), /A transaction must not be opened inside another one/)
        assert.deepStrictEqual(yield* names, [])
        yield* transact(account(3))
        assert.deepStrictEqual(yield* names, ["3"])
      }),
    ),
  )

  const endings: ReadonlyArray<readonly [name: string, ending: Effect.Effect<unknown, unknown, SqlClient.SqlClient>]> =
    [
      ["a failure", Effect.fail(fail("not_found"))],
      ["a defect", Effect.die(new Error("bug"))],
      ["an interruption", Effect.interrupt],
      ["a statement that is refused", Effect.zipRight(account(3), account(1))],
    ]
  for (const [name, ending] of endings) {
    it.effect(`is rolled back whole by ${name}`, () =>
      using(
        ":memory:",
        Effect.gen(function* () {
          const exit = yield* Effect.exit(transact(Effect.zipRight(Effect.zipRight(account(1), account(2)), ending)))
          assert.isTrue(Exit.isFailure(exit))
          assert.deepStrictEqual(yield* names, [])
          yield* transact(account(4))
          assert.deepStrictEqual(yield* names, ["4"])
        }),
      ),
    )
  }

  it.effect("passes a failure on as it is", () =>
    using(
      ":memory:",
      Effect.gen(function* () {
        const failure = fail("not_found")
        assert.strictEqual(yield* Effect.flip(transact(Effect.zipRight(account(1), failure))), failure)
      }),
    ),
  )

  it.effect("whose commit fails leaves nothing open", () =>
    using(
      ":memory:",
      Effect.gen(function* () {
        const orphan = inserted("wallets", { account_id: "nobody", balance_micros: 1 })
        const exit = yield* Effect.exit(transact(Effect.zipRight(rowsOf("PRAGMA defer_foreign_keys = ON"), orphan)))
        assert.match(defectOf(exit), /FOREIGN KEY constraint failed/)
        assert.strictEqual(yield* valueOf("SELECT COUNT(*) FROM wallets"), 0)
        yield* transact(account(1))
        assert.deepStrictEqual(yield* names, ["1"])
      }),
    ),
  )

  it.effect("in a full store is refused as such, until there is room again", () =>
    using(
      ":memory:",
      Effect.gen(function* () {
        const pages = yield* valueOf("PRAGMA page_count")
        yield* rowsOf(`PRAGMA max_page_count = ${pages}`)
        const fill = Effect.forEach(
          Array.from({ length: 1_000 }, (_, n) => n),
          (n) => transact(account(n)),
        )
        const failure = yield* Effect.flip(fill)
        assert.strictEqual((failure as Failure).code, "storage_unavailable")
        const before = yield* names
        assert.strictEqual(((yield* Effect.flip(transact(account(5_000)))) as Failure).code, "storage_unavailable")
        assert.deepStrictEqual(yield* names, before)
        yield* rowsOf("PRAGMA max_page_count = 10000")
        yield* transact(account(5_000))
        assert.strictEqual((yield* names).length, before.length + 1)
      }),
    ),
  )

  it.scoped("keeps other programs from writing from its beginning, so that what it has read stays true", () =>
    Effect.gen(function* () {
      const file = yield* storeFile
      yield* using(
        file,
        Effect.gen(function* () {
          const other = yield* otherClient(file)
          yield* other.unsafe("PRAGMA busy_timeout = 0")
          const intrusion = other.unsafe("INSERT INTO accounts VALUES ('acct_9', '9', 9)")
          yield* transact(
            Effect.gen(function* () {
              assert.deepStrictEqual(yield* names, [])
              // Run on its own: within a transaction every client's statements go to that transaction's connection.
              const exit = yield* Effect.promise(() => Effect.runPromiseExit(intrusion))
              assert.match(defectOf(exit), /database is locked/)
              yield* account(1)
            }),
          )
          yield* intrusion
          assert.deepStrictEqual(yield* names, ["1", "9"])
        }).pipe(Effect.scoped),
      )
    }),
  )

  it.effect("is alone: others and single statements wait", () =>
    using(
      ":memory:",
      Effect.gen(function* () {
        yield* account(0)
        const increment = Effect.gen(function* () {
          const value = Number(yield* valueOf("SELECT created_at FROM accounts"))
          yield* Effect.yieldNow()
          yield* rowsOf(`UPDATE accounts SET created_at = ${value + 1}`)
        })
        const failing = transact(
          Effect.gen(function* () {
            yield* rowsOf("UPDATE accounts SET created_at = created_at + 1000")
            yield* Effect.yieldNow()
            return yield* fail("not_found")
          }),
        ).pipe(Effect.flip)
        const single = rowsOf("UPDATE accounts SET created_at = created_at + 1")
        const fibers = yield* Effect.forEach(
          Array.from({ length: 50 }).flatMap(() => [transact(increment), failing, single]),
          (each: Effect.Effect<unknown, unknown, SqlClient.SqlClient>) => Effect.fork(each),
        )
        yield* Effect.forEach(fibers, Fiber.join)
        assert.strictEqual(yield* valueOf("SELECT created_at FROM accounts"), 100)
      }),
    ),
  )
})

describe("a store that another program has locked", () => {
  it.scoped("is read as before, answers writes with storage_unavailable, and works again when it is free", () =>
    Effect.gen(function* () {
      const file = yield* storeFile
      yield* Effect.gen(function* () {
        const accounts = yield* Accounts
        const ledger = yield* Ledger
        const keyring = yield* Keyring
        const secrets = yield* PlatformCrypto
        const { id } = yield* accounts.create("one")
        yield* accounts.credit(id, MicroUsd(10))
        const { key, plaintext } = yield* accounts.issueKey({ account: id, environment: "live", tier: "indie" })
        const hash = yield* secrets.sha256(Redacted.value(plaintext))
        const before = yield* dump
        const charge = Effect.provideService(
          settle({ accountId: id, keyId: key.id, requestId: "req_1", micros: 1, at: 1 }),
          Ledger,
          ledger,
        )
        const writes = {
          charge,
          credit: accounts.credit(id, MicroUsd(1)),
          create: accounts.create("two"),
          issueKey: accounts.issueKey({ account: id, environment: "test", tier: "pro" }),
          revokeKey: accounts.revokeKey(key.id),
        }

        const other = yield* otherClient(file)
        yield* other.unsafe("BEGIN IMMEDIATE")
        for (const [name, write] of Object.entries<Effect.Effect<unknown, Failure>>(writes)) {
          const failure = yield* Effect.flip(write)
          assert.strictEqual(failure.code, "storage_unavailable", name)
          assert.strictEqual(failure.status, 503, name)
          assert.strictEqual(failure.retryAfterMs, 1_000, name)
        }
        assert.strictEqual(yield* ledger.balance(id), 10)
        assert.strictEqual((yield* keyring.find(hash))?.keyId, key.id)
        assert.deepStrictEqual(yield* dump, before)

        yield* other.unsafe("ROLLBACK")
        for (const write of Object.values<Effect.Effect<unknown, Failure>>(writes)) yield* write
        assert.strictEqual(yield* ledger.balance(id), 10)
        assert.strictEqual((yield* accounts.journal(id, 10)).length, 3)
      }).pipe(Effect.scoped, Effect.provide(accountsOver(file, { busyTimeoutMs: 20 })))
    }),
  )
})

describe("the server lock", () => {
  it.scoped("has one holder for each store, until its scope closes", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const [one, two] = [join(path, "one.db"), join(path, "below", "two.db")]
      const free = (file: string) => Effect.provide(Effect.void, Layer.fresh(sqlite.serverLock(file)))
      yield* Effect.provide(
        Effect.gen(function* () {
          const refused = yield* Effect.flip(free(one))
          assert.instanceOf(refused, sqlite.StoreError)
          assert.strictEqual(refused.reason, "in-use")
          assert.strictEqual(
            refused.message,
            `Another server is running on ${one}. Stop it, or give this one its own DATABASE_URL.`,
          )
          yield* free(two)
          // The command line works while a server runs.
          yield* using(one, populated)
        }),
        Layer.fresh(sqlite.serverLock(one)),
      )
      yield* free(one)
    }),
  )

  it.effect("is not needed in memory", () =>
    Effect.provide(
      Effect.provide(Effect.void, Layer.fresh(sqlite.serverLock(":memory:"))),
      Layer.fresh(sqlite.serverLock(":memory:")),
    ),
  )

  it.scoped("that cannot be taken for another reason says so", () =>
    Effect.gen(function* () {
      const file = yield* storeFile
      writeFileSync(`${file}.server-lock`, "Not a lock.\n".repeat(200), { mode: 0o600 })
      const error = yield* Effect.flip(Effect.provide(Effect.void, sqlite.serverLock(file)))
      assert.strictEqual(error.reason, "open")
      assert.match(error.message, /^Cannot lock \/.*\/store\.db: file is not a database\.$/)
    }),
  )

  it("of a server that was killed is free", { timeout: 20_000 }, async () => {
    const path = makeFolder()
    const file = join(path, "store.db")
    const server = processes.start(storeProcess, ["lock", file])
    try {
      await server.linesUntil(1)
      const take = Effect.provide(Effect.void, Layer.fresh(sqlite.serverLock(file)))
      assert.strictEqual((await Effect.runPromise(Effect.flip(take))).reason, "in-use")
      server.process.kill("SIGKILL")
      await server.ended
      await Effect.runPromise(take)
    } finally {
      server.process.kill("SIGKILL")
      removeFolder(path)
    }
  })
})
