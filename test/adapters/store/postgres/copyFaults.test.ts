import { existsSync } from "node:fs"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import pg from "pg"
import type { Place } from "../../../../adapters/store/engine/opening.ts"
import * as Postgres from "../../../../adapters/store/engine/postgres/open.ts"
import { server, takeAlone } from "../../../../adapters/store/engine/sqlite/owner.ts"
import * as stores from "../../../../adapters/store/open.ts"
import { copy } from "../../../../adapters/store/upkeep/copy/copy.ts"
import { nodeOver } from "../../../support/filledStore.ts"
import * as processes from "../../../support/processes.ts"
import { folder } from "../../../support/store.ts"
import {
  counts,
  filledIn,
  isEmpty,
  newDatabase,
  refused,
  run,
  sqliteIn,
  urlOf,
  using,
} from "../../../support/storeCopies.ts"

/** A server on a file. */
const lock = (file: string) => Layer.scopedDiscard(takeAlone(file, { role: server, version: "1" }))

const kills = Number(process.env["COPY_KILLS"] ?? 4)

describe("a copy is refused, and the target stays empty,", () => {
  const altered: ReadonlyArray<readonly [name: string, statements: ReadonlyArray<string>, message: RegExp]> = [
    [
      "a wallet that does not equal its journal",
      ["UPDATE wallets SET balance_micros = balance_micros + 1"],
      /^The wallet of acct_\w+ does not equal its postings\.$/,
    ],
    [
      "a wallet without a journal",
      [
        "INSERT INTO accounts (id, name, created_at) VALUES ('acct_x', 'x', 0)",
        "INSERT INTO wallets (account_id, balance_micros) VALUES ('acct_x', 5)",
      ],
      /^The wallet of acct_x does not equal its postings\.$/,
    ],
    [
      "a changed leaf",
      ["DROP TRIGGER record_leaves_no_update", "UPDATE record_leaves SET text = text || ' ' WHERE position = 20"],
      /^Leaf 20 \(\w+\): the text does not match its hash\.$/,
    ],
    [
      "a leaf that was changed together with its hash",
      [
        "DROP TRIGGER record_leaves_no_update",
        `UPDATE record_leaves SET text = '{}', leaf_hash = x'bfdcd02f15ed87ec0ef39ddb41ade41d3ec09d7fa1a2b57a7e4d0f0f0b3b6a11' WHERE position = 20`,
      ],
      /^Leaf 20 \(\w+\): the text does not match its hash\.$/,
    ],
    [
      "a missing leaf",
      ["DROP TRIGGER record_leaves_no_delete", "DELETE FROM record_leaves WHERE position = 20"],
      /^Leaf 20 is missing\.$/,
    ],
    [
      "another checkpoint",
      [
        "DROP TRIGGER record_checkpoints_no_update",
        "UPDATE record_checkpoints SET note = (SELECT note FROM record_checkpoints WHERE size = 38) WHERE size = 54",
      ],
      /^The first 54 leaves do not match the last checkpoint's root\.$/,
    ],
    [
      "an opinion without its leaf",
      [
        "INSERT INTO bench_opinions (id, model, venue, ticker, p, at, close_time) VALUES ('opinion_x', 'm', 'v', 't', 1, 1, 2)",
      ],
      /^The opinion opinion_x has no leaf on the record\.$/,
    ],
    [
      "a text with NUL",
      ["UPDATE football_games SET stadium = 'a' || char(0) WHERE game_id = (SELECT max(game_id) FROM football_games)"],
      /^--from: football_games, row \d{4}_\d+_\w+: stadium has a NUL character, which PostgreSQL cannot store\.$/,
    ],
    [
      "a whole number beyond 2^53",
      ["INSERT INTO heartbeats VALUES ('later', 9007199254740993)"],
      /^--from: heartbeats, row later: at is not a whole number below 2\^53\.$/,
    ],
    [
      "a number of another type",
      ["INSERT INTO heartbeats VALUES ('later', 1.5)"],
      /^--from: heartbeats, row later: at is not a whole number/,
    ],
  ]

  it.scopedLive(
    "if the source is wrong",
    () =>
      Effect.gen(function* () {
        const path = yield* folder
        const from = yield* filledIn(path)
        const target = yield* newDatabase
        for (const [at, [name, statements, message]] of altered.entries()) {
          const changed = sqliteIn(path, `changed ${at}`)
          yield* copy({ from, to: changed, keepSource: true })
          for (const statement of statements) yield* run(changed, statement)
          assert.match(yield* refused({ from: changed, to: target }), message, name)
        }
        assert.isTrue(yield* isEmpty(target))
        // SQLite takes the text: it has nothing against NUL.
        yield* copy({
          from: sqliteIn(path, `changed ${altered.findIndex(([name]) => name === "a text with NUL")}`),
          to: sqliteIn(path, "nul"),
          keepSource: true,
        })
        // The target is as good as new.
        yield* copy({ from, to: target, keepSource: true })
      }),
    120_000,
  )

  it.scopedLive(
    "if a row is changed while it is written",
    () =>
      Effect.gen(function* () {
        const from = yield* filledIn(yield* folder)
        const target = yield* newDatabase
        yield* run(
          target,
          `CREATE RULE changing AS ON INSERT TO tape_agreements DO ALSO
          UPDATE tape_agreements SET gap = gap + 1e-9 WHERE asset = NEW.asset`,
        )
        assert.match(
          yield* refused({ from, to: target }),
          /^tape_agreements differs: 1 rows with SHA-256 [0-9a-f]{64} were read, 1 with [0-9a-f]{64} were written\. The target/,
        )
        yield* run(target, "CREATE OR REPLACE RULE changing AS ON INSERT TO tape_agreements DO INSTEAD NOTHING")
        assert.match(yield* refused({ from, to: target }), /^tape_agreements differs: 1 rows .* 0 with/)
        assert.isTrue(yield* isEmpty(target))
      }),
    120_000,
  )

  it.scopedLive(
    "if the target has rows",
    () =>
      Effect.gen(function* () {
        const path = yield* folder
        const from = yield* filledIn(path)
        for (const to of [sqliteIn(path, "b"), yield* newDatabase]) {
          yield* run(to, "INSERT INTO heartbeats VALUES ('readiness', 1)")
          assert.match(yield* refused({ from, to }), /^--to: the store is not empty: heartbeats has rows/)
          assert.lengthOf(yield* run(to, "SELECT * FROM heartbeats"), 1)
          assert.lengthOf(yield* run(to, "SELECT * FROM accounts"), 0)
        }
      }),
    120_000,
  )

  it.scopedLive(
    "if it is the source, or there is no source",
    () =>
      Effect.gen(function* () {
        const path = yield* folder
        const file = yield* filledIn(path)
        const url = yield* newDatabase
        assert.match(
          yield* refused({ from: file, to: sqliteIn(`${path}/.`, "a") }),
          /^--from and --to are the same store/,
        )
        assert.match(yield* refused({ from: url, to: url }), /^--from and --to are the same store/)
        const other = Redacted.make(`${Redacted.value(url.url)}?application_name=x`)
        const named = other
          .pipe(Redacted.value)
          .replace("postgres@", "postgres:word@")
          .replace("127.0.0.1", "localhost")
        assert.match(
          yield* refused({ from: url, to: { _tag: "Postgres", url: Redacted.make(named) } }),
          /^--to: another copy uses this store, or --from and --to are the same one/,
        )
        assert.match(
          yield* refused({ from: sqliteIn(path, "none"), to: url }),
          /^--from: there is no store at .*none\.db/,
        )
        assert.isTrue(yield* isEmpty(url))
      }),
    120_000,
  )

  it.scopedLive(
    "if a server or a node runs on either store",
    () =>
      Effect.gen(function* () {
        const path = yield* folder
        const file = yield* filledIn(path)
        const url = yield* newDatabase
        const inUse = (place: Place) =>
          place._tag === "Sqlite" ? lock(place.file) : Layer.fresh(nodeOver(place, path))
        for (const [place, from, to] of [
          [file, file, url],
          [sqliteIn(path, "b"), url, sqliteIn(path, "b")],
          [url, url, sqliteIn(path, "c")],
          [url, file, url],
        ] as const) {
          const message = yield* refused({ from, to }).pipe(Effect.provide(inUse(place)))
          const option = place === from ? "--from" : "--to"
          assert.match(
            message,
            place._tag === "Sqlite"
              ? new RegExp(`^${option}: a server is running on this store\\. Stop it first\\.$`)
              : new RegExp(
                  `^${option}: nodes or commands use this store \\(\\d+ connections\\)\\. Stop them first\\.$`,
                ),
          )
        }
        assert.isTrue(yield* isEmpty(url))
      }),
    120_000,
  )
})

