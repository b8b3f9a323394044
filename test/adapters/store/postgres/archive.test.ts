import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type pg from "pg"
import { exportStore, importStore } from "../../../../adapters/store/upkeep/archive/archive.ts"
import { inStore } from "../../../../adapters/store/upkeep/archive/Opened.ts"
import { readTables } from "../../../../adapters/store/upkeep/archive/rows.ts"
import { archivedTables } from "../../../../adapters/store/upkeep/archive/tables.ts"
import { Agents } from "../../../../core/account/Agents.ts"
import { Ledger } from "../../../../core/account/Ledger.ts"
import { Scoreboard } from "../../../../core/lanes/markets/ports.ts"
import { RecordLog } from "../../../../core/record/log/RecordLog.ts"
import { signCheckpoint } from "../../../../core/record/log/signCheckpoint.ts"
import { SettledStore } from "../../../../core/record/scoreboard/SettledStore.ts"
import {
  counts,
  filledIn,
  isEmpty,
  newDatabase,
  type PostgresPlace,
  run,
  sqliteIn,
  using,
} from "../../../support/archives.ts"
import { fill, nodeOver, read, trailIsComplete } from "../../../support/filledStore.ts"
import { connected } from "../../../support/postgresServer.ts"
import { leaves } from "../../../support/record.ts"
import { settledRow } from "../../../support/settledRows.ts"
import { settlementOf } from "../../../support/settlement.ts"
import type { Spender } from "../../../support/spender.ts"
import { folder, tablesNever } from "../../../support/store.ts"
import { openTrail, readTrail } from "../../../support/trailPages.ts"

const withClient = ({ url }: PostgresPlace, work: (client: pg.Client) => Promise<void>) =>
  Effect.promise(() => connected(Redacted.value(url), work))

const messageOf = <A>(work: Effect.Effect<A, { readonly message: string }>) =>
  Effect.map(Effect.flip(work), ({ message }) => message)

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
    const verdict = yield* ledger.charge(settlementOf({ ...other!, requestId: "req_after", micros: 1_000, at }))
    assert.strictEqual(verdict._tag, "Accepted")
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
      ledger.charge(settlementOf({ ...payer!, requestId: `req_cap_${n}`, micros: 1_000, at })),
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

/** Calls with replies that are in the trail alone, as a server leaves them that is stopped between two folds. */
const unfolded = (payer: Spender) =>
  Effect.flatMap(Ledger, ({ charge: settle }) =>
    Effect.forEach([0, 1, 2, 3, 4], (n) => {
      const remember = { key: `late ${n}`, requestHash: "hash", stored: `answer ${n}` }
      return settle(settlementOf({ ...payer, requestId: `req_late_${n}`, micros: 1_000, at: late, remember }))
    }),
  )

/** Everything that a store is asked. */
const stateOf = (payers: ReadonlyArray<Spender>) =>
  Effect.gen(function* () {
    const { recall } = yield* Ledger
    return {
      all: yield* read(payers),
      replies: yield* Effect.forEach([0, 1, 2, 3, 4, 5], (n) => recall(payers[1]!.keyId, `late ${n}`, late + 1)),
      board: yield* (yield* Scoreboard).current,
    }
  })

