import type { Database } from "better-sqlite3"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { breath } from "../../../../core/breath.ts"
import { type Current, Scoreboard, SettledRows } from "../../../../core/lanes/markets/ports.ts"
import * as Board from "../../../../core/record/scoreboard/board.ts"
import {
  type CurrentRow,
  type Domain,
  faultsOf,
  type SettledMarket,
} from "../../../../core/record/scoreboard/Settled.ts"
import { SettledStore } from "../../../../core/record/scoreboard/SettledStore.ts"
import * as Step from "../../../../core/Step.ts"
import { Sqlite } from "../../../sql/client.sqlite.ts"
import * as GroupCommit from "../../../sql/groupCommit.ts"
import { reader } from "../../../sql/reader.ts"
import { type CountedRow, columns, counted, countedColumns, fromRow, type SettledSqlRow, toRow } from "./settledRow.ts"

/** Format of the cells; cells of another format are recomputed. */
const format = 1

interface State {
  readonly format: number
  readonly version: number
  readonly settled_at: number | null
}

interface CellRow {
  readonly kind: keyof Board.Board
  readonly name: string
  readonly sums: string
}

/** Rows per read during a rebuild. */
const chunk = 500

const refuseFaults = (rows: ReadonlyArray<SettledMarket>): void => {
  for (const row of rows) {
    const faults = faultsOf(row)
    if (faults.length > 0) throw new Error(`Invalid settled row ${row.venue}/${row.ticker}: ${faults.join("; ")}.`)
  }
}

/**
 * Settled rows and their scoreboard in synchronous steps on the bare connection: settlement calls `append` in the step
 * that writes the leaf, so that row, leaf and scoreboard are written together or not at all. Steps share no state.
 */
