import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import pg from "pg"
import * as Postgres from "../../../../../adapters/store/engine/postgres/open.ts"
import { commandLine } from "../../../../support/commandLine.ts"
import { database } from "../../../../support/postgres.ts"
import { environmentOf, folder } from "../../../../support/serverProcess.ts"
import { insertCalls, openTrail, readTrail } from "../../../../support/trailPages.ts"

const month = "2020-01"

/** A connection that ends with the scope. */
const connection = (url: Redacted.Redacted) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new pg.Client({ connectionString: Redacted.value(url) })
      await client.connect()
      return client
    }),
    (client) => Effect.promise(() => client.end()),
  )

const insert = (client: pg.Client, ids: ReadonlyArray<string>) => Effect.promise(() => insertCalls(client, month, ids))

const prepared = Effect.gen(function* () {
  const url = yield* database
  const [writer, other] = [yield* connection(url), yield* connection(url)]
  yield* Effect.promise(() => writer.query("SELECT audit_month($1)", [month]))
  const trail = yield* openTrail(url)
  const pages = (limit: number, between?: (page: number) => Effect.Effect<unknown>, times?: number) =>
    readTrail(trail, month, limit, between, times)
  return { url, writer, other, trail, pages }
})

const query = (client: pg.Client, text: string) => Effect.promise(() => client.query(text))

describe("pages of a month of the audit trail", () => {
  it.scopedLive("have every row once, whatever the sizes of pages and transactions", () =>
    Effect.gen(function* () {
      const { writer, pages } = yield* prepared
      const all = Array.from({ length: 40 }, (_, n) => `req_${n}`)
      for (const [from, to] of [
        [0, 1],
        [1, 18],
        [18, 19],
        [19, 21],
        [21, 40],
      ] as const) {
        yield* insert(writer, all.slice(from, to))
      }
      for (const limit of [1, 2, 7, 17, 39, 40, 41, 1_000]) assert.deepStrictEqual(yield* pages(limit), all)
    }),
  )

  it.scopedLive("miss no row whose transaction got its number first and its rows last", () =>
    Effect.gen(function* () {
      const { writer, other, pages } = yield* prepared
      yield* insert(writer, ["first"])
      // The younger transaction takes the lower number of a row and commits last.
      yield* query(writer, "BEGIN; SELECT pg_current_xact_id()")
      yield* query(other, "BEGIN; SELECT pg_current_xact_id()")
      yield* insert(other, ["late"])
      yield* insert(writer, ["early"])
      yield* query(writer, "COMMIT")
      const ids = yield* pages(1, (n) => (n === 2 ? query(other, "COMMIT") : Effect.void))
      assert.deepStrictEqual(ids, ["first", "early", "late"])
    }),
  )

  it.scopedLive("end while calls go on, without those that came after", () =>
    Effect.gen(function* () {
      const { writer, other, pages } = yield* prepared
      yield* insert(writer, ["a"])
      // Always one is open, and what is committed meanwhile is hidden.
      const traffic = Effect.gen(function* () {
        for (let n = 0; ; n++) {
          const [opening, closing] = n % 2 === 0 ? [other, writer] : [writer, other]
          yield* query(opening, "BEGIN; SELECT pg_current_xact_id()")
          yield* insert(opening, [`more_${n}`])
          yield* query(closing, "COMMIT")
        }
      })
      yield* Effect.raceFirst(
        traffic,
        Effect.gen(function* () {
          yield* Effect.sleep("300 millis")
          const ids = yield* pages(1_000)
          assert.deepStrictEqual(ids, ["a", ...ids.slice(1).map((_, n) => `more_${n}`)])
          assert.isAbove(ids.length, 1)
        }),
      )
    }),
  )

  it.scopedLive("have the rows of a dump from a server that had counted further, and later ones after them", () =>
    Effect.gen(function* () {
      const { url, writer, pages } = yield* prepared
      yield* insert(writer, ["a", "b"])
      const further = "BEGIN; SET LOCAL session_replication_role = replica; UPDATE audit SET tx = tx + 1000000; COMMIT"
      const all = ["a", "b"]
      for (const later of ["c", "d"]) {
        yield* query(writer, further)
        yield* Effect.scoped(Layer.build(Postgres.layer(url)))
        yield* insert(writer, [later])
        all.push(later)
        for (const limit of [1, 2, 10]) assert.deepStrictEqual(yield* pages(limit), all)
      }
    }),
  )

  it.scopedLive(
    "wait for an older transaction, and never end before what was committed",
    () =>
      Effect.gen(function* () {
        const { writer, other, pages, trail, url } = yield* prepared
        yield* insert(writer, ["a"])
        yield* query(other, "BEGIN; SELECT pg_current_xact_id()")
        yield* insert(writer, ["b", "c"])
        const first = yield* trail.page(month, 0, 10)
        assert.deepStrictEqual(
          first.rows.map(({ requestId }) => requestId),
          ["a"],
        )
        assert.isDefined(first.next)
        yield* Effect.fork(Effect.delay(query(other, "COMMIT"), "500 millis"))
        assert.deepStrictEqual(yield* pages(10), ["a", "b", "c"])

        // One that stays open fails the export, which would be short.
        yield* query(other, "BEGIN; SELECT pg_current_xact_id()")
        yield* insert(writer, ["d"])
        const failure = yield* Effect.flip(pages(10, undefined, 0))
        assert.strictEqual(failure.code, "storage_unavailable")
        const keys = yield* folder
        const { cli } = commandLine("", environmentOf(url, keys))
        const refused = yield* Effect.promise(() => cli(`audit export --month ${month} --out ${join(keys, "short")}`))
        assert.strictEqual(refused.code, 1)
        yield* query(other, "COMMIT")
        const out = join(keys, "whole")
        const exported = yield* Effect.promise(() => cli(`audit export --month ${month} --out ${out}`))
        assert.deepStrictEqual([exported.code, exported.stderr], [0, ""])
        assert.lengthOf(readFileSync(out, "utf8").trim().split("\n"), 4)
        assert.isDefined((yield* trail.months)[0]?.exportedAt)
      }),
    60_000,
  )
})
