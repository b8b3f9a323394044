import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync, gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Archive from "../../../../../adapters/store/upkeep/archive/archive.ts"
import { encode } from "../../../../../adapters/store/upkeep/archive/rows.ts"
import type { Row, Table } from "../../../../../adapters/store/upkeep/archive/tables.ts"
import { isEmpty, run, sqliteIn } from "../../../../support/archives.ts"
import { folder } from "../../../../support/store.ts"

const { exportStore, archiveHeader, importStore, readFile, writeFile } = Archive

const table = (name: string, columns: Table["columns"], types: Table["types"]): Table => ({
  ...{ name, columns, types },
  ...{ key: ["n"], queries: [] },
})
const tables = [
  table("ones", ["n"], ["bigint"]),
  table("none", ["n"], ["bigint"]),
  table("words", ["n", "word"], ["bigint", "text"]),
]

/** More than a part of the file. */
const rows: ReadonlyArray<ReadonlyArray<Row>> = [
  [[1], [2], [3]],
  [],
  Array.from({ length: 9_000 }, (_, index) => [index, `${index}`.padStart(40, "é")]),
]

const write = (file: string) =>
  writeFile(file, (add) =>
    Effect.gen(function* () {
      yield* add(`${JSON.stringify(archiveHeader(tables, "2026-07-09T00:00:00.000Z"))}\n`)
      for (const [index, each] of tables.entries()) {
        for (const row of rows[index]!) yield* add(encode(each, row))
        yield* add(`{"name":"${each.name}"}\n`)
      }
    }),
  )

/** The rows of an archive by table, or why it is refused. */
const read = (file: string) =>
  Effect.gen(function* () {
    const seen: Array<Array<Row>> = []
    const result = yield* Effect.either(
      readFile(file, tables, () => {
        const taken: Array<Row> = []
        seen.push(taken)
        return Effect.succeed((some) => Effect.sync(() => void taken.push(...some)))
      }),
    )
    return Either.isLeft(result) ? result.left.message : seen
  })

const written = Effect.gen(function* () {
  const path = yield* folder
  const file = join(path, "a.gz")
  yield* write(file)
  return { path, file, bytes: readFileSync(file), lines: gunzipSync(readFileSync(file)).toString().split("\n") }
})