export const steps = (db: Database) => {
  const sql = {
    newest: db.prepare("SELECT * FROM settled_rows WHERE venue = ? AND ticker = ? ORDER BY revision DESC LIMIT 1"),
    revision: db.prepare("SELECT * FROM settled_rows WHERE venue = ? AND ticker = ? AND revision = ?"),
    earlier: db.prepare(`
      SELECT result, settled_at FROM settled_rows WHERE venue = ? AND ticker = ? AND revision < ? ORDER BY revision`),
    insert: db.prepare(
      `INSERT INTO settled_rows (${columns.join(", ")}) VALUES (${columns.map((name) => `:${name}`).join(", ")})`,
    ),
    from: db.prepare(`SELECT ${countedColumns.join(", ")} FROM settled_rows WHERE seq > ? ORDER BY seq LIMIT ?`),
    page: db.prepare(`
      SELECT * FROM settled_rows AS s
      WHERE domain = :domain AND yes_bid IS NOT NULL AND result <> 'void'
        AND close_time <= :close_time AND (close_time < :close_time OR (ticker, venue) > (:ticker, :venue))
        AND NOT EXISTS (
          SELECT 1 FROM settled_rows AS n
          WHERE n.venue = s.venue AND n.ticker = s.ticker AND n.revision > s.revision
        )
      ORDER BY close_time DESC, ticker, venue LIMIT :limit`),
    state: db.prepare("SELECT format, version, settled_at FROM scoreboard"),
    write: db.prepare(`
      INSERT INTO scoreboard (id, format, version, settled_at) VALUES (1, :format, 1, :settled_at)
      ON CONFLICT (id) DO UPDATE SET
        format = excluded.format, version = scoreboard.version + 1, settled_at = excluded.settled_at`),
    cell: db.prepare("SELECT sums FROM scoreboard_cells WHERE kind = ? AND name = ?").pluck(),
    cells: db.prepare("SELECT kind, name, sums FROM scoreboard_cells"),
    put: db.prepare(`
      INSERT INTO scoreboard_cells (kind, name, sums) VALUES (?, ?, ?)
      ON CONFLICT (kind, name) DO UPDATE SET sums = excluded.sums`),
    clear: db.prepare("DELETE FROM scoreboard_cells"),
  }

  const stateOf = (): State | undefined => sql.state.get() as State | undefined

  const putAll = (board: Board.Board): void => {
    for (const kind of Board.kinds)
      for (const [name, sums] of board[kind]) sql.put.run(kind, name, JSON.stringify(sums))
  }

  /** The stored cells of the same names, as a board. */
  const withUnsettled = (board: Board.Board): Board.Board => {
    const found = Board.empty()
    for (const kind of Board.kinds) {
      for (const name of board[kind].keys()) {
        const sums = sql.cell.get(kind, name) as string | undefined
        if (sums !== undefined) (found[kind] as Map<string, unknown>).set(name, JSON.parse(sums))
      }
    }
    return found
  }

  /** Adds rows after `seq` to a board in order; returns the last `seq`, the number of rows, and the last settlement. */
  const foldFrom = (board: Board.Board, seq: number, limit: number) => {
    const rows = sql.from.all(seq, limit) as ReadonlyArray<CountedRow>
    for (const row of rows) {
      if (row.revision === 1) Board.add(board, counted(row))
      else {
        const before = sql.revision.get(row.venue, row.ticker, row.revision - 1) as SettledSqlRow
        Board.correct(board, counted(before), counted(row))
      }
    }
    const last = rows.reduce((latest, { settled_at }) => Math.max(latest, settled_at), 0)
    return { seq: rows.at(-1)?.seq ?? seq, count: rows.length, settledAt: last }
  }

  /** Replaces the stored board by one of the rows up to `seq`, plus the rows after it. */
  const replace = (board: Board.Board, seq: number, settledAt: number): number => {
    // A step may be rolled back and run again, so the given board is copied.
    const whole = Board.empty()
    Board.merge(whole, board)
    const rest = foldFrom(whole, seq, -1)
    sql.clear.run()
    putAll(whole)
    sql.write.run({ format, settled_at: Math.max(settledAt, rest.settledAt) || null })
    return rest.count
  }

  const append = (rows: ReadonlyArray<SettledMarket>): number => {
    refuseFaults(rows)
    const isStale = (stateOf()?.format ?? format) !== format
    const change = Board.empty()
    let stored = 0
    let settledAt = stateOf()?.settled_at ?? 0
    for (const row of rows) {
      const before = sql.newest.get(row.venue, row.ticker) as SettledSqlRow | undefined
      if (before?.result === row.result && before.source_result === (row.sourceResult ?? null)) continue
      sql.insert.run(toRow(row, (before?.revision ?? 0) + 1))
      if (before === undefined) Board.add(change, row)
      else Board.correct(change, fromRow(before), row)
      settledAt = Math.max(settledAt, row.settledAt)
      stored++
    }
    if (isStale) replace(Board.empty(), 0, 0)
    else if (stored > 0) {
      const board = withUnsettled(change)
      Board.merge(board, change)
      putAll(board)
      sql.write.run({ format, settled_at: settledAt })
    }
    return stored
  }

  const newest = (
    venue: string,
    ticker: string,
  ): { readonly row: SettledMarket; readonly revision: number } | undefined => {
    const row = sql.newest.get(venue, ticker) as SettledSqlRow | undefined
    return row && { row: fromRow(row), revision: row.revision }
  }

  const standing = (row: SettledSqlRow): CurrentRow => {
    const revisions =
      row.revision === 1 ? [] : (sql.earlier.all(row.venue, row.ticker, row.revision) as Array<SettledSqlRow>)
    // The venue's results in order, each at its first revision; revisions by the model's own source do not count.
    const words = [...revisions, row].filter(({ result }, at, all) => result !== all[at - 1]?.result)
    return {
      ...fromRow(row),
      settledAt: words.at(-1)!.settled_at,
      earlier: words.slice(0, -1).map(({ result, settled_at }) => ({ result, settledAt: settled_at })),
    }
  }

  const after: (
    domain: Domain,
    position: Parameters<SettledRows["Type"]["after"]>[1],
    limit: number,
  ) => ReadonlyArray<CurrentRow> = (domain, position, limit) =>
    (
      sql.page.all({
        domain,
        limit,
        // A position without a ticker is after all rows of its close time.
        close_time:
          position === undefined
            ? Number.MAX_SAFE_INTEGER
            : position.closeTime - (position.ticker === undefined ? 1 : 0),
        ticker: position?.ticker ?? "",
        venue: position?.venue ?? "",
      }) as ReadonlyArray<SettledSqlRow>
    ).map(standing)

  const load = (): Board.Board => {
    const board = Board.empty()
    for (const { kind, name, sums } of sql.cells.all() as ReadonlyArray<CellRow>) {
      ;(board[kind] as Map<string, unknown>).set(name, JSON.parse(sums))
    }
    return board
  }

  return { append, after, foldFrom, load, newest, replace, state: stateOf }
}

