import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { appendOnly, byKey, inOrder } from "../appendOnly.ts"

/** The outbox of events, webhooks, deliveries and attempts. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // Written in the transaction that causes the event.
  yield* sql`
    CREATE TABLE outbox (
      id TEXT NOT NULL PRIMARY KEY,
      at BIGINT NOT NULL,
      account_id TEXT NOT NULL REFERENCES accounts (id),
      type TEXT NOT NULL,
      livemode INTEGER NOT NULL CHECK (livemode IN (0, 1)),
      data TEXT NOT NULL
    )`
  yield* sql`CREATE INDEX outbox_account ON outbox (account_id, at)`
  yield* appendOnly("outbox")
  // Secrets are stored sealed by the installation's key, since signatures need them. A deleted webhook has none.
  // `paused_at`: start of the pause, which suspends the window of its deliveries.
  yield* sql`
    CREATE TABLE webhooks (
      id TEXT NOT NULL PRIMARY KEY,
      account_id TEXT NOT NULL REFERENCES accounts (id),
      url TEXT NOT NULL,
      status TEXT NOT NULL CHECK (status IN ('active', 'paused', 'disabled', 'deleted')),
      secret TEXT,
      previous_secret TEXT,
      previous_until BIGINT,
      created_at BIGINT NOT NULL,
      paused_at BIGINT,
      CHECK ((secret IS NULL) = (status = 'deleted'))
    )`
  yield* sql`CREATE INDEX webhooks_account ON webhooks (account_id, id)`
  yield* sql`
    CREATE TABLE webhook_types (
      webhook_id TEXT NOT NULL REFERENCES webhooks (id),
      type TEXT NOT NULL,
      PRIMARY KEY (webhook_id, type)
    ) ${byKey(sql)}`
  // The delivery of one event to one webhook. `due_at`: when it may be leased next; a lease moves it beyond the longest
  // attempt, so that deliveries of a killed process become free by themselves. `expires_at` counts from the first attempt.
  // `body` is written at the first attempt; every later one sends the same bytes.
  yield* sql`
    CREATE TABLE webhook_deliveries (
      seq ${inOrder(sql)},
      webhook_id TEXT NOT NULL REFERENCES webhooks (id),
      event_id TEXT NOT NULL,
      type TEXT NOT NULL,
      subject TEXT,
      cause TEXT NOT NULL CHECK (cause IN ('event', 'replay', 'test')),
      created_at BIGINT NOT NULL,
      body TEXT,
      attempts INTEGER NOT NULL DEFAULT 0,
      failures INTEGER NOT NULL DEFAULT 0,
      due_at BIGINT NOT NULL,
      lease_owner TEXT,
      expires_at BIGINT,
      ended_at BIGINT,
      outcome TEXT CHECK (outcome IN ('delivered', 'dead')),
      reason TEXT,
      CHECK ((ended_at IS NULL) = (outcome IS NULL) AND (coalesce(outcome, '') = 'dead') = (reason IS NOT NULL))
    )`
  yield* sql`
    CREATE UNIQUE INDEX webhook_deliveries_event ON webhook_deliveries (event_id, webhook_id) WHERE cause = 'event'`
  yield* sql`
    CREATE UNIQUE INDEX webhook_deliveries_under_way ON webhook_deliveries (event_id, webhook_id)
    WHERE ended_at IS NULL`
  yield* sql`CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_at) WHERE ended_at IS NULL`
  yield* sql`
    CREATE INDEX webhook_deliveries_due_of ON webhook_deliveries (webhook_id, due_at) WHERE ended_at IS NULL`
  yield* sql`CREATE INDEX webhook_deliveries_expiry ON webhook_deliveries (expires_at) WHERE ended_at IS NULL`
  yield* sql`
    CREATE INDEX webhook_deliveries_first ON webhook_deliveries (webhook_id, subject, created_at, seq)
    WHERE ended_at IS NULL AND failures = 0`
  yield* sql`CREATE INDEX webhook_deliveries_list ON webhook_deliveries (webhook_id, seq)`
  yield* sql`CREATE INDEX webhook_deliveries_of_event ON webhook_deliveries (event_id, webhook_id, seq)`
  yield* sql`CREATE INDEX webhook_deliveries_dead ON webhook_deliveries (webhook_id, seq) WHERE outcome = 'dead'`
  yield* sql`
    CREATE INDEX webhook_deliveries_newest_dead ON webhook_deliveries (ended_at, webhook_id) WHERE outcome = 'dead'`
  yield* sql`CREATE INDEX webhook_deliveries_ended ON webhook_deliveries (ended_at) WHERE ended_at IS NOT NULL`
  // Inserted when a delivery is leased; one without a result was interrupted.
  yield* sql`
    CREATE TABLE webhook_attempts (
      delivery BIGINT NOT NULL REFERENCES webhook_deliveries (seq),
      number INTEGER NOT NULL,
      at BIGINT NOT NULL,
      duration_ms INTEGER,
      status INTEGER,
      error TEXT,
      detail TEXT,
      response TEXT,
      PRIMARY KEY (delivery, number)
    ) ${byKey(sql)}`
  // Runs in the transaction that writes an event, so that every event has its deliveries.
  const deliver = (subject: string, lock: string) => `
    INSERT INTO webhook_deliveries (webhook_id, event_id, type, subject, cause, created_at, due_at)
    SELECT w.id, NEW.id, NEW.type, ${subject}, 'event', NEW.at, NEW.at
    FROM webhooks w JOIN webhook_types t ON t.webhook_id = w.id
    WHERE w.account_id = NEW.account_id AND t.type = NEW.type AND w.status IN ('active', 'paused') ${lock};`
  yield* sql.onDialectOrElse({
    sqlite: () =>
      sql.unsafe(`
        CREATE TRIGGER outbox_deliveries AFTER INSERT ON outbox
        BEGIN ${deliver("json_extract(NEW.data, '$.agent_id')", "")} END`),
    // The lock: a webhook that is being deleted gets no delivery, and one that gets a delivery is not deleted before it.
    // In the order of ids, as everything that locks webhooks.
    orElse: () =>
      Effect.zipRight(
        sql.unsafe(`
          CREATE FUNCTION outbox_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN ${deliver("NEW.data::json ->> 'agent_id'", "ORDER BY w.id FOR SHARE OF w")} RETURN NULL; END $$`),
        sql.unsafe(`
          CREATE TRIGGER outbox_deliveries AFTER INSERT ON outbox FOR EACH ROW EXECUTE FUNCTION outbox_deliveries()`),
      ),
  })
})
