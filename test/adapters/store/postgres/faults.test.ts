import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Postgres from "../../../../adapters/store/engine/postgres/open.ts"
import { Ledger } from "../../../../core/account/Ledger.ts"
import { price } from "../../../support/calling.ts"
import { captured } from "../../../support/captures.ts"
import * as Cutting from "../../../support/cuttingProxy.ts"
import { books, history, refusedIn } from "../../../support/history.ts"
import { database, ownServer } from "../../../support/postgres.ts"
import { node } from "../../../support/postgresNode.ts"
import { settlementOf } from "../../../support/settlement.ts"
import { spend, spender } from "../../../support/spender.ts"

const cuts = Number(process.env["PG_CUTS"] ?? 15)
const crashes = Number(process.env["PG_CRASHES"] ?? 3)

/** One node with callers of four accounts. */
const one = { nodes: 1, payers: 4, callers: 4 }

const pause = (ms: number) => Effect.promise(() => new Promise((resolve) => setTimeout(resolve, ms)))

/** Cuts answers off, each while charges are under way: some have been settled since the last cut. */
const cutting = (proxy: Cutting.Proxy, settled: () => number) =>
  Effect.gen(function* () {
    for (const cut of Arr.range(1, cuts)) {
      const before = settled()
      while (settled() <= before) yield* pause(1)
      yield* pause(Math.random() * 20)
      proxy.cutAnswer()
      while (proxy.cuts() < cut) yield* pause(1)
    }
  })

describe("a charge on PostgreSQL", () => {
  it.scopedLive(
    `has its capture and its leaf once however often an answer is lost: ${cuts} cut connections`,
    () =>
      Effect.gen(function* () {
        const direct = yield* database
        const { proxy, url } = yield* Cutting.through(direct)
        const context = yield* node(url)
        const who = yield* Effect.provide(spender("bot", {}), context)
        let [over, calls, settled] = [false, 0, 0]
        const one = Effect.gen(function* () {
          const requestId = `req_${calls++}`
          const sale = captured({
            kind: "on_demand",
            at: calls,
            bought: { requestId, accountId: who.accountId, keyId: who.keyId },
          })
          const asked = settlementOf({ ...who, requestId, micros: price, at: Date.now() })
          const { _tag } = yield* (yield* Ledger).charge({ ...asked, captured: sale })
          assert.strictEqual(_tag, "Accepted")
          settled++
        })
        const buying = yield* Effect.fork(
          Effect.provide(
            Effect.forEach(Arr.range(1, 8), () => Effect.repeat(one, { until: () => over }), {
              concurrency: "unbounded",
            }),
            context,
          ),
        )
        yield* cutting(proxy, () => settled)
        over = true
        yield* Fiber.join(buying)
        yield* Effect.gen(function* () {
          assert.deepStrictEqual(yield* books, { kept: settled, wrong: 0, spent: settled * price })
          const sql = yield* SqlClient.SqlClient
          const [row] = yield* sql<{ captures: number; leaves: number; unpaid: number }>`
            SELECT (SELECT count(*) FROM captures) AS captures, (SELECT count(*) FROM record_leaves) AS leaves,
              (SELECT count(*) FROM captures c WHERE NOT EXISTS (
                SELECT 1 FROM postings j WHERE j.id = c.request_id AND j.key_id = c.key_id)) AS unpaid`
          assert.deepStrictEqual(row, { captures: settled, leaves: settled, unpaid: 0 })
        }).pipe(Effect.provide(Postgres.layer(direct)))
      }),
    120_000 + cuts * 1_000,
  )

  it.scopedLive(
    `survives ${crashes} crashes of the server`,
    () =>
      Effect.gen(function* () {
        const server = yield* ownServer()
        let longestMs = 0
        const outcomes = yield* history({ url: Redacted.make(server.url), ...one }, ({ isBack }) =>
          Effect.forEach(
            Arr.range(1, crashes),
            () =>
              Effect.gen(function* () {
                const [away] = yield* Effect.timed(Effect.promise(server.crash))
                longestMs = Math.max(longestMs, Duration.toMillis(away))
                yield* isBack
              }),
            { discard: true },
          ),
        )
        // A call waits 5 s for the store: on a busy machine a server may need longer to come back.
        if (longestMs < 2_500) assert.deepStrictEqual(refusedIn(outcomes), [])
      }),
    120_000 + crashes * 10_000,
  )

  it.scopedLive(
    "is refused while a node that was stopped in a transaction has its locks, which end before it goes on",
    () =>
      Effect.gen(function* () {
        // Its own server: a transaction that is open anywhere on a server holds back the audit rows of all its databases.
        const url = Redacted.make((yield* ownServer()).url)
        const [stopped, other] = [yield* Layer.build(Postgres.layer(url)), yield* node(url)]
        const who = yield* Effect.provide(spender("bot", {}), other)
        const { sql, locked } = { sql: Context.get(stopped, SqlClient.SqlClient), locked: yield* Deferred.make<void>() }
        const holding = yield* Effect.fork(
          sql.withTransaction(
            Effect.all([
              sql`SELECT 1 FROM wallets FOR UPDATE`,
              Deferred.succeed(locked, undefined),
              Effect.sleep("7 seconds"),
            ]),
          ),
        )
        yield* Deferred.await(locked)
        const spending = Effect.provide(
          Effect.suspend(() => spend(who, price, { at: Date.now() })),
          other,
        )
        const refused = yield* Effect.flip(spending)
        assert.deepInclude(refused, { code: "storage_unavailable", retryAfterMs: 1_000 })
        const { _tag } = yield* Effect.retry(spending, { times: 3 })
        assert.strictEqual(_tag, "Accepted")
        assert.isTrue(Option.isNone(yield* Fiber.poll(holding)), "the stopped node has gone on")
        assert.isTrue(Exit.isFailure(yield* Fiber.await(holding)))
      }),
    30_000,
  )
})
