import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { appendOnly, byKey, finiteOrNull, inOrder } from "../appendOnly.ts"

/**
 * Settled markets with their scoreboard, and contracts of venues. A changed result is a new revision of its market; the
 * newest one counts. The cells are sums over the rows and can be rebuilt. Open contracts are replaced with every poll;
 * captured ones stay. Tracked contracts are recorded ones whose results may still change.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE settled_rows (
      seq ${inOrder(sql)},
      domain TEXT NOT NULL CHECK (domain IN ('weather', 'nfl', 'mlb', 'crypto')),
      venue TEXT NOT NULL,
      ticker TEXT NOT NULL,
      revision BIGINT NOT NULL CHECK (revision >= 1),
      series TEXT NOT NULL,
      event TEXT NOT NULL,
      title TEXT NOT NULL,
      instrument TEXT NOT NULL,
      strike_type TEXT,
      ${finiteOrNull(sql, "floor_strike")},
      ${finiteOrNull(sql, "cap_strike")},
      yes_bid BIGINT CHECK (yes_bid > 0),
      yes_ask BIGINT CHECK (yes_ask < 10000),
      no_ask BIGINT CHECK (no_ask BETWEEN 1 AND 9999),
      model BIGINT NOT NULL CHECK (model BETWEEN 0 AND 1000000),
      model_version TEXT NOT NULL,
      capture_id TEXT NOT NULL,
      captured_at BIGINT NOT NULL,
      close_time BIGINT NOT NULL,
      settled_at BIGINT NOT NULL,
      result TEXT NOT NULL CHECK (result IN ('yes', 'no', 'void')),
      source_result TEXT CHECK (source_result IN ('yes', 'no')),
      fee_rate BIGINT CHECK (fee_rate BETWEEN 0 AND 10000),
      anchored INTEGER NOT NULL CHECK (anchored IN (0, 1)),
      model_source TEXT NOT NULL,
      venue_source TEXT NOT NULL,
      same_source INTEGER NOT NULL CHECK (same_source IN (0, 1)),
      flags TEXT NOT NULL,
      UNIQUE (venue, ticker, revision),
      CHECK (captured_at < close_time AND close_time <= settled_at),
      CHECK ((yes_bid IS NULL) = (yes_ask IS NULL) AND (yes_bid IS NULL) = (no_ask IS NULL) AND yes_bid <= yes_ask)
    )`
  yield* sql`
    CREATE INDEX settled_rows_pages ON settled_rows (domain, close_time DESC, ticker, venue)
    WHERE yes_bid IS NOT NULL AND result <> 'void'`
  yield* appendOnly("settled_rows")
  yield* sql`
    CREATE TABLE scoreboard_cells (
      kind TEXT NOT NULL,
      name TEXT NOT NULL,
      sums TEXT NOT NULL,
      PRIMARY KEY (kind, name)
    ) ${byKey(sql)}`
  // One row. version counts the changes and tells readers when to read the cells again.
  yield* sql`
    CREATE TABLE scoreboard (
      id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
      format BIGINT NOT NULL,
      version BIGINT NOT NULL,
      settled_at BIGINT
    )`
  yield* sql`
    CREATE TABLE venue_polls (
      venue TEXT NOT NULL,
      domain TEXT NOT NULL CHECK (domain IN ('weather', 'nfl', 'mlb', 'crypto')),
      at BIGINT NOT NULL,
      version BIGINT NOT NULL,
      PRIMARY KEY (venue, domain)
    ) ${byKey(sql)}`
  yield* sql`
    CREATE TABLE open_contracts (
      venue TEXT NOT NULL,
      ticker TEXT NOT NULL,
      domain TEXT NOT NULL CHECK (domain IN ('weather', 'nfl', 'mlb', 'crypto')),
      lane TEXT NOT NULL,
      subject TEXT NOT NULL,
      contract TEXT NOT NULL,
      PRIMARY KEY (venue, ticker)
    ) ${byKey(sql)}`
  yield* sql`CREATE INDEX open_contracts_subjects ON open_contracts (lane, subject)`
  // Terms, bid and ask, and model price of one contract in a recorded capture.
  yield* sql`
    CREATE TABLE captured_contracts (
      venue TEXT NOT NULL,
      ticker TEXT NOT NULL,
      capture_id TEXT NOT NULL REFERENCES captures (id),
      at BIGINT NOT NULL,
      close_time BIGINT NOT NULL,
      contract TEXT NOT NULL,
      PRIMARY KEY (venue, ticker, at, capture_id),
      CHECK (at < close_time)
    ) ${byKey(sql)}`
  yield* appendOnly("captured_contracts")
  yield* sql`
    CREATE TABLE tracked_contracts (
      venue TEXT NOT NULL,
      ticker TEXT NOT NULL,
      domain TEXT NOT NULL CHECK (domain IN ('weather', 'nfl', 'mlb', 'crypto')),
      close_time BIGINT NOT NULL,
      settled_at BIGINT,
      PRIMARY KEY (venue, ticker)
    ) ${byKey(sql)}`
  yield* sql`CREATE INDEX tracked_contracts_due ON tracked_contracts (settled_at, close_time)`
})
