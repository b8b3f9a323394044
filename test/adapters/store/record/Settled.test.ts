import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import type { Transactions } from "../../../../adapters/store/engine/Transactions.ts"
import { layerScoreboard, layerSettledRows, layerStore } from "../../../../adapters/store/record/Settled.ts"
import { columns } from "../../../../adapters/store/record/settledRow.ts"
import * as Lane from "../../../../core/lanes/Lane.ts"
import { toFigures } from "../../../../core/lanes/markets/performance.ts"
import { Scoreboard, SettledRows } from "../../../../core/lanes/markets/ports.ts"
import { settled as endpoint } from "../../../../core/lanes/markets/settled.ts"
import * as Board from "../../../../core/record/scoreboard/board.ts"
import { domains, type SettledMarket } from "../../../../core/record/scoreboard/Settled.ts"
import { SettledStore } from "../../../../core/record/scoreboard/SettledStore.ts"
import { anyStore, sharedStore } from "../../../support/anyStore.ts"
import { recomputed, settledRow, settledRows } from "../../../support/settledRows.ts"

const ports = Layer.mergeAll(layerStore, layerSettledRows, layerScoreboard)
type Ports = Scoreboard | SettledRows | SettledStore | SqlClient.SqlClient | Transactions
const inMemory = <A, E>(effect: Effect.Effect<A, E, Ports>) =>
  Effect.provide(effect, Layer.provideMerge(ports, anyStore))

const run = (statement: string) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement))
/** The store's own words for what it refuses. */
const refused = (statement: string) => Effect.map(Effect.flip(run(statement)), ({ cause }) => String(cause))

const append = (rows: ReadonlyArray<SettledMarket>) => Effect.flatMap(SettledStore, (store) => store.append(rows))
const current = Effect.flatMap(Scoreboard, (scoreboard) => scoreboard.current)
const count = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(sql<{ n: number }>`SELECT COUNT(*) AS n FROM settled_rows`, ([row]) => row!.n),
)

const boardOf = (rows: Iterable<SettledMarket>): Board.Board => {
  const board = Board.empty()
  for (const row of rows) Board.add(board, row)
  return board
}

/** The error thrown in the step, which SQLite's client wraps. */
const reasonOf = (cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause) as Error
  return String(error.cause ?? error)
}

/** Every row of a domain, read page by page, each before the last close time of the one above. */
const all = (domain: SettledMarket["domain"], limit: number) =>
  Effect.gen(function* () {
    const settled = Lane.method(endpoint, { rows: yield* SettledRows, scoreboard: yield* Scoreboard })
    const tickers: Array<string> = []
    let before: string | undefined
    do {
      const { results } = yield* settled({ domain, limit, ...(before && { before }) })
      tickers.push(...results.rows.map(({ market_ticker }) => market_ticker))
      before = results.next_before
    } while (before !== undefined)
    return tickers
  })

