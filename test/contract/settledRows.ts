import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { compareRows, type SettledRows } from "../../core/lanes/markets/ports.ts"
import { domains, listFaults } from "../../core/record/scoreboard/Settled.ts"
import type { Cases } from "./frame.ts"

type Port = typeof SettledRows.Service

const everything = (port: Port) =>
  Effect.forEach(domains, (domain) => Effect.map(port.after(domain, undefined, 100_000), (rows) => ({ domain, rows })))

/** What every provider of settled rows owes its callers. Run it where every domain has some. */
export const settledRowsCases: Cases<Port> = {
  "gives good rows of the domain that was asked for, each scored, in order": (port) =>
    Effect.map(everything(port), (found) => {
      for (const { domain, rows } of found) {
        assert.isAbove(rows.length, 0, domain)
        for (const [at, row] of rows.entries()) {
          assert.strictEqual(row.domain, domain)
          assert.deepStrictEqual(listFaults(row), [], row.ticker)
          assert.isTrue(row.quotes !== undefined && row.result !== "void", row.ticker)
          assert.isTrue(at === 0 || compareRows(rows[at - 1]!, row) < 0, row.ticker)
        }
      }
    }),
  "goes on behind a row, and behind the close time of one": (port) =>
    Effect.flatMap(everything(port), (found) =>
      Effect.forEach(found, ({ domain, rows }) =>
        Effect.gen(function* () {
          for (const at of [0, 1, Math.floor(rows.length / 2), rows.length - 2, rows.length - 1]) {
            const { closeTime, ticker, venue } = rows[at]!
            assert.deepStrictEqual(
              yield* port.after(domain, { closeTime, ticker, venue }, 7),
              rows.slice(at + 1, at + 8),
            )
            const older = rows.filter((row) => row.closeTime < closeTime)
            assert.deepStrictEqual(yield* port.after(domain, { closeTime }, 7), older.slice(0, 7))
          }
          // A place where no row is.
          const { closeTime } = rows[0]!
          assert.deepStrictEqual(yield* port.after(domain, { closeTime: closeTime + 1 }, 3), rows.slice(0, 3))
          assert.deepStrictEqual(yield* port.after(domain, { closeTime: 0 }, 3), [])
        }),
      ),
    ).pipe(Effect.asVoid),
  "gives no more than it was asked for, and the same rows again": (port) =>
    Effect.gen(function* () {
      for (const limit of [1, 2, 25]) assert.strictEqual((yield* port.after("crypto", undefined, limit)).length, limit)
      assert.deepStrictEqual(yield* everything(port), yield* everything(port))
    }),
}
