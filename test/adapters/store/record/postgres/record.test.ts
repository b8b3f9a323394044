import { createHash } from "node:crypto"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Encoding from "effect/Encoding"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Postgres from "../../../../../adapters/store/engine/postgres/open.ts"
import * as captures from "../../../../../adapters/store/record/Captures.ts"
import * as outcomes from "../../../../../adapters/store/record/Outcomes.ts"
import { type Captured, Captures } from "../../../../../core/record/captures/Captures.ts"
import { type Outcome, Outcomes } from "../../../../../core/record/captures/Outcomes.ts"
import { type Part, RecordInputs, toPart } from "../../../../../core/record/captures/RecordInputs.ts"
import * as merkle from "../../../../../core/record/log/merkle.ts"
import * as proofs from "../../../../../core/record/log/proofs.ts"
import { RecordLog } from "../../../../../core/record/log/RecordLog.ts"
import { captured } from "../../../../support/captures.ts"
import { database } from "../../../../support/postgres.ts"
import { leaf, recordOver } from "../../../../support/record.ts"

const sha256 = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest()

const nodes = 4

/** The contexts of nodes over one new database, each with connections of its own. */
const cluster = Effect.gen(function* () {
  const url = yield* database
  return yield* Effect.forEach(Array.from({ length: nodes }), () =>
    Layer.build(
      Layer.provideMerge(
        Layer.merge(captures.layer, outcomes.layer),
        recordOver(Postgres.layer(url, { connections: 5 })),
      ),
    ),
  )
})

type Ports = Effect.Effect.Success<typeof cluster>[number] extends Context.Context<infer R> ? R : never

/** What each node does, all at the same time. */
const onAll = <A, E>(work: (node: number) => Effect.Effect<A, E, Ports>) =>
  Effect.flatMap(cluster, (contexts) =>
    Effect.map(
      Effect.all(
        contexts.map((context, node) => Effect.provide(work(node), context)),
        { concurrency: "unbounded" },
      ),
      (results) => ({ results, one: contexts[0]! }),
    ),
  )

const count = (table: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(sql<{ n: number }>`SELECT COUNT(*) AS n FROM ${sql(table)}`, ([row]) => row!.n),
  )

/** Fails unless the positions have no gap and the root from the stored subtrees is that of the texts. */
const isOneTree = (size: number) =>
  Effect.gen(function* () {
    const entries = yield* (yield* RecordLog).range(0, 1_000_000)
    assert.deepStrictEqual(
      entries.map(({ position }) => position),
      Array.from({ length: size }, (_, at) => at),
    )
    const hashes = entries.map(({ text }) => merkle.leafHash(sha256, Buffer.from(text)))
    const join = (from: number, to: number): Uint8Array => {
      if (to - from === 1) return hashes[from]!
      const middle = from + 2 ** Math.floor(Math.log2(to - from - 1))
      return merkle.nodeHash(sha256, join(from, middle), join(middle, to))
    }
    assert.strictEqual(Encoding.encodeHex(yield* proofs.root(size)), Encoding.encodeHex(join(0, size)))
    return entries
  })

describe("the record of several nodes", () => {
  it.scopedLive("takes a leaf once, whoever appends it first", () =>
    Effect.gen(function* () {
      const all = Array.from({ length: 30 }, (_, n) => leaf(n))
      const { results, one } = yield* onAll((node) =>
        Effect.flatMap(RecordLog, (log) =>
          Effect.forEach(all, (_, n) => log.append([all[(n + node * 7) % 30]!, all[(n + node * 7 + 3) % 30]!])),
        ),
      )
      assert.strictEqual(new Set(results.flat(2)).size, 30)
      yield* Effect.provide(isOneTree(30), one)
    }),
  )

  it.scopedLive("takes a line that says nothing new once, and a slot's capture once", () =>
    Effect.gen(function* () {
      const rounds = Array.from({ length: 25 }, (_, n) => n)
      const race = (of: (round: number, id: string) => Captured) =>
        onAll((node) =>
          Effect.flatMap(Captures, ({ append }) =>
            Effect.forEach(
              rounds,
              (round) => Effect.map(append([of(round, `${node}-${round}`)]), (taken) => taken.length),
              { concurrency: "unbounded" },
            ),
          ),
        )
      const lines: typeof race extends (of: infer Of) => unknown ? Of : never = (round, id) =>
        captured({ id, kind: "on_demand", subject: `game ${round % 5}`, at: 1 }, { once: true })
      const slots: typeof lines = (round, id) => captured({ id, at: round * 3_600_000 })
      for (const [of, kept] of [
        [lines, 5],
        [slots, rounds.length],
      ] as const) {
        const { results, one } = yield* race(of)
        assert.strictEqual(
          results.flat().reduce((sum, taken) => sum + taken, 0),
          kept,
        )
        assert.strictEqual(yield* Effect.provide(count("captures"), one), kept)
        yield* Effect.provide(isOneTree(kept), one)
      }
    }),
  )

  it.scopedLive("writes shared inputs in one order, so that two nodes never wait for each other", () =>
    Effect.gen(function* () {
      const [first, second, third] = yield* cluster
      const [a, m, z] = ["a", "m", "z"].map((hash) => toPart({ hash, text: "{}" })) as [Part, Part, Part]
      const keep = (...parts: ReadonlyArray<Part>) => Effect.flatMap(RecordInputs, (inputs) => inputs.keep(parts))
      const sql = Context.get(first!, SqlClient.SqlClient)
      const waiting = sql`
        SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
      const until = (count: number) => Effect.repeat(waiting, { until: ({ length }) => length === count })
      const [inserted, held] = yield* Effect.all([Deferred.make<void>(), Deferred.make<void>()])
      const holding = yield* Effect.fork(
        sql.withTransaction(
          sql`INSERT INTO record_inputs VALUES ('m', '{}')`.pipe(
            Effect.zipRight(Deferred.succeed(inserted, undefined)),
            Effect.zipRight(Deferred.await(held)),
          ),
        ),
      )
      yield* Deferred.await(inserted)
      const one = yield* Effect.fork(Effect.provide(keep(z, m, a), second!))
      yield* until(1)
      const other = yield* Effect.fork(Effect.provide(keep(a, z), third!))
      yield* until(2)
      yield* Deferred.succeed(held, undefined)
      yield* Effect.all([holding, one, other].map((fiber) => Fiber.join<unknown, unknown>(fiber)))
      assert.strictEqual(yield* Effect.provide(count("record_inputs"), first!), 3)
    }),
  )

  it.scopedLive("takes an outcome once, with its leaf", () =>
    Effect.gen(function* () {
      const ids = Array.from({ length: 20 }, (_, n) => `capture ${n}`)
      const outcome = (captureId: string, revision: number): Outcome => ({
        captureId,
        revision,
        at: revision,
        outcome: { home: 1 },
        scores: { mae: 1 },
      })
      const { results, one } = yield* onAll((node) =>
        Effect.gen(function* () {
          const [{ append }, { append: settle }] = yield* Effect.all([Captures, Outcomes])
          yield* append(ids.map((id, n) => captured({ id, at: n })))
          return yield* Effect.forEach(
            [1, 2],
            (revision) => settle(ids.map((_, n) => outcome(ids[(n + node * 5) % 20]!, revision))),
            { concurrency: "unbounded" },
          )
        }),
      )
      assert.strictEqual(
        results.flat().reduce((sum, taken) => sum + taken, 0),
        40,
      )
      const entries = yield* Effect.provide(isOneTree(60), one)
      assert.strictEqual(new Set(entries.map(({ id }) => id)).size, 60)
    }),
  )
})
