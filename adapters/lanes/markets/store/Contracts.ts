import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { VenueResult } from "../../../../core/contracts/Contract.ts"
import { getOrMake } from "../../../../core/getOrMake.ts"
import { ifDefined } from "../../../../core/ifDefined.ts"
import {
  type BookPoll,
  type ContractResult,
  ContractStore,
  type OpenContractList,
  OpenContracts,
  type UnsettledContract,
} from "../../../../core/lanes/markets/ports.ts"
import { nextRow, type Recorded, toLeaf } from "../../../../core/lanes/markets/settlement.ts"
import type { Sha256 } from "../../../../core/record/log/merkle.ts"
import { SyncSha256 } from "../../../../core/record/log/SyncSha256.ts"
import { type Domain, lastBeforeClose, toMarketKey } from "../../../../core/record/scoreboard/Settled.ts"
import * as Step from "../../../../core/Step.ts"
import { dialects } from "../../../store/engine/Dialect.ts"
import { prepareMany } from "../../../store/engine/manyRows.ts"
import { type Queries, Transactions } from "../../../store/engine/Transactions.ts"
import * as recordLog from "../../../store/record/RecordLog.ts"
import * as sqlSettled from "../../../store/record/Settled.ts"
import { fromRow } from "../../../store/record/settledRow.ts"
import { type ContractRow, openSteps, parseContract, toWritten } from "./openSteps.ts"

interface CapturedRow {
  readonly ticker: string
  readonly capture_id: string
  readonly at: number
}

interface DueRow extends UnsettledContract {
  readonly source_voided: string | null
}

const trackedStatements = (store: Queries) => {
  const { prepare, dialect } = store
  return {
    due: prepare<DueRow>(`
      SELECT venue, ticker, source_voided FROM tracked_contracts AS f
      WHERE settled_at >= ? OR settled_at IS NULL AND (
        close_time <= ?
        OR NOT EXISTS (SELECT 1 FROM open_contracts AS o WHERE o.venue = f.venue AND o.ticker = f.ticker)
      ) ORDER BY close_time, venue, ticker`),
    voids: prepare<{ readonly count: number }>("SELECT COUNT(*) AS count FROM weather_voids"),
    // Rows that a capture tracks again at this moment are left for the next time: this does not wait.
    forget: prepare(`
      DELETE FROM tracked_contracts WHERE (venue, ticker) IN (
        SELECT venue, ticker FROM tracked_contracts WHERE settled_at < ? ${dialects[dialect].lockClause("UPDATE SKIP LOCKED")})`),
    captured: prepareMany<CapturedRow>(
      store,
      (list) => `
        SELECT ticker, capture_id, at FROM captured_contracts
        WHERE (venue, ticker) IN (VALUES ${list("(?, ?)")}) ORDER BY at, capture_id`,
    ),
    recorded: prepareMany<CapturedRow & ContractRow>(
      store,
      (list) => `
        SELECT ticker, capture_id, at, contract FROM captured_contracts
        WHERE (venue, ticker, at, capture_id) IN (VALUES ${list("(?, ?, CAST(? AS BIGINT), ?)")})`,
    ),
    anchored: prepareMany<{ readonly id: string; readonly closed_at: number }>(
      store,
      (list) => `
        WITH asked (id, closed_at) AS (VALUES ${list("(?, CAST(? AS BIGINT))")})
        SELECT id, closed_at FROM asked AS a WHERE EXISTS (
          SELECT 1 FROM record_checkpoints
          WHERE size > (SELECT position FROM record_leaves AS l WHERE l.id = a.id) AND at < a.closed_at
        )`,
    ),
    // Names the columns of a list by a table, which both dialects know.
    done: prepareMany(
      store,
      (list) => `
        WITH d (at, venue, ticker) AS (VALUES ${list("(CAST(? AS BIGINT), ?, ?)")})
        UPDATE tracked_contracts SET settled_at = d.at FROM d
        WHERE tracked_contracts.venue = d.venue AND tracked_contracts.ticker = d.ticker AND settled_at IS NULL`,
    ),
  }
}

