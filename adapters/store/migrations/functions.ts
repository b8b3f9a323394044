/*
 * The functions of the store on PostgreSQL as they are now. Every migration applies all of them anew, after its tables, so that
 * one that changes needs a new schema; `released/` keeps those of the first release, from which a store of that
 * time comes.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"

/** Notes the last use of keys. One that an operator holds is noted with its next use. */
const noteUsed = `
  CREATE OR REPLACE FUNCTION note_used(p_used json) RETURNS void LANGUAGE sql AS $$
    UPDATE api_keys k SET last_used_at = u.at
      FROM json_to_recordset(p_used) AS u (key text, at bigint),
        (SELECT f.id FROM api_keys f WHERE f.id IN (SELECT o.key FROM json_to_recordset(p_used) AS o (key text))
          ORDER BY f.id FOR NO KEY UPDATE SKIP LOCKED) free
      WHERE k.id = u.key AND free.id = k.id AND coalesce(k.last_used_at, 0) < u.at
  $$`

/** Writes what the charges of a batch have in common: journal, sums of keys, audit rows, and those of other calls. */
const settleRows = `
  CREATE OR REPLACE FUNCTION settle_rows(p_done settle_call[], p_lines settle_call[]) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO journal (id, at, kind, account_id, debit, credit, micros, key_id, endpoint)
      SELECT x.id, x.at, 'charge', x.account, 'wallet:' || x.account, 'revenue', x.micros, x.key, x.endpoint
      FROM unnest(p_done) x WHERE x.micros > 0;
    INSERT INTO key_spend AS k (key_id, month, micros)
      SELECT x.key, x.month, sum(x.micros) FROM unnest(p_done) x WHERE x.micros > 0 GROUP BY 1, 2
      ON CONFLICT (key_id, month) DO UPDATE SET micros = k.micros + excluded.micros;
    PERFORM append_audit(p_done || p_lines);
  END $$`

/**
 * Writes events. One of an agent's monthly cap is written only by the transaction that marks the month: two nodes may have
 * refused a call at once.
 */
const writeEvents = `
  CREATE OR REPLACE FUNCTION write_events(p_events json) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE e record;
  BEGIN
    FOR e IN SELECT * FROM json_to_recordset(p_events)
      AS r (id text, at bigint, account text, type text, live integer, data text, agent text, month text)
    LOOP
      IF e.type = 'agent.budget_warning' THEN
        INSERT INTO agent_spend AS t (agent_id, livemode, month, warned) VALUES (e.agent, e.live, e.month, 1)
          ON CONFLICT (agent_id, livemode, month) DO UPDATE SET warned = 1 WHERE t.warned = 0;
        CONTINUE WHEN NOT FOUND;
      ELSIF e.type = 'agent.budget_exceeded' THEN
        INSERT INTO agent_spend AS t (agent_id, livemode, month, exceeded) VALUES (e.agent, e.live, e.month, 1)
          ON CONFLICT (agent_id, livemode, month) DO UPDATE SET exceeded = 1 WHERE t.exceeded = 0;
        CONTINUE WHEN NOT FOUND;
      END IF;
      INSERT INTO outbox (id, at, account_id, type, livemode, data) VALUES (e.id, e.at, e.account, e.type, e.live, e.data);
    END LOOP;
  END $$`

/**
 * Begins a batch: takes its calls and locks their wallets. It waits for no lock longer than `p_wait` milliseconds; with
 * `p_skip` it passes over the wallets that somebody else holds, whose accounts are `locked`.
 *
 * @param answerAgain returns what a batch that was settled `before` has returned
 */
const begun = (answerAgain: string): string => `\
    waited := current_setting('lock_timeout');
    PERFORM set_config('lock_timeout', p_wait::text, true);
    INSERT INTO settled_batches (id) VALUES (p_batch) ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
      SELECT * INTO before FROM settled_batches b WHERE b.id = p_batch;
      IF before.cancelled THEN RAISE EXCEPTION 'batch % was cancelled', p_batch; END IF;
      ${answerAgain}
    END IF;
    SELECT array_agg(x) INTO calls FROM json_populate_recordset(NULL::settle_call, p_calls) x;
    IF p_skip THEN
      SELECT coalesce(array_agg(h.account_id), '{}') INTO ours FROM (
        SELECT w.account_id FROM wallets w WHERE w.account_id IN (SELECT x.account FROM unnest(calls) x)
        ORDER BY w.account_id FOR NO KEY UPDATE SKIP LOCKED) h;
      SELECT coalesce(array_agg(DISTINCT w.account_id), '{}') INTO locked FROM unnest(calls) x
        JOIN wallets w ON w.account_id = x.account WHERE NOT w.account_id = ANY (ours);
    ELSE
      PERFORM 1 FROM wallets w WHERE w.account_id IN (SELECT x.account FROM unnest(calls) x)
        ORDER BY w.account_id FOR NO KEY UPDATE;
    END IF;`