describe("a moved store", () => {
  it.scopedLive(
    "is refused by whoever opens it, and by programs that have it open",
    () =>
      Effect.gen(function* () {
        const path = yield* folder
        const file = yield* filledIn(path)
        const url = yield* newDatabase
        // A command next to no server has the store open meanwhile.
        const open = Context.get(yield* Layer.build(Layer.fresh(stores.layer(file))), SqlClient.SqlClient)
        const { movedAt } = yield* copy({ from: file, to: url, keepSource: false })
        const change = Effect.flip(open`UPDATE wallets SET balance_micros = balance_micros - 1`)
        assert.match(String((yield* change).cause), /This store was moved to another one\./)
        const reopened = Effect.flip(Effect.scoped(Layer.build(Layer.fresh(stores.layer(file)))))
        const name = `postgres://127.0.0.1:${new URL(Redacted.value(url.url)).port}`
        const { reason, message } = yield* reopened
        assert.strictEqual(reason, "moved")
        assert.include(message, `${file.file} was moved to ${name}/test_`)
        assert.include(message, `at ${new Date(movedAt!).toISOString()} and takes nothing more.`)
        assert.match(
          yield* refused({ from: file, to: sqliteIn(path, "b") }),
          /^--from: .* was moved to postgres:.* in --from\.$/,
        )
        // The same on PostgreSQL, from a client that the copy does not see.
        const client = new pg.Client({ connectionString: Redacted.value(url.url) })
        yield* Effect.acquireRelease(
          Effect.promise(() => client.connect()),
          () => Effect.promise(() => client.end()),
        )
        yield* copy({ from: url, to: sqliteIn(path, "c"), keepSource: false })
        for (const statement of [
          "UPDATE wallets SET balance_micros = 0",
          "INSERT INTO versions VALUES ('x', 1)",
          "SELECT * FROM settle(gen_random_uuid(), '[]', '[]', '[]', false, 1000, '{4,5}')",
          "TRUNCATE accounts CASCADE",
        ]) {
          const said = yield* Effect.promise(() => client.query(statement).then(() => "done", String))
          assert.match(said, /This store was moved to another one\./, statement)
        }
        assert.match(
          (yield* Effect.flip(using(url, Effect.void))).message,
          /^The database was moved to sqlite:.*c\.db at /,
        )
      }),
    120_000,
  )
})

