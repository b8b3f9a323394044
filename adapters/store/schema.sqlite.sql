-- Written by `npm run schema`: a store after all migrations. Months of the audit trail have tables of their own.

CREATE TABLE access_changes (version INTEGER PRIMARY KEY, id TEXT NOT NULL);

CREATE TABLE accounts (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  tier TEXT NOT NULL DEFAULT 'indie',
  per_minute INTEGER NOT NULL DEFAULT 60 CHECK (per_minute > 0),
  created_at BIGINT NOT NULL,
  suspended_at BIGINT
);

CREATE TRIGGER accounts_number AFTER INSERT ON accounts
BEGIN INSERT OR IGNORE INTO audit_accounts (account_id) VALUES (NEW.id); END;

CREATE TRIGGER count_accounts AFTER UPDATE OF suspended_at ON accounts
BEGIN
  UPDATE versions SET version = version + 1 WHERE name = 'access';
  INSERT INTO access_changes (version, id) SELECT version, OLD.id FROM versions WHERE name = 'access';
  DELETE FROM access_changes WHERE version <= (SELECT version FROM versions WHERE name = 'access') - 1000;
END;

CREATE TABLE agent_spend (
  agent_id TEXT NOT NULL REFERENCES agents (id),
  livemode INTEGER NOT NULL CHECK (livemode IN (0, 1)),
  month TEXT NOT NULL,
  micros BIGINT NOT NULL DEFAULT 0 CHECK (micros >= 0),
  warned INTEGER NOT NULL DEFAULT 0,
  exceeded INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (agent_id, livemode, month)
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

CREATE INDEX agents_account ON agents (account_id, id);

CREATE TRIGGER count_agents AFTER UPDATE OF status ON agents
BEGIN
  UPDATE versions SET version = version + 1 WHERE name = 'access';
  INSERT INTO access_changes (version, id) SELECT version, OLD.id FROM versions WHERE name = 'access';
  DELETE FROM access_changes WHERE version <= (SELECT version FROM versions WHERE name = 'access') - 1000;
END;

CREATE TABLE alerts (
  id TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  agent_id TEXT REFERENCES agents (id),
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
  created_at BIGINT NOT NULL
);

CREATE INDEX alerts_account ON alerts (account_id, id) WHERE status <> 'deleted';

CREATE INDEX alerts_active ON alerts (id) WHERE status = 'active';

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
  agent_id TEXT REFERENCES agents (id),
  scopes TEXT,
  expires_at BIGINT,
  last_used_at BIGINT,
  overlap_ends_at BIGINT
);

CREATE INDEX api_keys_account ON api_keys (account_id, id);

CREATE INDEX api_keys_agent ON api_keys (agent_id);

CREATE TRIGGER count_keys AFTER UPDATE OF agent_id, environment, per_minute, scopes, expires_at, overlap_ends_at, revoked_at ON api_keys
BEGIN
  UPDATE versions SET version = version + 1 WHERE name = 'access';
  INSERT INTO access_changes (version, id) SELECT version, OLD.id FROM versions WHERE name = 'access';
  DELETE FROM access_changes WHERE version <= (SELECT version FROM versions WHERE name = 'access') - 1000;
END;

CREATE TRIGGER count_keys_deleted AFTER DELETE ON api_keys
BEGIN
  UPDATE versions SET version = version + 1 WHERE name = 'access';
  INSERT INTO access_changes (version, id) SELECT version, OLD.id FROM versions WHERE name = 'access';
  DELETE FROM access_changes WHERE version <= (SELECT version FROM versions WHERE name = 'access') - 1000;
END;

CREATE VIEW audit AS SELECT NULL AS month, NULL AS seq, NULL AS request_id, NULL AS at, NULL AS account_id, NULL AS agent_id, NULL AS key_id, NULL AS endpoint, NULL AS params_hash, NULL AS status, NULL AS code, NULL AS charged_micros, NULL AS latency_ms, NULL AS calls WHERE 0;

CREATE TABLE audit_accounts (id INTEGER PRIMARY KEY, account_id TEXT NOT NULL UNIQUE);

CREATE TABLE audit_agents (id INTEGER PRIMARY KEY, agent_id TEXT NOT NULL UNIQUE);