describe("an archive of a store", () => {
  it.scopedLive(
    "has every row, on either engine the same, and a node goes on with what is imported",
    () =>
      Effect.gen(function* () {
        const path = yield* folder
        const [first, second, third, fourth] = [
          sqliteIn(path, "a"),
          yield* newDatabase,
          sqliteIn(path, "b"),
          yield* newDatabase,
        ]
        const payers = yield* Effect.provide(fill, nodeOver(first, path))
        assert.deepStrictEqual(
          (yield* using(first, counts)).filter(([, rows]) => rows === 0),
          [],
        )
        yield* Effect.provide(unfolded(payers[1]!), nodeOver(first, path, tablesNever))
        const [before] = yield* run(
          first,
          `SELECT (SELECT count(*) FROM postings) - (SELECT count(*) FROM journal) AS unposted,
            (SELECT max(seq) FROM audit_rows) - (SELECT seq FROM places WHERE name = 'folded') AS unfolded`,
        )
        assert.isAbove(before!["unposted"] as number, 5)
        assert.strictEqual(before!["unfolded"], 5)
        const files = ["a", "b", "c"].map((name) => join(path, `${name}.gz`))
        const one = yield* exportStore(first, files[0]!, false)
        assert.deepInclude(one.checked, { wallets: 3, leaves: 67, settled: 99, unfolded: 0 })
        assert.strictEqual(one.checked.checkpoint?.size, 53 + 1)
        assert.deepStrictEqual(yield* importStore(second, files[0]!), one)
        const { movedAt, ...two } = yield* exportStore(second, files[1]!, true)
        assert.isDefined(movedAt)
        assert.deepStrictEqual(two, one)
        assert.deepStrictEqual(yield* importStore(third, files[1]!), one)
        const tables = inStore(third, "check", (store) =>
          Effect.flatMap(archivedTables, (all) => readTables(store, all)),
        )
        assert.deepStrictEqual(yield* tables, one.tables)
        const [after] = yield* run(
          third,
          `SELECT (SELECT count(*) FROM audit_index) AS places, (SELECT count(*) FROM idempotency_names) AS names,
            (SELECT min(seq) FROM places WHERE name IN ('folded', 'posted')) AS folded`,
        )
        const count = (name: string) => one.tables.find((table) => table.name === name)!.rows
        assert.deepStrictEqual<unknown>(after, {
          places: count("audit"),
          names: count("idempotency"),
          folded: count("audit"),
        })
        yield* exportStore(third, files[2]!, false)
        yield* importStore(fourth, files[2]!)
        const state = yield* Effect.provide(stateOf(payers), nodeOver(first, path))
        assert.deepStrictEqual(
          state.all.months.map(({ month, exportedAt }) => [month, exportedAt !== undefined]),
          [
            ["2026-06", true],
            ["2026-07", false],
          ],
        )
        assert.deepStrictEqual(
          state.replies.map((reply) => reply?.stored),
          ["answer 0", "answer 1", "answer 2", "answer 3", "answer 4", undefined],
        )
        for (const place of [third, fourth]) {
          const same = Effect.gen(function* () {
            assert.deepStrictEqual(yield* stateOf(payers), state)
            yield* goOn(payers)
          })
          yield* Effect.provide(same, nodeOver(place, path))
        }
        // What has gone on is archived again.
        const again = yield* exportStore(fourth, join(path, "d.gz"), false)
        assert.strictEqual(again.checked.leaves, 70)
      }),
    120_000,
  )

  it.scopedLive(
    "has no month of the audit trail that is being dropped, and leaves no batch to be ended",
    () =>
      Effect.gen(function* () {
        const path = yield* folder
        const [database, back] = [yield* newDatabase, sqliteIn(path, "b")]
        yield* exportStore(yield* filledIn(path), join(path, "a.gz"), false)
        yield* importStore(database, join(path, "a.gz"))
        yield* run(database, "UPDATE audit_months SET dropping = 1 WHERE month = '2026-06'")
        yield* run(database, "INSERT INTO cancels (batch, calls) VALUES (gen_random_uuid(), '[]')")
        yield* exportStore(database, join(path, "b.gz"), false)
        assert.deepStrictEqual(yield* run(database, "SELECT * FROM cancels"), [])
        yield* importStore(back, join(path, "b.gz"))
        const months = "SELECT (SELECT min(month) FROM audit) AS trail, (SELECT min(month) FROM audit_months) AS month"
        assert.deepStrictEqual<unknown>(yield* run(back, months), [{ trail: "2026-07", month: "2026-07" }])
      }),
    120_000,
  )
})

/** More than pages of the trail may read of one transaction. */
const many = `
  WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000),
    last AS (SELECT * FROM audit_rows ORDER BY seq DESC LIMIT 1)
  INSERT INTO audit_rows (at, request_id, account, caller, ended, params_hash, charged_micros, latency_ms)
  SELECT at, 'req_many_' || i, account, caller, ended, params_hash, 0, latency_ms FROM last, n`

describe("a month of an imported trail", () => {
  it.scopedLive(
    "is read page by page, however many calls it has",
    () =>
      Effect.gen(function* () {
        const path = yield* folder
        const [source, database] = [yield* filledIn(path), yield* newDatabase]
        yield* run(source, many)
        yield* exportStore(source, join(path, "a.gz"), false)
        yield* importStore(database, join(path, "a.gz"))
        const rows = yield* run(database, "SELECT request_id FROM audit WHERE month = '2026-07'")
        assert.isAbove(rows.length, 20_000)
        const ids = yield* readTrail(yield* openTrail(database.url), "2026-07", 1_000)
        assert.deepStrictEqual(ids.toSorted(), rows.map((row) => String(row["request_id"])).toSorted())
      }),
    120_000,
  )
})

