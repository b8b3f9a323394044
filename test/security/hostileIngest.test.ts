import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as archive from "../../adapters/lanes/football/store/Archive.ts"
import * as csv from "../../adapters/runtime/upstream/csv.ts"
import { rowsPerSlice, writeInSlices } from "../../adapters/store/engine/slices.ts"
import { Sqlite } from "../../adapters/store/engine/sqlite/client.ts"
import * as sqlite from "../../adapters/store/engine/sqlite/open.ts"
import type { FileFormat } from "../../core/csv/FileFormat.ts"
import { FootballArchive, type ReadFile } from "../../core/lanes/football/data/archive.ts"

/** Counts the turns of the event loop, until it is told to stop. */
const turning = () => {
  const counted = { turns: 0 }
  let goes = true
  const turn = () => {
    counted.turns++
    if (goes) setImmediate(turn)
  }
  setImmediate(turn)
  const stop = () => {
    goes = false
  }
  return { counted, stop }
}

describe("a file that is read", () => {
  const size = 46_080
  const text = `id,name\n${Array.from({ length: size }, (_, at) => `${at},${"x".repeat(60)}\n`).join("")}`
  let [turns, most, since] = [0, 0, 0]
  const counted = turning()
  /** Notes how many rows are read in one turn of the event loop. */
  const feed: FileFormat<"rows", string> = {
    name: "rows",
    source: "test",
    columns: ["id", "name"],
    read: (row) => {
      if (counted.counted.turns !== turns) [turns, since] = [counted.counted.turns, 0]
      most = Math.max(most, ++since)
      return Either.right(row["id"]!)
    },
    seasonOf: () => 2026,
    keyOf: (id) => id,
  }

  it("is read in slices, whatever the pieces in which it comes, and others have their turn between", async () => {
    const whole = (async function* () {
      yield Buffer.from(text)
    })()
    const read = await Effect.runPromise(csv.readCsv(feed, whole))
    counted.stop()
    assert.strictEqual(Either.getOrThrow(read).values.length, size)
    const rowBytes = text.length / size
    // A row that is cut belongs to the slice that ends it, and the parser has some of the slice before in hand.
    assert.isAtMost(most, (3 * csv.sliceBytes) / rowBytes)
  })
})

const rosters = (rows: number, changes: Partial<ReadFile<"quarterbacks">> = {}): ReadFile<"quarterbacks"> => ({
  feed: "quarterbacks",
  name: "weeks.csv",
  sha256: "a",
  fetchedAt: 1,
  seasons: [2024],
  values: Array.from({ length: rows }, (_, at) => ({
    playerId: `00-${at}`,
    player: "Quarter Back",
    position: "QB",
    season: 2024,
    week: 1,
    code: "KC",
    opponentCode: "BUF",
    completions: 20,
    attempts: 30,
    passingYards: 200,
    passingTds: 1,
    interceptions: 1,
    sacksSuffered: 1,
    rushingYards: 10,
    rushingTds: 0,
  })),
  ...changes,
})

const stored = <A, E>(effect: Effect.Effect<A, E, FootballArchive | Sqlite | SqlClient.SqlClient>) =>
  Effect.provide(effect, archive.layer.pipe(Layer.provideMerge(sqlite.layer(":memory:"))))

const look = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ rows: number; files: number; feeds: number }>`
    SELECT (SELECT COUNT(*) FROM football_quarterback_weeks) AS rows, (SELECT COUNT(*) FROM football_files) AS files,
      (SELECT COUNT(*) FROM football_feeds) AS feeds`
  return row!
})

describe("a file that is stored", () => {
  it.live("no transaction has more rows than a slice, and charges go in between", () =>
    stored(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { isFree } = yield* Sqlite
        const sizes: Array<number> = []
        let between = 0
        const look = () => {
          if (isFree()) between++
          if (sizes.length < 11) setImmediate(look)
        }
        setImmediate(look)
        const rows = Array.from({ length: 10 * rowsPerSlice + 1 }, (_, at) => at)
        yield* writeInSlices(sql, rows, (some) => Effect.sync(() => sizes.push(some.length)).pipe(Effect.asVoid))
        assert.deepStrictEqual(sizes, [...Array.from({ length: 10 }, () => rowsPerSlice), 1])
        assert.isAtLeast(between, 5)
      }),
    ),
  )

  it.live("a season that is new is there when all of it is, and the file is known as read last of all", () =>
    stored(
      Effect.gen(function* () {
        const { store } = yield* FootballArchive
        const size = 5 * rowsPerSlice
        const storing = yield* Effect.fork(store(rosters(size)))
        const seen: Array<{ readonly rows: number; readonly files: number; readonly feeds: number }> = []
        while ((yield* Fiber.poll(storing))._tag === "None") {
          seen.push(yield* look)
          yield* Effect.sleep(0)
        }
        assert.deepInclude(yield* Fiber.join(storing), { rows: size, added: size, changed: 0 })
        const halfway = seen.filter(({ rows }) => rows > 0 && rows < size)
        assert.isNotEmpty(halfway)
        for (const { files, feeds } of halfway) assert.deepStrictEqual([files, feeds], [0, 0])
        assert.deepStrictEqual(yield* look, { rows: size, files: 1, feeds: 1 })
      }),
    ),
  )

  it.live("one that breaks off is not known as read, and comes whole the next time", () =>
    stored(
      Effect.gen(function* () {
        const { store, known } = yield* FootballArchive
        const storing = yield* Effect.fork(store(rosters(20 * rowsPerSlice)))
        yield* Effect.repeat(Effect.zipRight(Effect.sleep(0), look), { until: ({ rows }) => rows > 0 })
        yield* Fiber.interrupt(storing)
        assert.isBelow((yield* look).rows, 20 * rowsPerSlice)
        assert.isUndefined(yield* known("weeks.csv"))
        yield* store(rosters(20 * rowsPerSlice))
        assert.deepStrictEqual(yield* look, { rows: 20 * rowsPerSlice, files: 1, feeds: 1 })
      }),
    ),
  )

  it.live("readers learn of each correction: the season's version moves with the rows", () =>
    stored(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { store } = yield* FootballArchive
        const versions = Effect.map(
          sql<{ version: number }>`SELECT version FROM football_feeds`,
          ([row]) => row!.version,
        )
        const file = rosters(10)
        yield* store(file)
        const before = yield* versions
        const values = file.values.map((value, at) => (at === 3 ? { ...value, completions: 29 } : value))
        assert.deepInclude(yield* store({ ...file, sha256: "b", values }), { added: 0, changed: 1 })
        assert.isAbove(yield* versions, before)
      }),
    ),
  )
})
