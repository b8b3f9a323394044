-- What a new PostgreSQL store looks like: schema 1. `sqlite.sql` has the same tables for SQLite. A store of an earlier schema is
-- brought on by the later files of this folder (CONTRIBUTING.md, "A migration"). Run under `search_path = <schema>, pg_temp`,
-- which functions with the owner's rights keep. Tables whose rows change with every charge leave room in their pages
-- (fillfactor), so that no index is written.

-- Units, unless a comment says otherwise: times are milliseconds since 1970; `micros` and names that end so are millionths of a
-- US dollar; TEXT `day` (2026-07-08) and `month` (2026-07) are UTC; INTEGER `day` counts days since 1970; names in `_f` are
-- degrees Fahrenheit, in `_ms` milliseconds.

-- The schemas that the store has come through; the highest is its own.
CREATE TABLE store_schemas (version INTEGER NOT NULL PRIMARY KEY, applied_at BIGINT NOT NULL);

-- Refuses the statements for which a table has it as a trigger.
CREATE FUNCTION append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END $$;


-- ==== Accounts, agents and their caps, keys and wallets ====

-- `suspended_at`: since when calls of all its keys are refused.
CREATE TABLE accounts (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  tier TEXT NOT NULL DEFAULT 'indie',
  per_minute INTEGER NOT NULL DEFAULT 60 CHECK (per_minute > 0),
  created_at BIGINT NOT NULL,
  suspended_at BIGINT
);

CREATE TABLE agents (
  id TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  name TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('active', 'paused', 'revoked')),
  monthly_cap_micros BIGINT CHECK (monthly_cap_micros >= 0),
  budget_cap_micros BIGINT CHECK (budget_cap_micros >= 0),
  created_at BIGINT NOT NULL,
  UNIQUE (account_id, name)
);
CREATE UNIQUE INDEX agents_account ON agents (account_id, id);

-- An agent's spend at list price, apart for live and test keys; a call counts in the month in which it began. `warned` and
-- `exceeded`: the month's event was emitted; raising a cap clears them.
CREATE TABLE agent_spend (
  agent_id TEXT NOT NULL REFERENCES agents (id),
  livemode INTEGER NOT NULL CHECK (livemode IN (0, 1)),
  month TEXT NOT NULL,
  micros BIGINT NOT NULL DEFAULT 0 CHECK (micros >= 0),
  warned INTEGER NOT NULL DEFAULT 0,
  exceeded INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (agent_id, livemode, month)
) WITH (fillfactor = 50);

-- `scopes`: the lanes that it may call, comma-separated; null: all. `per_minute`: calls. `expires_at`: the expiry that a key
-- was created with. `overlap_ends_at`: the end of a rotated key's overlap.
CREATE TABLE api_keys (
  id TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  hash TEXT NOT NULL UNIQUE,
  last_four TEXT NOT NULL,
  name TEXT,
  environment TEXT NOT NULL CHECK (environment IN ('test', 'live')),
  tier TEXT NOT NULL,
  per_minute INTEGER NOT NULL CHECK (per_minute > 0),
  created_at BIGINT NOT NULL,
  revoked_at BIGINT,
  agent_id TEXT,
  scopes TEXT,
  expires_at BIGINT,
  last_used_at BIGINT,
  overlap_ends_at BIGINT,
  FOREIGN KEY (account_id, agent_id) REFERENCES agents (account_id, id)
);
CREATE INDEX api_keys_account ON api_keys (account_id, id);
CREATE INDEX api_keys_agent ON api_keys (agent_id);

-- `low_micros`: the threshold below which a charge causes `wallet.low`; null: none.
CREATE TABLE wallets (
  account_id TEXT NOT NULL PRIMARY KEY REFERENCES accounts (id),
  balance_micros BIGINT NOT NULL CHECK (balance_micros >= 0),
  low_micros BIGINT CHECK (low_micros > 0)
) WITH (fillfactor = 50);

-- Double entry in one row: every posting moves an amount from one ledger to another, so the sum of all ledgers is always zero.
-- A wallet's ledger is 'wallet:' and the account's id.
-- A reference would be checked, and its row locked, for each row: a third of the cost of a charge. The wallet proves the
-- account, and the key's sum of the month the key: both are written by the same transaction.
CREATE TABLE journal (
  id TEXT NOT NULL,
  at BIGINT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('credit', 'charge', 'reversal')),
  account_id TEXT NOT NULL,
  debit TEXT NOT NULL,
  credit TEXT NOT NULL CHECK (credit <> debit),
  micros BIGINT NOT NULL CHECK (micros > 0),
  key_id TEXT,
  endpoint TEXT,
  reverses TEXT CHECK ((reverses IS NOT NULL) = (kind = 'reversal')),
  PRIMARY KEY (account_id, id),
  -- A credit goes into the account's wallet; all else comes out of it.
  CHECK (CASE kind WHEN 'credit' THEN credit ELSE debit END = 'wallet:' || account_id)
);
CREATE INDEX journal_reverses ON journal (account_id, reverses) WHERE reverses IS NOT NULL;
CREATE TRIGGER no_change BEFORE UPDATE OR DELETE ON journal FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON journal FOR EACH STATEMENT EXECUTE FUNCTION append_only();

-- Charges per key and UTC month; a charge counts in the month in which its call began, as for agents.
CREATE TABLE key_spend (
  key_id TEXT NOT NULL REFERENCES api_keys (id),
  month TEXT NOT NULL,
  micros BIGINT NOT NULL CHECK (micros >= 0),
  PRIMARY KEY (key_id, month)
) WITH (fillfactor = 50);

-- Replies of idempotent calls; a free call may have no stored reply. `charged`: whether the call was, so that its bytes count
-- as such.
CREATE TABLE idempotency (
  key_id TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  at BIGINT NOT NULL,
  request_hash TEXT NOT NULL,
  stored BYTEA,
  charged INTEGER NOT NULL DEFAULT 1,
  PRIMARY KEY (key_id, idempotency_key)
);
CREATE INDEX idempotency_at ON idempotency (at);

-- The names of the fields for which calls were refused, for a day. Values are never stored.
CREATE TABLE call_reasons (
  request_id TEXT NOT NULL PRIMARY KEY,
  at BIGINT NOT NULL,
  fields TEXT NOT NULL
);
CREATE INDEX call_reasons_at ON call_reasons (at);

-- Bytes of stored replies per key and UTC day.
CREATE TABLE reply_bytes (
  key_id TEXT NOT NULL,
  day INTEGER NOT NULL,
  charged BIGINT NOT NULL DEFAULT 0,
  free BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (key_id, day)
);


-- ==== Orders of payments into wallets ====

-- `id` is the id of the credit in the journal.
CREATE TABLE orders (
  id TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  provider TEXT NOT NULL,
  micros BIGINT NOT NULL CHECK (micros > 0),
  created_at BIGINT NOT NULL
);
CREATE INDEX orders_account ON orders (account_id, id);
CREATE TRIGGER no_change BEFORE UPDATE OR DELETE ON orders FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON orders FOR EACH STATEMENT EXECUTE FUNCTION append_only();

-- A fact belongs to one order: `reference` is the provider's id of it. What an order is worth is a fold of its facts. `micros`:
-- millionths of `currency`, a lower-case ISO 4217 code; of a refund all that is refunded so far.
CREATE TABLE order_facts (
  seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_id TEXT NOT NULL REFERENCES orders (id),
  kind TEXT NOT NULL CHECK (kind IN ('opened', 'paid', 'ended', 'refunded', 'disputed')),
  reference TEXT NOT NULL,
  at BIGINT NOT NULL,
  micros BIGINT CHECK ((micros IS NOT NULL) = (kind IN ('paid', 'refunded', 'disputed'))),
  currency TEXT CHECK ((currency IS NULL) = (micros IS NULL)),
  url TEXT,
  ends_at BIGINT,
  detail TEXT,
  UNIQUE (kind, reference)
);
CREATE INDEX order_facts_order ON order_facts (order_id, seq);
CREATE TRIGGER no_change BEFORE UPDATE OR DELETE ON order_facts FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON order_facts FOR EACH STATEMENT EXECUTE FUNCTION append_only();

