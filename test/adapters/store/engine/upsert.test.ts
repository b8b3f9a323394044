import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type Columns, type Table, upsert } from "../../../../adapters/store/engine/upsert.ts"
import { anyStore } from "../../../support/anyStore.ts"

const results: Table = { name: "results", key: ["game"] }

/** A test over a table of results. */
const inTable = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`
      CREATE TABLE results (
        game TEXT PRIMARY KEY, season INTEGER NOT NULL, score INTEGER, source TEXT NOT NULL, fetched_at INTEGER NOT NULL)`
    return yield* effect
  }).pipe(Effect.provide(anyStore))

const put = (rows: ReadonlyArray<Columns>, table = results) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => upsert(sql, table, rows))

const stored = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<Columns>`SELECT game, season, score, source, fetched_at FROM results ORDER BY game`,
)

const row = (game: string, score: number | null, fetched_at = 1, season = 2026): Columns => ({
  game,
  season,
  score,
  source: `source ${fetched_at}`,
  fetched_at,
})

describe("ingested rows", () => {
  it.effect("are nothing where there are none", () =>
    inTable(Effect.map(put([]), (written) => assert.deepStrictEqual(written, { added: [], changed: [] }))),
  )

  it.effect("are added where they are new and changed where their content is, with the seasons of both", () =>
    inTable(
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* put([row("a", 1), row("b", null, 1, 2025)]), { added: [2026, 2025], changed: [] })
        const written = yield* put([row("a", 1, 2), row("b", 3, 2, 2025), row("c", 4, 2)])
        assert.deepStrictEqual(written, { added: [2026], changed: [2025] })
        assert.deepStrictEqual(yield* stored, [row("a", 1), row("b", 3, 2, 2025), row("c", 4, 2)])
      }),
    ),
  )

  it.effect("keep their source and time where only these differ; a value that goes is a change", () =>
    inTable(
      Effect.gen(function* () {
        yield* put([row("a", 1), row("b", null)])
        assert.deepStrictEqual(yield* put([row("a", 1, 2), row("b", null, 2)]), { added: [], changed: [] })
        assert.deepStrictEqual(yield* stored, [row("a", 1), row("b", null)])
        assert.deepStrictEqual(yield* put([row("a", null, 3)]), { added: [], changed: [2026] })
        assert.deepStrictEqual(yield* stored, [row("a", null, 3), row("b", null)])
      }),
    ),
  )

  it.effect("are written in any number", () =>
    inTable(
      Effect.gen(function* () {
        const many = (count: number, score: number) =>
          Array.from({ length: count }, (_, n) => row(`game ${n}`, score, 1, n))
        const seasons = Array.from({ length: 201 }, (_, n) => n)
        for (const count of [100, 101]) {
          const first = count === 100 ? [0, 100] : [100, 101]
          const { added, changed } = yield* put(many(count, 1))
          assert.deepStrictEqual(added, seasons.slice(...first))
          assert.deepStrictEqual(changed, [])
        }
        const { added, changed } = yield* put(many(201, 2))
        assert.deepStrictEqual(added, seasons.slice(101))
        assert.deepStrictEqual(
          changed.toSorted((one, other) => one - other),
          seasons.slice(0, 101),
        )
        assert.strictEqual((yield* stored).length, 201)
      }),
    ),
  )

  it.effect("of a table that has nothing but its key are added and never changed", () =>
    inTable(
      Effect.gen(function* () {
        const table = { ...results, key: ["game", "season"] }
        yield* (yield* SqlClient.SqlClient)`CREATE UNIQUE INDEX of_season ON results (game, season)`
        const bare = (fetched_at: number): Columns => ({ game: "a", season: 2026, source: "s", fetched_at })
        assert.deepStrictEqual(yield* put([bare(1)], table), { added: [2026], changed: [] })
        assert.deepStrictEqual(yield* put([bare(2)], table), { added: [], changed: [] })
        assert.deepStrictEqual(yield* stored, [{ ...bare(1), score: null }])
      }),
    ),
  )
})
