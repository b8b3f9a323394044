import { copyFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { open } from "../../../../../adapters/store/engine/sqlite/driver.ts"
import { exportStore } from "../../../../../adapters/store/upkeep/archive/archive.ts"
import { check } from "../../../../../adapters/store/upkeep/archive/checks.ts"
import { inStore } from "../../../../../adapters/store/upkeep/archive/Opened.ts"
import { filledIn, sqliteIn } from "../../../../support/archives.ts"
import { folder } from "../../../../support/store.ts"

const altered: ReadonlyArray<readonly [name: string, statements: string, message: RegExp]> = [
  [
    "a wallet that does not equal its journal",
    "UPDATE wallets SET balance_micros = balance_micros + 1",
    /^The wallet of acct_\w+ does not equal its postings\.$/,
  ],
  [
    "a wallet without a journal",
    `INSERT INTO accounts (id, name, created_at) VALUES ('acct_x', 'x', 0);
    INSERT INTO wallets (account_id, balance_micros) VALUES ('acct_x', 5)`,
    /^The wallet of acct_x does not equal its postings\.$/,
  ],
  [
    "a changed leaf",
    "DROP TRIGGER record_leaves_no_update; UPDATE record_leaves SET text = text || ' ' WHERE position = 20",
    /^Leaf 20 \(\w+\): the text does not match its hash\.$/,
  ],
  [
    "a leaf that was changed together with its hash",
    `DROP TRIGGER record_leaves_no_update;
    UPDATE record_leaves SET text = '{}', leaf_hash = x'bfdcd02f15ed87ec0ef39ddb41ade41d3ec09d7fa1a2b57a7e4d0f0f0b3b6a11' WHERE position = 20`,
    /^Leaf 20 \(\w+\): the text does not match its hash\.$/,
  ],
  [
    "a missing leaf",
    "DROP TRIGGER record_leaves_no_delete; DELETE FROM record_leaves WHERE position = 20",
    /^Leaf 20 is missing\.$/,
  ],
  [
    "another checkpoint",
    `DROP TRIGGER record_checkpoints_no_update;
    UPDATE record_checkpoints SET note = (SELECT note FROM record_checkpoints WHERE size = 38) WHERE size = 54`,
    /^The first 54 leaves do not match the last checkpoint's root\.$/,
  ],
  [
    "an opinion without its leaf",
    "INSERT INTO bench_opinions (id, model, venue, ticker, p, at, close_time) VALUES ('opinion_x', 'm', 'v', 't', 1, 1, 2)",
    /^The opinion opinion_x has no leaf on the record\.$/,
  ],
]

const unwritable: ReadonlyArray<readonly [value: string, message: RegExp]> = [
  ["9007199254740993", /^tapes, row BTC: version is not a whole number below 2\^53\.$|too large/],
  ["1.5", /^tapes, row BTC: version is not a whole number below 2\^53\.$/],
]

describe("a store that is wrong", () => {
  it.scopedLive(
    "is refused by its check, and no archive of it is written",
    () =>
      Effect.gen(function* () {
        const path = yield* folder
        const { file } = yield* filledIn(path)
        const changed = (name: string, statements: string) => {
          const place = sqliteIn(path, name)
          copyFileSync(file, place.file)
          const db = open(place.file)
          db.exec(statements)
          db.close()
          return place
        }
        for (const [name, statements, message] of altered) {
          const error = yield* Effect.flip(inStore(changed(name, statements), "check", check))
          assert.match(error.message, message, name)
        }
        const exported = (name: string, statements: string) =>
          Effect.flip(exportStore(changed(name, statements), join(path, "a.gz"), true))
        assert.match((yield* exported("moved", altered[0]![1])).message, altered[0]![2])
        for (const [value, message] of unwritable) {
          const error = yield* exported(value, `UPDATE tapes SET version = ${value} WHERE asset = 'BTC'`)
          assert.match(error.message, message)
        }
        // It was not marked as moved, and its name is free.
        yield* exportStore({ _tag: "Sqlite", file }, join(path, "a.gz"), false)
        assert.match((yield* Effect.flip(inStore(sqliteIn(path, "moved"), "check", check))).message, altered[0]![2])
      }),
    60_000,
  )
})