-- `order_id`: the payment under way; null: none. `reverted`: payments that the network reverted since the last good one.
CREATE TABLE payers (
  payer TEXT NOT NULL PRIMARY KEY,
  order_id TEXT REFERENCES orders (id),
  busy_until BIGINT NOT NULL,
  reverted INTEGER NOT NULL CHECK (reverted >= 0)
);
CREATE INDEX payers_order ON payers (order_id) WHERE order_id IS NOT NULL;


-- ==== The audit trail: a row per keyed call, in a table per month that the first call of the month makes ====

-- `exported_rows`: number of rows of the last export of the month.
CREATE TABLE audit_months (
  month TEXT NOT NULL PRIMARY KEY,
  exported_at BIGINT,
  exported_rows BIGINT,
  dropping INTEGER NOT NULL DEFAULT 0 CHECK (dropping IN (0, 1))
);

-- Added to the server's numbers of transactions; 0 until a dump is restored on another server.
CREATE FUNCTION audit_shift() RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT 0::bigint';

-- One table with a partition per month. `tx`: the transaction. Rows become visible in the order of commits, not of `seq`, so
-- pages end below the oldest open transaction.
CREATE TABLE audit (
  month TEXT NOT NULL,
  seq BIGINT GENERATED ALWAYS AS IDENTITY,
  tx BIGINT NOT NULL DEFAULT pg_current_xact_id()::text::bigint + audit_shift(),
  request_id TEXT NOT NULL,
  at BIGINT NOT NULL,
  account_id TEXT NOT NULL,
  agent_id TEXT,
  key_id TEXT NOT NULL,
  endpoint TEXT NOT NULL,
  params_hash TEXT NOT NULL,
  status INTEGER NOT NULL,
  code TEXT,
  charged_micros BIGINT NOT NULL,
  latency_ms INTEGER NOT NULL,
  calls INTEGER NOT NULL DEFAULT 1
) PARTITION BY LIST (month);
CREATE INDEX audit_order ON audit (tx, seq);
CREATE INDEX audit_account ON audit (account_id, at, seq);
CREATE INDEX audit_agent ON audit (agent_id, tx, seq) WHERE agent_id IS NOT NULL;
CREATE UNIQUE INDEX audit_request ON audit (agent_id, request_id, month) WHERE agent_id IS NOT NULL;
CREATE FUNCTION audit_no_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'audit is append-only'; END $$;

-- Makes the table of a month of the audit trail, which readers of the trail do not delay: it is made apart and then attached,
-- which asks for no lock that reading holds.
CREATE FUNCTION audit_table(p_month text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE name text := 'audit_' || replace(p_month, '-', '_');
BEGIN
  IF p_month !~ '^\d{4}-\d{2}$' THEN RAISE EXCEPTION '% is not a month', p_month; END IF;
  PERFORM pg_advisory_xact_lock(hashtext('market-signals ' || name));
  IF to_regclass(name) IS NOT NULL THEN RETURN; END IF;
  EXECUTE format('CREATE TABLE %I (LIKE audit INCLUDING ALL EXCLUDING IDENTITY)', name);
  EXECUTE format('CREATE TRIGGER no_change BEFORE UPDATE OR DELETE ON %I FOR EACH ROW EXECUTE FUNCTION audit_no_change()', name);
  EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION audit_no_change()', name);
  EXECUTE format('ALTER TABLE audit ATTACH PARTITION %I FOR VALUES IN (%L)', name, p_month);
END $$;

-- Begins a month of the trail, whose table a job has made days ahead.
CREATE FUNCTION audit_month(p_month text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM audit_table(p_month);
  INSERT INTO audit_months (month) VALUES (p_month) ON CONFLICT DO NOTHING;
END $$;

-- Drops a month that is marked for it, but neither the current month nor the one before. Calls queue behind a drop that waits
-- for a reader of the trail; the next run of the job tries again.
CREATE FUNCTION audit_drop(p_month text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT
SET lock_timeout = '200ms' AS $$
BEGIN
  PERFORM 1 FROM audit_months WHERE month = p_month AND dropping = 1 FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  IF p_month >= to_char(now() AT TIME ZONE 'UTC' - interval '1 month', 'YYYY-MM') THEN
    RAISE EXCEPTION 'the month % of the audit trail is kept', p_month;
  END IF;
  EXECUTE format('DROP TABLE %I', 'audit_' || replace(p_month, '-', '_'));
  DELETE FROM audit_months WHERE month = p_month;
END $$;

-- They have the owner's rights, and are for the roles of nodes.
REVOKE EXECUTE ON FUNCTION audit_table(text), audit_month(text), audit_drop(text) FROM PUBLIC;

-- Called whenever a store is opened, by each role. Where rows came from a server that had counted further, in a dump that was
-- restored or an archive that was imported, later transactions are numbered after them.
CREATE FUNCTION audit_follow() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE last bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('market-signals audit_follow'));
  SELECT max(tx) INTO last FROM audit;
  IF last >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint + audit_shift() THEN
    EXECUTE format('CREATE OR REPLACE FUNCTION audit_shift() RETURNS bigint LANGUAGE sql IMMUTABLE AS %L',
      format('SELECT %s::bigint', last + 1 - pg_snapshot_xmin(pg_current_snapshot())::text::bigint));
  END IF;
END $$;

-- Tables of the present month and of those that follow.
CREATE FUNCTION audit_ahead(p_months integer) RETURNS void LANGUAGE sql AS $$
  SELECT audit_table(to_char(date_trunc('month', now() AT TIME ZONE 'UTC') + n * interval '1 month', 'YYYY-MM'))
  FROM generate_series(0, p_months) n
$$;

CREATE VIEW postings AS SELECT * FROM journal;


-- ==== Usage: sums of the trail ====

-- `span`: an hour, a day or a month in milliseconds; `start`: its beginning. Each call counts once in each kind of group, in
-- one span: rows of combined groups would be as many as their products, and a page shows one kind. `name` of a status: its
-- class, as `2xx`. A charge that is taken back may be in the sum of a longer span than the call's, until that is moved.
CREATE TABLE usage_sums (
  account_id TEXT NOT NULL,
  span BIGINT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('endpoint', 'agent', 'key', 'status')),
  start BIGINT NOT NULL,
  name TEXT NOT NULL,
  livemode INTEGER NOT NULL CHECK (livemode IN (0, 1)),
  calls BIGINT NOT NULL CHECK (calls >= 0),
  charged_micros BIGINT NOT NULL,
  PRIMARY KEY (account_id, span, kind, start, name, livemode)
) WITH (fillfactor = 50);

-- Sums of a span are moved into the next longer one when they are old: of those that start before `done` all are, of those before
-- `goal` the ones of accounts before `account_id`, and some of its own, in so many slices. Between passes both are the same.
CREATE TABLE usage_moves (
  span BIGINT NOT NULL PRIMARY KEY,
  done BIGINT NOT NULL CHECK (done >= 0),
  goal BIGINT NOT NULL CHECK (goal >= done),
  account_id TEXT NOT NULL,
  slices BIGINT NOT NULL
);
INSERT INTO usage_moves (span, done, goal, account_id, slices) VALUES (3600000, 0, 0, '', 0), (86400000, 0, 0, '', 0);


-- ==== Changes of keys, which caches follow ====

-- Counts the changes of keys and agents, and suspensions of accounts: what was read is believed while the count stays.
CREATE TABLE versions (name TEXT PRIMARY KEY, version BIGINT NOT NULL);
INSERT INTO versions (name, version) VALUES ('access', 0);

CREATE FUNCTION count_access() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE versions SET version = version + 1 WHERE name = 'access';
  RETURN NULL;
END $$;
CREATE TRIGGER count_access AFTER DELETE
  OR UPDATE OF agent_id, environment, per_minute, scopes, expires_at, overlap_ends_at, revoked_at ON api_keys
  FOR EACH ROW EXECUTE FUNCTION count_access();
CREATE TRIGGER count_access AFTER UPDATE OF status ON agents FOR EACH ROW EXECUTE FUNCTION count_access();
CREATE TRIGGER count_access AFTER UPDATE OF suspended_at ON accounts FOR EACH ROW EXECUTE FUNCTION count_access();


-- ==== Events, webhooks and alerts ====

-- Written in the transaction that causes the event.
CREATE TABLE outbox (
  id TEXT NOT NULL PRIMARY KEY,
  at BIGINT NOT NULL,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  type TEXT NOT NULL,
  livemode INTEGER NOT NULL CHECK (livemode IN (0, 1)),
  data TEXT NOT NULL
);
CREATE INDEX outbox_account ON outbox (account_id, at);
CREATE TRIGGER no_change BEFORE UPDATE OR DELETE ON outbox FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON outbox FOR EACH STATEMENT EXECUTE FUNCTION append_only();

-- Secrets are stored sealed by the installation's key, since signatures need them. A deleted webhook has none. `paused_at`:
-- start of the pause, which suspends the window of its deliveries.
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
);
CREATE INDEX webhooks_account ON webhooks (account_id, id);

