import type { Database } from "better-sqlite3"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Outcome, Priced } from "../../core/lanes/markets/contract.ts"
import { ContractStore, type Due, type Open, OpenContracts } from "../../core/lanes/markets/providers.ts"
import { leafOf, type Recorded, settledRow } from "../../core/lanes/markets/settlement.ts"
import { Hasher } from "../../core/record/Hasher.ts"
import { textOf } from "../../core/record/leaf.ts"
import type { Sha256 } from "../../core/record/merkle.ts"
import * as sqlCaptures from "./Captures.ts"
import { Sqlite } from "./client.sqlite.ts"
import * as GroupCommit from "./groupCommit.ts"
import * as recordLog from "./RecordLog.ts"
import * as sqlSettled from "./Settled.ts"
import { orUnavailable } from "./storage.ts"

/** A contract with the text that is stored of it. */
interface Written {
  readonly contract: Priced
  readonly text: string
}

const writtenOf = (contract: Priced): Written => ({ contract, text: JSON.stringify(contract) })
const contractOf = (text: string): Priced => JSON.parse(text) as Priced

const steps = (db: Database, sha256: Sha256) => {
  const captures = sqlCaptures.steps(db, sha256)
  const settled = sqlSettled.steps(db)
  const log = recordLog.steps(db, sha256)
  const sql = {
    read: db.prepare(`
      INSERT INTO venue_readings (venue, domain, at, version) VALUES (?, ?, ?, 1)
      ON CONFLICT (venue, domain) DO UPDATE SET at = excluded.at, version = venue_readings.version + 1`),
    clear: db.prepare("DELETE FROM open_contracts WHERE venue = ? AND domain = ?"),
    put: db.prepare(`
      INSERT INTO open_contracts (venue, ticker, domain, lane, subject, contract) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (venue, ticker) DO UPDATE SET
        domain = excluded.domain, lane = excluded.lane, subject = excluded.subject, contract = excluded.contract`),
    about: db
      .prepare("SELECT contract FROM open_contracts WHERE lane = ? AND subject = ? ORDER BY venue, ticker")
      .pluck(),
    capture: db.prepare(`
      INSERT INTO captured_contracts (venue, ticker, capture_id, at, close_time, contract) VALUES (?, ?, ?, ?, ?, ?)`),
    follow: db.prepare(`
      INSERT INTO followed_contracts (venue, ticker, domain, close_time) VALUES (?, ?, ?, ?)
      ON CONFLICT (venue, ticker) DO UPDATE SET close_time = excluded.close_time`),
    due: db.prepare(`
      SELECT venue, ticker FROM followed_contracts AS f
      WHERE settled_at >= :since OR settled_at IS NULL AND (
        close_time <= :now
        OR NOT EXISTS (SELECT 1 FROM open_contracts AS o WHERE o.venue = f.venue AND o.ticker = f.ticker)
      ) ORDER BY close_time, venue, ticker`),
    forget: db.prepare("DELETE FROM followed_contracts WHERE settled_at < ?"),
    recorded: db.prepare(`
      SELECT capture_id, at, contract FROM captured_contracts WHERE venue = ? AND ticker = ? ORDER BY at, capture_id`),
    anchored: db
      .prepare(`
        SELECT EXISTS (
          SELECT 1 FROM record_checkpoints
          WHERE size > (SELECT position FROM record_leaves WHERE id = ?) AND at < ?
        )`)
      .pluck(),
    known: db.prepare(`
      SELECT revision, result FROM settled_rows WHERE venue = ? AND ticker = ? ORDER BY revision DESC LIMIT 1`),
    done: db.prepare(`
      UPDATE followed_contracts SET settled_at = ? WHERE venue = ? AND ticker = ? AND settled_at IS NULL`),
    tracking: db.prepare(`
      SELECT coalesce(SUM(close_time > :now), 0) AS openTracked, coalesce(SUM(close_time <= :now), 0) AS awaitingSettlement
      FROM followed_contracts WHERE settled_at IS NULL`),
    readings: db.prepare("SELECT MAX(at) AS at, SUM(version) AS version FROM venue_readings"),
    open: db.prepare("SELECT contract FROM open_contracts").pluck(),
  }

  const replace = (venue: string, domain: string, written: ReadonlyArray<Written>, at: number): void => {
    sql.clear.run(venue, domain)
    for (const { contract, text } of written) {
      sql.put.run(venue, contract.ticker, domain, contract.lane, contract.subject, text)
    }
    sql.read.run(venue, domain, at)
  }

  const take = (
    offered: ReadonlyArray<sqlCaptures.Written & { readonly contracts: ReadonlyArray<Written> }>,
  ): number => {
    let count = 0
    for (const { id, row, contracts } of captures.take(offered)) {
      for (const { contract, text } of contracts) {
        const { venue, ticker, domain, closeTime } = contract
        sql.capture.run(venue, ticker, id, row.at, closeTime, text)
        sql.follow.run(venue, ticker, domain, closeTime)
        count++
      }
    }
    return count
  }

  const recordedOf = (venue: string, ticker: string): ReadonlyArray<Recorded> =>
    (
      sql.recorded.all(venue, ticker) as ReadonlyArray<{
        readonly capture_id: string
        readonly at: number
        readonly contract: string
      }>
    ).map(({ capture_id, at, contract }) => ({ captureId: capture_id, at, contract: contractOf(contract) }))

  const settle = (venue: string, outcomes: ReadonlyArray<Outcome>, now: number): number => {
    const rows = outcomes.flatMap((outcome) => {
      const { ticker } = outcome
      const before = sql.known.get(venue, ticker) as { readonly revision: number; readonly result: string } | undefined
      if (before?.result === outcome.result) {
        sql.done.run(now, venue, ticker)
        return []
      }
      const captured = recordedOf(venue, ticker)
      const row = settledRow(captured, outcome, now, (id, close) => sql.anchored.get(id, close) === 1)
      if (row === undefined) {
        // Every capture came after the close: there is nothing to score, now or later.
        if (captured.length > 0 && now >= outcome.closedAt) sql.done.run(now, venue, ticker)
        return []
      }
      const { lane } = captured[0]!.contract
      return [{ row, leaf: leafOf(row, lane, (before?.revision ?? 0) + 1) }]
    })
    settled.append(rows.map(({ row }) => row))
    log.append(rows.map(({ leaf }) => ({ id: leaf.id, text: textOf(leaf) })))
    for (const { row } of rows) sql.done.run(now, venue, row.ticker)
    return rows.length
  }

  return {
    replace,
    take,
    settle,
    about: (lane: string, subject: string) => (sql.about.all(lane, subject) as ReadonlyArray<string>).map(contractOf),
    due: (now: number, since: number) => sql.due.all({ now, since }) as ReadonlyArray<Due>,
    forget: (before: number) => void sql.forget.run(before),
    tracking: (now: number) =>
      sql.tracking.get({ now }) as { readonly openTracked: number; readonly awaitingSettlement: number },
    readings: () => sql.readings.get() as { readonly at: number | null; readonly version: number | null },
    open: () => (sql.open.all() as ReadonlyArray<string>).map(contractOf),
  }
}