describe("the store of settled rows", () => {
  it.effect("gives back what it was given, to the field", () =>
    inMemory(
      Effect.gen(function* () {
        const rows = yield* SettledRows
        const {
          strikeType: _,
          floorStrike: __,
          capStrike: ___,
          sourceResult: ____,
          feeRate: _____,
          ...bare
        } = settledRow({
          ticker: "bare",
          flags: ["divergence_implausible", 'quote " and 🎯'],
          anchored: false,
          basis: { modelSource: "a", venueSource: "a", same: true },
        })
        assert.strictEqual(yield* append([settledRow(), bare]), 2)
        assert.deepStrictEqual(yield* rows.after("weather", undefined, 5), [
          { ...settledRow(), earlier: [] },
          { ...bare, earlier: [] },
        ])
        assert.deepStrictEqual(yield* rows.after("nfl", undefined, 5), [])
      }),
    ),
  )

  it.effect("stores a market once, and a revised result in addition to the first", () =>
    inMemory(
      Effect.gen(function* () {
        const rows = yield* SettledRows
        const first = settledRow()
        assert.strictEqual(yield* append([first, first]), 1)
        assert.strictEqual(yield* append([{ ...first, model: 1, settledAt: first.settledAt + 9 }]), 0)
        const before = yield* current
        assert.strictEqual((yield* current).board, before.board)

        const corrected = { ...first, result: "no" as const, settledAt: first.settledAt + 1_000 }
        assert.strictEqual(yield* append([corrected]), 1)
        const [found] = yield* rows.after("weather", undefined, 5)
        assert.deepStrictEqual(found, { ...corrected, earlier: [{ result: "yes", settledAt: first.settledAt }] })
        const changed = yield* current
        assert.notStrictEqual(changed.board, before.board)
        assert.strictEqual(changed.settledAt, corrected.settledAt)
        const { corrected: changes, ...figures } = toFigures(changed.board)
        assert.strictEqual(changes, 1)
        assert.deepStrictEqual(figures, (({ corrected: _, ...rest }) => rest)(toFigures(boardOf([corrected]))))

        // A venue that voids what it had settled: nothing is scored, everything is still there.
        assert.strictEqual(yield* append([{ ...corrected, result: "void", settledAt: corrected.settledAt + 1 }]), 1)
        assert.deepStrictEqual(yield* rows.after("weather", undefined, 5), [])
        const { overall, excluded } = toFigures((yield* current).board)
        assert.deepStrictEqual([overall.markets_scored, excluded], [0, { void: 1, no_quote: 0 }])
        assert.strictEqual(yield* count, 3)
        // The outcome by the model's own source, which may come later, is a revision too; the result did not change.
        assert.strictEqual(yield* append([settledRow({ ticker: "late" })]), 1)
        assert.strictEqual(yield* append([settledRow({ ticker: "late", sourceResult: "no" })]), 1)
        const late = toFigures((yield* current).board)
        assert.deepStrictEqual([late.corrected, late.by_settlement!.disagreed, late.overall.markets_scored], [2, 1, 1])
      }),
    ),
  )

  it.effect("takes all rows of a call or none", () =>
    inMemory(
      Effect.gen(function* () {
        const bad: ReadonlyArray<readonly [what: RegExp, changes: Partial<SettledMarket>]> = [
          [/capturedAt/, { capturedAt: settledRow().closeTime }],
          [/settledAt/, { settledAt: settledRow().closeTime - 1 }],
          [/quotes/, { quotes: { yesBid: 3_300, yesAsk: 3_200, noAsk: 7_000 } }],
          [/model/, { model: 0.5 }],
          // Found out by the store alone, when the good row is written already.
          [/check constraint/i, { result: "maybe" as never }],
        ]
        for (const [what, changes] of bad) {
          const exit = yield* Effect.exit(append([settledRow(), settledRow({ ticker: "bad", ...changes })]))
          assert.match(Exit.isFailure(exit) ? reasonOf(exit.cause) : "no failure", what)
        }
        assert.strictEqual(yield* count, 0)
        assert.deepStrictEqual((yield* current).board, Board.empty())
      }),
    ),
  )

  it.effect("refuses rows that look ahead, whoever asks", () =>
    inMemory(
      Effect.gen(function* () {
        yield* append([settledRow()])
        const copyOf = (changes: Readonly<Record<string, string>>) =>
          `INSERT INTO settled_rows (${columns.join()})
           SELECT ${columns.map((name) => changes[name] ?? name).join()} FROM settled_rows LIMIT 1`
        for (const changes of [
          { captured_at: "close_time" },
          { settled_at: "close_time - 1" },
          { yes_bid: "yes_ask + 1" },
          { yes_bid: "0" },
          { yes_bid: "NULL" },
          { yes_ask: "10000" },
          { model: "1000001" },
          { result: "'maybe'" },
          { fee_rate: "10001" },
        ]) {
          assert.match(
            yield* refused(copyOf({ revision: "2", ...changes })),
            /check constraint/i,
            JSON.stringify(changes),
          )
        }
        assert.match(yield* refused(copyOf({})), /unique constraint/i)
        yield* run(copyOf({ revision: "2" }))
      }),
    ),
  )

  it.effect("pages every scored row exactly once, for every limit, corrected ones as they stand", () =>
    inMemory(
      Effect.gen(function* () {
        const rows = settledRows(400, 3)
        yield* append(rows)
        const corrections = rows.flatMap((row, at): ReadonlyArray<SettledMarket> => {
          if (at % 20 !== 0 || row.result === "void") return []
          return [{ ...row, result: row.result === "yes" ? "no" : "void", settledAt: row.settledAt + 1 }]
        })
        assert.isAbove(yield* append(corrections), 15)
        const last = new Map([...rows, ...corrections].map((row) => [row.ticker, row]))
        for (const domain of domains) {
          const expected = [...last.values()]
            .filter((row) => row.domain === domain && row.quotes !== undefined && row.result !== "void")
            .map(({ ticker }) => ticker)
            .sort()
          for (const limit of [1, 2, 7, 50, 500]) {
            assert.deepStrictEqual([...(yield* all(domain, limit))].sort(), expected, `${domain}, ${limit}`)
          }
        }
      }),
    ),
  )
})