/** Reads the captures behind the rows of contracts, and which of those have any. */
const readLastCaptures = (sql: ReturnType<typeof trackedStatements>) =>
  Step.fn(function* (venue: string, contracts: ReadonlyArray<Pick<ContractResult, "ticker" | "closedAt">>) {
    const captured = new Map<string, Array<CapturedRow>>()
    for (const row of yield* sql.captured.all(contracts.map(({ ticker }) => [venue, ticker]))) {
      getOrMake(captured, row.ticker, () => []).push(row)
    }
    const lasts = contracts.map(({ ticker, closedAt }) => lastBeforeClose(captured.get(ticker) ?? [], closedAt))
    const wanted = lasts.flatMap((last) => (last === undefined ? [] : [[venue, last.ticker, last.at, last.capture_id]]))
    const texts = new Map(
      (yield* sql.recorded.all(wanted)).map((row) => [`${row.ticker}/${row.capture_id}/${row.at}`, row.contract]),
    )
    return lasts.map((last, at) => {
      const hasCaptures = captured.has(contracts[at]!.ticker)
      if (last === undefined) return { hasCaptures }
      const text = texts.get(`${last.ticker}/${last.capture_id}/${last.at}`)!
      return { hasCaptures, last: { captureId: last.capture_id, at: last.at, contract: parseContract(text) } }
    }) satisfies ReadonlyArray<{ readonly hasCaptures: boolean; readonly last?: Recorded }>
  })

/** Whether a row has this result already, as after most polls. */
const isKnown = (
  { result, sourceResult, sourceVoided }: ContractResult,
  row: Readonly<Record<"result" | "source_result" | "source_voided", string | null>> | undefined,
): boolean =>
  row?.result === result &&
  (sourceResult === undefined || sourceResult === row.source_result) &&
  (sourceVoided === undefined || sourceVoided === row.source_voided)

/** Reads the ended contracts that still need a value of the model's own source. */
const readAwaiting = (
  settled: ReturnType<typeof sqlSettled.makeSteps>,
  lastCaptures: ReturnType<typeof readLastCaptures>,
) =>
  Step.fn(function* (venue: string, ended: ReadonlyArray<VenueResult>, revisableDomains: ReadonlySet<Domain>) {
    const settledRows = yield* settled.newest(ended.map(({ ticker }) => ({ venue, ticker })))
    const wanted = ended.filter(({ ticker, result }) => {
      const row = settledRows.get(toMarketKey({ venue, ticker }))
      return result !== "void" && (row === undefined || row.source_result === null || revisableDomains.has(row.domain))
    })
    return (yield* lastCaptures(venue, wanted)).flatMap(({ last }) => (last === undefined ? [] : [last.contract]))
  })

