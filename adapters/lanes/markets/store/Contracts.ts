import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Priced, VenueResult } from "../../../../core/contracts/Contract.ts"
import {
  type ContractResult,
  ContractStore,
  type Open,
  OpenContracts,
  type UnsettledContract,
} from "../../../../core/lanes/markets/ports.ts"
import { leafOf, nextRow, type Recorded } from "../../../../core/lanes/markets/settlement.ts"
import type { Leaf } from "../../../../core/record/log/leaf.ts"
import type { Sha256 } from "../../../../core/record/log/merkle.ts"
import { SyncSha256 } from "../../../../core/record/log/SyncSha256.ts"
import {
  type Domain,
  lastBeforeClose,
  type Result,
  type SettledMarket,
} from "../../../../core/record/scoreboard/Settled.ts"
import * as Step from "../../../../core/Step.ts"
import { lockStep } from "../../../sql/locks.ts"
import * as recordLog from "../../../sql/RecordLog.ts"
import { Transactions } from "../../../sql/Transactions.ts"
import * as recordAppend from "./recordAppend.ts"
import * as sqlSettled from "./Settled.ts"

/** A contract with its stored text. */
interface Written {
  readonly contract: Priced
  readonly text: string
}

interface ContractRow {
  readonly contract: string
}

/** The readings of all venues with one of the open contracts; null without a contract or a reading. */
interface OpenRow {
  readonly at: number | null
  readonly version: number | null
  readonly contract: string | null
}

/** The recorded result of a settled contract. */
interface Known {
  readonly domain: Domain
  readonly result: ContractResult["result"]
  readonly source_result: Result | null
}

const writtenOf = (contract: Priced): Written => ({ contract, text: JSON.stringify(contract) })
const contractOf = (text: string): Priced => JSON.parse(text) as Priced