CREATE TABLE webhook_types (
  webhook_id TEXT NOT NULL REFERENCES webhooks (id),
  type TEXT NOT NULL,
  PRIMARY KEY (webhook_id, type)
);

-- The delivery of one event to one webhook. `due_at`: when it may be leased next; a lease moves it beyond the longest attempt,
-- so that deliveries of a killed process become free by themselves. `expires_at` counts from the first attempt. `body` is
-- written at the first attempt; every later one sends the same bytes. No `seq` of a store is used twice, since lists go on from one.
CREATE TABLE webhook_deliveries (
  seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
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
);
CREATE INDEX webhook_deliveries_dead ON webhook_deliveries (webhook_id, seq) WHERE outcome = 'dead';
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_at) WHERE ended_at IS NULL;
CREATE INDEX webhook_deliveries_due_of ON webhook_deliveries (webhook_id, due_at) WHERE ended_at IS NULL;
CREATE INDEX webhook_deliveries_ended ON webhook_deliveries (ended_at) WHERE ended_at IS NOT NULL;
CREATE UNIQUE INDEX webhook_deliveries_event ON webhook_deliveries (event_id, webhook_id) WHERE cause = 'event';
CREATE INDEX webhook_deliveries_expiry ON webhook_deliveries (expires_at) WHERE ended_at IS NULL;
CREATE INDEX webhook_deliveries_first ON webhook_deliveries (webhook_id, subject, created_at, seq)
WHERE ended_at IS NULL AND failures = 0;
CREATE INDEX webhook_deliveries_list ON webhook_deliveries (webhook_id, seq);
CREATE INDEX webhook_deliveries_newest_dead ON webhook_deliveries (ended_at, webhook_id) WHERE outcome = 'dead';
CREATE INDEX webhook_deliveries_of_event ON webhook_deliveries (event_id, webhook_id, seq);
CREATE UNIQUE INDEX webhook_deliveries_under_way ON webhook_deliveries (event_id, webhook_id)
WHERE ended_at IS NULL;

-- Inserted when a delivery is leased; one without a result was interrupted.
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
);

-- Runs in the transaction that writes an event, so that every event has its deliveries. A webhook is not told of itself. The
-- lock: a webhook that is being deleted gets no delivery, and one that gets a delivery is not deleted before it. In the order
-- of ids, as everything that locks webhooks.
CREATE FUNCTION outbox_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO webhook_deliveries (webhook_id, event_id, type, subject, cause, created_at, due_at)
  SELECT w.id, NEW.id, NEW.type, NEW.data::json ->> 'agent_id', 'event', NEW.at, NEW.at
  FROM webhooks w JOIN webhook_types t ON t.webhook_id = w.id
  WHERE w.account_id = NEW.account_id AND t.type = NEW.type AND w.status IN ('active', 'paused')
    AND (t.type <> 'webhook.failing' OR NEW.data::json ->> 'webhook_id' <> w.id)
  ORDER BY w.id FOR SHARE OF w;
  RETURN NULL;
END $$;
CREATE TRIGGER outbox_deliveries AFTER INSERT ON outbox FOR EACH ROW EXECUTE FUNCTION outbox_deliveries();

-- `call`: path and query of the call that is watched. `threshold` (null: each new report fires) and `hysteresis` are in the
-- unit of what is watched. `memory` and `pending`, JSON: what the last look saw, and a crossing that is not fired. `version`
-- counts the changes of both.
CREATE TABLE alerts (
  id TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  agent_id TEXT,
  key_id TEXT NOT NULL REFERENCES api_keys (id),
  key_hash TEXT NOT NULL,
  name TEXT,
  call TEXT NOT NULL,
  threshold DOUBLE PRECISION,
  hysteresis DOUBLE PRECISION,
  status TEXT NOT NULL CHECK (status IN ('active', 'paused', 'deleted')),
  reason TEXT,
  memory TEXT,
  pending TEXT,
  version INTEGER NOT NULL DEFAULT 0,
  crossings INTEGER NOT NULL DEFAULT 0,
  fired_at BIGINT,
  created_at BIGINT NOT NULL,
  FOREIGN KEY (account_id, agent_id) REFERENCES agents (account_id, id)
);
CREATE INDEX alerts_account ON alerts (account_id, id) WHERE status <> 'deleted';
CREATE INDEX alerts_active ON alerts (id) WHERE status = 'active';


-- ==== People and their sessions; the log of changes ====

CREATE TABLE persons (
  id TEXT NOT NULL PRIMARY KEY,
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  name TEXT NOT NULL,
  is_operator INTEGER NOT NULL CHECK (is_operator IN (0, 1)),
  created_at BIGINT NOT NULL,
  email TEXT,
  UNIQUE (issuer, subject)
);

CREATE TABLE memberships (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  person_id TEXT NOT NULL REFERENCES persons (id),
  role TEXT NOT NULL CHECK (role IN ('viewer', 'owner')),
  PRIMARY KEY (account_id, person_id)
);
CREATE INDEX memberships_person ON memberships (person_id);

-- Only hashes of codes and tokens are stored.
CREATE TABLE invitations (
  code_hash TEXT NOT NULL PRIMARY KEY,
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  name TEXT NOT NULL,
  is_operator INTEGER NOT NULL CHECK (is_operator IN (0, 1)),
  account_id TEXT REFERENCES accounts (id),
  role TEXT NOT NULL CHECK (role IN ('viewer', 'owner')),
  invited_by TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  used_at BIGINT
);

CREATE TABLE sessions (
  id TEXT NOT NULL PRIMARY KEY,
  token_hash TEXT NOT NULL UNIQUE,
  person_id TEXT NOT NULL REFERENCES persons (id),
  account_id TEXT REFERENCES accounts (id),
  created_at BIGINT NOT NULL,
  seen_at BIGINT NOT NULL,
  ended_at BIGINT,
  address TEXT,
  browser TEXT
);
CREATE INDEX sessions_person ON sessions (person_id);

