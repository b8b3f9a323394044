import { createHash } from "node:crypto"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Row } from "../../../../../adapters/store/upkeep/copy/canonical.ts"
import type { Table } from "../../../../../adapters/store/upkeep/copy/catalogue.ts"
import {
  digest,
  digestTables,
  passing,
  refuseDifferent,
  type TableDigest,
  wholeCopy,
} from "../../../../../adapters/store/upkeep/copy/digests.ts"
import { CopyError, open } from "../../../../../adapters/store/upkeep/copy/End.ts"
import { Progress } from "../../../../../core/Progress.ts"
import { folder } from "../../../../support/store.ts"

const options = { mayHaveNul: true }
const table = (name: string): Table => ({ name, columns: [{ name: "n", kind: "whole" }], key: ["n"] })
const tables = [table("ones"), table("twos")]

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

/** A store whose table `ones` has a row, and `twos` has some. */
const storeIn = (path: string, name: string, twos: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    const end = yield* open("--to", { _tag: "Sqlite", file: join(path, name) })
    end.db!.exec("CREATE TABLE ones (n INTEGER); CREATE TABLE twos (n INTEGER); INSERT INTO ones VALUES (1)")
    for (const n of twos) end.db!.prepare("INSERT INTO twos VALUES (?)").run(n)
    return end
  })

/** Runs with somebody who is told of the progress. */
const told = <A, E, R>(work: (lines: ReadonlyArray<string>) => Effect.Effect<A, E, R>) => {
  const lines: Array<string> = []
  return Effect.provideService(work(lines), Progress, (what, at, of) =>
    Effect.sync(() => void lines.push(`${at}/${of} ${what}`)),
  )
}

describe("the digests of a store", () => {
  it.scoped("are of the audit trail and then of each table, in the order of the keys, and tell how far they are", () =>
    told((lines) =>
      Effect.gen(function* () {
        const end = yield* storeIn(yield* folder, "a.db", [30, 4])
        assert.deepStrictEqual(yield* digestTables(end, tables, options), [
          { name: "audit", rows: 0, sha256: sha256("") },
          { name: "ones", rows: 1, sha256: sha256("[1]\n") },
          { name: "twos", rows: 2, sha256: sha256("[4]\n[30]\n") },
        ])
        assert.deepStrictEqual(lines, ["1/3 compare ones: 1 rows", "2/3 compare twos: 2 rows"])
      }),
    ),
  )

  it.effect("stop at a row that a store cannot hold", () =>
    Effect.gen(function* () {
      const rows: ReadonlyArray<Row> = [[1]]
      const seen: Array<ReadonlyArray<Row>> = []
      yield* digest((some) => void seen.push(some), rows)
      assert.deepStrictEqual(seen, [rows])
      const error = yield* Effect.flip(
        digest(() => {
          throw new RangeError("ones, row 1: n is not a whole number below 2^53")
        }, rows),
      )
      assert.instanceOf(error, CopyError)
      assert.strictEqual(error.message, "--from: ones, row 1: n is not a whole number below 2^53.")
    }),
  )

  it.effect("count the rows that have passed", () =>
    told((lines) =>
      Effect.gen(function* () {
        const pass = passing("copy", { name: "ones" }, 2, 9)
        yield* pass([[1], [2]])
        yield* pass([])
        yield* pass([[3]])
        assert.deepStrictEqual(lines, ["2/9 copy ones: 2 rows", "2/9 copy ones: 2 rows", "2/9 copy ones: 3 rows"])
      }),
    ),
  )
})

describe("two stores after a copy", () => {
  const of = (name: string, rows: number, sha256 = "aa"): TableDigest => ({ name, rows, sha256 })

  it.effect("are equal if every table has as many rows and the same digest", () =>
    Effect.gen(function* () {
      yield* refuseDifferent([], [])
      yield* refuseDifferent([of("ones", 1), of("twos", 2)], [of("ones", 1), of("twos", 2)])
    }),
  )

  it.effect("are refused with the first table that differs", () =>
    Effect.gen(function* () {
      const source = [of("ones", 1), of("twos", 2), of("threes", 3)]
      const byDigest = yield* Effect.flip(
        refuseDifferent(source, [of("ones", 1), of("twos", 2, "bb"), of("threes", 4)]),
      )
      assert.strictEqual(
        byDigest.message,
        "twos differs: 2 rows with SHA-256 aa were read, 2 with bb were written. The target stays empty.",
      )
      const byRows = yield* Effect.flip(refuseDifferent(source, [of("ones", 0), of("twos", 2, "bb"), of("threes", 3)]))
      assert.strictEqual(
        byRows.message,
        "ones differs: 1 rows with SHA-256 aa were read, 0 with aa were written. The target stays empty.",
      )
    }),
  )
})

describe("a target that is not empty", () => {
  it.scoped(
    "is a whole copy if all its tables are the source's; the audit trail comes first in what is given back",
    () =>
      Effect.gen(function* () {
        const path = yield* folder
        const [source, target] = [yield* storeIn(path, "a.db", [2, 3]), yield* storeIn(path, "b.db", [3, 2])]
        const digests = yield* wholeCopy(source, target, tables, options, "twos")
        assert.deepStrictEqual(digests, yield* digestTables(source, tables, options))
      }),
  )

  it.scoped("is refused with the table that has rows and the one that differs", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const [source, target] = [yield* storeIn(path, "a.db", [2, 3]), yield* storeIn(path, "b.db", [2])]
      const error = yield* Effect.flip(wholeCopy(source, target, tables, options, "ones"))
      assert.strictEqual(
        error.message,
        "--to: the store is not empty: ones has rows, and it is no copy of --from as it is now: twos differs. Name a new file or database; it is created or migrated.",
      )
    }),
  )
})
