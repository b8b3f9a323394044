import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type CurrentScoreboard, Scoreboard, SettledRows } from "../../../core/lanes/markets/ports.ts"
import {
  type AnchorWeight,
  type Published,
  unpublished,
  type Weights,
} from "../../../core/record/scoreboard/anchorWeight.ts"
import * as Board from "../../../core/record/scoreboard/board.ts"
import {
  type CurrentRow,
  type Domain,
  domains,
  type SettledMarket,
  toMarketKey,
} from "../../../core/record/scoreboard/Settled.ts"
import { SettledStore } from "../../../core/record/scoreboard/SettledStore.ts"
import * as Step from "../../../core/Step.ts"
import { yieldToEventLoop } from "../../../core/yieldToEventLoop.ts"
import * as Sql from "../engine/columns.ts"
import { makeSerialiseStep } from "../engine/locks.ts"
import { makeInserts, prepareMany } from "../engine/manyRows.ts"
import { type Queries, Transactions, type Value } from "../engine/Transactions.ts"
import {
  type Contract,
  type CountedRow,
  columns,
  countedColumns,
  fromRow,
  type SettledSqlRow,
  throwIfFaulty,
  toCounted,
  toRow,
} from "./settledRow.ts"

/** Rows that the scoreboard adds in one turn of the event loop. */
const rowsPerTurn = 500

const weightColumns = Sql.columns<AnchorWeight>()(["weight", "fitted", "rows"])
type WeightRow = Sql.RowOf<typeof weightColumns> & {
  readonly domain: Domain
  readonly day: string
  readonly improvement: number | null
  readonly low: number | null
  readonly high: number | null
}