-- Sign-ins that have gone to the identity provider and have not come back. The browser's cookie has the token, from which
-- all else is derived.
CREATE TABLE sign_ins (
  token_hash TEXT NOT NULL PRIMARY KEY,
  code_hash TEXT,
  return_to TEXT NOT NULL,
  expires_at BIGINT NOT NULL
);
CREATE INDEX sign_ins_expiry ON sign_ins (expires_at);

-- `form_id`: of a form that was accepted; a second post of it changes nothing.
CREATE TABLE changes (
  seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at BIGINT NOT NULL,
  who TEXT NOT NULL,
  session_id TEXT,
  address TEXT,
  account_id TEXT,
  verb TEXT NOT NULL,
  subject TEXT NOT NULL,
  form_id TEXT UNIQUE
);
CREATE INDEX changes_account ON changes (account_id, seq);
CREATE TRIGGER no_change BEFORE UPDATE OR DELETE ON changes FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON changes FOR EACH STATEMENT EXECUTE FUNCTION append_only();


-- ==== Operation ====

-- The row is the claim: its holder runs the slot. An unfinished run without a heartbeat is taken over by another holder as the
-- next attempt. `slot`: the time of the schedule that a run is for, or of a start by hand.
CREATE TABLE job_runs (
  job TEXT NOT NULL,
  slot BIGINT NOT NULL,
  holder TEXT NOT NULL,
  attempt INTEGER NOT NULL CHECK (attempt > 0),
  started_at BIGINT NOT NULL,
  alive_at BIGINT NOT NULL,
  finished_at BIGINT,
  outcome TEXT CHECK (outcome IN ('ok', 'failed')),
  detail TEXT,
  PRIMARY KEY (job, slot),
  CHECK ((finished_at IS NULL) = (outcome IS NULL) AND (finished_at IS NULL) = (detail IS NULL))
);
CREATE INDEX job_runs_unfinished ON job_runs (job) WHERE finished_at IS NULL;
CREATE FUNCTION job_runs_finished_once() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.finished_at IS NOT NULL
  THEN RAISE EXCEPTION 'a finished job run does not change'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER job_runs_finished_once BEFORE UPDATE ON job_runs FOR EACH ROW EXECUTE FUNCTION job_runs_finished_once();
-- 30 days: a job's newest rows decide which slots run again.
CREATE FUNCTION job_runs_keep_recent() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.slot > (SELECT MAX(slot) FROM job_runs WHERE job = OLD.job) - 2592000000
  THEN RAISE EXCEPTION 'the last month of a job''s runs is kept'; END IF;
  RETURN OLD;
END $$;
CREATE TRIGGER job_runs_keep_recent BEFORE DELETE ON job_runs FOR EACH ROW EXECUTE FUNCTION job_runs_keep_recent();

-- The last attempts to read each feed, of whichever node made them; `fields`: since when each column came, JSON.
CREATE TABLE feed_attempts (
  feed TEXT NOT NULL PRIMARY KEY,
  attempted_at BIGINT NOT NULL,
  good_at BIGINT,
  refused_at BIGINT,
  refusal TEXT,
  fields TEXT NOT NULL
);

-- Checks of a live lane on a day since 1970, and those that found it up.
CREATE TABLE lane_days (
  lane TEXT NOT NULL,
  day INTEGER NOT NULL,
  checks INTEGER NOT NULL,
  good INTEGER NOT NULL CHECK (good BETWEEN 0 AND checks),
  PRIMARY KEY (lane, day)
);

-- How the live provider's and the mock's answers ended. Old rows are deleted as new ones come.
CREATE TABLE shadow_log (
  at BIGINT NOT NULL,
  port TEXT NOT NULL,
  method TEXT NOT NULL,
  args TEXT NOT NULL,
  agreed INTEGER NOT NULL CHECK (agreed IN (0, 1)),
  difference TEXT,
  live_ms INTEGER NOT NULL,
  failure TEXT,
  dropped INTEGER NOT NULL
);
CREATE INDEX shadow_log_at ON shadow_log (at);

-- Shared by every process over the store, never shown, and sealed.
CREATE TABLE installation_secrets (name TEXT PRIMARY KEY, secret TEXT NOT NULL);

-- Written by readiness checks, to show that the store is neither full nor locked, and by backups.
CREATE TABLE heartbeats (name TEXT NOT NULL PRIMARY KEY, at BIGINT NOT NULL);


-- ==== The record ====

-- Leaves in order, from 0 without gaps. A row also has the hashes of the subtrees that it completes, lowest first: at most n−1
-- for n leaves. A proof reads a few rows by position, and no row is written twice.
CREATE TABLE record_leaves (
  position BIGINT PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  leaf_hash BYTEA NOT NULL UNIQUE,
  subtrees BYTEA NOT NULL,
  text TEXT NOT NULL,
  sealed_until BIGINT
);
CREATE TRIGGER no_change BEFORE UPDATE OR DELETE ON record_leaves FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON record_leaves FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE FUNCTION record_leaves_no_gap() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.position <> coalesce((SELECT MAX(position) + 1 FROM record_leaves), 0)
  THEN RAISE EXCEPTION 'record_leaves has no gaps'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER record_leaves_no_gap BEFORE INSERT ON record_leaves FOR EACH ROW EXECUTE FUNCTION record_leaves_no_gap();

-- Signed checkpoints.
CREATE TABLE record_checkpoints (
  size BIGINT NOT NULL PRIMARY KEY,
  at BIGINT NOT NULL,
  key TEXT NOT NULL,
  note TEXT NOT NULL
);
CREATE TRIGGER no_change BEFORE UPDATE OR DELETE ON record_checkpoints FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON record_checkpoints FOR EACH STATEMENT EXECUTE FUNCTION append_only();

-- Inputs of signals, by the hash of their text.
CREATE TABLE record_inputs (
  hash TEXT NOT NULL PRIMARY KEY,
  text TEXT NOT NULL
);
CREATE TRIGGER no_change BEFORE UPDATE OR DELETE ON record_inputs FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON record_inputs FOR EACH STATEMENT EXECUTE FUNCTION append_only();

-- Only the leaf has the content of a capture. `request_id`: the call that bought it, whose charge has the same id; `key_id` and
-- `agent_id`: who did, since an agent's key reads only its own sealed leaves. The two unique indexes define which captures are
-- duplicates.
CREATE TABLE captures (
  id TEXT NOT NULL PRIMARY KEY,
  lane TEXT NOT NULL,
  endpoint TEXT NOT NULL,
  subject TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('scheduled', 'on_demand')),
  at BIGINT NOT NULL,
  request_id TEXT,
  key_id TEXT,
  agent_id TEXT
);
CREATE UNIQUE INDEX captures_bought ON captures (request_id) WHERE request_id IS NOT NULL;
CREATE UNIQUE INDEX captures_scheduled ON captures (lane, endpoint, subject, at) WHERE kind = 'scheduled';
CREATE INDEX captures_subject ON captures (lane, endpoint, subject, at);
CREATE TRIGGER no_change BEFORE UPDATE OR DELETE ON captures FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON captures FOR EACH STATEMENT EXECUTE FUNCTION append_only();

-- A corrected outcome is a new row.
CREATE TABLE capture_outcomes (
  capture_id TEXT NOT NULL REFERENCES captures (id),
  revision INTEGER NOT NULL CHECK (revision >= 1),
  at BIGINT NOT NULL,
  outcome TEXT NOT NULL,
  scores TEXT NOT NULL,
  PRIMARY KEY (capture_id, revision)
);
CREATE TRIGGER no_change BEFORE UPDATE OR DELETE ON capture_outcomes FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON capture_outcomes FOR EACH STATEMENT EXECUTE FUNCTION append_only();

