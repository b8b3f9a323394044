import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Current, Scoreboard, SettledRows } from "../../../core/lanes/markets/ports.ts"
import * as Board from "../../../core/record/scoreboard/board.ts"
import { type CurrentRow, type Domain, keyOf, type SettledMarket } from "../../../core/record/scoreboard/Settled.ts"
import { SettledStore } from "../../../core/record/scoreboard/SettledStore.ts"
import * as Step from "../../../core/Step.ts"
import { yieldToEventLoop } from "../../../core/yieldToEventLoop.ts"
import { lockStep } from "../engine/locks.ts"
import { inserts, manyRows } from "../engine/manyRows.ts"
import { type Queries, Transactions, type Value } from "../engine/Transactions.ts"
import {
  type BoardRow,
  type CellRow,
  type Contract,
  type CountedRow,
  columns,
  counted,
  countedColumns,
  fromRow,
  putCell,
  refuseFaults,
  type SettledSqlRow,
  type State,
  toRow,
} from "./settledRow.ts"

/** Format of the cells; cells of another format are recomputed. */
const format = 1

/** Rows per read during a rebuild. */
const chunk = 500

const stateSql = "SELECT format, version, settled_at FROM scoreboard"

const prepareAll = (store: Queries) => {
  const { prepare } = store
  return {
    newest: manyRows<SettledSqlRow>(
      store,
      (list) => `
        SELECT * FROM settled_rows AS s
        WHERE (venue, ticker) IN (VALUES ${list("(?, ?)")}) AND NOT EXISTS (
          SELECT 1 FROM settled_rows AS n
          WHERE n.venue = s.venue AND n.ticker = s.ticker AND n.revision > s.revision
        )`,
    ),
    revision: prepare<SettledSqlRow>("SELECT * FROM settled_rows WHERE venue = ? AND ticker = ? AND revision = ?"),
    earlier: prepare<SettledSqlRow>(`
      SELECT result, settled_at FROM settled_rows WHERE venue = ? AND ticker = ? AND revision < ? ORDER BY revision`),
    insert: inserts(store, "settled_rows", columns),
    from: prepare<CountedRow>(
      `SELECT ${countedColumns.join(", ")} FROM settled_rows WHERE seq > ? ORDER BY seq LIMIT ?`,
    ),
    page: prepare<SettledSqlRow>(`
      SELECT * FROM settled_rows AS s
      WHERE domain = ? AND yes_bid IS NOT NULL AND result <> 'void'
        AND close_time <= ? AND (close_time < ? OR (ticker, venue) > (?, ?))
        AND NOT EXISTS (
          SELECT 1 FROM settled_rows AS n
          WHERE n.venue = s.venue AND n.ticker = s.ticker AND n.revision > s.revision
        )
      ORDER BY close_time DESC, ticker, venue LIMIT ?`),
    state: prepare<State>(stateSql),
    board: prepare<BoardRow>(`
      SELECT s.format, s.version, s.settled_at, c.kind, c.name, c.sums
      FROM scoreboard AS s LEFT JOIN scoreboard_cells AS c ON s.id = 1`),
    write: prepare(`
      INSERT INTO scoreboard (id, format, version, settled_at) VALUES (1, ?, 1, ?)
      ON CONFLICT (id) DO UPDATE SET
        format = excluded.format, version = scoreboard.version + 1, settled_at = excluded.settled_at`),
    cells: manyRows<CellRow>(
      store,
      (list) => `SELECT kind, name, sums FROM scoreboard_cells WHERE (kind, name) IN (VALUES ${list("(?, ?)")})`,
    ),
    put: manyRows(
      store,
      (list) => `
        INSERT INTO scoreboard_cells (kind, name, sums) VALUES ${list("(?, ?, ?)")}
        ON CONFLICT (kind, name) DO UPDATE SET sums = excluded.sums`,
    ),
    clear: prepare("DELETE FROM scoreboard_cells"),
  }
}

type Statements = ReturnType<typeof prepareAll>