/**
 * Settles a batch in one transaction, and appends audit rows of other calls. The wallet's row is the account's lock; taken
 * in the order of keys, so that two batches never wait in a ring. An account is easy if all that the batch asks of it fits,
 * no agent comes near a cap, the balance stays on its side of the threshold, and no reply is to be stored: easy accounts are
 * settled as sets. Calls of the others are returned as "Hard", with nothing done: the node decides them (\`settle_read\`).
 *
 * It waits for no lock longer than \`p_wait\` milliseconds: then it fails as a whole (55P03), and nothing of it was done.
 * With \`p_skip\` it does not wait for wallets: calls of accounts whose wallet somebody else holds are refused as "Locked".
 *
 * Returns the verdicts other than "Settled". A batch that was settled before returns the same, after a row (-1, 'Known').
 * \`p_warning\`: the share of a monthly cap that an agent comes near at, as numerator and denominator.
 */
const settle = `
  CREATE OR REPLACE FUNCTION settle(p_batch uuid, p_calls json, p_lines json, p_used json, p_skip boolean, p_wait integer,
    p_warning integer[])
  RETURNS TABLE (i integer, tag text, n bigint) LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    calls settle_call[]; easy settle_call[]; hard text[]; before settled_batches; refused json := '[]'; nay jsonb := '[]';
    ours text[]; locked text[] := '{}'; waited text;
  BEGIN
${begun(`RETURN QUERY SELECT -1, 'Known', 0::bigint;
      RETURN QUERY SELECT x.i, x.tag, x.n FROM json_to_recordset(before.refused) AS x (i integer, tag text, n bigint);
      RETURN;`)}
    IF locked <> '{}' THEN
      SELECT coalesce(jsonb_agg(jsonb_build_object('i', x.i, 'tag', 'Locked', 'n', 0)), '[]') INTO nay
        FROM unnest(calls) x WHERE x.account = ANY (locked);
      SELECT array_agg(x) INTO calls FROM unnest(calls) x WHERE NOT x.account = ANY (locked);
    END IF;
    SELECT coalesce(array_agg(h.account), '{}') INTO hard FROM (
      SELECT x.account FROM unnest(calls) x LEFT JOIN wallets w ON w.account_id = x.account
      GROUP BY x.account HAVING sum(x.micros) > coalesce(min(w.balance_micros), 0) OR count(x.idem) > 0
        OR min(w.balance_micros) >= min(w.low_micros) AND min(w.balance_micros) - sum(x.micros) < min(w.low_micros)
      UNION
      SELECT g.account FROM (
        SELECT x.account, x.agent, x.live, x.month, sum(x.list) AS list FROM unnest(calls) x
        WHERE x.agent IS NOT NULL AND x.list > 0 GROUP BY 1, 2, 3, 4) g
      JOIN agents a ON a.id = g.agent
      LEFT JOIN agent_spend m ON m.agent_id = g.agent AND m.livemode = g.live AND m.month = g.month
      WHERE (coalesce(m.micros, 0) + g.list) * p_warning[2] >= a.monthly_cap_micros * p_warning[1]
        OR a.budget_cap_micros < g.list + (
          SELECT coalesce(sum(t.micros), 0) FROM agent_spend t WHERE t.agent_id = g.agent AND t.livemode = g.live)) h;
    nay := nay || coalesce((
      SELECT jsonb_agg(jsonb_build_object('i', x.i, 'tag', 'Hard', 'n', 0)) FROM unnest(calls) x WHERE x.account = ANY (hard)), '[]');
    SELECT coalesce(array_agg(x ORDER BY x.i), '{}') INTO easy FROM unnest(calls) x WHERE NOT x.account = ANY (hard);
    UPDATE wallets w SET balance_micros = w.balance_micros - need.micros
      FROM (SELECT x.account, sum(x.micros) AS micros FROM unnest(easy) x GROUP BY 1) need
      WHERE w.account_id = need.account AND need.micros > 0;
    INSERT INTO agent_spend AS t (agent_id, livemode, month, micros)
      SELECT x.agent, x.live, x.month, sum(x.list) FROM unnest(easy) x WHERE x.agent IS NOT NULL AND x.list > 0 GROUP BY 1, 2, 3
      ON CONFLICT (agent_id, livemode, month) DO UPDATE SET micros = t.micros + excluded.micros;
    PERFORM settle_rows(easy, coalesce(
      (SELECT array_agg(x) FROM json_populate_recordset(NULL::settle_call, p_lines) x), '{}'));
    PERFORM note_used(p_used);
    IF nay <> '[]' THEN
      refused := nay::json;
      UPDATE settled_batches b SET refused = nay::json WHERE b.id = p_batch;
      RETURN QUERY SELECT x.i, x.tag, x.n FROM json_to_recordset(refused) AS x (i integer, tag text, n bigint);
    END IF;
    PERFORM set_config('lock_timeout', waited, true);
  END $$`