CREATE TABLE audit_callers (
  id INTEGER PRIMARY KEY,
  key_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  agent_id TEXT,
  UNIQUE (key_id, account_id, agent_id)
);

CREATE TABLE audit_ends (
  id INTEGER PRIMARY KEY,
  endpoint TEXT NOT NULL,
  status INTEGER NOT NULL,
  code TEXT,
  UNIQUE (endpoint, status, code)
);

CREATE TABLE audit_folds (
  month TEXT NOT NULL,
  account INTEGER NOT NULL,
  seq INTEGER NOT NULL, part INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (month, account)
) WITHOUT ROWID;

CREATE TABLE audit_months (
  month TEXT NOT NULL PRIMARY KEY,
  exported_at BIGINT,
  exported_rows BIGINT,
  dropping INTEGER NOT NULL DEFAULT 0 CHECK (dropping IN (0, 1))
);

CREATE TABLE bench_models (
  model TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('active', 'withdrawn')),
  account_id TEXT NOT NULL REFERENCES accounts (id),
  at BIGINT NOT NULL,
  PRIMARY KEY (model, status)
) WITHOUT ROWID;

CREATE INDEX bench_models_accounts ON bench_models (account_id, status, model);

CREATE TRIGGER bench_models_no_delete BEFORE DELETE ON bench_models 
BEGIN SELECT RAISE(ABORT, 'bench_models is append-only'); END;

CREATE TRIGGER bench_models_no_update BEFORE UPDATE ON bench_models 
BEGIN SELECT RAISE(ABORT, 'bench_models is append-only'); END;

CREATE TABLE bench_opinions (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  model TEXT NOT NULL,
  venue TEXT NOT NULL,
  ticker TEXT NOT NULL,
  p BIGINT NOT NULL CHECK (p BETWEEN 0 AND 1000000),
  at BIGINT NOT NULL,
  close_time BIGINT NOT NULL, agent_id TEXT,
  CHECK (at < close_time)
);

CREATE INDEX bench_opinions_contracts ON bench_opinions (venue, ticker, model, at);

CREATE INDEX bench_opinions_days ON bench_opinions (model, at);

CREATE TRIGGER bench_opinions_no_delete BEFORE DELETE ON bench_opinions 
BEGIN SELECT RAISE(ABORT, 'bench_opinions is append-only'); END;

CREATE TRIGGER bench_opinions_no_update BEFORE UPDATE ON bench_opinions 
BEGIN SELECT RAISE(ABORT, 'bench_opinions is append-only'); END;

CREATE TABLE candles (
  asset TEXT NOT NULL,
  minute BIGINT NOT NULL,
  high DOUBLE PRECISION NOT NULL CHECK (high BETWEEN -1e308 AND 1e308),
  low DOUBLE PRECISION NOT NULL CHECK (low > 0 AND low <= high),
  close DOUBLE PRECISION NOT NULL CHECK (close BETWEEN low AND high),
  volume DOUBLE PRECISION NOT NULL CHECK (volume BETWEEN -1e308 AND 1e308) CHECK (volume > 0),
  source TEXT NOT NULL,
  PRIMARY KEY (asset, minute)
) WITHOUT ROWID;

CREATE TABLE capture_outcomes (
  capture_id TEXT NOT NULL REFERENCES captures (id),
  revision INTEGER NOT NULL CHECK (revision >= 1),
  at BIGINT NOT NULL,
  outcome TEXT NOT NULL,
  scores TEXT NOT NULL,
  PRIMARY KEY (capture_id, revision)
) WITHOUT ROWID;

CREATE TRIGGER capture_outcomes_no_delete BEFORE DELETE ON capture_outcomes 
BEGIN SELECT RAISE(ABORT, 'capture_outcomes is append-only'); END;

CREATE TRIGGER capture_outcomes_no_update BEFORE UPDATE ON capture_outcomes 
BEGIN SELECT RAISE(ABORT, 'capture_outcomes is append-only'); END;