const steps = (transactions: Transactions["Type"], sha256: Sha256) => {
  const { prepare, dialect } = transactions
  const settled = sqlSettled.steps(transactions)
  const log = recordAppend.steps(transactions, sha256)
  const isSqlite = dialect === "sqlite"
  const readings = "SELECT MAX(at) AS at, SUM(version) AS version FROM venue_polls"
  const sql = {
    polled: prepare(`
      INSERT INTO venue_polls (venue, domain, at, version) VALUES (?, ?, ?, 1)
      ON CONFLICT (venue, domain) DO UPDATE SET at = excluded.at, version = venue_polls.version + 1`),
    // After a clock step backwards, future poll times become now.
    past: prepare("UPDATE venue_polls SET at = ? WHERE at > ?"),
    clear: prepare(
      `DELETE FROM open_contracts WHERE venue = ? AND domain = ? AND ${
        isSqlite
          ? "json_extract(contract, '$.series') NOT IN (SELECT value FROM json_each(?))"
          : "contract::json ->> 'series' NOT IN (SELECT json_array_elements_text(?::json))"
      }`,
    ),
    put: prepare(`
      INSERT INTO open_contracts (venue, ticker, domain, lane, subject, contract) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (venue, ticker) DO UPDATE SET
        domain = excluded.domain, lane = excluded.lane, subject = excluded.subject, contract = excluded.contract`),
    about: prepare<ContractRow>(
      "SELECT contract FROM open_contracts WHERE lane = ? AND subject = ? ORDER BY venue, ticker",
    ),
    due: prepare<UnsettledContract>(`
      SELECT venue, ticker FROM tracked_contracts AS f
      WHERE settled_at >= ? OR settled_at IS NULL AND (
        close_time <= ?
        OR NOT EXISTS (SELECT 1 FROM open_contracts AS o WHERE o.venue = f.venue AND o.ticker = f.ticker)
      ) ORDER BY close_time, venue, ticker`),
    // Rows that a capture tracks again at this moment are left for the next time: nobody waits here.
    forget: prepare(
      isSqlite
        ? "DELETE FROM tracked_contracts WHERE settled_at < ?"
        : `DELETE FROM tracked_contracts WHERE (venue, ticker) IN (
            SELECT venue, ticker FROM tracked_contracts WHERE settled_at < ? FOR UPDATE SKIP LOCKED)`,
    ),
    captured: prepare<{ readonly capture_id: string; readonly at: number }>(`
      SELECT capture_id, at FROM captured_contracts WHERE venue = ? AND ticker = ? ORDER BY at, capture_id`),
    recorded: prepare<ContractRow>(
      "SELECT contract FROM captured_contracts WHERE venue = ? AND ticker = ? AND at = ? AND capture_id = ?",
    ),
    anchored: prepare(`
      SELECT size FROM record_checkpoints
      WHERE size > (SELECT position FROM record_leaves WHERE id = ?) AND at < ? LIMIT 1`),
    known: prepare<Known>(`
      SELECT domain, result, source_result FROM settled_rows WHERE venue = ? AND ticker = ? ORDER BY revision DESC LIMIT 1`),
    done: prepare("UPDATE tracked_contracts SET settled_at = ? WHERE venue = ? AND ticker = ? AND settled_at IS NULL"),
    tracking: prepare<{ readonly openTracked: number; readonly awaitingSettlement: number }>(`
      SELECT COUNT(*) FILTER (WHERE close_time > ?) AS "openTracked",
        COUNT(*) FILTER (WHERE close_time <= ?) AS "awaitingSettlement"
      FROM tracked_contracts WHERE settled_at IS NULL`),
    readings: prepare<Omit<OpenRow, "contract">>(readings),
    open: prepare<OpenRow>(`
      SELECT r.at, r.version, o.contract FROM (${readings}) AS r LEFT JOIN open_contracts AS o ON r.at IS NOT NULL`),
  }
  const lockOpen = lockStep(transactions, "markets/open")

  const replace = Step.fn(function* (
    venue: string,
    domain: string,
    written: ReadonlyArray<Written>,
    at: number,
    failed: ReadonlyArray<string>,
  ) {
    yield* lockOpen()
    yield* sql.clear.run(venue, domain, JSON.stringify(failed))
    for (const { contract, text } of written) {
      yield* sql.put.run(venue, contract.ticker, domain, contract.lane, contract.subject, text)
    }
    yield* sql.polled.run(venue, domain, at)
    yield* sql.past.run(at, at)
  })

  /** The capture behind the row of a contract. */
  const lastOf = Step.fn(function* (venue: string, { ticker, closedAt }: Pick<ContractResult, "ticker" | "closedAt">) {
    const last = lastBeforeClose(yield* sql.captured.all(venue, ticker), closedAt)
    if (last === undefined) return undefined
    const { capture_id: captureId, at } = last
    const recorded = yield* sql.recorded.get(venue, ticker, at, captureId)
    return { captureId, at, contract: contractOf(recorded!.contract) } satisfies Recorded
  })

  const awaitingSource = Step.fn(function* (
    venue: string,
    ended: ReadonlyArray<VenueResult>,
    revisableDomains: ReadonlySet<Domain>,
  ) {
    const awaiting: Array<Priced> = []
    for (const outcome of ended) {
      if (outcome.result === "void") continue
      const known = yield* sql.known.get(venue, outcome.ticker)
      if (known !== undefined && known.source_result !== null && !revisableDomains.has(known.domain)) continue
      const last = yield* lastOf(venue, outcome)
      if (last !== undefined) awaiting.push(last.contract)
    }
    return awaiting
  })

  /** Whether the result is already recorded, as for most repeated polls. */
  const isKnown = Step.fn(function* (venue: string, { ticker, result, sourceResult }: ContractResult) {
    const known = yield* sql.known.get(venue, ticker)
    return known?.result === result && (sourceResult === undefined || sourceResult === known.source_result)
  })

  const settle = Step.fn(function* (venue: string, all: ReadonlyArray<ContractResult>, now: number) {
    // What is known stays so until the end, whoever else settles the same contract.
    yield* settled.lock()
    const rows: Array<{ readonly row: SettledMarket; readonly leaf: Leaf }> = []
    const done: Array<string> = []
    for (const learned of all) {
      const { ticker, closedAt } = learned
      if (yield* isKnown(venue, learned)) {
        done.push(ticker)
        continue
      }
      const before = yield* settled.newest(venue, ticker)
      const last = yield* lastOf(venue, learned)
      const anchored = last !== undefined && (yield* sql.anchored.get(last.captureId, closedAt)) !== undefined
      const row = nextRow(before?.row, last, learned, now, anchored)
      if (row !== undefined && last !== undefined) {
        rows.push({ row, leaf: leafOf(row, before?.row, last.contract.lane, (before?.revision ?? 0) + 1) })
        done.push(ticker)
      }
      // Every capture is after the close: never scored.
      else if (now >= closedAt && (yield* sql.captured.get(venue, ticker)) !== undefined) done.push(ticker)
    }
    if (rows.length > 0) {
      yield* settled.append(rows.map(({ row }) => row))
      yield* log.append(rows.map(({ leaf }) => recordLog.writtenOf(leaf)))
    }
    // After the record's lock: captures, which have it, write these rows too.
    for (const ticker of done) yield* sql.done.run(now, venue, ticker)
    return rows.length
  })

  return {
    replace,
    settle,
    awaitingSource,
    about: Step.fn(function* (lane: string, subject: string) {
      return (yield* sql.about.all(lane, subject)).map(({ contract }) => contractOf(contract))
    }),
    due: Step.fn(function* (now: number, since: number) {
      yield* sql.forget.run(since)
      return yield* sql.due.all(since, now)
    }),
    tracking: Step.fn(function* (now: number) {
      return (yield* sql.tracking.get(now, now))!
    }),
    readings: () => sql.readings.get(),
    /** The open contracts with their readings, of one instant. */
    open: Step.fn(function* () {
      const rows = yield* sql.open.all()
      const contracts = rows.flatMap(({ contract }) => (contract === null ? [] : [contractOf(contract)]))
      return { at: rows[0]?.at ?? null, version: rows[0]?.version ?? null, contracts }
    }),
  }
}