describe("the file of an archive", () => {
  it.scopedLive("is its owner's alone, and is read as it was written", () =>
    Effect.gen(function* () {
      const { file, lines } = yield* written
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
      assert.isFalse(existsSync(`${file}.part`))
      assert.deepStrictEqual<unknown>(yield* read(file), rows)
      assert.strictEqual(lines.length, 1 + 3 + 1 + 1 + 9_000 + 1 + 1)
    }),
  )

  it.scopedLive(
    "overwrites none, takes the place of what a killed export has left, and is gone if the work fails",
    () =>
      Effect.gen(function* () {
        const { path, file, bytes } = yield* written
        const again = yield* Effect.flip(write(file))
        assert.match(again.message, /a\.gz exists\. Name a new file\.$/)
        assert.deepStrictEqual(readFileSync(file), bytes)
        const other = join(path, "b.gz")
        writeFileSync(`${other}.part`, "half")
        yield* Effect.flip(writeFile(other, (add) => Effect.zipRight(add("x".repeat(2 ** 20)), Effect.fail("no"))))
        assert.deepStrictEqual([existsSync(other), existsSync(`${other}.part`)], [false, false])
        const nowhere = yield* Effect.flip(write(join(path, "none", "c.gz")))
        assert.match(nowhere.message, /^Cannot write .*c\.gz: ENOENT/)
      }),
  )

  const cuts: ReadonlyArray<readonly [damage: string, change: (lines: Array<string>) => unknown, why: RegExp]> = [
    ["a row that is cut", (lines) => lines.splice(2, 1, "[2"), /whole archive of a store: .* JSON/],
    ["a digest less", (lines) => lines.splice(5, 1), /the digest of none is missing/],
    ["a table less", (lines) => lines.splice(1, 4), /the digest of ones is missing/],
    ["no digest at its end", (lines) => lines.splice(-2, 1), /the digest of \w+ is missing/],
    ["no table after the first", (lines) => lines.splice(5), /the digest of \w+ is missing/],
    ["only its first line", (lines) => lines.splice(1), /the digest of \w+ is missing/],
    ["no first line", (lines) => lines.splice(0, 1), /it begins with something else/],
    ["nothing", (lines) => lines.splice(0), /it begins with something else/],
    ["more after its end", (lines) => lines.splice(-1, 0, "[1]"), /it goes on after its end/],
    [
      "another schema",
      (lines) => lines.splice(0, 1, lines[0]!.replace('"schema":1', '"schema":7')),
      /^\S+ was written by version \S+, whose schema is 7; this is version \S+, whose schema is 1\. Import it with/,
    ],
    ["another column", (lines) => lines.splice(0, 1, lines[0]!.replace('"word"', '"term"')), /^\S+ was written by/],
  ]
  it.scopedLive("is refused with other lines than it was written with", () =>
    Effect.gen(function* () {
      const { path, lines } = yield* written
      for (const [damage, change, why] of cuts) {
        const changed = [...lines]
        change(changed)
        const file = join(path, "changed.gz")
        writeFileSync(file, gzipSync(changed.join("\n")))
        const message = yield* read(file)
        if (typeof message === "string") assert.match(message, why, damage)
        else assert.fail(damage)
      }
    }),
  )

  it.scopedLive("with other rows than its digests is refused, and nothing of it is imported", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const file = join(path, "a.gz")
      const [source, target] = [sqliteIn(path, "a"), sqliteIn(path, "b")]
      yield* run(source, "INSERT INTO tapes VALUES ('BTC', 1), ('ETH', 2), ('SOL', 3)")
      yield* exportStore(source, file, false)
      const text = gunzipSync(readFileSync(file)).toString()
      for (const [other, message] of [
        ["", /^tapes differs: the archive has 3 rows with SHA-256 .*, the store would have 2 with .* imported\.$/],
        ['["ETH",5]\n', /^tapes differs: .*, the store would have 3 with/],
        ['["ETH",2]\n["ETH",2]\n', /^Cannot write tapes: UNIQUE constraint failed/],
        ['["ETH"]\n', /^Cannot write tapes: /],
      ] as const) {
        writeFileSync(file, gzipSync(text.replace('["ETH",2]\n', other)))
        assert.match((yield* Effect.flip(importStore(target, file))).message, message)
      }
      assert.isTrue(yield* isEmpty(target))
      writeFileSync(file, gzipSync(text))
      yield* importStore(target, file)
      assert.lengthOf(yield* run(target, "SELECT * FROM tapes"), 3)
    }),
  )

  it.scopedLive("is refused wherever it is cut, or a bit is changed, or if it is no archive", () =>
    Effect.gen(function* () {
      const { path, bytes } = yield* written
      const file = join(path, "changed.gz")
      const parts = bytes.toString("latin1").split("\x1f\x8b\x08").length - 1
      assert.isAbove(parts, 1)
      for (let step = 0; step < 64; step++) {
        const index = Math.floor((step * bytes.length) / 64)
        writeFileSync(file, bytes.subarray(0, index))
        assert.match(
          String(yield* read(file)),
          / is no whole archive of a store: .*\. Nothing was imported\.$/,
          `${index}`,
        )
        const changed = Buffer.from(bytes)
        // The first bytes of a part say when and where it was written.
        const place = Math.max(index, 10)
        changed[place] = changed[place]! ^ (1 << (step % 8))
        writeFileSync(file, changed)
        assert.match(String(yield* read(file)), / is no whole archive of a store: /, `bit of ${place}`)
      }
      for (const other of ["a file", "", gzipSync("a file\n"), gzipSync("null\n"), gzipSync("[1]\n")]) {
        writeFileSync(file, other)
        assert.match(String(yield* read(file)), / is no whole archive of a store: /)
      }
    }),
  )
})
