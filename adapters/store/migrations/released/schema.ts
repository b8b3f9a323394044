import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Settle from "./settle.ts"
import { buckets, versions } from "./sharedTables.ts"

/**
 * A settlement as `settle` takes it. `live` is 0 or 1; `resets`: the first instant of the next month, for events; `ended`:
 * the month of the audit row; `stored`: the compressed reply, absent for a free call whose reply is too long.
 */
const call = `
  CREATE TYPE settle_call AS (
    i INTEGER, id TEXT, at BIGINT, account TEXT, key TEXT, agent TEXT, live INTEGER, month TEXT, resets TEXT,
    list BIGINT, micros BIGINT, endpoint TEXT, hash TEXT, status INTEGER, code TEXT, latency INTEGER, ended TEXT,
    calls INTEGER, idem TEXT, idem_hash TEXT, stored BYTEA, per_minute BIGINT
  )`

/** The batches of the last minutes with the verdicts other than "settled", so that one that is asked again says the same. */
const batches = `
  CREATE TABLE settled_batches (
    id UUID PRIMARY KEY,
    at TIMESTAMPTZ NOT NULL DEFAULT now(),
    cancelled BOOLEAN NOT NULL DEFAULT false,
    refused JSON NOT NULL DEFAULT '[]'
  );
  CREATE INDEX settled_batches_at ON settled_batches (at)`

/** Writes an event of an agent's monthly cap, with the text that the ledger of SQLite writes. */
const emit = `
  CREATE FUNCTION emit_budget(c settle_call, p_type text, p_name text, p_cap bigint, p_spent bigint) RETURNS void
  LANGUAGE sql AS $$
    INSERT INTO outbox (id, at, account_id, type, livemode, data) VALUES (
      gen_random_uuid()::text, c.at, c.account, p_type, c.live,
      format('{"agent_id":%s,"agent_name":%s,"period":%s,"cap_micros":%s,"spent_micros":%s,"percent":%s,"resets_at":%s}',
        to_json(c.agent), to_json(p_name), to_json(c.month), p_cap, p_spent,
        CASE WHEN p_cap = 0 THEN 100 ELSE p_spent * 100 / p_cap END, to_json(c.resets)))
  $$`

/** Emits agent.budget_exceeded at the month's first rejected call, even if the spend is below the cap. */
const exceeded = `
  CREATE FUNCTION announce_exceeded(c settle_call) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE a agents; s agent_spend;
  BEGIN
    SELECT * INTO a FROM agents WHERE id = c.agent;
    INSERT INTO agent_spend (agent_id, livemode, month) VALUES (c.agent, c.live, c.month) ON CONFLICT DO NOTHING;
    SELECT * INTO s FROM agent_spend WHERE agent_id = c.agent AND livemode = c.live AND month = c.month FOR UPDATE;
    IF s.exceeded = 0 THEN
      UPDATE agent_spend SET exceeded = 1 WHERE agent_id = c.agent AND livemode = c.live AND month = c.month;
      PERFORM emit_budget(c, 'agent.budget_exceeded', a.name, a.monthly_cap_micros, s.micros);
    END IF;
  END $$`

/** Appends audit rows to the month in which their calls ended, in order. */
const audit = `
  CREATE FUNCTION append_audit(calls settle_call[]) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE missing text;
  BEGIN
    FOR missing IN SELECT DISTINCT x.ended FROM unnest(calls) x
      WHERE NOT EXISTS (SELECT 1 FROM audit_months m WHERE m.month = x.ended)
    LOOP PERFORM audit_month(missing); END LOOP;
    INSERT INTO audit (month, request_id, at, account_id, agent_id, key_id, endpoint, params_hash, status, code,
      charged_micros, latency_ms, calls)
    SELECT x.ended, x.id, x.at, x.account, x.agent, x.key, x.endpoint, x.hash, x.status, x.code, x.micros, x.latency,
      coalesce(x.calls, 1)
    FROM unnest(calls) x ORDER BY x.i;
  END $$`

/**
 * Ends a batch whose answer was lost. A free id is taken, so that the batch can never be settled; the charges of a settled
 * one are credited back. May be called again.
 */
const cancel = `
  CREATE FUNCTION cancel(p_batch uuid, p_calls json) RETURNS integer LANGUAGE plpgsql AS $$
  DECLARE calls settle_call[]; credited integer := 0;
  BEGIN
    INSERT INTO settled_batches (id, cancelled) VALUES (p_batch, true) ON CONFLICT DO NOTHING;
    IF FOUND THEN RETURN 0; END IF;
    PERFORM 1 FROM settled_batches b WHERE b.id = p_batch AND NOT b.cancelled FOR UPDATE;
    IF NOT FOUND THEN RETURN 0; END IF;
    SELECT array_agg(x) INTO calls FROM json_populate_recordset(NULL::settle_call, p_calls) x;
    PERFORM 1 FROM wallets w WHERE w.account_id IN (SELECT x.account FROM unnest(calls) x)
      ORDER BY w.account_id FOR NO KEY UPDATE;
    -- Only what was settled is given back: it has an audit row of this request with a success.
    SELECT array_agg(x) INTO calls FROM unnest(calls) x
      WHERE EXISTS (SELECT 1 FROM audit a WHERE a.month = x.ended AND a.request_id = x.id AND a.key_id = x.key AND a.status < 400);
    INSERT INTO journal (id, at, kind, account_id, debit, credit, micros, key_id, endpoint)
      SELECT 'txn_' || substr(x.id, 5), x.at, 'credit', x.account, 'revenue', 'wallet:' || x.account, x.micros, x.key, x.endpoint
      FROM unnest(calls) x WHERE x.micros > 0;
    GET DIAGNOSTICS credited = ROW_COUNT;
    UPDATE wallets w SET balance_micros = w.balance_micros + back.micros
      FROM (SELECT x.account, sum(x.micros) AS micros FROM unnest(calls) x GROUP BY 1) back WHERE w.account_id = back.account;
    UPDATE key_spend k SET micros = k.micros - back.micros
      FROM (SELECT x.key, x.month, sum(x.micros) AS micros FROM unnest(calls) x GROUP BY 1, 2) back
      WHERE k.key_id = back.key AND k.month = back.month;
    UPDATE agent_spend t SET micros = t.micros - back.list
      FROM (SELECT x.agent, x.live, x.month, sum(x.list) AS list FROM unnest(calls) x WHERE x.agent IS NOT NULL GROUP BY 1, 2, 3) back
      WHERE t.agent_id = back.agent AND t.livemode = back.live AND t.month = back.month;
    DELETE FROM idempotency i USING unnest(calls) x
      WHERE i.key_id = x.key AND i.idempotency_key = x.idem AND i.request_hash = x.idem_hash AND i.at = x.at;
    UPDATE settled_batches b SET cancelled = true WHERE b.id = p_batch;
    RETURN credited;
  END $$`

/** What PostgreSQL has in addition: the money step and the version of keys. */
export default Effect.flatMap(SqlClient.SqlClient, (sql) =>
  sql.onDialectOrElse({
    sqlite: () => Effect.void,
    orElse: () =>
      Effect.forEach(
        [call, batches, emit, exceeded, audit, ...Settle.released, cancel, versions, buckets],
        (statement) => sql.unsafe(statement),
        { discard: true },
      ),
  }),
)