CREATE TABLE captured_contracts (
  venue TEXT NOT NULL,
  ticker TEXT NOT NULL,
  capture_id TEXT NOT NULL REFERENCES captures (id),
  at BIGINT NOT NULL,
  close_time BIGINT NOT NULL,
  contract TEXT NOT NULL,
  PRIMARY KEY (venue, ticker, at, capture_id),
  CHECK (at < close_time)
) WITHOUT ROWID;

CREATE TRIGGER captured_contracts_no_delete BEFORE DELETE ON captured_contracts 
BEGIN SELECT RAISE(ABORT, 'captured_contracts is append-only'); END;

CREATE TRIGGER captured_contracts_no_update BEFORE UPDATE ON captured_contracts 
BEGIN SELECT RAISE(ABORT, 'captured_contracts is append-only'); END;

CREATE TABLE captures (
  id TEXT NOT NULL PRIMARY KEY,
  lane TEXT NOT NULL,
  endpoint TEXT NOT NULL,
  subject TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('scheduled', 'on_demand')),
  at BIGINT NOT NULL,
  request_id TEXT
, key_id TEXT, agent_id TEXT);

CREATE UNIQUE INDEX captures_bought ON captures (request_id) WHERE request_id IS NOT NULL;

CREATE UNIQUE INDEX captures_scheduled ON captures (lane, endpoint, subject, at) WHERE kind = 'scheduled';

CREATE INDEX captures_subject ON captures (lane, endpoint, subject, at);

CREATE TRIGGER captures_no_delete BEFORE DELETE ON captures 
BEGIN SELECT RAISE(ABORT, 'captures is append-only'); END;

CREATE TRIGGER captures_no_update BEFORE UPDATE ON captures 
BEGIN SELECT RAISE(ABORT, 'captures is append-only'); END;

CREATE TABLE changes (
  seq INTEGER PRIMARY KEY,
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

CREATE TRIGGER changes_no_delete BEFORE DELETE ON changes 
BEGIN SELECT RAISE(ABORT, 'changes is append-only'); END;

CREATE TRIGGER changes_no_update BEFORE UPDATE ON changes 
BEGIN SELECT RAISE(ABORT, 'changes is append-only'); END;

CREATE TABLE climate_days_no_report (
  station TEXT NOT NULL,
  day TEXT NOT NULL,
  source TEXT NOT NULL,
  asked_at BIGINT NOT NULL,
  PRIMARY KEY (station, day, asked_at)
) WITHOUT ROWID;

CREATE TRIGGER climate_days_no_report_no_delete BEFORE DELETE ON climate_days_no_report 
BEGIN SELECT RAISE(ABORT, 'climate_days_no_report is append-only'); END;

CREATE TRIGGER climate_days_no_report_no_update BEFORE UPDATE ON climate_days_no_report 
BEGIN SELECT RAISE(ABORT, 'climate_days_no_report is append-only'); END;

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

CREATE TRIGGER climate_reports_no_delete BEFORE DELETE ON climate_reports 
BEGIN SELECT RAISE(ABORT, 'climate_reports is append-only'); END;

CREATE TRIGGER climate_reports_no_update BEFORE UPDATE ON climate_reports 
BEGIN SELECT RAISE(ABORT, 'climate_reports is append-only'); END;

CREATE TABLE climate_stations (station TEXT NOT NULL PRIMARY KEY, version BIGINT NOT NULL);

CREATE TABLE feed_attempts (
  feed TEXT NOT NULL PRIMARY KEY,
  attempted_at BIGINT NOT NULL,
  good_at BIGINT,
  refused_at BIGINT,
  refusal TEXT,
  fields TEXT NOT NULL
);

CREATE TABLE football_feeds (
  feed TEXT NOT NULL,
  season INTEGER NOT NULL,
  version BIGINT NOT NULL,
  checked_at BIGINT NOT NULL,
  PRIMARY KEY (feed, season)
) WITHOUT ROWID;

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
  source TEXT NOT NULL, fetched_at BIGINT NOT NULL,
  CHECK ((home_score IS NULL) = (away_score IS NULL))
);

CREATE INDEX football_games_season ON football_games (season, gameday);

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
  source TEXT NOT NULL, fetched_at BIGINT NOT NULL,
  PRIMARY KEY (season, team, week, player_key)
) WITHOUT ROWID;

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
  source TEXT NOT NULL, fetched_at BIGINT NOT NULL,
  PRIMARY KEY (player_id, season, week)
) WITHOUT ROWID;

