/* The functions that settle as the first release made them, for stores of that time; `functions.ts` has the present ones. */

/**
 * One settlement, decided alone as in the ledger of SQLite: cap, balance, reply, charge. The account's wallet is locked.
 * Returns the verdict; "Settled" has written everything but journal, sum of the key and audit, which `settle` writes for
 * the whole batch.
 */
const one = `
  CREATE FUNCTION settle_one(c settle_call, p_low boolean, OUT tag text, OUT n bigint) LANGUAGE plpgsql AS $$
  DECLARE
    a agents; s agent_spend; total bigint; balance bigint; before idempotency; used reply_bytes;
    today integer := c.at / 86400000; size bigint; again boolean := false; spent bigint; counts boolean;
  BEGIN
    n := 0;
    counts := c.agent IS NOT NULL AND c.list > 0;
    SELECT w.balance_micros INTO balance FROM wallets w WHERE w.account_id = c.account;
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
    -- A repeated free call does not count against a cap again.
    IF counts AND NOT again THEN
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
 * Returns the verdicts other than "Settled". A batch that was settled before returns the same, after a row (-1, 'Known').
 */
const settle = `
  CREATE FUNCTION settle(p_batch uuid, p_calls json, p_lines json, p_low boolean, p_used json)
  RETURNS TABLE (i integer, tag text, n bigint) LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    calls settle_call[]; easy settle_call[]; hard text[]; done settle_call[]; c settle_call; verdict record;
    before settled_batches; refused json := '[]'; nay jsonb := '[]';
  BEGIN
    INSERT INTO settled_batches (id) VALUES (p_batch) ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
      SELECT * INTO before FROM settled_batches b WHERE b.id = p_batch;
      IF before.cancelled THEN RAISE EXCEPTION 'batch % was cancelled', p_batch; END IF;
      RETURN QUERY SELECT -1, 'Known', 0::bigint;
      RETURN QUERY SELECT x.i, x.tag, x.n FROM json_to_recordset(before.refused) AS x (i integer, tag text, n bigint);
      RETURN;
    END IF;
    SELECT array_agg(x) INTO calls FROM json_populate_recordset(NULL::settle_call, p_calls) x;
    PERFORM 1 FROM wallets w WHERE w.account_id IN (SELECT x.account FROM unnest(calls) x)
      ORDER BY w.account_id FOR NO KEY UPDATE;
    SELECT coalesce(array_agg(h.account), '{}') INTO hard FROM (
      SELECT x.account FROM unnest(calls) x LEFT JOIN wallets w ON w.account_id = x.account
      GROUP BY x.account HAVING sum(x.micros) > coalesce(min(w.balance_micros), 0) OR count(x.idem) > 0
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
      IF verdict.tag = 'Settled' THEN done := done || c;
      ELSE nay := nay || jsonb_build_object('i', c.i, 'tag', verdict.tag, 'n', verdict.n);
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
    UPDATE api_keys k SET last_used_at = u.at FROM json_to_recordset(p_used) AS u (key text, at bigint)
      WHERE k.id = u.key AND coalesce(k.last_used_at, 0) < u.at;
    IF nay <> '[]' THEN
      refused := nay::json;
      UPDATE settled_batches b SET refused = nay::json WHERE b.id = p_batch;
      RETURN QUERY SELECT x.i, x.tag, x.n FROM json_to_recordset(refused) AS x (i integer, tag text, n bigint);
    END IF;
  END $$`

/** As schema 29 makes them. */
export const released: ReadonlyArray<string> = [one, settle]