const prepareAll = (store: Queries) => {
  const { prepare } = store
  return {
    newest: prepareMany<SettledSqlRow>(
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
    insert: makeInserts(store, "settled_rows", columns),
    from: prepare<CountedRow>(
      `SELECT ${countedColumns.join(", ")} FROM settled_rows WHERE seq > ? ORDER BY seq LIMIT ?`,
    ),
    weights: prepare<WeightRow>("SELECT * FROM pool_weights WHERE day = (SELECT MAX(day) FROM pool_weights)"),
    publish: makeInserts(
      store,
      "pool_weights",
      ["domain", "day", ...weightColumns.names, "improvement", "low", "high"],
      "ON CONFLICT (day, domain) DO NOTHING",
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
  }
}

type Statements = ReturnType<typeof prepareAll>

const makeReadPage = (sql: Statements) => {
  const toCurrent = Step.fn(function* (row: SettledSqlRow) {
    const revisions = row.revision === 1 ? [] : yield* sql.earlier.all(row.venue, row.ticker, row.revision)
    // The venue's results in order, each at its first revision, without revisions by the model's own source.
    const words = [...revisions, row].filter(({ result }, at, all) => result !== all[at - 1]?.result)
    return {
      ...fromRow(row),
      settledAt: words.at(-1)!.settled_at,
      earlier: words.slice(0, -1).map(({ result, settled_at }) => ({ result, settledAt: settled_at })),
    } satisfies CurrentRow
  })

  return Step.fn(function* (
    domain: Domain,
    position: Parameters<(typeof SettledRows.Service)["after"]>[1],
    limit: number,
  ) {
    // A position without a ticker is after all rows of its close time.
    const closeTime =
      position === undefined ? Number.MAX_SAFE_INTEGER : position.closeTime - (position.ticker === undefined ? 1 : 0)
    const rows = yield* sql.page.all(domain, closeTime, closeTime, position?.ticker ?? "", position?.venue ?? "", limit)
    const current: Array<CurrentRow> = []
    for (const row of rows) current.push(yield* toCurrent(row))
    return current
  })
}

/** Whether a row has the same results as the stored one. */
const isSame = (before: SettledSqlRow, row: SettledMarket): boolean =>
  before.result === row.result &&
  before.source_result === (row.sourceResult ?? null) &&
  before.source_voided === (row.sourceVoided ?? null)

/** Settled rows in steps: settlement calls `append` in the step that writes the leaf, so that both are written or none. */
export const makeSteps = (store: Queries) => {
  const sql = prepareAll(store)
  const locked = makeSerialiseStep(store)
  /** Comes before the record's lock. It keeps row numbers in the order of commits, so that the scoreboard can go on after the last. */
  const lock = () => locked("settled rows")

  /** The newest revision of each settled contract, by `toMarketKey`. */
  const newest = Step.fn(function* (contracts: ReadonlyArray<Contract>) {
    const rows = yield* sql.newest.all(contracts.map(({ venue, ticker }) => [venue, ticker]))
    return new Map(rows.map((row) => [toMarketKey(row), row]))
  })

  const append = Step.fn(function* (rows: ReadonlyArray<SettledMarket>) {
    throwIfFaulty(rows)
    yield* lock()
    const stored = yield* newest(rows)
    const fresh: Array<ReadonlyArray<Value>> = []
    for (const row of rows) {
      const previous = stored.get(toMarketKey(row))
      if (previous !== undefined && isSame(previous, row)) continue
      const written = toRow(row, (previous?.revision ?? 0) + 1)
      fresh.push(columns.map((name) => written[name]))
      stored.set(toMarketKey(row), { ...written, seq: 0 })
    }
    yield* sql.insert.run(fresh)
    return fresh.length
  })

  /** Rows after a number, in order, each with the row that it replaces. */
  const following = Step.fn(function* (seq: number, limit: number) {
    const changes: Array<{ readonly row: CountedRow; readonly before: CountedRow | undefined }> = []
    for (const row of yield* sql.from.all(seq, limit)) {
      const { venue, ticker, revision } = row
      changes.push({ row, before: revision === 1 ? undefined : yield* sql.revision.get(venue, ticker, revision - 1) })
    }
    return changes
  })

  const weights = Step.fn(function* () {
    const rows = yield* sql.weights.all()
    if (rows.length === 0) return unpublished
    const known = rows.map((row): readonly [Domain, AnchorWeight] => {
      const { domain, improvement: value, low, high } = row
      const judged = value === null || low === null || high === null ? {} : { improvement: { value, low, high } }
      return [domain, weightColumns.fromRow(row, judged)]
    })
    const published: Published = {
      day: rows[0]!.day,
      weights: { ...unpublished.weights, ...Object.fromEntries(known) },
    }
    return published
  })

  const publish = (day: string, published: Weights) =>
    sql.publish.run(
      domains.map((domain) => {
        const { improvement } = published[domain]
        const judged = [improvement?.value ?? null, improvement?.low ?? null, improvement?.high ?? null]
        return [domain, day, ...weightColumns.toValues(published[domain]), ...judged]
      }),
    )

  return { append, after: makeReadPage(sql), following, lock, newest, weights, publish }
}

const make = Effect.map(Transactions, (transactions) => ({ ...transactions, step: makeSteps(transactions) }))

export const layerStore: Layer.Layer<SettledStore, never, Transactions> = Layer.effect(
  SettledStore,
  Effect.map(make, ({ step, write }) => ({
    append: (rows) => (rows.length === 0 ? Effect.succeed(0) : write(() => step.append(rows))),
  })),
)

export const layerSettledRows: Layer.Layer<SettledRows, never, Transactions> = Layer.effect(
  SettledRows,
  Effect.map(make, ({ step, read }) => ({
    freshness: "live",
    after: (domain, position, limit) => read(() => step.after(domain, position, limit)),
  })),
)

/** The scoreboard of all settled rows, in memory. Each read adds the rows that have come since the last one. */
export const layerScoreboard: Layer.Layer<Scoreboard, never, Transactions> = Layer.effect(
  Scoreboard,
  Effect.zipWith(make, Effect.makeSemaphore(1), ({ step, read }, adding) => {
    let seq = 0
    let scoreboard: CurrentScoreboard = { board: Board.empty() }
    const add = Effect.gen(function* () {
      // Readers may hold the present board, so rows are added to a copy.
      const board = Board.empty()
      Board.merge(board, scoreboard.board)
      let [last, settledAt] = [seq, scoreboard.settledAt ?? 0]
      for (let count = rowsPerTurn; count === rowsPerTurn; ) {
        const changes = yield* read(() => step.following(last, rowsPerTurn))
        for (const { row, before } of changes) {
          if (before === undefined) Board.add(board, toCounted(row))
          else Board.correct(board, toCounted(before), toCounted(row))
          last = row.seq
          settledAt = Math.max(settledAt, row.settled_at)
        }
        count = changes.length
        yield* yieldToEventLoop
      }
      if (last === seq) return
      seq = last
      scoreboard = { board, settledAt }
    })
    const current: (typeof Scoreboard.Service)["current"] = Step.gen(function* () {
      const isBehind = (yield* read(() => step.following(seq, 1))).length > 0
      if (isBehind) yield* adding.withPermits(1)(add)
      return scoreboard
    })
    return { freshness: "live", current, latest: current, weights: read(() => step.weights()) }
  }),
)