/**
 * Begins a batch whose calls the node decides: locks their wallets, as \`settle\` does, and returns all that they depend on.
 * A batch that was settled before returns only its verdicts other than "Settled".
 */
const settleRead = `
  CREATE OR REPLACE FUNCTION settle_read(p_batch uuid, p_calls json, p_skip boolean, p_wait integer, p_day bigint)
  RETURNS json LANGUAGE plpgsql AS $$
  DECLARE calls settle_call[]; before settled_batches; ours text[]; locked text[] := '{}'; waited text; state json;
  BEGIN
${begun("RETURN json_build_object('refused', before.refused);")}
    SELECT json_build_object(
      'locked', to_json(locked),
      'wallets', (SELECT json_agg(w) FROM wallets w WHERE w.account_id IN (SELECT x.account FROM unnest(calls) x)),
      'agents', (
        SELECT json_agg(each) FROM (
          SELECT a.id AS agent_id, g.live AS livemode, g.month, a.name, a.monthly_cap_micros, a.budget_cap_micros,
            coalesce(m.micros, 0) AS month_micros, coalesce(m.warned, 0) AS warned, coalesce(m.exceeded, 0) AS exceeded,
            (SELECT coalesce(sum(t.micros), 0) FROM agent_spend t WHERE t.agent_id = a.id AND t.livemode = g.live) AS total_micros
          FROM (SELECT DISTINCT x.agent, x.live, x.month FROM unnest(calls) x) g JOIN agents a ON a.id = g.agent
          LEFT JOIN agent_spend m ON m.agent_id = a.id AND m.livemode = g.live AND m.month = g.month) each),
      'replies', (
        SELECT json_agg(each) FROM (
          SELECT i.key_id, i.idempotency_key, i.at, i.request_hash, i.stored IS NOT NULL AS is_stored
          FROM unnest(calls) x JOIN idempotency i ON i.key_id = x.key AND i.idempotency_key = x.idem) each),
      'bytes', (
        SELECT json_agg(r) FROM reply_bytes r JOIN (
          SELECT DISTINCT x.key, x.at / p_day AS day FROM unnest(calls) x WHERE x.idem IS NOT NULL) d
          ON r.key_id = d.key AND r.day = d.day)
    ) INTO state;
    PERFORM set_config('lock_timeout', waited, true);
    RETURN state;
  END $$`

/** Ends such a batch in the same transaction: writes what the node has decided. */
const settleWrite = `
  CREATE OR REPLACE FUNCTION settle_write(p_batch uuid, p_done json, p_refused json, p_sums json, p_events json, p_used json)
  RETURNS void LANGUAGE plpgsql AS $$
  DECLARE done settle_call[];
  BEGIN
    SELECT coalesce(array_agg(x), '{}') INTO done FROM json_populate_recordset(NULL::settle_call, p_done) x;
    UPDATE wallets w SET balance_micros = w.balance_micros - s.micros
      FROM json_to_recordset(p_sums->'wallets') AS s (account text, micros bigint) WHERE w.account_id = s.account;
    INSERT INTO agent_spend AS t (agent_id, livemode, month, micros)
      SELECT s.agent, s.live, s.month, s.micros
      FROM json_to_recordset(p_sums->'agents') AS s (agent text, live integer, month text, micros bigint)
      ON CONFLICT (agent_id, livemode, month) DO UPDATE SET micros = t.micros + excluded.micros;
    INSERT INTO reply_bytes AS r (key_id, day, charged, free)
      SELECT s.key, s.day, s.charged, s.free
      FROM json_to_recordset(p_sums->'bytes') AS s (key text, day integer, charged bigint, free bigint)
      ON CONFLICT (key_id, day) DO UPDATE SET charged = r.charged + excluded.charged, free = r.free + excluded.free;
    INSERT INTO idempotency AS i (key_id, idempotency_key, at, request_hash, stored, charged)
      SELECT x.key, x.idem, x.at, x.idem_hash, x.stored, (x.micros > 0)::integer FROM unnest(done) x WHERE x.idem IS NOT NULL
      ON CONFLICT (key_id, idempotency_key) DO UPDATE
      SET at = excluded.at, request_hash = excluded.request_hash, stored = excluded.stored, charged = excluded.charged;
    PERFORM write_events(p_events);
    PERFORM settle_rows(done, '{}');
    PERFORM note_used(p_used);
    UPDATE settled_batches b SET refused = p_refused WHERE b.id = p_batch AND json_array_length(p_refused) > 0;
  END $$`

