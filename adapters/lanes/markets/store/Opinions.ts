import type * as Clock from "effect/Clock"
import {
  maxDailyOpinions,
  maxModels,
  type Opinion,
  type OpinionPlace,
  type Receipt,
  type Recorded,
  type Refusal,
  toLeaf,
} from "../../../../core/lanes/markets/challenge/Challenge.ts"
import type { Buyer } from "../../../../core/record/captures/Captures.ts"
import type { Sha256 } from "../../../../core/record/log/merkle.ts"
import * as Step from "../../../../core/Step.ts"
import { day } from "../../../../core/time.ts"
import { makeInserts, prepareMany } from "../../../store/engine/manyRows.ts"
import type { Queries } from "../../../store/engine/Transactions.ts"
import * as recordLog from "../../../store/record/RecordLog.ts"
import * as settled from "../../../store/record/Settled.ts"
import { fromRow } from "../../../store/record/settledRow.ts"

interface ModelRow {
  readonly model: string
  readonly status: "active" | "withdrawn"
  readonly account_id: string
  readonly at: number
}

interface Named {
  readonly venue: string
  readonly ticker: string
}

/** The random part of an opinion, made before its transaction. */
export interface Secret {
  readonly id: string
  readonly salt: string
}

const marketKey = ({ venue, ticker }: Named): string => JSON.stringify([venue, ticker])

const statements = (store: Queries) => {
  const { prepare } = store
  return {
    models: prepare<ModelRow>("SELECT model, status, account_id, at FROM bench_models WHERE model = ?"),
    all: prepare<ModelRow>("SELECT model, status, account_id, at FROM bench_models ORDER BY model, status"),
    held: prepare<{ readonly count: number }>(
      "SELECT COUNT(*) AS count FROM bench_models WHERE account_id = ? AND status = 'active'",
    ),
    put: prepare("INSERT INTO bench_models (model, status, account_id, at) VALUES (?, ?, ?, ?)"),
    used: prepare<{ readonly count: number }>(`
      SELECT COUNT(*) AS count FROM bench_opinions
      WHERE model IN (SELECT model FROM bench_models WHERE account_id = ? AND status = 'active') AND at >= ?`),
    last: prepareMany<Named & { readonly id: string; readonly p: number }>(
      store,
      (list) => `
        SELECT venue, ticker, id, p FROM bench_opinions AS o
        WHERE (model, venue, ticker) IN (VALUES ${list("(?, ?, ?)")}) AND NOT EXISTS (
          SELECT 1 FROM bench_opinions AS n
          WHERE n.model = o.model AND n.venue = o.venue AND n.ticker = o.ticker AND (n.at, n.seq) > (o.at, o.seq)
        )`,
    ),
    settled: prepareMany<Named & { readonly close_time: number }>(
      store,
      (list) => `
        SELECT venue, ticker, close_time FROM settled_rows AS s
        WHERE (venue, ticker) IN (VALUES ${list("(?, ?)")}) AND NOT EXISTS (
          SELECT 1 FROM settled_rows AS n WHERE n.venue = s.venue AND n.ticker = s.ticker AND n.revision > s.revision
        )`,
    ),
    insert: makeInserts(store, "bench_opinions", [
      "id",
      "model",
      "venue",
      "ticker",
      "p",
      "at",
      "close_time",
      "agent_id",
    ]),
    closed: prepare<{ readonly close_time: number | null }>(`
      SELECT MAX(coalesce(s.close_time, c.close_time)) AS close_time
      FROM (SELECT DISTINCT venue FROM venue_polls) AS v
      JOIN captured_contracts AS c ON c.venue = v.venue AND c.ticker = ?
      LEFT JOIN settled_rows AS s ON s.venue = c.venue AND s.ticker = c.ticker`),
  }
}

const toRow = ({ id, model, contract, p, at }: Parameters<typeof toLeaf>[0], agentId: string | undefined) => [
  ...[id, model, contract.venue, contract.ticker, p, at, contract.closeTime],
  agentId ?? null,
]

/** The opinions on contracts that are closed or settled. */
const listClosed = (opinions: ReadonlyArray<Opinion>, closes: ReadonlyMap<string, number>, now: number) =>
  opinions.flatMap(({ contract }, index) => {
    const settledClose = closes.get(marketKey(contract))
    const closeTime = settledClose ?? contract.closeTime
    return settledClose !== undefined || closeTime <= now ? [{ index, closeTime }] : []
  })

/**
 * The steps of the challenge. Each decides and writes under the record's lock and reads the time there, so that the
 * times of opinions are in the order of the log, and no opinion is recorded after its contract has settled.
 */