/** Write side of the jobs; recorded calls read from it. */
export const layerStore: Layer.Layer<ContractStore, never, SyncSha256 | Transactions> = Layer.effect(
  ContractStore,
  Effect.gen(function* () {
    const transactions = yield* Transactions
    const { read, write } = transactions
    const step = steps(transactions, (yield* SyncSha256).sha256)
    return {
      replace: (venue, domain, contracts, checkedAt, failed = []) => {
        const written = contracts.map(writtenOf)
        return write(() => step.replace(venue, domain, written, checkedAt, failed))
      },
      about: (lane, subject) => read(() => step.about(lane, subject)),
      due: (now, since) => write(() => step.due(now, since)),
      awaitingSource: (venue, ended, revisableDomains) =>
        ended.length === 0 ? Effect.succeed([]) : read(() => step.awaitingSource(venue, ended, revisableDomains)),
      settle: (venue, learned, now) =>
        learned.length === 0 ? Effect.succeed(0) : write(() => step.settle(venue, learned, now)),
    }
  }),
)

/** The stored open contracts, read again after a venue poll. */
export const layerOpen: Layer.Layer<OpenContracts, never, SyncSha256 | Transactions> = Layer.effect(
  OpenContracts,
  Effect.gen(function* () {
    const transactions = yield* Transactions
    const { read } = transactions
    const step = steps(transactions, (yield* SyncSha256).sha256)
    let cached: { readonly version: number; readonly open: Open } = { version: 0, open: { contracts: [] } }
    const open = Step.fn(function* () {
      const known = yield* step.readings()
      if ((known?.version ?? null) !== null && known?.version !== cached.version) {
        const { at, version, contracts } = yield* step.open()
        if (at !== null && version !== null) cached = { version, open: { contracts, checkedAt: at } }
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