/**
 * Ends a batch that \`cancels\` names: nobody was given its answers. A free id is taken, so that the batch can never be
 * settled; what was settled is given back, and marked in the trail as not charged. Its charges are found by their own keys;
 * a call that was free is one of a batch that is still known. Another node may be at it: then this does nothing.
 */
const cancel = `
  CREATE OR REPLACE FUNCTION cancel(p_batch uuid) RETURNS integer LANGUAGE plpgsql AS $$
  DECLARE
    asked cancels; before settled_batches; calls settle_call[]; repeated integer[]; credited integer := 0; is_new boolean;
  BEGIN
    -- Others' calls must not wait behind a wallet that somebody holds: it is tried again.
    PERFORM set_config('lock_timeout', '100', true);
    IF NOT EXISTS (SELECT 1 FROM cancels k WHERE k.batch = p_batch) THEN RETURN 0; END IF;
    -- First, as it waits for a settlement under way: the transaction's number, which orders the trail, is then the later one.
    INSERT INTO settled_batches (id, cancelled) VALUES (p_batch, true) ON CONFLICT DO NOTHING;
    is_new := FOUND;
    SELECT * INTO asked FROM cancels k WHERE k.batch = p_batch FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN RETURN 0; END IF;
    DELETE FROM cancels k WHERE k.batch = p_batch;
    IF NOT is_new THEN
      SELECT * INTO before FROM settled_batches b WHERE b.id = p_batch FOR UPDATE;
      IF before.cancelled THEN RETURN 0; END IF;
      UPDATE settled_batches b SET cancelled = true WHERE b.id = p_batch;
    END IF;
    SELECT coalesce(array_agg(r.i) FILTER (WHERE r.tag = 'Repeated'), '{}') INTO repeated
      FROM json_to_recordset(coalesce(before.refused, '[]')) AS r (i integer, tag text);
    SELECT array_agg(x) INTO calls FROM json_populate_recordset(NULL::settle_call, asked.calls) x
      WHERE CASE WHEN x.micros > 0 THEN EXISTS (
            SELECT 1 FROM journal j WHERE j.account_id = x.account AND j.id = x.id AND j.kind = 'charge')
          AND NOT EXISTS (SELECT 1 FROM journal j WHERE j.account_id = x.account AND j.id = 'txn_' || substr(x.id, 5))
        ELSE before.id IS NOT NULL AND NOT EXISTS (
          SELECT 1 FROM json_to_recordset(before.refused) AS r (i integer, tag text) WHERE r.i = x.i AND r.tag <> 'Repeated')
        END;
    IF calls IS NULL THEN RETURN 0; END IF;
    PERFORM 1 FROM wallets w WHERE w.account_id IN (SELECT x.account FROM unnest(calls) x)
      ORDER BY w.account_id FOR NO KEY UPDATE;
    INSERT INTO journal (id, at, kind, account_id, debit, credit, micros, key_id, endpoint)
      SELECT 'txn_' || substr(x.id, 5), x.at, 'credit', x.account, 'revenue', 'wallet:' || x.account, x.micros, x.key, x.endpoint
      FROM unnest(calls) x WHERE x.micros > 0;
    GET DIAGNOSTICS credited = ROW_COUNT;
    UPDATE wallets w SET balance_micros = w.balance_micros + back.micros
      FROM (SELECT x.account, sum(x.micros) AS micros FROM unnest(calls) x WHERE x.micros > 0 GROUP BY 1) back
      WHERE w.account_id = back.account;
    UPDATE key_spend k SET micros = k.micros - back.micros
      FROM (SELECT x.key, x.month, sum(x.micros) AS micros FROM unnest(calls) x WHERE x.micros > 0 GROUP BY 1, 2) back
      WHERE k.key_id = back.key AND k.month = back.month;
    UPDATE agent_spend t SET micros = t.micros - back.list
      FROM (SELECT x.agent, x.live, x.month, sum(x.list) AS list FROM unnest(calls) x
        WHERE x.agent IS NOT NULL AND x.list > 0 AND NOT x.i = ANY (repeated) GROUP BY 1, 2, 3) back
      WHERE t.agent_id = back.agent AND t.livemode = back.live AND t.month = back.month;
    DELETE FROM idempotency i USING unnest(calls) x
      WHERE i.key_id = x.key AND i.idempotency_key = x.idem AND i.request_hash = x.idem_hash AND i.at = x.at;
    PERFORM append_audit(array_agg(jsonb_populate_record(x, jsonb_build_object(
        'id', x.id || '-cancelled', 'code', 'storage_unavailable', 'micros', -x.micros, 'calls', 0)) ORDER BY x.i))
      FROM unnest(calls) x WHERE x.micros > 0;
    RETURN credited;
  END $$`