/** Rebuilds the scoreboard, mostly outside the writing step, so that other writers do not wait. */
const rebuildWith = (
  step: ReturnType<typeof steps>,
  sqlite: Sqlite["Type"],
  commits: GroupCommit.GroupCommit,
): SettledStore["Type"]["rebuild"] => {
  const read = reader(sqlite)
  return Effect.gen(function* () {
    const board = Board.empty()
    let [seq, count, settledAt] = [0, 0, 0]
    for (let last = chunk; last === chunk; ) {
      const part = yield* read(() => step.foldFrom(board, seq, chunk))
      last = part.count
      count += last
      seq = part.seq
      settledAt = Math.max(settledAt, part.settledAt)
      yield* breath
    }
    return count + (yield* commits.submit(() => step.replace(board, seq, settledAt)))
  })
}

const make = Effect.gen(function* () {
  const sqlite = yield* Sqlite
  const step = steps(sqlite.db)
  const commits = yield* GroupCommit.make
  return { sqlite, step, commits, rebuild: rebuildWith(step, sqlite, commits) }
})

/** Write side of settlement. */
export const layerStore: Layer.Layer<SettledStore, never, Sqlite> = Layer.scoped(
  SettledStore,
  Effect.map(make, ({ step, commits, rebuild }) => ({
    append: (rows) => (rows.length === 0 ? Effect.succeed(0) : commits.submit(() => step.append(rows))),
    rebuild,
  })),
)

export const layerRows: Layer.Layer<SettledRows, never, Sqlite> = Layer.effect(
  SettledRows,
  Effect.map(Sqlite, (sqlite) => {
    const step = steps(sqlite.db)
    const read = reader(sqlite)
    return {
      freshness: "live",
      after: (domain, position, limit) => read(() => step.after(domain, position, limit)),
    }
  }),
)

/** The stored scoreboard, read again only after a change. */
export const layerScoreboard: Layer.Layer<Scoreboard, never, Sqlite> = Layer.scoped(
  Scoreboard,
  Effect.map(make, ({ step, sqlite, rebuild }) => {
    const reading = reader(sqlite)
    let cached: { readonly version: number; readonly current: Current } | undefined
    const read = (): Current | "stale" => {
      const state = step.state()
      if (state !== undefined && state.format !== format) return "stale"
      const version = state?.version ?? 0
      if (cached?.version !== version) {
        const settledAt = state?.settled_at ?? undefined
        cached = { version, current: { board: step.load(), ...(settledAt === undefined ? {} : { settledAt }) } }
      }
      return cached.current
    }
    const current: Scoreboard["Type"]["current"] = Step.gen(function* () {
      for (;;) {
        const found = yield* reading(read)
        if (found !== "stale") return found
        yield* rebuild
      }
    })
    return { freshness: "live", current, latest: current }
  }),
)