-- How the laws (forecast distributions) of captures did, computed from captures and outcomes: rows of a changed outcome are
-- replaced. `target`: the day or instant that was forecast. `lead`: days for weather, minutes for crypto. `outcome`: degrees
-- Fahrenheit, or US dollars. `crps`: degrees Fahrenheit, or log returns. `low` and `high`: the law's probability of less than
-- the outcome, and of the outcome or less.
CREATE TABLE law_scores (
  lane TEXT NOT NULL,
  instrument TEXT NOT NULL,
  variable TEXT NOT NULL,
  target TEXT NOT NULL,
  lead INTEGER NOT NULL,
  capture_id TEXT NOT NULL REFERENCES captures (id),
  model_version TEXT NOT NULL,
  outcome DOUBLE PRECISION NOT NULL CHECK (outcome BETWEEN -1e308 AND 1e308),
  crps DOUBLE PRECISION NOT NULL CHECK (crps BETWEEN 0 AND 1e308),
  low DOUBLE PRECISION NOT NULL CHECK (low BETWEEN 0 AND 1),
  high DOUBLE PRECISION NOT NULL CHECK (high BETWEEN low AND 1),
  scored_at BIGINT NOT NULL,
  PRIMARY KEY (lane, instrument, target, variable, lead)
);
CREATE INDEX law_scores_newest ON law_scores (lane, scored_at);


-- ==== Markets: settled rows, contracts of venues, models of accounts ====

-- A changed result is a new revision of its market; the newest one counts. `model`: the model's probability of yes, millionths.
-- `yes_bid`, `yes_ask`, `no_ask`: ten-thousandths of a US dollar; null: not two live sides. `fee_rate`: ten-thousandths; the
-- fee of a contract at the price p is fee_rate · p · (1 − p). `pool_weight`: of the model beside the price, as published at the
-- capture. Strikes are in the unit of what is settled on. `flags`: JSON.
CREATE TABLE settled_rows (
  seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  domain TEXT NOT NULL,
  venue TEXT NOT NULL,
  ticker TEXT NOT NULL,
  revision BIGINT NOT NULL CHECK (revision >= 1),
  series TEXT NOT NULL,
  event TEXT NOT NULL,
  title TEXT NOT NULL,
  instrument TEXT NOT NULL,
  strike_type TEXT,
  floor_strike DOUBLE PRECISION CHECK (floor_strike BETWEEN -1e308 AND 1e308),
  cap_strike DOUBLE PRECISION CHECK (cap_strike BETWEEN -1e308 AND 1e308),
  yes_bid BIGINT CHECK (yes_bid > 0),
  yes_ask BIGINT CHECK (yes_ask < 10000),
  no_ask BIGINT CHECK (no_ask BETWEEN 1 AND 9999),
  model BIGINT NOT NULL CHECK (model BETWEEN 0 AND 1000000),
  model_version TEXT NOT NULL,
  pool_weight DOUBLE PRECISION NOT NULL CHECK (pool_weight BETWEEN 0 AND 1),
  capture_id TEXT NOT NULL,
  captured_at BIGINT NOT NULL,
  close_time BIGINT NOT NULL,
  settled_at BIGINT NOT NULL,
  result TEXT NOT NULL CHECK (result IN ('yes', 'no', 'void')),
  source_result TEXT CHECK (source_result IN ('yes', 'no')),
  source_voided TEXT,
  fee_rate BIGINT CHECK (fee_rate BETWEEN 0 AND 10000),
  anchored INTEGER NOT NULL CHECK (anchored IN (0, 1)),
  model_source TEXT NOT NULL,
  venue_source TEXT NOT NULL,
  same_source INTEGER NOT NULL CHECK (same_source IN (0, 1)),
  flags TEXT NOT NULL,
  UNIQUE (venue, ticker, revision),
  CHECK (captured_at < close_time AND close_time <= settled_at),
  CHECK ((yes_bid IS NULL) = (yes_ask IS NULL) AND (yes_bid IS NULL) = (no_ask IS NULL) AND yes_bid <= yes_ask)
);
CREATE INDEX settled_rows_instruments ON settled_rows (instrument, close_time);
CREATE INDEX settled_rows_pages ON settled_rows (domain, close_time DESC, ticker, venue)
WHERE yes_bid IS NOT NULL AND result <> 'void';
CREATE TRIGGER no_change BEFORE UPDATE OR DELETE ON settled_rows FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON settled_rows FOR EACH STATEMENT EXECUTE FUNCTION append_only();

-- The weights of the models beside the prices, by the rows settled before a UTC day; those of the newest day count. `weight`:
-- the one in use, `fitted` or 0. `fitted`: of most likelihood; null: too few rows. `improvement`: the mean log score of the
-- prices minus that of both together, nats, over `rows` rows that no fit had seen; `low` and `high`: its 95 % interval.
CREATE TABLE pool_weights (
  domain TEXT NOT NULL,
  day TEXT NOT NULL,
  weight DOUBLE PRECISION NOT NULL CHECK (weight BETWEEN 0 AND 1),
  fitted DOUBLE PRECISION CHECK (fitted BETWEEN 0 AND 1),
  rows BIGINT NOT NULL CHECK (rows >= 0),
  improvement DOUBLE PRECISION,
  low DOUBLE PRECISION,
  high DOUBLE PRECISION,
  PRIMARY KEY (day, domain)
);
CREATE TRIGGER no_change BEFORE UPDATE OR DELETE ON pool_weights FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON pool_weights FOR EACH STATEMENT EXECUTE FUNCTION append_only();

-- When a venue's contracts of a domain were last read whole; 0: never. `version` counts all readings and tells readers when to
-- read again.
CREATE TABLE venue_polls (
  venue TEXT NOT NULL,
  domain TEXT NOT NULL,
  at BIGINT NOT NULL,
  version BIGINT NOT NULL,
  PRIMARY KEY (venue, domain)
);

-- Replaced with every poll. `contract`: JSON.
CREATE TABLE open_contracts (
  venue TEXT NOT NULL,
  ticker TEXT NOT NULL,
  domain TEXT NOT NULL,
  lane TEXT NOT NULL,
  subject TEXT NOT NULL,
  contract TEXT NOT NULL,
  PRIMARY KEY (venue, ticker)
);
CREATE INDEX open_contracts_subjects ON open_contracts (lane, subject);

-- Terms, bid and ask, and model price of one contract in a recorded capture, JSON.
CREATE TABLE captured_contracts (
  venue TEXT NOT NULL,
  ticker TEXT NOT NULL,
  capture_id TEXT NOT NULL REFERENCES captures (id),
  at BIGINT NOT NULL,
  close_time BIGINT NOT NULL,
  contract TEXT NOT NULL,
  PRIMARY KEY (venue, ticker, at, capture_id),
  CHECK (at < close_time)
);
CREATE TRIGGER no_change BEFORE UPDATE OR DELETE ON captured_contracts FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON captured_contracts FOR EACH STATEMENT EXECUTE FUNCTION append_only();

-- Recorded contracts whose results may still change. `source_voided`: which value of their source an operator has voided, and why.
CREATE TABLE tracked_contracts (
  venue TEXT NOT NULL,
  ticker TEXT NOT NULL,
  domain TEXT NOT NULL,
  close_time BIGINT NOT NULL,
  settled_at BIGINT,
  source_voided TEXT,
  PRIMARY KEY (venue, ticker)
);
CREATE INDEX tracked_contracts_due ON tracked_contracts (settled_at, close_time);

