import { execFile } from "node:child_process"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Postgres from "../../../../adapters/store/engine/postgres/open.ts"
import { fill } from "../../../support/earlierCalls.ts"
import { counts, history } from "../../../support/history.ts"
import { ownServer } from "../../../support/postgres.ts"
import { connected, dumping } from "../../../support/postgresServer.ts"
import { folder } from "../../../support/store.ts"
import { insertCalls, openTrail, readTrail } from "../../../support/trailPages.ts"

const rows = Number(process.env["PG_ROWS"] ?? 20_000)
const dumps = dumping()

/** As the first statements of `pg_dump`, whose locks last until its end. */
const asDump = `
  BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
  DO $$ DECLARE name regclass; BEGIN
    FOR name IN SELECT oid FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace
    LOOP EXECUTE format('LOCK TABLE %s IN ACCESS SHARE MODE', name); END LOOP;
  END $$`

const next = new Date()
const cases = [
  ["whose table stands ready", Date.UTC(next.getUTCFullYear(), next.getUTCMonth() + 1, 1)],
  ["whose table is missing", Date.UTC(2031, 4, 1)],
] as const

describe("a dump of the store that is under way", () => {
  for (const [name, month] of cases) {
    it.scopedLive(
      `over the first second of a month ${name} fails no call${dumps === undefined ? " (its locks alone: there is no pg_dump)" : ""}`,
      () =>
        Effect.gen(function* () {
          const server = yield* ownServer(["fsync=off"], dumps?.server)
          let first: number | undefined
          const now = () => {
            first ??= Date.now()
            return month - 4_000 + Date.now() - first
          }
          let [taken, tookMs] = [0, 0]
          const outcomes = yield* history(
            {
              url: Redacted.make(server.url),
              now,
              prepare: () => Effect.promise(() => fill(server.url, rows)),
            },
            ({ other }) =>
              Effect.gen(function* () {
                yield* Effect.promise(() => other.query(asDump))
                const begun = performance.now()
                const dump = Effect.promise(async () => {
                  if (dumps !== undefined) await promisify(execFile)(dumps.dump, ["--file=/dev/null", server.url])
                  taken++
                  tookMs = Math.round(performance.now() - begun)
                })
                // One after the other until the month has begun; it ends with the last.
                const dumping = yield* Effect.fork(
                  Effect.repeat(Effect.zipRight(Effect.sleep("50 millis"), dump), {
                    while: () => now() < month + 3_000,
                  }),
                )
                yield* Effect.sleep(Math.max(0, month + 3_000 - now()))
                yield* Fiber.join(dumping)
                yield* Effect.promise(() => other.query("ROLLBACK"))
                yield* Effect.sleep("500 millis")
                const text = new Date(month).toISOString().slice(0, 7)
                const found = yield* Effect.promise(() =>
                  other.query("SELECT count(*)::int AS n FROM audit WHERE month = $1", [text]),
                )
                assert.isAbove(found.rows[0].n, 0)
              }),
          )
          yield* Effect.logInfo(JSON.stringify({ rows, dumps: taken, tookMs, ...counts(outcomes) }))
          assert.strictEqual(counts(outcomes).failed, 0)
        }),
      60_000 + rows / 20,
    )
  }
})

describe("a dump that is restored on another server", () => {
  it.scopedLive.skipIf(dumps === undefined)("has the whole trail, and later calls come after it", () =>
    Effect.gen(function* () {
      const { dump, server } = dumps!
      const [first, second] = [yield* ownServer(["fsync=off"], server), yield* ownServer(["fsync=off"], server)]
      const url = Redacted.make(first.url)
      yield* Effect.scoped(Layer.build(Postgres.layer(url)))
      // The first server counts further than the second has.
      const transactions = "DO $$ BEGIN FOR n IN 1..5000 LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$"
      const month = "2020-01"
      const insert = (to: string, id: string) =>
        Effect.promise(() => connected(to, (client) => insertCalls(client, month, [id])))
      yield* Effect.promise(() =>
        connected(first.url, async (client) => {
          await client.query(transactions)
          await client.query("SELECT audit_month($1)", [month])
        }),
      )
      yield* insert(first.url, "a")
      const file = join(yield* folder, "dump.sql")
      yield* Effect.promise(() => promisify(execFile)(dump, [`--file=${file}`, first.url]))
      yield* Effect.promise(() =>
        promisify(execFile)(join(dirname(dump), "psql"), [
          "--quiet",
          "-v",
          "ON_ERROR_STOP=1",
          `--file=${file}`,
          second.url,
        ]),
      )
      const trail = yield* openTrail(Redacted.make(second.url))
      yield* insert(second.url, "b")
      assert.deepStrictEqual(yield* readTrail(trail, month, 10), ["a", "b"])
    }),
  )
})