/** The scoreboard's cells, and how they are made of rows. */
const cells = (sql: Statements, lock: () => Step.Step<void, SqlError>) => {
  const putAll = (board: Board.Board) =>
    sql.put.run(
      Board.kinds.flatMap((kind) =>
        Array.from<readonly [string, unknown], ReadonlyArray<Value>>(board[kind], ([name, sums]) => [
          kind,
          name,
          JSON.stringify(sums),
        ]),
      ),
    )

  /** The stored cells of the same names, as a board. */
  const loadCells = Step.fn(function* (board: Board.Board) {
    const stored = Board.empty()
    const names = Board.kinds.flatMap((kind) => Array.from(board[kind].keys(), (name) => [kind, name]))
    for (const cell of yield* sql.cells.all(names)) putCell(stored, cell)
    return stored
  })

  /** Adds rows after `seq` to a board in order; returns the last `seq`, the number of rows, and the last settlement. */
  const foldFrom = Step.fn(function* (board: Board.Board, seq: number, limit: number) {
    const rows = yield* sql.from.all(seq, limit)
    for (const row of rows) {
      if (row.revision === 1) Board.add(board, counted(row))
      else {
        const before = yield* sql.revision.get(row.venue, row.ticker, row.revision - 1)
        Board.correct(board, counted(before!), counted(row))
      }
    }
    const last = rows.reduce((latest, { settled_at }) => Math.max(latest, settled_at), 0)
    return { seq: rows.at(-1)?.seq ?? seq, count: rows.length, settledAt: last }
  })

  /** Replaces the stored board by one of the rows up to `seq`, plus the rows after it. */
  const replace = Step.fn(function* (board: Board.Board, seq: number, settledAt: number) {
    yield* lock()
    // A step may be rolled back and run again, so the given board is copied.
    const whole = Board.empty()
    Board.merge(whole, board)
    const rest = yield* foldFrom(whole, seq, Number.MAX_SAFE_INTEGER)
    yield* sql.clear.run()
    yield* putAll(whole)
    yield* sql.write.run(format, Math.max(settledAt, rest.settledAt) || null)
    return rest.count
  })

  /** State and cells by one query, so that they are of one instant. */
  const load = Step.fn(function* () {
    const rows = yield* sql.board.all()
    const board = Board.empty()
    for (const { kind, name, sums } of rows) {
      if (kind !== null && name !== null && sums !== null) putCell(board, { kind, name, sums })
    }
    return { state: rows[0] as State | undefined, board }
  })

  return { putAll, loadCells, foldFrom, replace, load }
}

/** Pages of settled rows as they stand. */
const paging = (sql: Statements) => {
  const standing = Step.fn(function* (row: SettledSqlRow) {
    const revisions = row.revision === 1 ? [] : yield* sql.earlier.all(row.venue, row.ticker, row.revision)
    // The venue's results in order, each at its first revision; revisions by the model's own source do not count.
    const words = [...revisions, row].filter(({ result }, at, all) => result !== all[at - 1]?.result)
    return {
      ...fromRow(row),
      settledAt: words.at(-1)!.settled_at,
      earlier: words.slice(0, -1).map(({ result, settled_at }) => ({ result, settledAt: settled_at })),
    } satisfies CurrentRow
  })

  return Step.fn(function* (domain: Domain, position: Parameters<SettledRows["Type"]["after"]>[1], limit: number) {
    // A position without a ticker is after all rows of its close time.
    const closeTime =
      position === undefined ? Number.MAX_SAFE_INTEGER : position.closeTime - (position.ticker === undefined ? 1 : 0)
    const rows = yield* sql.page.all(domain, closeTime, closeTime, position?.ticker ?? "", position?.venue ?? "", limit)
    const current: Array<CurrentRow> = []
    for (const row of rows) current.push(yield* standing(row))
    return current
  })
}

/**
 * Settled rows and their scoreboard in steps: settlement calls `append` in the step that writes the leaf, so that row,
 * leaf and scoreboard are written together or not at all. Steps share no state.
 */