-- Models of accounts: a row for the first opinion, and one when the model is withdrawn.
CREATE TABLE bench_models (
  model TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('active', 'withdrawn')),
  account_id TEXT NOT NULL REFERENCES accounts (id),
  at BIGINT NOT NULL,
  PRIMARY KEY (model, status)
);
CREATE INDEX bench_models_accounts ON bench_models (account_id, status, model);
CREATE TRIGGER no_change BEFORE UPDATE OR DELETE ON bench_models FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON bench_models FOR EACH STATEMENT EXECUTE FUNCTION append_only();

-- `p`: probability of yes, millionths. A leaf has the same id; of opinions of one time the last counts. Indexes: for scores the
-- opinions on a contract, for the limit of a day those of a model.
CREATE TABLE bench_opinions (
  seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  model TEXT NOT NULL,
  venue TEXT NOT NULL,
  ticker TEXT NOT NULL,
  p BIGINT NOT NULL CHECK (p BETWEEN 0 AND 1000000),
  at BIGINT NOT NULL,
  close_time BIGINT NOT NULL,
  agent_id TEXT,
  CHECK (at < close_time)
);
CREATE INDEX bench_opinions_contracts ON bench_opinions (venue, ticker, model, at);
CREATE INDEX bench_opinions_days ON bench_opinions (model, at);
CREATE TRIGGER no_change BEFORE UPDATE OR DELETE ON bench_opinions FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON bench_opinions FOR EACH STATEMENT EXECUTE FUNCTION append_only();


-- ==== Weather: `day` and `target_day` are days of a station, midnight to midnight in its standard time, also in summer ====

-- Every version of every official daily climate report, with its source text. `valid_as_of`, `high_time_local` and
-- `low_time_local`: local times, as printed. `precip_in` and `snow_in`: inches. `flags`: comma-separated.
CREATE TABLE climate_reports (
  station TEXT NOT NULL,
  day TEXT NOT NULL,
  product_id TEXT NOT NULL,
  issued_at BIGINT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('final', 'preliminary')),
  source TEXT NOT NULL,
  received_at BIGINT NOT NULL,
  headline TEXT NOT NULL,
  correction INTEGER NOT NULL CHECK (correction IN (0, 1)),
  valid_as_of TEXT,
  high_f INTEGER,
  low_f INTEGER,
  high_time_local TEXT,
  low_time_local TEXT,
  precip_in DOUBLE PRECISION CHECK (precip_in BETWEEN -1e308 AND 1e308),
  snow_in DOUBLE PRECISION CHECK (snow_in BETWEEN -1e308 AND 1e308),
  flags TEXT NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (station, day, product_id)
);
CREATE INDEX climate_reports_final ON climate_reports (station, status, day);
CREATE TRIGGER no_change BEFORE UPDATE OR DELETE ON climate_reports FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON climate_reports FOR EACH STATEMENT EXECUTE FUNCTION append_only();

-- `version` counts the changes of a station's reports and tells readers when to read again.
CREATE TABLE climate_stations (station TEXT NOT NULL PRIMARY KEY, version BIGINT NOT NULL);

-- Days without a report in an archive that was asked after the report was due: separates "no report" from "not asked". Rows do
-- not change. They expire: the day is then asked for again, and the row may be deleted.
CREATE TABLE climate_days_no_report (
  station TEXT NOT NULL,
  day TEXT NOT NULL,
  source TEXT NOT NULL,
  asked_at BIGINT NOT NULL,
  PRIMARY KEY (station, day, asked_at)
);
CREATE TRIGGER no_change BEFORE UPDATE ON climate_days_no_report FOR EACH ROW EXECUTE FUNCTION append_only();

-- The first forecast per target day and lead bucket. `bucket`: days from the forecast to the extreme, rounded, 0 to 6; 6 has
-- longer leads too. `issued`, JSON: the laws as they were issued with it.
CREATE TABLE temperature_forecasts (
  station TEXT NOT NULL,
  target_day TEXT NOT NULL,
  variable TEXT NOT NULL CHECK (variable IN ('high', 'low')),
  bucket INTEGER NOT NULL,
  taken_at BIGINT NOT NULL,
  forecast_f DOUBLE PRECISION NOT NULL CHECK (forecast_f BETWEEN -1e308 AND 1e308),
  source TEXT NOT NULL,
  issued TEXT,
  PRIMARY KEY (target_day, station, variable, bucket)
);
CREATE TRIGGER no_change BEFORE UPDATE OR DELETE ON temperature_forecasts FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON temperature_forecasts FOR EACH STATEMENT EXECUTE FUNCTION append_only();

-- Errors of forecasts: official minus forecast. `revision`: the publication that has it. `counted` = 0: from a later report
-- with another value.
CREATE TABLE temperature_residuals (
  station TEXT NOT NULL,
  target_day TEXT NOT NULL,
  variable TEXT NOT NULL CHECK (variable IN ('high', 'low')),
  bucket INTEGER NOT NULL,
  product_id TEXT NOT NULL,
  official_f INTEGER NOT NULL,
  residual_f DOUBLE PRECISION NOT NULL CHECK (residual_f BETWEEN -1e308 AND 1e308),
  counted INTEGER NOT NULL CHECK (counted IN (0, 1)),
  revision BIGINT NOT NULL,
  noted_at BIGINT NOT NULL,
  PRIMARY KEY (target_day, station, variable, bucket, product_id)
);
CREATE UNIQUE INDEX temperature_residuals_folded ON temperature_residuals (target_day, station, variable, bucket)
WHERE counted = 1;
CREATE INDEX temperature_residuals_revision ON temperature_residuals (revision);
CREATE TRIGGER no_change BEFORE UPDATE OR DELETE ON temperature_residuals FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON temperature_residuals FOR EACH STATEMENT EXECUTE FUNCTION append_only();

-- The states that follow, JSON; the newest revision of each counts.
CREATE TABLE temperature_calibrations (
  revision BIGINT NOT NULL,
  station TEXT NOT NULL,
  variable TEXT NOT NULL CHECK (variable IN ('high', 'low')),
  bucket INTEGER NOT NULL,
  state TEXT NOT NULL,
  published_at BIGINT NOT NULL,
  PRIMARY KEY (station, variable, bucket, revision)
);
CREATE INDEX temperature_calibrations_revision ON temperature_calibrations (revision);
CREATE TRIGGER no_change BEFORE UPDATE OR DELETE ON temperature_calibrations FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON temperature_calibrations FOR EACH STATEMENT EXECUTE FUNCTION append_only();

-- A day's extreme by observations, the expected distance beyond it, and the extreme of the final report.
CREATE TABLE temperature_steps (
  station TEXT NOT NULL,
  day TEXT NOT NULL,
  variable TEXT NOT NULL CHECK (variable IN ('high', 'low')),
  read_f INTEGER NOT NULL,
  expected_f DOUBLE PRECISION NOT NULL CHECK (expected_f BETWEEN -1e308 AND 1e308),
  official_f INTEGER NOT NULL,
  product_id TEXT NOT NULL,
  revision BIGINT NOT NULL,
  noted_at BIGINT NOT NULL,
  PRIMARY KEY (station, day, variable)
);
CREATE INDEX temperature_steps_revision ON temperature_steps (revision);
CREATE TRIGGER no_change BEFORE UPDATE OR DELETE ON temperature_steps FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON temperature_steps FOR EACH STATEMENT EXECUTE FUNCTION append_only();