describe("an import is refused, and the store stays as it was,", () => {
  it.scopedLive(
    "if it has rows, cannot hold a row, or changes one",
    () =>
      Effect.gen(function* () {
        const path = yield* folder
        const file = join(path, "a.gz")
        const source = yield* filledIn(path)
        yield* exportStore(source, file, false)
        for (const used of [sqliteIn(path, "used"), yield* newDatabase]) {
          yield* run(used, "INSERT INTO sign_ins VALUES ('hash', NULL, '/', 1)")
          assert.match(yield* messageOf(importStore(used, file)), /^The store is not empty: sign_ins has rows\. Name/)
          assert.deepStrictEqual(
            (yield* using(used, counts)).filter(([, rows]) => rows > 0),
            [["sign_ins", 1]],
          )
        }
        const database = yield* newDatabase
        const rule = (action: string) =>
          run(database, `CREATE OR REPLACE RULE changing AS ON INSERT TO tape_agreements DO ${action}`)
        yield* rule("ALSO UPDATE tape_agreements SET gap = gap + 1e-9 WHERE asset = NEW.asset")
        assert.match(
          yield* messageOf(importStore(database, file)),
          /^tape_agreements differs: the archive has 1 rows with SHA-256 [0-9a-f]{64}, the store would have 1 with [0-9a-f]{64}\. Nothing/,
        )
        yield* rule("INSTEAD NOTHING")
        assert.match(yield* messageOf(importStore(database, file)), /^tape_agreements differs: .* would have 0 with/)
        yield* run(database, "DROP RULE changing ON tape_agreements")
        // SQLite has nothing against NUL.
        yield* run(source, "UPDATE football_games SET stadium = 'a' || char(0) WHERE home_team = 'KC'")
        yield* exportStore(source, join(path, "nul.gz"), false)
        yield* importStore(sqliteIn(path, "nul"), join(path, "nul.gz"))
        assert.match(
          yield* messageOf(importStore(database, join(path, "nul.gz"))),
          /^Cannot write football_games: invalid byte sequence for encoding "UTF8": 0x00\.$/,
        )
        assert.isTrue(yield* isEmpty(database))
        yield* importStore(database, file)
      }),
    120_000,
  )

  it.scopedLive(
    "if a node runs on it; an export too",
    () =>
      Effect.gen(function* () {
        const path = yield* folder
        const [file, database] = [join(path, "a.gz"), yield* newDatabase]
        yield* exportStore(yield* newDatabase, file, false)
        for (const work of [exportStore(database, join(path, "b.gz"), false), importStore(database, file)]) {
          const message = yield* Effect.provide(messageOf(work), nodeOver(database, path))
          assert.match(message, /^Nodes or commands use this store \(\d+ connections\)\. Stop them first\.$/)
        }
        // A transaction of a node that nobody has seen.
        yield* withClient(database, async (client) => {
          await client.query("BEGIN; INSERT INTO tapes VALUES ('BTC', 1)")
          const message = await Effect.runPromise(messageOf(importStore(database, file)))
          assert.match(message, /^Cannot import the store: canceling statement due to lock timeout\.$/)
        })
      }),
    120_000,
  )
})

describe("a store that was moved", () => {
  it.scopedLive(
    "is refused by whoever opens it, and can be exported again",
    () =>
      Effect.gen(function* () {
        const path = yield* folder
        const [file, database] = [yield* filledIn(path), yield* newDatabase]
        const first = yield* exportStore(file, join(path, "a.gz"), true)
        yield* importStore(database, join(path, "a.gz"))
        yield* exportStore(database, join(path, "b.gz"), true)
        for (const [place, name, archive] of [
          [file, file.file, "a.gz"],
          [database, "The database", "b.gz"],
        ] as const) {
          const refused = yield* Effect.flip(using(place, Effect.void))
          assert.strictEqual(refused.reason, "moved")
          assert.match(
            refused.message,
            new RegExp(`^${name} was moved into the archive .*/${archive} at 20.* takes nothing`),
          )
          assert.strictEqual(yield* messageOf(importStore(place, join(path, "a.gz"))), refused.message)
          const again = yield* exportStore(place, join(path, `again.${archive}`), true)
          assert.deepStrictEqual(again.tables, first.tables)
          assert.strictEqual(yield* messageOf(using(place, Effect.void)), refused.message)
        }
        // A node that was cut off, and comes back.
        yield* withClient(database, async (client) => {
          for (const statement of [
            "UPDATE wallets SET balance_micros = 0",
            "INSERT INTO audit_months VALUES ('2027-01')",
            "TRUNCATE accounts CASCADE",
          ]) {
            const answer = await client.query(statement).then(() => "done", String)
            assert.match(answer, /This store was moved to another one\./, statement)
          }
        })
      }),
    120_000,
  )
})