const settlementSteps = (transactions: Transactions["Type"], sha256: Sha256) => {
  const settled = sqlSettled.makeSteps(transactions)
  const log = recordLog.makeSteps(transactions, sha256)
  const sql = trackedStatements(transactions)
  const lastCaptures = readLastCaptures(sql)

  const voids = Step.fn(function* () {
    return (yield* sql.voids.get())!.count
  })

  const settle = Step.fn(function* (
    venue: string,
    all: ReadonlyArray<ContractResult>,
    now: number,
    voidsBefore: number | undefined,
  ) {
    // Held until the end of the transaction, so that no other run settles the same contract.
    yield* settled.lock()
    // The results may rest on a voided value: the next round reads them again.
    if (voidsBefore !== undefined && (yield* voids()) !== voidsBefore) return 0
    const settledRows = yield* settled.newest(all.map(({ ticker }) => ({ venue, ticker })))
    const rowOf = ({ ticker }: ContractResult) => settledRows.get(toMarketKey({ venue, ticker }))
    const [news, old] = Arr.partition(all, (learned) => isKnown(learned, rowOf(learned)))
    const done = old.map(({ ticker }) => ticker)
    const lasts = yield* lastCaptures(venue, news)
    const anchored = new Set(
      (yield* sql.anchored.all(
        news.flatMap(({ closedAt }, at) => (lasts[at]?.last ? [[lasts[at].last.captureId, closedAt]] : [])),
      )).map(({ id, closed_at }) => `${id}/${closed_at}`),
    )
    const rows = news.flatMap((learned, at) => {
      const { ticker, closedAt } = learned
      const { hasCaptures, last } = lasts[at]!
      const stored = rowOf(learned)
      const previous = stored && fromRow(stored)
      const row = nextRow(previous, last, learned, now, anchored.has(`${last?.captureId}/${closedAt}`))
      if (row === undefined || last === undefined) {
        // Every capture is after the close: never scored.
        if (now >= closedAt && hasCaptures) done.push(ticker)
        return []
      }
      done.push(ticker)
      return [{ row, leaf: toLeaf(row, previous, last.contract.lane, (stored?.revision ?? 0) + 1) }]
    })
    if (rows.length > 0) yield* settled.append(rows.map(({ row }) => row))
    if (done.length > 0) {
      // The record's lock comes after the scoreboard's and before the rows that captures write under it too.
      yield* log.append(rows.map(({ leaf }) => recordLog.toWritable(leaf)))
      yield* sql.done.run(done.map((ticker) => [now, venue, ticker]))
    }
    return rows.length
  })

  return {
    settle,
    voids,
    awaitingSource: readAwaiting(settled, lastCaptures),
    publish: settled.publish,
    due: Step.fn(function* (now: number, since: number) {
      yield* sql.forget.run(since)
      return (yield* sql.due.all(since, now)).map(({ venue, ticker, source_voided: voided }) => ({
        ...{ venue, ticker },
        ...ifDefined("sourceVoided", voided ?? undefined),
      }))
    }),
  }
}

/** Write side of the jobs; recorded calls read from it. */
export const layerStore: Layer.Layer<ContractStore, never, SyncSha256 | Transactions> = Layer.effect(
  ContractStore,
  Effect.gen(function* () {
    const transactions = yield* Transactions
    const { read, write } = transactions
    const step = { ...openSteps(transactions), ...settlementSteps(transactions, (yield* SyncSha256).sha256) }
    return {
      replace: (venue, domain, contracts, checkedAt, failed = []) => {
        const written = contracts.map(toWritten)
        return write(() => step.replace(venue, domain, written, checkedAt, failed))
      },
      about: (lane, subject) => read(() => step.about(lane, subject)),
      due: (now, since) => write(() => step.due(now, since)),
      awaitingSource: (venue, ended, revisableDomains) =>
        ended.length === 0 ? Effect.succeed([]) : read(() => step.awaitingSource(venue, ended, revisableDomains)),
      voids: read(step.voids),
      settle: (venue, learned, now, voids) =>
        learned.length === 0 ? Effect.succeed(0) : write(() => step.settle(venue, learned, now, voids)),
      publish: (day, weights) => Effect.asVoid(write(() => step.publish(day, weights))),
    }
  }),
)

/**
 * The stored open contracts, read again after a poll, with the age of each book that is polled.
 *
 * @param followed venues and their domains
 */
export const layerOpenContracts = (
  followed: ReadonlyArray<Pick<BookPoll, "venue" | "domain">>,
): Layer.Layer<OpenContracts, never, Transactions> =>
  Layer.effect(
    OpenContracts,
    Effect.map(Transactions, (transactions) => {
      const { read } = transactions
      const step = openSteps(transactions)
      let cached: { readonly version: number; readonly open: OpenContractList } = {
        version: 0,
        open: { contracts: [], polls: followed },
      }
      const open = Step.fn(function* () {
        const readings = yield* step.readings()
        if ((readings?.version ?? null) !== null && readings?.version !== cached.version) {
          const { at, version, contracts } = yield* step.open()
          const polled = yield* step.polls()
          const polls = followed.map(
            (book) => polled.find(({ venue, domain }) => venue === book.venue && domain === book.domain) ?? book,
          )
          if (at !== null && version !== null) cached = { version, open: { contracts, checkedAt: at, polls } }
        }
        return cached.open
      })
      return {
        freshness: "live",
        tracking: Step.gen(function* () {
          const now = yield* Step.now
          return yield* read(() => step.tracking(now))
        }),
        open: read(open),
      }
    }),
  )