-- Values of the venue's settlement source, each version of a station's day; `revision` counts them from 1.
CREATE TABLE venue_readings (
  station TEXT NOT NULL,
  day TEXT NOT NULL,
  revision INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('official', 'preliminary', 'revised', 'no_report')),
  issued_at BIGINT NOT NULL,
  high_f INTEGER,
  low_f INTEGER,
  read_at BIGINT NOT NULL,
  PRIMARY KEY (station, day, revision)
);
CREATE TRIGGER no_change BEFORE UPDATE OR DELETE ON venue_readings FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON venue_readings FOR EACH STATEMENT EXECUTE FUNCTION append_only();

-- Stored values that an operator has voided: `version` is a report's product id, or a reading's revision. `revision` counts
-- with the publications of what was learned: later ones are without it.
CREATE TABLE weather_voids (
  source TEXT NOT NULL CHECK (source IN ('climate_report', 'venue_reading')),
  station TEXT NOT NULL,
  day TEXT NOT NULL,
  version TEXT NOT NULL,
  reason TEXT NOT NULL,
  at BIGINT NOT NULL,
  revision BIGINT NOT NULL,
  PRIMARY KEY (station, day, source, version)
);
CREATE INDEX weather_voids_revision ON weather_voids (revision);
CREATE TRIGGER no_change BEFORE UPDATE OR DELETE ON weather_voids FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON weather_voids FOR EACH STATEMENT EXECUTE FUNCTION append_only();

-- What counts of reports and readings: all but what an operator has voided.
CREATE VIEW standing_reports AS SELECT * FROM climate_reports WHERE NOT EXISTS (
  SELECT 1 FROM weather_voids AS v
  WHERE v.source = 'climate_report' AND v.station = climate_reports.station AND v.day = climate_reports.day
    AND v.version = climate_reports.product_id);
CREATE VIEW standing_readings AS SELECT * FROM venue_readings WHERE NOT EXISTS (
  SELECT 1 FROM weather_voids AS v
  WHERE v.source = 'venue_reading' AND v.station = venue_readings.station AND v.day = venue_readings.day
    AND v.version = CAST(venue_readings.revision AS TEXT));
CREATE VIEW standing_steps AS SELECT * FROM temperature_steps WHERE NOT EXISTS (
  SELECT 1 FROM weather_voids AS v
  WHERE v.source = 'climate_report' AND v.station = temperature_steps.station AND v.day = temperature_steps.day
    AND v.version = temperature_steps.product_id);

-- Other sources' forecasts of climate days. `percentiles_f`, JSON: the 10th, 25th, 50th, 75th and 90th, where the source states
-- them; `temp_f` is then the mean. `sigma_f`: standard deviation, where stated. Rows do not change. Those that were issued more
-- than a day ago are not used and may be deleted.
CREATE TABLE weather_guidance (
  station TEXT NOT NULL,
  day TEXT NOT NULL,
  source TEXT NOT NULL,
  variable TEXT NOT NULL CHECK (variable IN ('high', 'low')),
  issued_at BIGINT NOT NULL,
  temp_f INTEGER NOT NULL,
  sigma_f INTEGER,
  percentiles_f TEXT,
  received_at BIGINT NOT NULL,
  PRIMARY KEY (station, day, source, variable, issued_at)
);
CREATE INDEX weather_guidance_runs ON weather_guidance (source, issued_at);
CREATE TRIGGER no_change BEFORE UPDATE ON weather_guidance FOR EACH ROW EXECUTE FUNCTION append_only();


-- ==== Crypto: the one-minute tape ====

-- `minute`: at which it begins, in minutes since 1970. Prices are US dollars, `volume` is coins. Old candles are deleted; a
-- stored minute changes where its own exchange revises it.
CREATE TABLE candles (
  asset TEXT NOT NULL,
  minute BIGINT NOT NULL,
  high DOUBLE PRECISION NOT NULL CHECK (high BETWEEN -1e308 AND 1e308),
  low DOUBLE PRECISION NOT NULL CHECK (low > 0 AND low <= high),
  close DOUBLE PRECISION NOT NULL CHECK (close BETWEEN low AND high),
  volume DOUBLE PRECISION NOT NULL CHECK (volume BETWEEN -1e308 AND 1e308) CHECK (volume > 0),
  source TEXT NOT NULL,
  PRIMARY KEY (asset, minute)
);

-- `version` counts the changes of an asset's tape and tells readers when to read again.
CREATE TABLE tapes (asset TEXT NOT NULL PRIMARY KEY, version BIGINT NOT NULL);

-- How far a second source was from the tape. `minute`: of the comparison, in minutes since 1970. `gap`: the largest difference
-- of ln(close) in a common minute.
CREATE TABLE tape_agreements (
  asset TEXT NOT NULL,
  minute BIGINT NOT NULL,
  primary_source TEXT NOT NULL,
  secondary_source TEXT NOT NULL,
  gap DOUBLE PRECISION NOT NULL CHECK (gap BETWEEN -1e308 AND 1e308),
  PRIMARY KEY (asset, minute)
);


-- ==== Football ====

-- All of football: not part of the record, since corrections at a source overwrite rows. `code` is the team's code of the
-- season, `team` the franchise's. `gameday` and `kickoff` (HH:MM): US Eastern. `temperature`: degrees Fahrenheit; `wind`: miles
-- per hour. `home_rest` and `away_rest`: days since the last game. `spread_line`: points, above 0 if the home team is favoured;
-- `total_line`: points of both teams; moneylines: American odds.
CREATE TABLE football_games (
  game_id TEXT NOT NULL PRIMARY KEY,
  season INTEGER NOT NULL,
  week INTEGER NOT NULL CHECK (week BETWEEN 1 AND 22),
  game_type TEXT NOT NULL,
  gameday TEXT NOT NULL,
  kickoff TEXT,
  home_team TEXT NOT NULL,
  home_code TEXT NOT NULL,
  home_rest INTEGER NOT NULL,
  home_qb_id TEXT,
  home_qb_name TEXT,
  home_coach TEXT,
  home_score INTEGER,
  away_team TEXT NOT NULL,
  away_code TEXT NOT NULL,
  away_rest INTEGER NOT NULL,
  away_qb_id TEXT,
  away_qb_name TEXT,
  away_coach TEXT,
  away_score INTEGER,
  neutral INTEGER NOT NULL CHECK (neutral IN (0, 1)),
  division INTEGER NOT NULL CHECK (division IN (0, 1)),
  roof TEXT,
  surface TEXT,
  temperature DOUBLE PRECISION CHECK (temperature BETWEEN -1e308 AND 1e308),
  wind DOUBLE PRECISION CHECK (wind BETWEEN -1e308 AND 1e308),
  stadium TEXT,
  spread_line DOUBLE PRECISION CHECK (spread_line BETWEEN -1e308 AND 1e308),
  total_line DOUBLE PRECISION CHECK (total_line BETWEEN -1e308 AND 1e308),
  home_moneyline INTEGER,
  away_moneyline INTEGER,
  source TEXT NOT NULL,
  fetched_at BIGINT NOT NULL,
  CHECK ((home_score IS NULL) = (away_score IS NULL))
);
CREATE INDEX football_games_season ON football_games (season, gameday);

-- `epa`: expected points added, passing and rushing.
CREATE TABLE football_team_weeks (
  season INTEGER NOT NULL,
  week INTEGER NOT NULL,
  team TEXT NOT NULL,
  epa DOUBLE PRECISION NOT NULL CHECK (epa BETWEEN -1e308 AND 1e308),
  turnovers INTEGER NOT NULL,
  source TEXT NOT NULL,
  fetched_at BIGINT NOT NULL,
  PRIMARY KEY (season, week, team)
);

