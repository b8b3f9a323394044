import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import pg from "pg"
import * as Postgres from "../../../../adapters/store/engine/postgres/open.ts"
import { fill } from "../../../support/earlierCalls.ts"
import { counts, history } from "../../../support/history.ts"
import { barOf, within } from "../../../support/longForm.ts"
import { ownServer } from "../../../support/postgres.ts"

const rows = Number(process.env["PG_ROWS"] ?? 20_000)
const isLongForm = rows > 20_000
const holdMs = isLongForm ? 15_000 : 2_500

const trail = `audit_${new Date().toISOString().slice(0, 7).replace("-", "_")}`

/** What an operator does, with the statements that end it; without any, it ends by itself. */
const troubles: ReadonlyArray<readonly [name: string, begin: string, end?: string]> = [
  ["VACUUM FULL of the wallets", "VACUUM FULL wallets"],
  ["VACUUM FULL of the journal", "VACUUM FULL journal"],
  ["VACUUM FULL of the trail", `VACUUM FULL ${trail}`],
  ["REINDEX of the wallets", "REINDEX TABLE wallets"],
  ["REINDEX of the trail", `REINDEX TABLE ${trail}`],
  ["an idle transaction with locked rows", "BEGIN; UPDATE wallets SET low_micros = low_micros", "ROLLBACK"],
  ["a locked table of wallets", "BEGIN; LOCK TABLE wallets", "ROLLBACK"],
  ["a locked journal", "BEGIN; LOCK TABLE journal", "ROLLBACK"],
  ["a locked trail", `BEGIN; LOCK TABLE ${trail}`, "ROLLBACK"],
  ["a locked table of keys", "BEGIN; LOCK TABLE api_keys", "ROLLBACK"],
  ["a locked table of agents' spend", "BEGIN; LOCK TABLE agent_spend", "ROLLBACK"],
]

describe("an operator's work on the server", () => {
  it.scopedLive(
    `refuses calls${within(5, isLongForm)}, and all are served again${within(5, isLongForm)} after its end`,
    () =>
      Effect.gen(function* () {
        const prepare = (url: Redacted.Redacted) => Effect.promise(() => fill(Redacted.value(url), rows))
        const outcomes = yield* history({ prepare, isLongForm, payers: 4 }, ({ outcomes, other, isBack }) =>
          Effect.forEach(
            troubles,
            ([name, begin, end]) =>
              Effect.gen(function* () {
                const from = outcomes.length
                const begun = performance.now()
                yield* Effect.promise(() => other.query(begin))
                if (end !== undefined) {
                  yield* Effect.sleep(holdMs)
                  yield* Effect.promise(() => other.query(end))
                }
                const tookMs = Math.round(performance.now() - begun)
                const backMs = yield* isBack
                yield* Effect.sleep("500 millis")
                yield* Effect.logInfo(JSON.stringify({ name, tookMs, backMs, ...counts(outcomes.slice(from)) }))
              }),
            { discard: true },
          ),
        )
        assert.isBelow(counts(outcomes).slowest, barOf(5_000, isLongForm))
      }),
    120_000 + rows / 10 + troubles.length * holdMs,
  )
})

describe("a server whose operator", () => {
  it.scopedLive(
    "limits statements to 15 ms and ends all sessions limits those of others alone",
    () =>
      Effect.gen(function* () {
        let endedAt = 0
        const url = Redacted.make((yield* ownServer(["fsync=off"])).url)
        const outcomes = yield* history({ url, isLongForm, payers: 4 }, ({ other, isBack }) =>
          Effect.gen(function* () {
            const ask = (text: string) => Effect.promise(() => other.query(text))
            // The operator's own session has no limit: a slow disk must not end what takes them back.
            yield* ask("SET statement_timeout = 0")
            yield* ask("SET lock_timeout = 0")
            yield* ask("ALTER ROLE postgres SET statement_timeout = 15")
            yield* ask("ALTER SYSTEM SET statement_timeout = 15")
            yield* ask("ALTER SYSTEM SET lock_timeout = 15")
            yield* ask("SELECT pg_reload_conf()")
            yield* Effect.sleep("500 millis")
            // Sessions that begin now have these limits, but for those that they set themselves.
            endedAt = Date.now()
            yield* ask(
              "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'market-signals'",
            )
            const limited = yield* Effect.promise(async () => {
              const client = new pg.Client({ connectionString: Redacted.value(url) })
              await client.connect()
              return client.query("SELECT pg_sleep(1)").then(
                () => undefined,
                (error: { readonly code?: string }) => client.end().then(() => error.code),
              )
            })
            assert.strictEqual(limited, "57014")
            yield* Effect.sleep(holdMs)
            yield* ask("ALTER ROLE postgres RESET ALL")
            yield* ask("ALTER SYSTEM RESET ALL")
            yield* ask("SELECT pg_reload_conf()")
            yield* isBack
          }),
        )
        // A read whose session was ended is not asked again.
        const failed = outcomes.filter(({ isSettled }) => !isSettled)
        for (const { ended } of failed) assert.isBelow(ended - endedAt, 1_000)
        assert.isAbove(counts(outcomes.filter(({ begun }) => begun > endedAt + 1_000)).settled, 100)
      }),
    60_000 + holdMs,
  )

  it.scopedLive(
    "has no connection left serves the nodes that have theirs, tells one that starts why it cannot, and recovers",
    () =>
      Effect.gen(function* () {
        const url = Redacted.make((yield* ownServer(["fsync=off", "max_connections=40"])).url)
        const outcomes = yield* history({ url, isLongForm, payers: 4 }, ({ isBack }) =>
          Effect.gen(function* () {
            const taken: Array<pg.Client> = []
            const take = async () => {
              const client = new pg.Client({ connectionString: Redacted.value(url) })
              client.on("error", () => {})
              await client.connect()
              taken.push(client)
            }
            /** Until the server has none. */
            const takeAll = Effect.ignore(Effect.forever(Effect.tryPromise(take)))
            yield* takeAll
            const taking = yield* Effect.fork(Effect.forever(Effect.delay(takeAll, "20 millis")))
            yield* Effect.sleep(holdMs)
            const refused = yield* Effect.flip(Effect.scoped(Layer.build(Postgres.layer(url))))
            yield* Effect.logInfo(`${taken.length} connections taken: ${refused.message}`)
            assert.match(refused.message, /too many clients|connection/)
            yield* Fiber.interrupt(taking)
            yield* Effect.promise(() => Promise.all(taken.map((client) => client.end())))
            yield* isBack
            yield* Effect.scoped(Layer.build(Postgres.layer(url)))
          }),
        )
        yield* Effect.logInfo(JSON.stringify(counts(outcomes)))
        assert.strictEqual(counts(outcomes).failed, 0)
      }),
    60_000 + holdMs,
  )
})
