import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Arr from "effect/Array"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Postgres from "../../../../adapters/sql/postgres/open.ts"
import * as Cutting from "../../../support/cuttingProxy.ts"
import { database } from "../../../support/postgres.ts"
import { type Node, node } from "../../../support/postgresNode.ts"
import { start } from "../../../support/postgresServer.ts"
import { type Spender, spend, spender } from "../../../support/spender.ts"

const cuts = Number(process.env["PG_CUTS"] ?? 25)
const crashes = Number(process.env["PG_CRASHES"] ?? 3)

const price = 1_000

/** Pays from 16 callers until told to stop; returns the number of calls that were let through, and of those that failed. */
const paying = (payers: ReadonlyArray<Spender>, isOver: () => boolean) =>
  Effect.map(
    Effect.forEach(
      Arr.range(0, 15),
      (caller) =>
        Effect.gen(function* () {
          const said = { settled: 0, failed: 0 }
          while (!isOver()) {
            const result = yield* Effect.either(spend(payers[caller % payers.length]!, price, { at: Date.now() }))
            if (Either.isRight(result)) assert.strictEqual(result.right._tag, "Settled")
            else assert.strictEqual(result.left.code, "storage_unavailable")
            said[Either.isRight(result) ? "settled" : "failed"]++
          }
          return said
        }),
      { concurrency: "unbounded" },
    ),
    (all) => ({
      settled: all.reduce((sum, { settled }) => sum + settled, 0),
      failed: all.reduce((sum, { failed }) => sum + failed, 0),
    }),
  )

/** What the books say: charges less those given back, and the wallets that differ from their journal. */
const books = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<{ kept: number; wrong: number; spent: number }>`
    SELECT (SELECT coalesce(sum(CASE WHEN kind = 'charge' THEN 1 ELSE -1 END), 0) FROM journal WHERE debit = 'revenue' OR credit = 'revenue') AS kept,
      (SELECT count(*) FROM wallets w WHERE w.balance_micros <> (
        SELECT sum(CASE WHEN kind = 'credit' THEN micros ELSE -micros END) FROM journal j WHERE j.account_id = w.account_id)) AS wrong,
      (SELECT coalesce(sum(micros), 0) FROM agent_spend) AS spent`,
)

const run = (context: Context.Context<Node>, faults: (isDone: () => void) => Effect.Effect<void>) =>
  Effect.gen(function* () {
    const payers = yield* Effect.forEach(Arr.range(1, 4), (n) => spender(`bot${n}`, {}))
    let over = false
    const fiber = yield* Effect.fork(paying(payers, () => over))
    yield* faults(() => {
      over = true
    })
    return yield* Fiber.join(fiber)
  }).pipe(Effect.provide(context))

const pause = (ms: number) => Effect.promise(() => new Promise((resolve) => setTimeout(resolve, ms)))

const through = (url: Redacted.Redacted) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(() => Cutting.start(Redacted.value(url))),
      (proxy) => Effect.promise(proxy.close),
    ),
    (proxy) => ({ proxy, url: Redacted.make(proxy.urlOf(Redacted.value(url))) }),
  )

describe("a charge on PostgreSQL", () => {
  it.scopedLive(
    `is made once however often its answer is lost: ${cuts} cut connections`,
    () =>
      Effect.gen(function* () {
        const direct = yield* database
        const { proxy, url } = yield* through(direct)
        const { settled, failed } = yield* run(yield* node(url), (isDone) =>
          Effect.gen(function* () {
            for (const cut of Arr.range(1, cuts)) {
              proxy.cutAnswer()
              while (proxy.cuts() < cut) yield* pause(1)
              yield* pause(20)
            }
            isDone()
          }),
        )
        assert.strictEqual(failed, 0)
        assert.isAbove(settled, cuts)
        const [row] = yield* Effect.provide(books, Postgres.layer(direct))
        assert.deepStrictEqual(row, { kept: settled, wrong: 0, spent: settled * price })
      }),
    120_000,
  )

  it.scopedLive(
    "fails while the store is away, and is given back if it had been made",
    () =>
      Effect.gen(function* () {
        const direct = yield* database
        const { proxy, url } = yield* through(direct)
        const { settled, failed } = yield* run(yield* node(url), (isDone) =>
          Effect.gen(function* () {
            yield* pause(300)
            // The last answers are lost with the connections.
            proxy.cutAnswer()
            proxy.partition()
            yield* pause(6_000)
            isDone()
            proxy.heal()
          }),
        )
        assert.isAbove(settled, 0)
        assert.isAbove(failed, 0)
        // The node cancels the batches whose answer it never got.
        let row: { readonly kept: number; readonly wrong: number; readonly spent: number } | undefined
        for (let tries = 0; tries < 100 && row?.kept !== settled; tries++) {
          yield* pause(50)
          row = (yield* Effect.provide(books, Postgres.layer(direct)))[0]
        }
        assert.deepStrictEqual(row, { kept: settled, wrong: 0, spent: settled * price })
      }),
    60_000,
  )

  it.scopedLive(
    `survives ${crashes} crashes of the server`,
    () =>
      Effect.gen(function* () {
        const server = yield* Effect.acquireRelease(
          Effect.promise(() => start()),
          (started) => Effect.promise(async () => started?.stop()),
        )
        assert.isDefined(server)
        const url = Redacted.make(server.url)
        const { settled, failed } = yield* run(yield* node(url), (isDone) =>
          Effect.gen(function* () {
            for (const _ of Arr.range(1, crashes)) {
              yield* pause(400)
              yield* Effect.promise(server.crash)
            }
            yield* pause(400)
            isDone()
          }),
        )
        assert.strictEqual(failed, 0)
        const [row] = yield* Effect.provide(books, Layer.fresh(Postgres.layer(url)))
        assert.deepStrictEqual(row, { kept: settled, wrong: 0, spent: settled * price })
      }),
    120_000,
  )
})