-- `passing_epa`: expected points added. `cpoe`: completion percentage over expectation.
CREATE TABLE football_quarterback_weeks (
  player_id TEXT NOT NULL,
  season INTEGER NOT NULL,
  week INTEGER NOT NULL,
  player_name TEXT NOT NULL,
  position TEXT NOT NULL,
  code TEXT NOT NULL,
  opponent_code TEXT NOT NULL,
  completions INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  passing_yards INTEGER NOT NULL,
  passing_tds INTEGER NOT NULL,
  interceptions INTEGER NOT NULL,
  sacks_suffered INTEGER NOT NULL,
  passing_epa DOUBLE PRECISION CHECK (passing_epa BETWEEN -1e308 AND 1e308),
  cpoe DOUBLE PRECISION CHECK (cpoe BETWEEN -1e308 AND 1e308),
  rushing_yards INTEGER NOT NULL,
  rushing_tds INTEGER NOT NULL,
  source TEXT NOT NULL,
  fetched_at BIGINT NOT NULL,
  PRIMARY KEY (player_id, season, week)
);

CREATE TABLE football_injuries (
  season INTEGER NOT NULL,
  team TEXT NOT NULL,
  week INTEGER NOT NULL,
  player_key TEXT NOT NULL,
  code TEXT NOT NULL,
  player TEXT NOT NULL,
  gsis_id TEXT,
  position TEXT,
  report_status TEXT,
  practice_status TEXT,
  injury TEXT,
  source TEXT NOT NULL,
  fetched_at BIGINT NOT NULL,
  PRIMARY KEY (season, team, week, player_key)
);

-- Players on reserve lists; week 0 is the roster before the season.
CREATE TABLE football_reserves (
  season INTEGER NOT NULL,
  team TEXT NOT NULL,
  week INTEGER NOT NULL CHECK (week BETWEEN 0 AND 22),
  player_key TEXT NOT NULL,
  code TEXT NOT NULL,
  player TEXT NOT NULL,
  gsis_id TEXT,
  position TEXT,
  status TEXT NOT NULL,
  designation TEXT,
  source TEXT NOT NULL,
  fetched_at BIGINT NOT NULL,
  PRIMARY KEY (season, team, week, player_key)
);

-- Loaded roster weeks, including those of teams without a reserve.
CREATE TABLE football_roster_weeks (
  season INTEGER NOT NULL,
  team TEXT NOT NULL,
  week INTEGER NOT NULL,
  source TEXT NOT NULL,
  fetched_at BIGINT NOT NULL,
  PRIMARY KEY (season, team, week)
);

-- `season`: the year of publication; `code`: the team's in the season before.
CREATE TABLE football_top100 (
  season INTEGER NOT NULL,
  rank INTEGER NOT NULL CHECK (rank BETWEEN 1 AND 100),
  player_name TEXT NOT NULL,
  code TEXT NOT NULL,
  position TEXT NOT NULL,
  source TEXT NOT NULL,
  fetched_at BIGINT NOT NULL,
  PRIMARY KEY (season, rank)
);

-- Loaded seasons of feeds. `version` counts the changes and tells readers when to read again.
CREATE TABLE football_feeds (
  feed TEXT NOT NULL,
  season INTEGER NOT NULL,
  version BIGINT NOT NULL,
  checked_at BIGINT NOT NULL,
  PRIMARY KEY (feed, season)
);

-- Validators for conditional requests, and the hash of the last content.
CREATE TABLE football_files (
  name TEXT NOT NULL PRIMARY KEY,
  feed TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  etag TEXT,
  last_modified TEXT,
  row_count INTEGER NOT NULL,
  fetched_at BIGINT NOT NULL,
  checked_at BIGINT NOT NULL
);


-- ==== Baseball ====

-- Pitching of both teams in finished games, JSON of one line of a box score each, or why a game teaches nothing. `day`: the
-- league's date of the game.
CREATE TABLE mlb_pitched_games (
  id TEXT NOT NULL PRIMARY KEY,
  season INTEGER NOT NULL,
  day TEXT NOT NULL,
  lines TEXT,
  refusal TEXT,
  read_at BIGINT NOT NULL,
  CHECK ((lines IS NULL) <> (refusal IS NULL))
);
CREATE TRIGGER no_change BEFORE UPDATE OR DELETE ON mlb_pitched_games FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON mlb_pitched_games FOR EACH STATEMENT EXECUTE FUNCTION append_only();

-- Whole seasons of those who started, before their first start in `season`. `seasons`: JSON.
CREATE TABLE mlb_pitcher_careers (
  pitcher TEXT NOT NULL,
  season INTEGER NOT NULL,
  seasons TEXT NOT NULL,
  PRIMARY KEY (pitcher, season)
);
CREATE TRIGGER no_change BEFORE UPDATE OR DELETE ON mlb_pitcher_careers FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON mlb_pitcher_careers FOR EACH STATEMENT EXECUTE FUNCTION append_only();


-- ==== Batches of charges, which SQLite does otherwise ====

-- The batches of the last minutes, so that one that is asked again has the same answers. `kept`: those that are not a plain
-- "Accepted".
CREATE TABLE charge_batches (
  id UUID PRIMARY KEY,
  at TIMESTAMPTZ NOT NULL DEFAULT now(),
  cancelled BOOLEAN NOT NULL DEFAULT false,
  kept JSON NOT NULL DEFAULT '[]'
);
CREATE INDEX charge_batches_at ON charge_batches (at);

-- Batches of charges that are to be ended, whose answers nobody was given.
CREATE TABLE cancels (batch UUID PRIMARY KEY, at TIMESTAMPTZ NOT NULL DEFAULT now(), calls JSON NOT NULL);


-- ==== Rate limits of all nodes ====

-- Token buckets: the time at which each is full again, by the store's clock. Not logged: after a crash of the server they are
-- full. `n` calls of `step` milliseconds were asked for last, `granted` of them let through.
CREATE UNLOGGED TABLE buckets (
  name TEXT PRIMARY KEY,
  full_at DOUBLE PRECISION NOT NULL,
  n INTEGER NOT NULL,
  step DOUBLE PRECISION NOT NULL,
  granted INTEGER NOT NULL
) WITH (fillfactor = 50);
CREATE INDEX buckets_full_at ON buckets (full_at);
CREATE FUNCTION now_ms() RETURNS double precision LANGUAGE sql AS $$
  SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::double precision $$;
CREATE FUNCTION grantable(fills_at double precision, p_now double precision, n integer, step double precision)
RETURNS integer LANGUAGE sql IMMUTABLE AS $$
  SELECT least(n, greatest(0, floor((60000 + 1e-6 - (least(greatest(fills_at, p_now), p_now + 60000) - p_now)) / step)))::integer $$;
CREATE FUNCTION take(p_names text[], p_n integer[], p_step double precision[])
RETURNS TABLE (name text, granted integer, full_at double precision, at double precision) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE t double precision := now_ms();
BEGIN
  RETURN QUERY
  INSERT INTO buckets AS b (name, full_at, n, step, granted)
    SELECT x.name, t + grantable(t, t, x.n, x.step) * x.step, x.n, x.step, grantable(t, t, x.n, x.step)
    FROM unnest(p_names, p_n, p_step) AS x (name, n, step) ORDER BY x.name
    ON CONFLICT (name) DO UPDATE SET
      full_at = least(greatest(b.full_at, t), t + 60000) + grantable(b.full_at, t, excluded.n, excluded.step) * excluded.step,
      n = excluded.n, step = excluded.step, granted = grantable(b.full_at, t, excluded.n, excluded.step)
    RETURNING b.name, b.granted, b.full_at, t;
END $$;

SELECT audit_ahead(2);