CREATE TABLE football_rating_states (
  league TEXT NOT NULL,
  season INTEGER NOT NULL,
  made_from TEXT NOT NULL,
  state TEXT NOT NULL,
  numbers BLOB NOT NULL,
  PRIMARY KEY (league, season)
);

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
  source TEXT NOT NULL, fetched_at BIGINT NOT NULL,
  PRIMARY KEY (season, team, week, player_key)
) WITHOUT ROWID;

CREATE TABLE football_roster_weeks (
  season INTEGER NOT NULL,
  team TEXT NOT NULL,
  week INTEGER NOT NULL,
  source TEXT NOT NULL, fetched_at BIGINT NOT NULL,
  PRIMARY KEY (season, team, week)
) WITHOUT ROWID;

CREATE TABLE football_team_weeks (
  season INTEGER NOT NULL,
  week INTEGER NOT NULL,
  team TEXT NOT NULL,
  epa DOUBLE PRECISION NOT NULL CHECK (epa BETWEEN -1e308 AND 1e308),
  turnovers INTEGER NOT NULL,
  source TEXT NOT NULL, fetched_at BIGINT NOT NULL,
  PRIMARY KEY (season, week, team)
) WITHOUT ROWID;

CREATE TABLE football_top100 (
  season INTEGER NOT NULL,
  rank INTEGER NOT NULL CHECK (rank BETWEEN 1 AND 100),
  player_name TEXT NOT NULL,
  code TEXT NOT NULL,
  position TEXT NOT NULL,
  source TEXT NOT NULL, fetched_at BIGINT NOT NULL,
  PRIMARY KEY (season, rank)
) WITHOUT ROWID;

CREATE TABLE heartbeats (name TEXT NOT NULL PRIMARY KEY, at BIGINT NOT NULL);

CREATE TABLE "idempotency" (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  key_id TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  at BIGINT NOT NULL,
  request_hash TEXT NOT NULL,
  stored BLOB,
  charged INTEGER NOT NULL DEFAULT 1
);

CREATE INDEX idempotency_at ON idempotency (at);

CREATE TABLE idempotency_names (name INTEGER NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (name, seq)) WITHOUT ROWID;

CREATE TABLE installation_secrets (name TEXT PRIMARY KEY, secret TEXT NOT NULL);

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

CREATE TRIGGER job_runs_finished_once BEFORE UPDATE ON job_runs WHEN OLD.finished_at IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'a finished job run does not change'); END;

CREATE TRIGGER job_runs_keep_recent BEFORE DELETE ON job_runs WHEN OLD.slot > (SELECT MAX(slot) FROM job_runs WHERE job = OLD.job) - 2592000000
BEGIN SELECT RAISE(ABORT, 'the last month of a job''s runs is kept'); END;

CREATE TABLE journal (
  id TEXT NOT NULL,
  at BIGINT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('credit', 'charge', 'reversal')),
  account_id TEXT NOT NULL REFERENCES accounts (id),
  debit TEXT NOT NULL,
  credit TEXT NOT NULL CHECK (credit <> debit),
  micros BIGINT NOT NULL CHECK (micros > 0),
  key_id TEXT REFERENCES api_keys (id),
  endpoint TEXT,
  reverses TEXT CHECK ((reverses IS NOT NULL) = (kind = 'reversal')),
  PRIMARY KEY (account_id, id)
) WITHOUT ROWID;

CREATE INDEX journal_reverses ON journal (account_id, reverses) WHERE reverses IS NOT NULL;

CREATE TRIGGER journal_no_delete BEFORE DELETE ON journal 
BEGIN SELECT RAISE(ABORT, 'journal is append-only'); END;

CREATE TRIGGER journal_no_update BEFORE UPDATE ON journal 
BEGIN SELECT RAISE(ABORT, 'journal is append-only'); END;

CREATE TABLE journal_places (month TEXT PRIMARY KEY, seq INTEGER NOT NULL) WITHOUT ROWID;

CREATE TABLE key_spend (
  key_id TEXT NOT NULL REFERENCES api_keys (id),
  month TEXT NOT NULL,
  micros BIGINT NOT NULL CHECK (micros >= 0),
  PRIMARY KEY (key_id, month)
) WITHOUT ROWID;