/** As programs before this schema end a batch. */
const cancelGiven = `
  CREATE OR REPLACE FUNCTION cancel(p_batch uuid, p_calls json) RETURNS integer LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO cancels (batch, calls) VALUES (p_batch, p_calls) ON CONFLICT DO NOTHING;
    RETURN cancel(p_batch);
  END $$`

/**
 * Makes the table of a month of the audit trail, which readers of the trail do not delay: it is made apart and then attached,
 * which asks for no lock that reading holds.
 */
const auditTable = (schema: string): string => `
  CREATE OR REPLACE FUNCTION audit_table(p_month text) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = ${schema}, pg_temp AS $$
  DECLARE name text := 'audit_' || replace(p_month, '-', '_');
  BEGIN
    IF p_month !~ '^\\d{4}-\\d{2}$' THEN RAISE EXCEPTION '% is not a month', p_month; END IF;
    PERFORM pg_advisory_xact_lock(hashtext('market-signals ' || name));
    IF to_regclass(name) IS NOT NULL THEN RETURN; END IF;
    EXECUTE format('CREATE TABLE %I (LIKE audit INCLUDING ALL EXCLUDING IDENTITY)', name);
    EXECUTE format('CREATE TRIGGER no_change BEFORE UPDATE OR DELETE ON %I FOR EACH ROW EXECUTE FUNCTION audit_no_change()', name);
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION audit_no_change()', name);
    EXECUTE format('ALTER TABLE audit ATTACH PARTITION %I FOR VALUES IN (%L)', name, p_month);
  END $$`

/** Begins a month of the trail, whose table a job has made days ahead. */
const auditMonth = (schema: string): string => `
  CREATE OR REPLACE FUNCTION audit_month(p_month text) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = ${schema}, pg_temp AS $$
  BEGIN
    PERFORM audit_table(p_month);
    INSERT INTO audit_months (month) VALUES (p_month) ON CONFLICT DO NOTHING;
  END $$`

/** Months of the audit trail whose tables stand ready, after the present one. */
export const monthsAhead = 2

/** Tables of the present month and of those that follow. */
const auditAhead = `
  CREATE OR REPLACE FUNCTION audit_ahead(p_months integer) RETURNS void LANGUAGE sql AS $$
    SELECT audit_table(to_char(date_trunc('month', now() AT TIME ZONE 'UTC') + n * interval '1 month', 'YYYY-MM'))
    FROM generate_series(0, p_months) n
  $$`

/** Functions of before: a node that calls one charges nothing. */
const gone = [
  "settle(uuid, json, json, boolean, json)",
  "settle(uuid, json, json, boolean, json, boolean, integer)",
  "settle_one(settle_call, boolean)",
  "announce_exceeded(settle_call)",
  "emit_budget(settle_call, text, text, bigint, bigint)",
]

/** All of them, for a schema's quoted name. */
const functions = (schema: string): ReadonlyArray<string> => [
  ...gone.map((name) => `DROP FUNCTION IF EXISTS ${name}`),
  noteUsed,
  settleRows,
  writeEvents,
  settle,
  settleRead,
  settleWrite,
  cancel,
  cancelGiven,
  auditTable(schema),
  auditMonth(schema),
  auditAhead,
  "REVOKE EXECUTE ON FUNCTION audit_table(text) FROM PUBLIC",
  // Calls queue behind a drop that waits for a reader of the trail; the next run of the job tries again.
  "ALTER FUNCTION audit_drop(text) SET lock_timeout = '200ms'",
]

/** Makes all of them anew, with the rights that they have. */
export const applyFunctions: Effect.Effect<void, SqlError, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [{ name } = { name: "public" }] = yield* sql<{ name: string }>`SELECT quote_ident(current_schema()) AS name`
  for (const statement of functions(name)) yield* sql.unsafe(statement)
  yield* sql`SELECT audit_ahead(${monthsAhead})`
})
