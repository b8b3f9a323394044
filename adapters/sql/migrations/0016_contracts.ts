import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { domains } from "../../../core/record/scoreboard/Settled.ts"
import { appendOnly, byKey } from "./appendOnly.ts"

/**
 * Contracts of venues. What is open is replaced as often as it is read; what was captured stays. Followed contracts are
 * those on the record, until their results are old enough to stand.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const inDomains = sql.literal(`domain IN (${domains.map((each) => `'${each}'`).join(", ")})`)
  yield* sql`
    CREATE TABLE venue_readings (
      venue TEXT NOT NULL,
      domain TEXT NOT NULL CHECK (${inDomains}),
      at BIGINT NOT NULL,
      version BIGINT NOT NULL,
      PRIMARY KEY (venue, domain)
    ) ${byKey(sql)}`
  yield* sql`
    CREATE TABLE open_contracts (
      venue TEXT NOT NULL,
      ticker TEXT NOT NULL,
      domain TEXT NOT NULL CHECK (${inDomains}),
      lane TEXT NOT NULL,
      subject TEXT NOT NULL,
      contract TEXT NOT NULL,
      PRIMARY KEY (venue, ticker)
    ) ${byKey(sql)}`
  yield* sql`CREATE INDEX open_contracts_subjects ON open_contracts (lane, subject)`
  // The terms, book and opinion of one contract, as they stand in the capture that is on the record.
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
    CREATE TABLE followed_contracts (
      venue TEXT NOT NULL,
      ticker TEXT NOT NULL,
      domain TEXT NOT NULL CHECK (${inDomains}),
      close_time BIGINT NOT NULL,
      settled_at BIGINT,
      PRIMARY KEY (venue, ticker)
    ) ${byKey(sql)}`
  yield* sql`CREATE INDEX followed_contracts_due ON followed_contracts (settled_at, close_time)`
})