CREATE TABLE memberships (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  person_id TEXT NOT NULL REFERENCES persons (id),
  role TEXT NOT NULL CHECK (role IN ('viewer', 'owner')),
  PRIMARY KEY (account_id, person_id)
);

CREATE INDEX memberships_person ON memberships (person_id);

CREATE TABLE "migrations" (
  migration_id integer PRIMARY KEY NOT NULL,
  created_at datetime NOT NULL DEFAULT current_timestamp,
  name VARCHAR(255) NOT NULL
);

CREATE TABLE mlb_pitched_games (
  id TEXT NOT NULL PRIMARY KEY,
  season INTEGER NOT NULL,
  day TEXT NOT NULL,
  lines TEXT,
  refusal TEXT,
  read_at BIGINT NOT NULL,
  CHECK ((lines IS NULL) <> (refusal IS NULL))
) WITHOUT ROWID;

CREATE TRIGGER mlb_pitched_games_no_delete BEFORE DELETE ON mlb_pitched_games 
BEGIN SELECT RAISE(ABORT, 'mlb_pitched_games is append-only'); END;

CREATE TRIGGER mlb_pitched_games_no_update BEFORE UPDATE ON mlb_pitched_games 
BEGIN SELECT RAISE(ABORT, 'mlb_pitched_games is append-only'); END;

CREATE TABLE mlb_pitcher_careers (
  pitcher TEXT NOT NULL,
  season INTEGER NOT NULL,
  seasons TEXT NOT NULL,
  PRIMARY KEY (pitcher, season)
) WITHOUT ROWID;

CREATE TRIGGER mlb_pitcher_careers_no_delete BEFORE DELETE ON mlb_pitcher_careers 
BEGIN SELECT RAISE(ABORT, 'mlb_pitcher_careers is append-only'); END;

CREATE TRIGGER mlb_pitcher_careers_no_update BEFORE UPDATE ON mlb_pitcher_careers 
BEGIN SELECT RAISE(ABORT, 'mlb_pitcher_careers is append-only'); END;

CREATE TABLE open_contracts (
  venue TEXT NOT NULL,
  ticker TEXT NOT NULL,
  domain TEXT NOT NULL CHECK (domain IN ('weather', 'nfl', 'mlb', 'crypto')),
  lane TEXT NOT NULL,
  subject TEXT NOT NULL,
  contract TEXT NOT NULL,
  PRIMARY KEY (venue, ticker)
) WITHOUT ROWID;

CREATE INDEX open_contracts_subjects ON open_contracts (lane, subject);

