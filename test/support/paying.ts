import * as SqlClient from "@effect/sql/SqlClient"
import { assert } from "@effect/vitest"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { type Spender, spend } from "./spender.ts"

export const price = 1_000

/** What callers were told. */
export interface Paid {
  readonly settled: number
  readonly failed: number
  /** The longest wait for an answer, milliseconds. */
  readonly slowest: number
  /** When a charge was settled last, by `performance.now()`. */
  readonly lastAt: number
}

/** Pays from 16 callers until told to stop. */
export const paying = (payers: ReadonlyArray<Spender>, isOver: () => boolean, onSettled: () => void = () => {}) =>
  Effect.map(
    Effect.forEach(
      Arr.range(0, 15),
      (caller) =>
        Effect.gen(function* () {
          const said = { settled: 0, failed: 0, slowest: 0, lastAt: 0 }
          while (!isOver()) {
            const begun = performance.now()
            const result = yield* Effect.either(spend(payers[caller % payers.length]!, price, { at: Date.now() }))
            if (Either.isRight(result)) {
              assert.strictEqual(result.right._tag, "Accepted")
              said.lastAt = performance.now()
              onSettled()
            } else assert.strictEqual(result.left.code, "storage_unavailable")
            said[Either.isRight(result) ? "settled" : "failed"]++
            said.slowest = Math.max(said.slowest, performance.now() - begun)
          }
          return said
        }),
      { concurrency: "unbounded" },
    ),
    (all): Paid => ({
      settled: all.reduce((sum, { settled }) => sum + settled, 0),
      failed: all.reduce((sum, { failed }) => sum + failed, 0),
      slowest: Math.max(...all.map(({ slowest }) => slowest)),
      lastAt: Math.max(...all.map(({ lastAt }) => lastAt)),
    }),
  )

/** What the books say: charges less those given back, and the wallets that differ from their journal. */
export const books = Effect.map(
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{ kept: number; wrong: number; spent: number }>`
    SELECT (SELECT coalesce(sum(CASE WHEN kind = 'charge' THEN 1 ELSE -1 END), 0) FROM postings WHERE debit = 'revenue' OR credit = 'revenue') AS kept,
      (SELECT count(*) FROM wallets w WHERE w.balance_micros <> (
        SELECT sum(CASE WHEN kind = 'credit' THEN micros ELSE -micros END) FROM postings j WHERE j.account_id = w.account_id)) AS wrong,
      (SELECT coalesce(sum(micros), 0) FROM agent_spend) AS spent`,
  ),
  ([row]) => row!,
)