export const steps = (store: Queries) => {
  const sql = prepareAll(store)
  const locked = lockStep(store)
  /** Comes before the record's. The numbers of rows are in the order of their commits: a rebuild goes on after the last it read. */
  const lock = () => locked("scoreboard")
  const { putAll, loadCells, foldFrom, replace, load } = cells(sql, lock)

  /** The newest revision of each contract that has one, by `keyOf`. */
  const newest = Step.fn(function* (contracts: ReadonlyArray<Contract>) {
    const rows = yield* sql.newest.all(contracts.map(({ venue, ticker }) => [venue, ticker]))
    return new Map(rows.map((row) => [keyOf(row), row]))
  })

  const append = Step.fn(function* (rows: ReadonlyArray<SettledMarket>) {
    refuseFaults(rows)
    yield* lock()
    const board = yield* sql.state.get()
    const isStale = (board?.format ?? format) !== format
    const change = Board.empty()
    const known = yield* newest(rows)
    const fresh: Array<ReadonlyArray<Value>> = []
    let settledAt = board?.settled_at ?? 0
    for (const row of rows) {
      const before = known.get(keyOf(row))
      if (before?.result === row.result && before.source_result === (row.sourceResult ?? null)) continue
      const written = toRow(row, (before?.revision ?? 0) + 1)
      fresh.push(columns.map((name) => written[name]))
      known.set(keyOf(row), { ...written, seq: 0 })
      if (before === undefined) Board.add(change, row)
      else Board.correct(change, fromRow(before), row)
      settledAt = Math.max(settledAt, row.settledAt)
    }
    yield* sql.insert.run(fresh)
    if (isStale) yield* replace(Board.empty(), 0, 0)
    else if (fresh.length > 0) {
      const merged = yield* loadCells(change)
      Board.merge(merged, change)
      yield* putAll(merged)
      yield* sql.write.run(format, settledAt)
    }
    return fresh.length
  })

  return { append, after: paging(sql), foldFrom, load, lock, newest, replace, state: () => sql.state.get() }
}

const make = Effect.map(Transactions, (transactions) => {
  const { read, write } = transactions
  const step = steps(transactions)
  /** Rebuilds the scoreboard, mostly outside the writing step, so that other writers do not wait. */
  const rebuild: SettledStore["Type"]["rebuild"] = Effect.gen(function* () {
    const board = Board.empty()
    let [seq, count, settledAt] = [0, 0, 0]
    for (let last = chunk; last === chunk; ) {
      const part = yield* read(() => step.foldFrom(board, seq, chunk))
      last = part.count
      count += last
      seq = part.seq
      settledAt = Math.max(settledAt, part.settledAt)
      yield* yieldToEventLoop
    }
    return count + (yield* write(() => step.replace(board, seq, settledAt)))
  })
  return { step, read, write, rebuild }
})

/** Write side of settlement. */
export const layerStore: Layer.Layer<SettledStore, never, Transactions> = Layer.effect(
  SettledStore,
  Effect.map(make, ({ step, write, rebuild }) => ({
    append: (rows) => (rows.length === 0 ? Effect.succeed(0) : write(() => step.append(rows))),
    rebuild,
  })),
)

export const layerRows: Layer.Layer<SettledRows, never, Transactions> = Layer.effect(
  SettledRows,
  Effect.map(make, ({ step, read }) => ({
    freshness: "live",
    after: (domain, position, limit) => read(() => step.after(domain, position, limit)),
  })),
)

/** The stored scoreboard, read again only after a change. */
export const layerScoreboard: Layer.Layer<Scoreboard, never, Transactions> = Layer.effect(
  Scoreboard,
  Effect.map(make, ({ step, read, rebuild }) => {
    let cached: { readonly version: number; readonly current: Current } | undefined
    const newest = Step.fn(function* () {
      const known = yield* step.state()
      if (cached?.version === (known?.version ?? 0) && (known?.format ?? format) === format) return cached.current
      const { state, board } = yield* step.load()
      if (state !== undefined && state.format !== format) return "stale"
      const settledAt = state?.settled_at ?? undefined
      cached = { version: state?.version ?? 0, current: { board, ...(settledAt === undefined ? {} : { settledAt }) } }
      return cached.current
    })
    const current: Scoreboard["Type"]["current"] = Step.gen(function* () {
      for (;;) {
        const board = yield* read(newest)
        if (board !== "stale") return board
        yield* rebuild
      }
    })
    return { freshness: "live", current, latest: current }
  }),
)