CREATE TABLE order_facts (
  seq INTEGER PRIMARY KEY,
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

CREATE TRIGGER order_facts_no_delete BEFORE DELETE ON order_facts 
BEGIN SELECT RAISE(ABORT, 'order_facts is append-only'); END;

CREATE TRIGGER order_facts_no_update BEFORE UPDATE ON order_facts 
BEGIN SELECT RAISE(ABORT, 'order_facts is append-only'); END;

CREATE TABLE orders (
  id TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  provider TEXT NOT NULL,
  micros BIGINT NOT NULL CHECK (micros > 0),
  created_at BIGINT NOT NULL
);

CREATE INDEX orders_account ON orders (account_id, id);

CREATE TRIGGER orders_no_delete BEFORE DELETE ON orders 
BEGIN SELECT RAISE(ABORT, 'orders is append-only'); END;

CREATE TRIGGER orders_no_update BEFORE UPDATE ON orders 
BEGIN SELECT RAISE(ABORT, 'orders is append-only'); END;

CREATE TABLE outbox (
  id TEXT NOT NULL PRIMARY KEY,
  at BIGINT NOT NULL,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  type TEXT NOT NULL,
  livemode INTEGER NOT NULL CHECK (livemode IN (0, 1)),
  data TEXT NOT NULL
);

CREATE INDEX outbox_account ON outbox (account_id, at);

CREATE TRIGGER outbox_deliveries AFTER INSERT ON outbox
    BEGIN
INSERT INTO webhook_deliveries (webhook_id, event_id, type, subject, cause, created_at, due_at)
SELECT w.id, NEW.id, NEW.type, json_extract(NEW.data, '$.agent_id'), 'event', NEW.at, NEW.at
FROM webhooks w JOIN webhook_types t ON t.webhook_id = w.id
WHERE w.account_id = NEW.account_id AND t.type = NEW.type AND w.status IN ('active', 'paused') ; END;

CREATE TRIGGER outbox_no_delete BEFORE DELETE ON outbox 
BEGIN SELECT RAISE(ABORT, 'outbox is append-only'); END;

CREATE TRIGGER outbox_no_update BEFORE UPDATE ON outbox 
BEGIN SELECT RAISE(ABORT, 'outbox is append-only'); END;

CREATE TABLE payers (
  payer TEXT NOT NULL PRIMARY KEY,
  order_id TEXT REFERENCES orders (id),
  busy_until BIGINT NOT NULL,
  reverted INTEGER NOT NULL CHECK (reverted >= 0)
);

CREATE INDEX payers_order ON payers (order_id) WHERE order_id IS NOT NULL;

CREATE TABLE persons (
  id TEXT NOT NULL PRIMARY KEY,
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  name TEXT NOT NULL,
  is_operator INTEGER NOT NULL CHECK (is_operator IN (0, 1)),
  created_at BIGINT NOT NULL,
  UNIQUE (issuer, subject)
);

CREATE VIEW postings AS SELECT id, at, kind, account_id, debit, credit, micros, key_id, endpoint, reverses FROM journal;

CREATE TABLE record_checkpoints (
  size BIGINT NOT NULL PRIMARY KEY,
  at BIGINT NOT NULL,
  key TEXT NOT NULL,
  note TEXT NOT NULL
) WITHOUT ROWID;

CREATE TRIGGER record_checkpoints_no_delete BEFORE DELETE ON record_checkpoints 
BEGIN SELECT RAISE(ABORT, 'record_checkpoints is append-only'); END;

CREATE TRIGGER record_checkpoints_no_update BEFORE UPDATE ON record_checkpoints 
BEGIN SELECT RAISE(ABORT, 'record_checkpoints is append-only'); END;

CREATE TABLE record_inputs (
  hash TEXT NOT NULL PRIMARY KEY,
  text TEXT NOT NULL
);

CREATE TRIGGER record_inputs_no_delete BEFORE DELETE ON record_inputs 
BEGIN SELECT RAISE(ABORT, 'record_inputs is append-only'); END;

CREATE TRIGGER record_inputs_no_update BEFORE UPDATE ON record_inputs 
BEGIN SELECT RAISE(ABORT, 'record_inputs is append-only'); END;

CREATE TABLE record_leaves (
  position INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  leaf_hash BLOB NOT NULL UNIQUE,
  subtrees BLOB NOT NULL,
  text TEXT NOT NULL,
  sealed_until BIGINT
);

CREATE TRIGGER record_leaves_no_delete BEFORE DELETE ON record_leaves 
BEGIN SELECT RAISE(ABORT, 'record_leaves is append-only'); END;

CREATE TRIGGER record_leaves_no_gap BEFORE INSERT ON record_leaves WHEN NEW.position <> coalesce((SELECT MAX(position) + 1 FROM record_leaves), 0)
BEGIN SELECT RAISE(ABORT, 'record_leaves has no gaps'); END;

CREATE TRIGGER record_leaves_no_update BEFORE UPDATE ON record_leaves 
BEGIN SELECT RAISE(ABORT, 'record_leaves is append-only'); END;

CREATE TABLE reply_bytes (
  key_id TEXT NOT NULL,
  day INTEGER NOT NULL,
  charged BIGINT NOT NULL DEFAULT 0,
  free BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (key_id, day)
) WITHOUT ROWID;

CREATE TABLE scoreboard (
  id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  format BIGINT NOT NULL,
  version BIGINT NOT NULL,
  settled_at BIGINT
);

CREATE TABLE scoreboard_cells (
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  sums TEXT NOT NULL,
  PRIMARY KEY (kind, name)
) WITHOUT ROWID;

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

CREATE TABLE settled_rows (
  seq INTEGER PRIMARY KEY,
  domain TEXT NOT NULL CHECK (domain IN ('weather', 'nfl', 'mlb', 'crypto')),
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
);

CREATE INDEX settled_rows_pages ON settled_rows (domain, close_time DESC, ticker, venue)
WHERE yes_bid IS NOT NULL AND result <> 'void';

CREATE TRIGGER settled_rows_no_delete BEFORE DELETE ON settled_rows 
BEGIN SELECT RAISE(ABORT, 'settled_rows is append-only'); END;

CREATE TRIGGER settled_rows_no_update BEFORE UPDATE ON settled_rows 
BEGIN SELECT RAISE(ABORT, 'settled_rows is append-only'); END;

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

CREATE TABLE sign_ins (
  token_hash TEXT NOT NULL PRIMARY KEY,
  code_hash TEXT,
  return_to TEXT NOT NULL,
  expires_at BIGINT NOT NULL
);

CREATE INDEX sign_ins_expiry ON sign_ins (expires_at);

CREATE TABLE tape_agreements (
  asset TEXT NOT NULL,
  minute BIGINT NOT NULL,
  primary_source TEXT NOT NULL,
  secondary_source TEXT NOT NULL,
  gap DOUBLE PRECISION NOT NULL CHECK (gap BETWEEN -1e308 AND 1e308),
  PRIMARY KEY (asset, minute)
);

CREATE TABLE tapes (asset TEXT NOT NULL PRIMARY KEY, version BIGINT NOT NULL);

CREATE TABLE temperature_calibrations (
  revision BIGINT NOT NULL,
  station TEXT NOT NULL,
  variable TEXT NOT NULL CHECK (variable IN ('high', 'low')),
  bucket INTEGER NOT NULL,
  state TEXT NOT NULL,
  published_at BIGINT NOT NULL,
  PRIMARY KEY (station, variable, bucket, revision)
) WITHOUT ROWID;

CREATE TRIGGER temperature_calibrations_no_delete BEFORE DELETE ON temperature_calibrations 
BEGIN SELECT RAISE(ABORT, 'temperature_calibrations is append-only'); END;

CREATE TRIGGER temperature_calibrations_no_update BEFORE UPDATE ON temperature_calibrations 
BEGIN SELECT RAISE(ABORT, 'temperature_calibrations is append-only'); END;

CREATE TABLE temperature_forecasts (
  station TEXT NOT NULL,
  target_day TEXT NOT NULL,
  variable TEXT NOT NULL CHECK (variable IN ('high', 'low')),
  bucket INTEGER NOT NULL,
  taken_at BIGINT NOT NULL,
  forecast_f DOUBLE PRECISION NOT NULL CHECK (forecast_f BETWEEN -1e308 AND 1e308),
  source TEXT NOT NULL, issued TEXT,
  PRIMARY KEY (target_day, station, variable, bucket)
) WITHOUT ROWID;

CREATE TRIGGER temperature_forecasts_no_delete BEFORE DELETE ON temperature_forecasts 
BEGIN SELECT RAISE(ABORT, 'temperature_forecasts is append-only'); END;

CREATE TRIGGER temperature_forecasts_no_update BEFORE UPDATE ON temperature_forecasts 
BEGIN SELECT RAISE(ABORT, 'temperature_forecasts is append-only'); END;

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
) WITHOUT ROWID;