/** What jobs and recorded calls write through. */
export const layerStore: Layer.Layer<ContractStore, never, Hasher | Sqlite> = Layer.scoped(
  ContractStore,
  Effect.gen(function* () {
    const { db, alone } = yield* Sqlite
    const { sha256 } = yield* Hasher
    const step = steps(db, sha256)
    const commits = yield* GroupCommit.make
    return {
      replace: (venue, domain, contracts, checkedAt) =>
        commits.submit(() => step.replace(venue, domain, contracts.map(writtenOf), checkedAt)),
      about: (lane, subject) => orUnavailable(alone(() => step.about(lane, subject))),
      take: (captured) =>
        captured.length === 0
          ? Effect.succeed(0)
          : Effect.flatMap(
              Effect.sync(() =>
                captured.map(({ capture, contracts }) => ({
                  ...sqlCaptures.writtenOf(capture),
                  contracts: contracts.map(writtenOf),
                })),
              ),
              (offered) => commits.submit(() => step.take(offered)),
            ),
      due: (now, since) =>
        commits.submit(() => {
          step.forget(since)
          return step.due(now, since)
        }),
      settle: (venue, outcomes, now) =>
        outcomes.length === 0 ? Effect.succeed(0) : commits.submit(() => step.settle(venue, outcomes, now)),
    }
  }),
)

/** The open contracts as stored, read again when a venue has been. */
export const layerOpen: Layer.Layer<OpenContracts, never, Hasher | Sqlite> = Layer.effect(
  OpenContracts,
  Effect.gen(function* () {
    const { db, alone } = yield* Sqlite
    const { sha256 } = yield* Hasher
    const step = steps(db, sha256)
    let kept: { readonly version: number; readonly open: Open } = { version: 0, open: { contracts: [] } }
    return {
      freshness: "live",
      tracking: Effect.flatMap(
        Effect.clockWith((clock) => clock.currentTimeMillis),
        (now) => orUnavailable(alone(() => step.tracking(now))),
      ),
      open: orUnavailable(
        alone(() => {
          const { at, version } = step.readings()
          if (at !== null && version !== null && version !== kept.version) {
            kept = { version, open: { contracts: step.open(), checkedAt: at } }
          }
          return kept.open
        }),
      ),
    }
  }),
)