describe("a killed copy", () => {
  const cli = (from: Place, to: Place) =>
    processes.start("services/cli.ts", ["store", "copy", "--from", urlOf(from), "--to", urlOf(to)])

  it.scopedLive(
    "leaves an empty database, from which the next copy begins",
    () =>
      Effect.gen(function* () {
        const path = yield* folder
        const from = yield* filledIn(path)
        const to = yield* newDatabase
        const sql = Context.get(
          yield* Layer.build(Postgres.layer(to.url, { application: "test" })),
          SqlClient.SqlClient,
        )
        // Stops the copy at the last of its tables.
        yield* sql.unsafe("CREATE RULE waiting AS ON INSERT TO webhook_types DO ALSO SELECT pg_sleep(600)")
        const copying = cli(from, to)
        yield* Effect.repeat(
          Effect.delay(
            sql`SELECT pid FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()`,
            20,
          ),
          { until: ({ length }) => length === 1 },
        )
        copying.process.kill("SIGKILL")
        assert.isNull(yield* Effect.promise(() => copying.ended))
        yield* sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()`
        yield* sql.unsafe("DROP RULE waiting ON webhook_types")
        assert.isTrue(yield* isEmpty(to))
        assert.isDefined((yield* copy({ from, to, keepSource: false })).movedAt)
      }),
    120_000,
  )

  it.scopedLive(
    "is completed by the next one if only the source's mark was missing",
    () =>
      Effect.gen(function* () {
        const path = yield* folder
        const from = yield* filledIn(path)
        const url = yield* newDatabase
        const file = sqliteIn(path, "b")
        const used = sqliteIn(path, "used")
        // As a kill between the two commits leaves them: the target is whole, and the source is in use.
        yield* copy({ from, to: url, keepSource: true })
        yield* copy({ from, to: used, keepSource: true })
        assert.match(
          yield* refused({ from, to: url, keepSource: true }),
          /^--to: the store is not empty: \w+ has rows\. /,
        )
        yield* run(used, "INSERT INTO heartbeats VALUES ('later', 1)")
        assert.match(
          yield* refused({ from, to: used }),
          /^--to: the store is not empty: \w+ has rows, and it is no copy of --from as it is now: heartbeats differs\. Name a new/,
        )
        const whole = yield* using(from, counts)
        for (const [source, target] of [
          [from, url],
          [url, file],
        ] as const) {
          if (source === url) yield* copy({ from: url, to: file, keepSource: true })
          const moved = yield* copy({ from: source, to: target, keepSource: false })
          assert.isTrue(moved.wasThere)
          assert.isDefined(moved.movedAt)
          assert.deepStrictEqual(yield* using(target, counts), whole)
          assert.match(yield* refused({ from: source, to: sqliteIn(path, "c") }), / was moved to /)
        }
        // Somebody went on with the source.
        const other = yield* newDatabase
        yield* copy({ from: file, to: other, keepSource: true })
        yield* run(file, "INSERT INTO heartbeats VALUES ('later', 1)")
        assert.match(yield* refused({ from: file, to: other }), /heartbeats differs/)
        assert.isFalse(yield* isEmpty(file))
      }),
    120_000,
  )

  it.scopedLive(
    "leaves an empty file or a whole one, whenever it is killed",
    () =>
      Effect.gen(function* () {
        const path = yield* folder
        const filled = yield* filledIn(path)
        const from = yield* newDatabase
        yield* copy({ from: filled, to: from, keepSource: true })
        const whole = yield* using(from, counts)
        let killed = 0
        for (let round = 0; round < kills; round++) {
          const to = sqliteIn(path, `to ${round}`)
          const copying = cli(from, to)
          // From the creation of the file on, which is migrated first.
          while (!existsSync(`${to.file}-wal`)) yield* Effect.sleep(1)
          yield* Effect.sleep((round * 280) / kills)
          copying.process.kill("SIGKILL")
          const code = yield* Effect.promise(() => copying.ended)
          const found = yield* using(to, counts)
          if (found.some(([, rows]) => rows > 0)) {
            // It had ended, or was about to mark its source, or had marked it.
            assert.deepStrictEqual(found, whole)
            const again = yield* Effect.either(copy({ from, to, keepSource: false }))
            if (Either.isLeft(again)) assert.match(again.left.message, /^--from: The database was moved to sqlite:/)
            else assert.isTrue(code === null && again.right.wasThere)
            break
          }
          assert.isNull(code)
          killed++
          yield* copy({ from, to, keepSource: true })
        }
        assert.isAbove(killed, 0)
      }),
    120_000 + kills * 4_000,
  )
})