CREATE UNIQUE INDEX temperature_residuals_folded ON temperature_residuals (target_day, station, variable, bucket)
WHERE counted = 1;

CREATE INDEX temperature_residuals_revision ON temperature_residuals (revision);

CREATE TRIGGER temperature_residuals_no_delete BEFORE DELETE ON temperature_residuals 
BEGIN SELECT RAISE(ABORT, 'temperature_residuals is append-only'); END;

CREATE TRIGGER temperature_residuals_no_update BEFORE UPDATE ON temperature_residuals 
BEGIN SELECT RAISE(ABORT, 'temperature_residuals is append-only'); END;

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
) WITHOUT ROWID;

CREATE INDEX temperature_steps_revision ON temperature_steps (revision);

CREATE TRIGGER temperature_steps_no_delete BEFORE DELETE ON temperature_steps 
BEGIN SELECT RAISE(ABORT, 'temperature_steps is append-only'); END;

CREATE TRIGGER temperature_steps_no_update BEFORE UPDATE ON temperature_steps 
BEGIN SELECT RAISE(ABORT, 'temperature_steps is append-only'); END;

CREATE TABLE tracked_contracts (
  venue TEXT NOT NULL,
  ticker TEXT NOT NULL,
  domain TEXT NOT NULL CHECK (domain IN ('weather', 'nfl', 'mlb', 'crypto')),
  close_time BIGINT NOT NULL,
  settled_at BIGINT,
  PRIMARY KEY (venue, ticker)
) WITHOUT ROWID;

