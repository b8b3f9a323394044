import type { Priced } from "../../../../core/contracts/Contract.ts"
import type { BookPoll } from "../../../../core/lanes/markets/ports.ts"
import * as Step from "../../../../core/Step.ts"
import { dialects } from "../../../store/engine/Dialect.ts"
import { makeSerialiseStep } from "../../../store/engine/locks.ts"
import { prepareMany } from "../../../store/engine/manyRows.ts"
import type { Queries } from "../../../store/engine/Transactions.ts"

interface Written {
  readonly contract: Priced
  readonly text: string
}

export const toWritten = (contract: Priced): Written => ({ contract, text: JSON.stringify(contract) })
export const parseContract = (text: string): Priced => JSON.parse(text) as Priced

export interface ContractRow {
  readonly contract: string
}

/** The readings of all venues with one of the open contracts; null without a contract or a reading. */
interface OpenRow {
  readonly at: number | null
  readonly version: number | null
  readonly contract: string | null
}

const readings = "SELECT MAX(at) AS at, SUM(version) AS version FROM venue_polls"

const openStatements = (store: Queries) => {
  const { prepare } = store
  const { jsonText, jsonList } = dialects[store.dialect]
  return {
    polled: prepare(`
      INSERT INTO venue_polls (venue, domain, at, version) VALUES (?, ?, ?, 1)
      ON CONFLICT (venue, domain) DO UPDATE SET
        at = CASE WHEN excluded.at = 0 THEN venue_polls.at ELSE excluded.at END, version = venue_polls.version + 1`),
    // After a clock step backwards, future poll times become now.
    past: prepare("UPDATE venue_polls SET at = ? WHERE at > ?"),
    clear: prepare(
      `DELETE FROM open_contracts WHERE venue = ? AND domain = ?
        AND ${jsonText("contract", "series")} NOT IN (SELECT value FROM ${jsonList("series")})`,
    ),
    put: prepareMany(
      store,
      (list) => `
        INSERT INTO open_contracts (venue, ticker, domain, lane, subject, contract) VALUES ${list("(?, ?, ?, ?, ?, ?)")}
        ON CONFLICT (venue, ticker) DO UPDATE SET
          domain = excluded.domain, lane = excluded.lane, subject = excluded.subject, contract = excluded.contract`,
    ),
    about: prepare<ContractRow>(
      "SELECT contract FROM open_contracts WHERE lane = ? AND subject = ? ORDER BY venue, ticker",
    ),
    tracking: prepare<{ readonly openTracked: number; readonly awaitingSettlement: number }>(`
      SELECT COUNT(*) FILTER (WHERE close_time > ?) AS "openTracked",
        COUNT(*) FILTER (WHERE close_time <= ?) AS "awaitingSettlement"
      FROM tracked_contracts WHERE settled_at IS NULL`),
    readings: prepare<Omit<OpenRow, "contract">>(readings),
    polls: prepare<Required<BookPoll>>("SELECT venue, domain, at FROM venue_polls WHERE at > 0"),
    open: prepare<OpenRow>(`
      SELECT r.at, r.version, o.contract FROM (${readings}) AS r LEFT JOIN open_contracts AS o ON r.at IS NOT NULL`),
  }
}

export const openSteps = (store: Queries) => {
  const sql = openStatements(store)
  const lock = makeSerialiseStep(store)
  const replace = Step.fn(function* (
    venue: string,
    domain: string,
    written: ReadonlyArray<Written>,
    at: number,
    failed: ReadonlyArray<string>,
  ) {
    yield* lock("markets/open")
    yield* sql.clear.run(venue, domain, JSON.stringify(failed))
    // If a contract is listed twice, the last one counts.
    const listed = new Map(written.map((each) => [each.contract.ticker, each]))
    yield* sql.put.run(
      Array.from(listed, ([ticker, { contract, text }]) => {
        const { lane, subject } = contract
        return [venue, ticker, domain, lane, subject, text]
      }),
    )
    // A poll with failed parts is not a poll of the book.
    yield* sql.polled.run(venue, domain, failed.length === 0 ? at : 0)
    yield* sql.past.run(at, at)
  })

  return {
    replace,
    about: Step.fn(function* (lane: string, subject: string) {
      return (yield* sql.about.all(lane, subject)).map(({ contract }) => parseContract(contract))
    }),
    tracking: Step.fn(function* (now: number) {
      return (yield* sql.tracking.get(now, now))!
    }),
    readings: () => sql.readings.get(),
    polls: () => sql.polls.all(),
    /** The open contracts with their readings, read at one instant. */
    open: Step.fn(function* () {
      const rows = yield* sql.open.all()
      const contracts = rows.flatMap(({ contract }) => (contract === null ? [] : [parseContract(contract)]))
      return { at: rows[0]?.at ?? null, version: rows[0]?.version ?? null, contracts }
    }),
  }
}
