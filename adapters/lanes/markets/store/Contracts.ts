import type { Database } from "better-sqlite3"
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
import type { Sha256 } from "../../../../core/record/log/merkle.ts"
import { SyncSha256 } from "../../../../core/record/log/SyncSha256.ts"
import { type Domain, lastBeforeClose, type Result } from "../../../../core/record/scoreboard/Settled.ts"
import * as Step from "../../../../core/Step.ts"
import { Sqlite } from "../../../sql/client.sqlite.ts"
import * as GroupCommit from "../../../sql/groupCommit.ts"
import * as recordLog from "../../../sql/RecordLog.ts"
import { reader } from "../../../sql/reader.ts"
import { sqliteQueries, valueOf } from "../../../sql/Transactions.ts"
import * as sqlSettled from "./Settled.ts"

/** A contract with its stored text. */
interface Written {
  readonly contract: Priced
  readonly text: string
}

/** The recorded result of a settled contract. */
interface Known {
  readonly domain: Domain
  readonly result: ContractResult["result"]
  readonly source_result: Result | null
}

const writtenOf = (contract: Priced): Written => ({ contract, text: JSON.stringify(contract) })
const contractOf = (text: string): Priced => JSON.parse(text) as Priced

const steps = (db: Database, sha256: Sha256) => {
  const settled = sqlSettled.steps(db)
  const log = recordLog.steps({ prepare: sqliteQueries({ db }), dialect: "sqlite" }, sha256)
  const sql = {
    read: db.prepare(`
      INSERT INTO venue_polls (venue, domain, at, version) VALUES (?, ?, ?, 1)
      ON CONFLICT (venue, domain) DO UPDATE SET at = excluded.at, version = venue_polls.version + 1`),
    // After a clock step backwards, future poll times become now.
    past: db.prepare("UPDATE venue_polls SET at = :at WHERE at > :at"),
    clear: db.prepare(`
      DELETE FROM open_contracts
      WHERE venue = ? AND domain = ? AND json_extract(contract, '$.series') NOT IN (SELECT value FROM json_each(?))`),
    put: db.prepare(`
      INSERT INTO open_contracts (venue, ticker, domain, lane, subject, contract) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (venue, ticker) DO UPDATE SET
        domain = excluded.domain, lane = excluded.lane, subject = excluded.subject, contract = excluded.contract`),
    about: db
      .prepare("SELECT contract FROM open_contracts WHERE lane = ? AND subject = ? ORDER BY venue, ticker")
      .pluck(),
    due: db.prepare(`
      SELECT venue, ticker FROM tracked_contracts AS f
      WHERE settled_at >= :since OR settled_at IS NULL AND (
        close_time <= :now
        OR NOT EXISTS (SELECT 1 FROM open_contracts AS o WHERE o.venue = f.venue AND o.ticker = f.ticker)
      ) ORDER BY close_time, venue, ticker`),
    forget: db.prepare("DELETE FROM tracked_contracts WHERE settled_at < ?"),
    captured: db.prepare(`
      SELECT capture_id, at FROM captured_contracts WHERE venue = ? AND ticker = ? ORDER BY at, capture_id`),
    recorded: db
      .prepare("SELECT contract FROM captured_contracts WHERE venue = ? AND ticker = ? AND at = ? AND capture_id = ?")
      .pluck(),
    anchored: db
      .prepare(`
        SELECT EXISTS (
          SELECT 1 FROM record_checkpoints
          WHERE size > (SELECT position FROM record_leaves WHERE id = ?) AND at < ?
        )`)
      .pluck(),
    known: db.prepare(`
      SELECT domain, result, source_result FROM settled_rows WHERE venue = ? AND ticker = ? ORDER BY revision DESC LIMIT 1`),
    done: db.prepare(`
      UPDATE tracked_contracts SET settled_at = ? WHERE venue = ? AND ticker = ? AND settled_at IS NULL`),
    tracking: db.prepare(`
      SELECT coalesce(SUM(close_time > :now), 0) AS openTracked, coalesce(SUM(close_time <= :now), 0) AS awaitingSettlement
      FROM tracked_contracts WHERE settled_at IS NULL`),
    readings: db.prepare("SELECT MAX(at) AS at, SUM(version) AS version FROM venue_polls"),
    open: db.prepare("SELECT contract FROM open_contracts").pluck(),
  }

  const replace = (
    venue: string,
    domain: string,
    written: ReadonlyArray<Written>,
    at: number,
    failed: ReadonlyArray<string>,
  ): void => {
    sql.clear.run(venue, domain, JSON.stringify(failed))
    for (const { contract, text } of written) {
      sql.put.run(venue, contract.ticker, domain, contract.lane, contract.subject, text)
    }
    sql.read.run(venue, domain, at)
    sql.past.run({ at })
  }

  const capturedOf = (venue: string, ticker: string) =>
    sql.captured.all(venue, ticker) as ReadonlyArray<{ readonly capture_id: string; readonly at: number }>

  /** The capture behind the row of a contract. */
  const lastOf = (
    venue: string,
    { ticker, closedAt }: Pick<ContractResult, "ticker" | "closedAt">,
  ): Recorded | undefined => {
    const last = lastBeforeClose(capturedOf(venue, ticker), closedAt)
    if (last === undefined) return undefined
    const { capture_id: captureId, at } = last
    return { captureId, at, contract: contractOf(sql.recorded.get(venue, ticker, at, captureId) as string) }
  }

  const knownOf = (venue: string, ticker: string): Known | undefined =>
    sql.known.get(venue, ticker) as Known | undefined

  const awaitingSource = (
    venue: string,
    ended: ReadonlyArray<VenueResult>,
    revisableDomains: ReadonlySet<Domain>,
  ): ReadonlyArray<Priced> =>
    ended.flatMap((outcome) => {
      const known = knownOf(venue, outcome.ticker)
      const isWanted = known === undefined || known.source_result === null || revisableDomains.has(known.domain)
      return (outcome.result !== "void" && isWanted && lastOf(venue, outcome)?.contract) || []
    })

  /** Whether the result is already recorded, as for most repeated polls. */
  const isKnown = (venue: string, { ticker, result, sourceResult }: ContractResult): boolean => {
    const known = knownOf(venue, ticker)
    return known?.result === result && (sourceResult === undefined || sourceResult === known.source_result)
  }

  const settle = (venue: string, all: ReadonlyArray<ContractResult>, now: number): number => {
    const rows = all.flatMap((learned) => {
      const { ticker, closedAt } = learned
      if (isKnown(venue, learned)) {
        sql.done.run(now, venue, ticker)
        return []
      }
      const before = settled.newest(venue, ticker)
      const last = lastOf(venue, learned)
      const row = nextRow(before?.row, last, learned, now, (id, close) => sql.anchored.get(id, close) === 1)
      if (row === undefined || last === undefined) {
        // Every capture is after the close: never scored.
        if (now >= closedAt && capturedOf(venue, ticker).length > 0) sql.done.run(now, venue, ticker)
        return []
      }
      return [{ row, leaf: leafOf(row, before?.row, last.contract.lane, (before?.revision ?? 0) + 1) }]
    })
    settled.append(rows.map(({ row }) => row))
    valueOf(log.append(rows.map(({ leaf }) => recordLog.writtenOf(leaf))))
    for (const { row } of rows) sql.done.run(now, venue, row.ticker)
    return rows.length
  }

  return {
    replace,
    settle,
    about: (lane: string, subject: string) => (sql.about.all(lane, subject) as ReadonlyArray<string>).map(contractOf),
    awaitingSource,
    due: (now: number, since: number) => sql.due.all({ now, since }) as ReadonlyArray<UnsettledContract>,
    forget: (before: number) => void sql.forget.run(before),
    tracking: (now: number) =>
      sql.tracking.get({ now }) as { readonly openTracked: number; readonly awaitingSettlement: number },
    readings: () => sql.readings.get() as { readonly at: number | null; readonly version: number | null },
    open: () => (sql.open.all() as ReadonlyArray<string>).map(contractOf),
  }
}