CREATE INDEX tracked_contracts_due ON tracked_contracts (settled_at, close_time);

CREATE TABLE usage_months (month TEXT NOT NULL PRIMARY KEY, folded BIGINT NOT NULL CHECK (folded >= 0));

CREATE TABLE usage_steps (
  step TEXT NOT NULL PRIMARY KEY,
  done BIGINT NOT NULL CHECK (done >= 0),
  goal BIGINT NOT NULL CHECK (goal >= done),
  account_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  start BIGINT NOT NULL
);

CREATE TABLE usage_sums (
  account_id TEXT NOT NULL,
  span BIGINT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('endpoint', 'agent', 'key', 'status')),
  start BIGINT NOT NULL,
  name TEXT NOT NULL,
  livemode INTEGER NOT NULL CHECK (livemode IN (0, 1)),
  calls BIGINT NOT NULL CHECK (calls > 0),
  charged_micros BIGINT NOT NULL CHECK (charged_micros >= 0),
  PRIMARY KEY (account_id, span, kind, start, name, livemode)
) WITHOUT ROWID;

CREATE TABLE venue_polls (
  venue TEXT NOT NULL,
  domain TEXT NOT NULL CHECK (domain IN ('weather', 'nfl', 'mlb', 'crypto')),
  at BIGINT NOT NULL,
  version BIGINT NOT NULL,
  PRIMARY KEY (venue, domain)
) WITHOUT ROWID;

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
) WITHOUT ROWID;

CREATE TRIGGER venue_readings_no_delete BEFORE DELETE ON venue_readings 
BEGIN SELECT RAISE(ABORT, 'venue_readings is append-only'); END;

CREATE TRIGGER venue_readings_no_update BEFORE UPDATE ON venue_readings 
BEGIN SELECT RAISE(ABORT, 'venue_readings is append-only'); END;

CREATE TABLE versions (name TEXT PRIMARY KEY, version BIGINT NOT NULL) WITHOUT ROWID;

CREATE TABLE wallets (
  account_id TEXT NOT NULL PRIMARY KEY REFERENCES accounts (id),
  balance_micros BIGINT NOT NULL CHECK (balance_micros >= 0)
, low_micros BIGINT CHECK (low_micros > 0));

CREATE TABLE weather_guidance (
  station TEXT NOT NULL,
  day TEXT NOT NULL,
  source TEXT NOT NULL,
  variable TEXT NOT NULL CHECK (variable IN ('high', 'low')),
  issued_at BIGINT NOT NULL,
  temp_f INTEGER NOT NULL,
  sigma_f INTEGER,
  received_at BIGINT NOT NULL,
  PRIMARY KEY (station, day, source, variable, issued_at)
) WITHOUT ROWID;

CREATE INDEX weather_guidance_runs ON weather_guidance (source, issued_at);

CREATE TRIGGER weather_guidance_no_delete BEFORE DELETE ON weather_guidance 
BEGIN SELECT RAISE(ABORT, 'weather_guidance is append-only'); END;

CREATE TRIGGER weather_guidance_no_update BEFORE UPDATE ON weather_guidance 
BEGIN SELECT RAISE(ABORT, 'weather_guidance is append-only'); END;

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
) WITHOUT ROWID;

CREATE TABLE webhook_deliveries (
  seq INTEGER PRIMARY KEY,
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

CREATE TABLE webhook_types (
  webhook_id TEXT NOT NULL REFERENCES webhooks (id),
  type TEXT NOT NULL,
  PRIMARY KEY (webhook_id, type)
) WITHOUT ROWID;

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
