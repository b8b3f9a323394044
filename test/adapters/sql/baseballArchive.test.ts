import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as baseballArchive from "../../../adapters/lanes/baseball/store/Archive.ts"
import * as sqlite from "../../../adapters/sql/sqlite.ts"
import { readCsv } from "../../../adapters/upstream/csv.ts"
import type { Feed } from "../../../core/csv/Feed.ts"
import { BaseballArchive, type FeedName, feeds, type ValueOf } from "../../../core/lanes/baseball/archive.ts"
import { csvOf, inningsHead, logLine, logOf, oddsHead, oddsRows, withInnings } from "../../support/baseballFiles.ts"
import { storeFile } from "../../support/store.ts"

const inStore = <A, E>(test: Effect.Effect<A, E, BaseballArchive | SqlClient.SqlClient>) =>
  Effect.scoped(
    Effect.flatMap(storeFile, (file) =>
      test.pipe(Effect.provide(baseballArchive.layer), Effect.provide(sqlite.layer(file))),
    ),
  )

async function* bytesOf(text: string) {
  yield new TextEncoder().encode(text)
}

/** A file of this text, brought at an instant. */
const ingest = <Name extends FeedName>(feed: Name, text: string, fetchedAt = 1, name = `${feed}.csv`) =>
  Effect.gen(function* () {
    const archive = yield* BaseballArchive
    const read = yield* readCsv(feeds[feed] as unknown as Feed<Name, ValueOf<Name>>, bytesOf(text))
    return yield* archive.store({ ...Either.getOrThrow(read), feed, name, fetchedAt })
  })

/** Every row of every table of the archive. */
const everything = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tables = ["baseball_odds", "baseball_innings", "baseball_game_logs", "baseball_files"]
  return yield* Effect.forEach(tables, (table) => sql`SELECT * FROM ${sql(table)} ORDER BY 1`)
})

const rows = oddsRows(1).slice(0, 40)
const odds = (lines = rows) => csvOf(oddsHead, lines)
const innings = csvOf(inningsHead, withInnings(rows))
const days = (count: number) => Array.from({ length: count }, (_, at) => `202204${String(at + 1).padStart(2, "0")}`)
const logs = (dates: ReadonlyArray<string> = days(3), changes = {}) =>
  logOf(dates.map((date) => logLine({ 1: date, ...changes })))

const nothing = { added: 0, changed: 0, withdrawn: 0 }

describe("the archive of baseball", () => {
  it.effect("gives back what was stored, each row with its source and time, and the files by kind and name", () =>
    inStore(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        assert.deepStrictEqual(yield* ingest("game_logs", logs(), 3, "GL2022.TXT"), { rows: 3, ...nothing, added: 3 })
        assert.deepStrictEqual(yield* ingest("innings", innings, 2), { rows: 40, ...nothing, added: 40 })
        assert.deepStrictEqual(yield* ingest("odds", odds(), 1), { rows: 40, ...nothing, added: 40 })
        const found = yield* (yield* BaseballArchive).read
        for (const [feed, text, values] of [
          ["odds", odds(), found.odds],
          ["innings", innings, found.innings],
          ["game_logs", logs(), found.logs],
        ] as const) {
          const read = Either.getOrThrow(yield* readCsv(feeds[feed] as Feed<string, unknown>, bytesOf(text)))
          assert.sameDeepMembers([...values], [...read.values], feed)
        }
        assert.deepStrictEqual(
          found.inputs.map(({ name }) => name),
          ["odds.csv", "innings.csv", "GL2022.TXT"],
        )
        for (const { sha256 } of found.inputs) assert.match(sha256, /^[0-9a-f]{64}$/)
        assert.deepStrictEqual(yield* sql`SELECT DISTINCT source, fetched_at FROM baseball_game_logs`, [
          { source: "Retrosheet game logs: GL2022.TXT", fetched_at: 3 },
        ])
      }),
    ),
  )

  it.effect("is not changed by a file that comes again, under its name or another one", () =>
    inStore(
      Effect.gen(function* () {
        yield* ingest("odds", odds())
        yield* ingest("game_logs", logs())
        const before = yield* everything
        assert.deepStrictEqual(yield* ingest("odds", odds(), 9), { rows: 40, ...nothing })
        assert.deepStrictEqual(yield* ingest("game_logs", logs(), 9), { rows: 3, ...nothing })
        assert.deepStrictEqual(yield* everything, before)
        assert.deepStrictEqual(yield* ingest("odds", odds(), 9, "copy.csv"), { rows: 40, ...nothing })
        assert.deepStrictEqual((yield* everything).slice(0, 3), before.slice(0, 3))
      }),
    ),
  )

  it.effect("follows a file that is corrected: rows that changed, and a game that stands there no more", () =>
    inStore(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* ingest("odds", odds())
        const corrected = rows.map((cells, at) =>
          at === 7 ? cells.map((cell, k) => (k === 16 ? "-155" : cell)) : cells,
        )
        assert.deepStrictEqual(yield* ingest("odds", odds(corrected), 5), { rows: 40, ...nothing, changed: 1 })
        assert.deepStrictEqual(yield* sql`SELECT home_close FROM baseball_odds WHERE fetched_at = 5`, [
          { home_close: -155 },
        ])
        // The second game of the day had the number of an only one.
        yield* ingest("game_logs", logs())
        const numbered = logOf([...days(2).map((date) => logLine({ 1: date })), logLine({ 1: "20220403", 2: "2" })])
        assert.deepStrictEqual(yield* ingest("game_logs", numbered, 6), { rows: 3, added: 1, changed: 0, withdrawn: 1 })
        const found = yield* (yield* BaseballArchive).read
        assert.sameMembers(
          found.logs.map(({ id }) => id),
          ["20220401/CHN/0", "20220402/CHN/0", "20220403/CHN/2"],
        )
        assert.lengthOf(found.inputs, 2)
      }),
    ),
  )

  it.effect("makes no game unplayed again", () =>
    inStore(
      Effect.gen(function* () {
        yield* ingest("odds", odds())
        const older = rows.map((cells) => cells.map((cell, at) => (at === 11 || at === 12 ? "" : cell)))
        assert.deepStrictEqual(yield* ingest("odds", odds(older), 2, "older.csv"), { rows: 40, ...nothing })
        assert.isTrue((yield* (yield* BaseballArchive).read).odds.every(({ home }) => home.runs !== undefined))
      }),
    ),
  )

  const refused: ReadonlyArray<readonly [string, Effect.Effect<unknown, unknown, BaseballArchive>, RegExp]> = [
    [
      "a file that lost more games than a correction takes away",
      ingest("odds", odds(rows.slice(0, 7)), 2),
      /lacks 33 games/,
    ],
    [
      "a file under the name of one of another kind",
      ingest("innings", innings, 2, "odds.csv"),
      /was read as odds before/,
    ],
  ]
  for (const [what, file, message] of refused) {
    it.effect(`refuses ${what}, and keeps what it had`, () =>
      inStore(
        Effect.gen(function* () {
          yield* ingest("odds", odds())
          const before = yield* everything
          const failure = yield* Effect.flip(file)
          assert.match(String((failure as Error).message), message)
          assert.deepStrictEqual(yield* everything, before)
        }),
      ),
    )
  }
})
