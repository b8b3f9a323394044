/*
 * The functions of the store on PostgreSQL as they are now. A migration that changes one of them applies all of them anew;
 * `schema.ts` and `settle.ts` keep those of the first release, from which a store of that time comes.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"

/**
 * One settlement, decided alone as in the ledger of SQLite: cap, balance, reply, charge. The account's wallet is locked.
 * Returns the verdict; "Settled" and "Repeated" (a repeated free call, which counts against no cap again) have written
 * everything but journal, sum of the key and audit, which `settle` writes for the whole batch.
 */
const settleOne = `
  CREATE OR REPLACE FUNCTION settle_one(c settle_call, p_low boolean, OUT tag text, OUT n bigint) LANGUAGE plpgsql AS $$
  DECLARE
    a agents; s agent_spend; total bigint; balance bigint; low bigint; before idempotency; used reply_bytes;
    today integer := c.at / 86400000; size bigint; again boolean := false; spent bigint; counts boolean;
  BEGIN
    n := 0;
    counts := c.agent IS NOT NULL AND c.list > 0;
    SELECT w.balance_micros, w.low_micros INTO balance, low FROM wallets w WHERE w.account_id = c.account;
    balance := coalesce(balance, 0);
    IF counts THEN
      SELECT * INTO a FROM agents WHERE id = c.agent;
      SELECT * INTO s FROM agent_spend WHERE agent_id = c.agent AND livemode = c.live AND month = c.month;
      spent := coalesce(s.micros, 0);
      IF spent + c.list > a.monthly_cap_micros THEN
        PERFORM announce_exceeded(c);
        tag := 'monthly'; RETURN;
      END IF;
      IF a.budget_cap_micros IS NOT NULL THEN
        SELECT coalesce(sum(t.micros), 0) INTO total FROM agent_spend t WHERE t.agent_id = c.agent AND t.livemode = c.live;
        IF total + c.list > a.budget_cap_micros THEN tag := 'lifetime'; RETURN; END IF;
      END IF;
    END IF;
    IF balance < c.micros THEN tag := 'Insufficient'; n := balance; RETURN; END IF;
    IF c.idem IS NOT NULL THEN
      SELECT * INTO before FROM idempotency i WHERE i.key_id = c.key AND i.idempotency_key = c.idem AND i.at > c.at - 86400000;
      IF FOUND THEN
        IF before.stored IS NOT NULL OR before.request_hash <> c.idem_hash THEN tag := 'Raced'; RETURN; END IF;
        again := c.micros = 0;
      END IF;
      IF NOT again THEN
        SELECT * INTO used FROM reply_bytes r WHERE r.key_id = c.key AND r.day = today;
        size := 256 + coalesce(length(c.stored), 0);
        IF c.micros > 0 THEN
          IF coalesce(used.charged, 0) + size > c.per_minute * 1440 * 2048 THEN tag := 'Unkept'; RETURN; END IF;
        ELSE
          IF c.stored IS NULL OR coalesce(used.free, 0) + size > 524288 THEN c.stored := NULL; size := 256; END IF;
          IF p_low OR coalesce(used.free, 0) + size > 1048576 THEN size := NULL; END IF;
        END IF;
        IF size IS NOT NULL THEN
          INSERT INTO idempotency AS i (key_id, idempotency_key, at, request_hash, stored)
            VALUES (c.key, c.idem, c.at, c.idem_hash, c.stored)
            ON CONFLICT (key_id, idempotency_key) DO UPDATE
            SET at = excluded.at, request_hash = excluded.request_hash, stored = excluded.stored;
          INSERT INTO reply_bytes AS r (key_id, day, charged, free)
            VALUES (c.key, today, CASE WHEN c.micros > 0 THEN size ELSE 0 END, CASE WHEN c.micros > 0 THEN 0 ELSE size END)
            ON CONFLICT (key_id, day) DO UPDATE SET charged = r.charged + excluded.charged, free = r.free + excluded.free;
        END IF;
      END IF;
    END IF;
    IF c.micros > 0 THEN
      UPDATE wallets SET balance_micros = balance_micros - c.micros WHERE account_id = c.account;
    END IF;
    IF balance >= low AND balance - c.micros < low THEN
      INSERT INTO outbox (id, at, account_id, type, livemode, data) VALUES (
        gen_random_uuid()::text, c.at, c.account, 'wallet.low', c.live,
        format('{"balance_micros":%s,"threshold_micros":%s}', balance - c.micros, low));
    END IF;
    IF again THEN tag := 'Repeated'; RETURN; END IF;
    IF counts THEN
      spent := spent + c.list;
      INSERT INTO agent_spend AS t (agent_id, livemode, month, micros) VALUES (c.agent, c.live, c.month, c.list)
        ON CONFLICT (agent_id, livemode, month) DO UPDATE SET micros = t.micros + excluded.micros;
      IF a.monthly_cap_micros IS NOT NULL THEN
        IF coalesce(s.warned, 0) = 0 AND spent * 5 >= a.monthly_cap_micros * 4 THEN
          PERFORM emit_budget(c, 'agent.budget_warning', a.name, a.monthly_cap_micros, spent);
          UPDATE agent_spend SET warned = 1 WHERE agent_id = c.agent AND livemode = c.live AND month = c.month;
        END IF;
        IF coalesce(s.exceeded, 0) = 0 AND spent >= a.monthly_cap_micros THEN
          PERFORM emit_budget(c, 'agent.budget_exceeded', a.name, a.monthly_cap_micros, spent);
          UPDATE agent_spend SET exceeded = 1 WHERE agent_id = c.agent AND livemode = c.live AND month = c.month;
        END IF;
      END IF;
    END IF;
    tag := 'Settled';
  END $$`