/** Write side of the jobs; recorded calls read from it. */
export const layerStore: Layer.Layer<ContractStore, never, SyncSha256 | Sqlite> = Layer.scoped(
  ContractStore,
  Effect.gen(function* () {
    const sqlite = yield* Sqlite
    const { sha256 } = yield* SyncSha256
    const step = steps(sqlite.db, sha256)
    const read = reader(sqlite)
    const commits = yield* GroupCommit.make
    return {
      replace: (venue, domain, contracts, checkedAt, failed = []) =>
        commits.submit(() => step.replace(venue, domain, contracts.map(writtenOf), checkedAt, failed)),
      about: (lane, subject) => read(() => step.about(lane, subject)),
      due: (now, since) =>
        commits.submit(() => {
          step.forget(since)
          return step.due(now, since)
        }),
      awaitingSource: (venue, ended, revisableDomains) =>
        ended.length === 0 ? Effect.succeed([]) : read(() => step.awaitingSource(venue, ended, revisableDomains)),
      settle: (venue, learned, now) =>
        learned.length === 0 ? Effect.succeed(0) : commits.submit(() => step.settle(venue, learned, now)),
    }
  }),
)

/** The stored open contracts, read again after a venue poll. */
export const layerOpen: Layer.Layer<OpenContracts, never, SyncSha256 | Sqlite> = Layer.effect(
  OpenContracts,
  Effect.gen(function* () {
    const sqlite = yield* Sqlite
    const { sha256 } = yield* SyncSha256
    const step = steps(sqlite.db, sha256)
    const read = reader(sqlite)
    let cached: { readonly version: number; readonly open: Open } = { version: 0, open: { contracts: [] } }
    return {
      freshness: "live",
      tracking: Step.gen(function* () {
        const now = yield* Step.now
        return yield* read(() => step.tracking(now))
      }),
      open: read(() => {
        const { at, version } = step.readings()
        if (at !== null && version !== null && version !== cached.version) {
          cached = { version, open: { contracts: step.open(), checkedAt: at } }
        }
        return cached.open
      }),
    }
  }),
)