export const steps = (store: Queries, sha256: Sha256) => {
  const log = recordLog.makeSteps(store, sha256)
  const sql = statements(store)

  const submit = Step.fn(function* (
    { accountId, agentId }: Buyer,
    model: string,
    opinions: ReadonlyArray<Opinion>,
    secrets: ReadonlyArray<Secret>,
    clock: Clock.Clock,
  ) {
    yield* log.lock()
    const now = clock.unsafeCurrentTimeMillis()
    const refused = (refusal: Refusal): Recorded | Refusal => refusal
    const rows = yield* sql.models.all(model)
    if (rows.some((row) => row.account_id !== accountId)) return refused({ _tag: "Owned" })
    const withdrawn = rows.find(({ status }) => status === "withdrawn")
    if (withdrawn !== undefined) return refused({ _tag: "Withdrawn", at: withdrawn.at })
    if (rows.length === 0 && (yield* sql.held.get(accountId))!.count >= maxModels) return refused({ _tag: "Models" })
    const named = opinions.map(({ contract: { venue, ticker } }) => [venue, ticker])
    // A venue may end trading before the announced time; the settled row has the actual close.
    const closes = new Map((yield* sql.settled.all(named)).map((row) => [marketKey(row), row.close_time]))
    const closed = listClosed(opinions, closes, now)
    if (closed.length > 0) return refused({ _tag: "Closed", closed })
    const lasts = yield* sql.last.all(named.map(([venue, ticker]) => [model, venue!, ticker!]))
    const lastByMarket = new Map(lasts.map((row) => [marketKey(row), row]))
    const isSaid = ({ contract, p }: Opinion): boolean => lastByMarket.get(marketKey(contract))?.p === p
    const fresh = opinions.flatMap((opinion, at) =>
      isSaid(opinion) ? [] : [{ ...opinion, ...secrets[at]!, model, at: now }],
    )
    const { count: used } = (yield* sql.used.get(accountId, now - (now % day)))!
    if (used + fresh.length > maxDailyOpinions && fresh.length > 0) {
      return refused({ _tag: "Day", used, fresh: fresh.length })
    }
    if (rows.length === 0) yield* sql.put.run(model, "active", accountId, now)
    yield* sql.insert.run(fresh.map((one) => toRow(one, agentId)))
    yield* log.appendLocked(fresh.map((one) => recordLog.toWritable(toLeaf(one))))
    const leaves = opinions.map((opinion, at) =>
      isSaid(opinion) ? lastByMarket.get(marketKey(opinion.contract))!.id : secrets[at]!.id,
    )
    return { _tag: "Recorded", leaves, left: maxDailyOpinions - used - fresh.length } satisfies Recorded
  })

  const withdraw = Step.fn(function* (accountId: string, model: string, clock: Clock.Clock) {
    yield* log.lock()
    const rows = yield* sql.models.all(model)
    if (rows.length === 0) return { _tag: "Unknown" } as const
    if (rows.some((row) => row.account_id !== accountId)) return { _tag: "Owned" } as const
    const before = rows.find(({ status }) => status === "withdrawn")
    if (before !== undefined) return { _tag: "Withdrawn", at: before.at } as const
    const at = clock.unsafeCurrentTimeMillis()
    yield* sql.put.run(model, "withdrawn", accountId, at)
    return { _tag: "Withdrawn", at } as const
  })

  const closeTimes = Step.fn(function* (tickers: ReadonlyArray<string>) {
    const positions = new Map<string, number>()
    for (const ticker of tickers) {
      const closeTime = (yield* sql.closed.get(ticker))?.close_time ?? null
      if (closeTime !== null) positions.set(ticker, closeTime)
    }
    return positions
  })

  return { submit, withdraw, closeTimes, models: () => sql.all.all() }
}

/** Opinions of a model on contracts that have closed, newest first, with their rows. */
export const receiptsIn = (store: Queries) => {
  const { newest } = settled.makeSteps(store)
  const page = store.prepare<Named & Omit<Receipt, "closeTime" | "row"> & { readonly close_time: number }>(`
    SELECT seq, id, venue, ticker, p, at, close_time FROM bench_opinions
    WHERE model = ? AND at <= ? AND (at, seq) < (?, ?) AND close_time <= ?
    ORDER BY at DESC, seq DESC LIMIT ?`)
  return Step.fn(function* (model: string, before: OpinionPlace | undefined, now: number, limit: number) {
    const { at, seq } = before ?? { at: now, seq: Number.MAX_SAFE_INTEGER }
    const rows = yield* page.all(model, at, at, seq, now, limit)
    const settledRows = yield* newest(rows)
    return rows.map(({ close_time, ...one }): Receipt => {
      const row = settledRows.get(`${one.venue}/${one.ticker}`)
      return { ...one, closeTime: close_time, ...(row === undefined ? {} : { row: fromRow(row) }) }
    })
  })
}