/**
 * Settles a batch in one transaction, and appends audit rows of other calls. The wallet's row is the account's lock; taken
 * in the order of keys, so that two batches never wait in a ring. An account is easy if all that the batch asks of it fits,
 * no agent comes near a cap, and the balance stays on its side of the threshold: easy accounts are settled as sets, the
 * others call by call. Accounts share nothing, so both ways decide alike.
 *
 * It waits for no lock longer than \`p_wait\` milliseconds: then it fails as a whole (55P03), and nothing of it was done.
 * With \`p_skip\` it does not wait for wallets: calls of accounts whose wallet somebody else holds are refused as "Locked".
 *
 * Returns the verdicts other than "Settled". A batch that was settled before returns the same, after a row (-1, 'Known').
 */
const settle = `
  CREATE OR REPLACE FUNCTION settle(p_batch uuid, p_calls json, p_lines json, p_low boolean, p_used json,
    p_skip boolean DEFAULT false, p_wait integer DEFAULT 4000)
  RETURNS TABLE (i integer, tag text, n bigint) LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    calls settle_call[]; easy settle_call[]; hard text[]; done settle_call[]; c settle_call; verdict record;
    before settled_batches; refused json := '[]'; nay jsonb := '[]'; ours text[]; waited text;
  BEGIN
    waited := current_setting('lock_timeout');
    PERFORM set_config('lock_timeout', p_wait::text, true);
    INSERT INTO settled_batches (id) VALUES (p_batch) ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
      SELECT * INTO before FROM settled_batches b WHERE b.id = p_batch;
      IF before.cancelled THEN RAISE EXCEPTION 'batch % was cancelled', p_batch; END IF;
      RETURN QUERY SELECT -1, 'Known', 0::bigint;
      RETURN QUERY SELECT x.i, x.tag, x.n FROM json_to_recordset(before.refused) AS x (i integer, tag text, n bigint);
      RETURN;
    END IF;
    SELECT array_agg(x) INTO calls FROM json_populate_recordset(NULL::settle_call, p_calls) x;
    IF p_skip THEN
      SELECT coalesce(array_agg(h.account_id), '{}') INTO ours FROM (
        SELECT w.account_id FROM wallets w WHERE w.account_id IN (SELECT x.account FROM unnest(calls) x)
        ORDER BY w.account_id FOR NO KEY UPDATE SKIP LOCKED) h;
      SELECT coalesce(array_agg(DISTINCT w.account_id), '{}') INTO hard FROM unnest(calls) x
        JOIN wallets w ON w.account_id = x.account WHERE NOT w.account_id = ANY (ours);
      SELECT coalesce(jsonb_agg(jsonb_build_object('i', x.i, 'tag', 'Locked', 'n', 0)), '[]') INTO nay
        FROM unnest(calls) x WHERE x.account = ANY (hard);
      SELECT array_agg(x) INTO calls FROM unnest(calls) x WHERE NOT x.account = ANY (hard);
    ELSE
      PERFORM 1 FROM wallets w WHERE w.account_id IN (SELECT x.account FROM unnest(calls) x)
        ORDER BY w.account_id FOR NO KEY UPDATE;
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
      WHERE (coalesce(m.micros, 0) + g.list) * 5 >= a.monthly_cap_micros * 4
        OR a.budget_cap_micros < g.list + (
          SELECT coalesce(sum(t.micros), 0) FROM agent_spend t WHERE t.agent_id = g.agent AND t.livemode = g.live)) h;
    SELECT coalesce(array_agg(x ORDER BY x.i), '{}') INTO easy FROM unnest(calls) x WHERE NOT x.account = ANY (hard);
    UPDATE wallets w SET balance_micros = w.balance_micros - need.micros
      FROM (SELECT x.account, sum(x.micros) AS micros FROM unnest(easy) x GROUP BY 1) need
      WHERE w.account_id = need.account AND need.micros > 0;
    INSERT INTO agent_spend AS t (agent_id, livemode, month, micros)
      SELECT x.agent, x.live, x.month, sum(x.list) FROM unnest(easy) x WHERE x.agent IS NOT NULL AND x.list > 0 GROUP BY 1, 2, 3
      ON CONFLICT (agent_id, livemode, month) DO UPDATE SET micros = t.micros + excluded.micros;
    done := easy;
    FOR c IN SELECT x.* FROM unnest(calls) x WHERE x.account = ANY (hard) ORDER BY x.i LOOP
      SELECT * INTO verdict FROM settle_one(c, p_low);
      IF verdict.tag IN ('Settled', 'Repeated') THEN done := done || c; END IF;
      IF verdict.tag <> 'Settled' THEN
        nay := nay || jsonb_build_object('i', c.i, 'tag', verdict.tag, 'n', verdict.n);
      END IF;
    END LOOP;
    INSERT INTO journal (id, at, kind, account_id, debit, credit, micros, key_id, endpoint)
      SELECT x.id, x.at, 'charge', x.account, 'wallet:' || x.account, 'revenue', x.micros, x.key, x.endpoint
      FROM unnest(done) x WHERE x.micros > 0;
    INSERT INTO key_spend AS k (key_id, month, micros)
      SELECT x.key, x.month, sum(x.micros) FROM unnest(done) x WHERE x.micros > 0 GROUP BY 1, 2
      ON CONFLICT (key_id, month) DO UPDATE SET micros = k.micros + excluded.micros;
    PERFORM append_audit(done || coalesce(
      (SELECT array_agg(x) FROM json_populate_recordset(NULL::settle_call, p_lines) x), '{}'));
    -- A key that an operator holds is noted with its next use.
    UPDATE api_keys k SET last_used_at = u.at
      FROM json_to_recordset(p_used) AS u (key text, at bigint),
        (SELECT f.id FROM api_keys f WHERE f.id IN (SELECT o.key FROM json_to_recordset(p_used) AS o (key text))
          ORDER BY f.id FOR NO KEY UPDATE SKIP LOCKED) free
      WHERE k.id = u.key AND free.id = k.id AND coalesce(k.last_used_at, 0) < u.at;
    IF nay <> '[]' THEN
      refused := nay::json;
      UPDATE settled_batches b SET refused = nay::json WHERE b.id = p_batch;
      RETURN QUERY SELECT x.i, x.tag, x.n FROM json_to_recordset(refused) AS x (i integer, tag text, n bigint);
    END IF;
    PERFORM set_config('lock_timeout', waited, true);
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

/** All of them, for a schema's quoted name. */
const functions = (schema: string): ReadonlyArray<string> => [
  settleOne,
  "DROP FUNCTION IF EXISTS settle(uuid, json, json, boolean, json)",
  settle,
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
})