describe("the scoreboard of a store", () => {
  const rows = settledRows(1_200, 4)

  it.effect("equals a recomputation, however the rows came", () =>
    inMemory(
      Effect.gen(function* () {
        for (let from = 0; from < rows.length; from += 100) {
          yield* append(rows.slice(from, from + 100))
          const expected = boardOf(rows.slice(0, from + 100))
          assert.deepStrictEqual((yield* current).board, expected)
        }
        for (const row of rows.slice(0, 40)) {
          if (row.result !== "void") yield* append([{ ...row, result: row.result === "yes" ? "no" : "yes" }])
        }
        for (const row of rows.slice(40, 120)) {
          assert.strictEqual(yield* append([{ ...row, sourceResult: row.sourceResult === "yes" ? "no" : "yes" }]), 1)
        }
        const { board, settledAt } = yield* current
        assert.strictEqual(settledAt, Math.max(...rows.map((row) => row.settledAt)))
        const rebuilt = yield* recomputed
        assert.deepStrictEqual(toFigures(rebuilt.board), toFigures(board))
        assert.strictEqual(rebuilt.settledAt, settledAt)
      }),
    ),
  )

  it.scoped("is there after a restart, and seen by a second program beside the first", () =>
    Effect.gen(function* () {
      const opened = Layer.provideMerge(ports, yield* sharedStore)
      yield* Effect.provide(append(rows), opened)
      yield* Effect.gen(function* () {
        const before = yield* current
        assert.deepStrictEqual(before.board, boardOf(rows))
        yield* Effect.provide(append([settledRow({ ticker: "new" })]), Layer.fresh(opened))
        assert.deepStrictEqual((yield* current).board, boardOf([...rows, settledRow({ ticker: "new" })]))
      }).pipe(Effect.provide(opened))
    }),
  )

  it.effect("has each row once, whoever reads it while markets settle", () =>
    inMemory(
      Effect.gen(function* () {
        const readers = Array.from({ length: 8 }, () => Effect.repeatN(Effect.zipRight(Effect.yieldNow(), current), 9))
        const writers = Array.from({ length: 12 }, (_, n) => append(rows.slice(n * 100, (n + 1) * 100)))
        yield* Effect.all([...readers, ...writers], { concurrency: "unbounded" })
        const [one, other] = yield* Effect.all([current, current], { concurrency: "unbounded" })
        assert.strictEqual(one, other)
        assert.deepStrictEqual(one.board, boardOf(rows))
      }),
    ),
  )

  it.effect("that somebody reads does not change", () =>
    inMemory(
      Effect.gen(function* () {
        yield* append(rows.slice(0, 100))
        const { board } = yield* current
        yield* append(rows.slice(100))
        assert.deepStrictEqual((yield* current).board, boardOf(rows))
        assert.deepStrictEqual(board, boardOf(rows.slice(0, 100)))
      }),
    ),
  )
})
