-- Written by `npm run schema`: a store after all migrations. Months of the audit trail have tables of their own.

CREATE TYPE settle_call AS (
  i integer,
  id text,
  at bigint,
  account text,
  key text,
  agent text,
  live integer,
  month text,
  resets text,
  list bigint,
  micros bigint,
  endpoint text,
  hash text,
  status integer,
  code text,
  latency integer,
  ended text,
  calls integer,
  idem text,
  idem_hash text,
  stored bytea,
  per_minute bigint
);

CREATE TABLE access_changes (
  version bigint NOT NULL,
  at timestamp with time zone DEFAULT now() NOT NULL,
  id text NOT NULL,
  CONSTRAINT access_changes_pkey PRIMARY KEY (version)
);

CREATE TABLE accounts (
  id text NOT NULL,
  name text NOT NULL,
  tier text DEFAULT 'indie'::text NOT NULL,
  per_minute integer DEFAULT 60 NOT NULL,
  created_at bigint NOT NULL,
  suspended_at bigint,
  CONSTRAINT accounts_name_key UNIQUE (name),
  CONSTRAINT accounts_pkey PRIMARY KEY (id),
  CONSTRAINT accounts_per_minute_check CHECK ((per_minute > 0))
);

CREATE TABLE agent_spend (
  agent_id text NOT NULL,
  livemode integer NOT NULL,
  month text NOT NULL,
  micros bigint DEFAULT 0 NOT NULL,
  warned integer DEFAULT 0 NOT NULL,
  exceeded integer DEFAULT 0 NOT NULL,
  CONSTRAINT agent_spend_pkey PRIMARY KEY (agent_id, livemode, month),
  CONSTRAINT agent_spend_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id),
  CONSTRAINT agent_spend_livemode_check CHECK ((livemode = ANY (ARRAY[0, 1]))),
  CONSTRAINT agent_spend_micros_check CHECK ((micros >= 0))
) WITH (fillfactor=50);

CREATE TABLE agents (
  id text NOT NULL,
  account_id text NOT NULL,
  name text NOT NULL,
  status text NOT NULL,
  monthly_cap_micros bigint,
  budget_cap_micros bigint,
  created_at bigint NOT NULL,
  CONSTRAINT agents_account_id_name_key UNIQUE (account_id, name),
  CONSTRAINT agents_pkey PRIMARY KEY (id),
  CONSTRAINT agents_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  CONSTRAINT agents_budget_cap_micros_check CHECK ((budget_cap_micros >= 0)),
  CONSTRAINT agents_monthly_cap_micros_check CHECK ((monthly_cap_micros >= 0)),
  CONSTRAINT agents_status_check CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text, 'revoked'::text])))
);

CREATE TABLE alerts (
  id text NOT NULL,
  account_id text NOT NULL,
  agent_id text,
  key_id text NOT NULL,
  key_hash text NOT NULL,
  name text,
  call text NOT NULL,
  threshold double precision,
  hysteresis double precision,
  status text NOT NULL,
  reason text,
  memory text,
  pending text,
  version integer DEFAULT 0 NOT NULL,
  crossings integer DEFAULT 0 NOT NULL,
  fired_at bigint,
  created_at bigint NOT NULL,
  CONSTRAINT alerts_pkey PRIMARY KEY (id),
  CONSTRAINT alerts_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  CONSTRAINT alerts_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id),
  CONSTRAINT alerts_key_id_fkey FOREIGN KEY (key_id) REFERENCES api_keys(id),
  CONSTRAINT alerts_status_check CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text, 'deleted'::text])))
);

CREATE TABLE api_keys (
  id text NOT NULL,
  account_id text NOT NULL,
  hash text NOT NULL,
  last_four text NOT NULL,
  name text,
  environment text NOT NULL,
  tier text NOT NULL,
  per_minute integer NOT NULL,
  created_at bigint NOT NULL,
  revoked_at bigint,
  agent_id text,
  scopes text,
  expires_at bigint,
  last_used_at bigint,
  overlap_ends_at bigint,
  CONSTRAINT api_keys_hash_key UNIQUE (hash),
  CONSTRAINT api_keys_pkey PRIMARY KEY (id),
  CONSTRAINT api_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  CONSTRAINT api_keys_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id),
  CONSTRAINT api_keys_environment_check CHECK ((environment = ANY (ARRAY['test'::text, 'live'::text]))),
  CONSTRAINT api_keys_per_minute_check CHECK ((per_minute > 0))
);

CREATE TABLE audit (
  month text NOT NULL,
  seq bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  tx xid8 DEFAULT pg_current_xact_id() NOT NULL,
  request_id text NOT NULL,
  at bigint NOT NULL,
  account_id text NOT NULL,
  agent_id text,
  key_id text NOT NULL,
  endpoint text NOT NULL,
  params_hash text NOT NULL,
  status integer NOT NULL,
  code text,
  charged_micros bigint NOT NULL,
  latency_ms integer NOT NULL,
  calls integer DEFAULT 1 NOT NULL
) PARTITION BY LIST (month);

CREATE TABLE audit_months (
  month text NOT NULL,
  exported_at bigint,
  exported_rows bigint,
  dropping integer DEFAULT 0 NOT NULL,
  CONSTRAINT audit_months_pkey PRIMARY KEY (month),
  CONSTRAINT audit_months_dropping_check CHECK ((dropping = ANY (ARRAY[0, 1])))
);

CREATE TABLE bench_models (
  model text NOT NULL,
  status text NOT NULL,
  account_id text NOT NULL,
  at bigint NOT NULL,
  CONSTRAINT bench_models_pkey PRIMARY KEY (model, status),
  CONSTRAINT bench_models_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  CONSTRAINT bench_models_status_check CHECK ((status = ANY (ARRAY['active'::text, 'withdrawn'::text])))
);

CREATE TABLE bench_opinions (
  seq bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  id text NOT NULL,
  model text NOT NULL,
  venue text NOT NULL,
  ticker text NOT NULL,
  p bigint NOT NULL,
  at bigint NOT NULL,
  close_time bigint NOT NULL,
  agent_id text,
  CONSTRAINT bench_opinions_id_key UNIQUE (id),
  CONSTRAINT bench_opinions_pkey PRIMARY KEY (seq),
  CONSTRAINT bench_opinions_check CHECK ((at < close_time)),
  CONSTRAINT bench_opinions_p_check CHECK (((p >= 0) AND (p <= 1000000)))
);

CREATE UNLOGGED TABLE buckets (
  name text NOT NULL,
  full_at double precision NOT NULL,
  n integer NOT NULL,
  step double precision NOT NULL,
  granted integer NOT NULL,
  CONSTRAINT buckets_pkey PRIMARY KEY (name)
) WITH (fillfactor=50);

CREATE TABLE cancels (
  batch uuid NOT NULL,
  at timestamp with time zone DEFAULT now() NOT NULL,
  calls json NOT NULL,
  CONSTRAINT cancels_pkey PRIMARY KEY (batch)
);

CREATE TABLE candles (
  asset text NOT NULL,
  minute bigint NOT NULL,
  high double precision NOT NULL,
  low double precision NOT NULL,
  close double precision NOT NULL,
  volume double precision NOT NULL,
  source text NOT NULL,
  CONSTRAINT candles_pkey PRIMARY KEY (asset, minute),
  CONSTRAINT candles_check CHECK (((low > (0)::double precision) AND (low <= high))),
  CONSTRAINT candles_check1 CHECK (((close >= low) AND (close <= high))),
  CONSTRAINT candles_high_check CHECK (((high >= ('-100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric)::double precision) AND (high <= ('100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric)::double precision))),
  CONSTRAINT candles_volume_check CHECK (((volume >= ('-100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric)::double precision) AND (volume <= ('100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric)::double precision))),
  CONSTRAINT candles_volume_check1 CHECK ((volume > (0)::double precision))
);

CREATE TABLE capture_outcomes (
  capture_id text NOT NULL,
  revision integer NOT NULL,
  at bigint NOT NULL,
  outcome text NOT NULL,
  scores text NOT NULL,
  CONSTRAINT capture_outcomes_pkey PRIMARY KEY (capture_id, revision),
  CONSTRAINT capture_outcomes_capture_id_fkey FOREIGN KEY (capture_id) REFERENCES captures(id),
  CONSTRAINT capture_outcomes_revision_check CHECK ((revision >= 1))
);

CREATE TABLE captured_contracts (
  venue text NOT NULL,
  ticker text NOT NULL,
  capture_id text NOT NULL,
  at bigint NOT NULL,
  close_time bigint NOT NULL,
  contract text NOT NULL,
  CONSTRAINT captured_contracts_pkey PRIMARY KEY (venue, ticker, at, capture_id),
  CONSTRAINT captured_contracts_capture_id_fkey FOREIGN KEY (capture_id) REFERENCES captures(id),
  CONSTRAINT captured_contracts_check CHECK ((at < close_time))
);

CREATE TABLE captures (
  id text NOT NULL,
  lane text NOT NULL,
  endpoint text NOT NULL,
  subject text NOT NULL,
  kind text NOT NULL,
  at bigint NOT NULL,
  request_id text,
  key_id text,
  agent_id text,
  CONSTRAINT captures_pkey PRIMARY KEY (id),
  CONSTRAINT captures_kind_check CHECK ((kind = ANY (ARRAY['scheduled'::text, 'on_demand'::text])))
);

CREATE TABLE changes (
  seq bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  at bigint NOT NULL,
  who text NOT NULL,
  session_id text,
  address text,
  account_id text,
  verb text NOT NULL,
  subject text NOT NULL,
  form_id text,
  CONSTRAINT changes_form_id_key UNIQUE (form_id),
  CONSTRAINT changes_pkey PRIMARY KEY (seq)
);

CREATE TABLE climate_days_no_report (
  station text NOT NULL,
  day text NOT NULL,
  source text NOT NULL,
  asked_at bigint NOT NULL,
  CONSTRAINT climate_days_no_report_pkey PRIMARY KEY (station, day, asked_at)
);

CREATE TABLE climate_reports (
  station text NOT NULL,
  day text NOT NULL,
  product_id text NOT NULL,
  issued_at bigint NOT NULL,
  status text NOT NULL,
  source text NOT NULL,
  received_at bigint NOT NULL,
  headline text NOT NULL,
  correction integer NOT NULL,
  valid_as_of text,
  high_f integer,
  low_f integer,
  high_time_local text,
  low_time_local text,
  precip_in double precision,
  snow_in double precision,
  flags text NOT NULL,
  text text NOT NULL,
  CONSTRAINT climate_reports_pkey PRIMARY KEY (station, day, product_id),
  CONSTRAINT climate_reports_correction_check CHECK ((correction = ANY (ARRAY[0, 1]))),
  CONSTRAINT climate_reports_precip_in_check CHECK (((precip_in >= ('-100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric)::double precision) AND (precip_in <= ('100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric)::double precision))),
  CONSTRAINT climate_reports_snow_in_check CHECK (((snow_in >= ('-100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric)::double precision) AND (snow_in <= ('100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric)::double precision))),
  CONSTRAINT climate_reports_status_check CHECK ((status = ANY (ARRAY['final'::text, 'preliminary'::text])))
);

CREATE TABLE climate_stations (
  station text NOT NULL,
  version bigint NOT NULL,
  CONSTRAINT climate_stations_pkey PRIMARY KEY (station)
);

CREATE TABLE feed_attempts (
  feed text NOT NULL,
  attempted_at bigint NOT NULL,
  good_at bigint,
  refused_at bigint,
  refusal text,
  fields text NOT NULL,
  CONSTRAINT feed_attempts_pkey PRIMARY KEY (feed)
);

CREATE TABLE football_feeds (
  feed text NOT NULL,
  season integer NOT NULL,
  version bigint NOT NULL,
  checked_at bigint NOT NULL,
  CONSTRAINT football_feeds_pkey PRIMARY KEY (feed, season)
);

CREATE TABLE football_files (
  name text NOT NULL,
  feed text NOT NULL,
  sha256 text NOT NULL,
  etag text,
  last_modified text,
  row_count integer NOT NULL,
  fetched_at bigint NOT NULL,
  checked_at bigint NOT NULL,
  CONSTRAINT football_files_pkey PRIMARY KEY (name)
);

CREATE TABLE football_games (
  game_id text NOT NULL,
  season integer NOT NULL,
  week integer NOT NULL,
  game_type text NOT NULL,
  gameday text NOT NULL,
  kickoff text,
  home_team text NOT NULL,
  home_code text NOT NULL,
  home_rest integer NOT NULL,
  home_qb_id text,
  home_qb_name text,
  home_coach text,
  home_score integer,
  away_team text NOT NULL,
  away_code text NOT NULL,
  away_rest integer NOT NULL,
  away_qb_id text,
  away_qb_name text,
  away_coach text,
  away_score integer,
  neutral integer NOT NULL,
  division integer NOT NULL,
  roof text,
  surface text,
  temperature double precision,
  wind double precision,
  stadium text,
  spread_line double precision,
  total_line double precision,
  home_moneyline integer,
  away_moneyline integer,
  source text NOT NULL,
  fetched_at bigint NOT NULL,
  CONSTRAINT football_games_pkey PRIMARY KEY (game_id),
  CONSTRAINT football_games_check CHECK (((home_score IS NULL) = (away_score IS NULL))),
  CONSTRAINT football_games_division_check CHECK ((division = ANY (ARRAY[0, 1]))),
  CONSTRAINT football_games_neutral_check CHECK ((neutral = ANY (ARRAY[0, 1]))),
  CONSTRAINT football_games_spread_line_check CHECK (((spread_line >= ('-100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric)::double precision) AND (spread_line <= ('100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric)::double precision))),
  CONSTRAINT football_games_temperature_check CHECK (((temperature >= ('-100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric)::double precision) AND (temperature <= ('100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric)::double precision))),
  CONSTRAINT football_games_total_line_check CHECK (((total_line >= ('-100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric)::double precision) AND (total_line <= ('100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric)::double precision))),
  CONSTRAINT football_games_week_check CHECK (((week >= 1) AND (week <= 22))),
  CONSTRAINT football_games_wind_check CHECK (((wind >= ('-100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric)::double precision) AND (wind <= ('100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric)::double precision)))
);

CREATE TABLE football_injuries (
  season integer NOT NULL,
  team text NOT NULL,
  week integer NOT NULL,
  player_key text NOT NULL,
  code text NOT NULL,
  player text NOT NULL,
  gsis_id text,
  "position" text,
  report_status text,
  practice_status text,
  injury text,
  source text NOT NULL,
  fetched_at bigint NOT NULL,
  CONSTRAINT football_injuries_pkey PRIMARY KEY (season, team, week, player_key)
);

CREATE TABLE football_quarterback_weeks (
  player_id text NOT NULL,
  season integer NOT NULL,
  week integer NOT NULL,
  player_name text NOT NULL,
  "position" text NOT NULL,
  code text NOT NULL,
  opponent_code text NOT NULL,
  completions integer NOT NULL,
  attempts integer NOT NULL,
  passing_yards integer NOT NULL,
  passing_tds integer NOT NULL,
  interceptions integer NOT NULL,
  sacks_suffered integer NOT NULL,
  passing_epa double precision,
  cpoe double precision,
  rushing_yards integer NOT NULL,
  rushing_tds integer NOT NULL,
  source text NOT NULL,
  fetched_at bigint NOT NULL,
  CONSTRAINT football_quarterback_weeks_pkey PRIMARY KEY (player_id, season, week),
  CONSTRAINT football_quarterback_weeks_cpoe_check CHECK (((cpoe >= ('-100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric)::double precision) AND (cpoe <= ('100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric)::double precision))),
  CONSTRAINT football_quarterback_weeks_passing_epa_check CHECK (((passing_epa >= ('-100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric)::double precision) AND (passing_epa <= ('100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric)::double precision)))
);

CREATE TABLE football_rating_states (
  league text NOT NULL,
  season integer NOT NULL,
  made_from text NOT NULL,
  state text NOT NULL,
  numbers bytea NOT NULL,
  CONSTRAINT football_rating_states_pkey PRIMARY KEY (league, season)
);

CREATE TABLE football_reserves (
  season integer NOT NULL,
  team text NOT NULL,
  week integer NOT NULL,
  player_key text NOT NULL,
  code text NOT NULL,
  player text NOT NULL,
  gsis_id text,
  "position" text,
  status text NOT NULL,
  designation text,
  source text NOT NULL,
  fetched_at bigint NOT NULL,
  CONSTRAINT football_reserves_pkey PRIMARY KEY (season, team, week, player_key),
  CONSTRAINT football_reserves_week_check CHECK (((week >= 0) AND (week <= 22)))
);

CREATE TABLE football_roster_weeks (
  season integer NOT NULL,
  team text NOT NULL,
  week integer NOT NULL,
  source text NOT NULL,
  fetched_at bigint NOT NULL,
  CONSTRAINT football_roster_weeks_pkey PRIMARY KEY (season, team, week)
);

CREATE TABLE football_team_weeks (
  season integer NOT NULL,
  week integer NOT NULL,
  team text NOT NULL,
  epa double precision NOT NULL,
  turnovers integer NOT NULL,
  source text NOT NULL,
  fetched_at bigint NOT NULL,
  CONSTRAINT football_team_weeks_pkey PRIMARY KEY (season, week, team),
  CONSTRAINT football_team_weeks_epa_check CHECK (((epa >= ('-100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric)::double precision) AND (epa <= ('100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric)::double precision)))
);

CREATE TABLE football_top100 (
  season integer NOT NULL,
  rank integer NOT NULL,
  player_name text NOT NULL,
  code text NOT NULL,
  "position" text NOT NULL,
  source text NOT NULL,
  fetched_at bigint NOT NULL,
  CONSTRAINT football_top100_pkey PRIMARY KEY (season, rank),
  CONSTRAINT football_top100_rank_check CHECK (((rank >= 1) AND (rank <= 100)))
);

CREATE TABLE heartbeats (
  name text NOT NULL,
  at bigint NOT NULL,
  CONSTRAINT heartbeats_pkey PRIMARY KEY (name)
);

CREATE TABLE idempotency (
  key_id text NOT NULL,
  idempotency_key text NOT NULL,
  at bigint NOT NULL,
  request_hash text NOT NULL,
  stored bytea,
  charged integer DEFAULT 1 NOT NULL,
  CONSTRAINT idempotency_pkey PRIMARY KEY (key_id, idempotency_key)
);

CREATE TABLE installation_secrets (
  name text NOT NULL,
  secret text NOT NULL,
  CONSTRAINT installation_secrets_pkey PRIMARY KEY (name)
);

CREATE TABLE invitations (
  code_hash text NOT NULL,
  issuer text NOT NULL,
  subject text NOT NULL,
  name text NOT NULL,
  is_operator integer NOT NULL,
  account_id text,
  role text NOT NULL,
  invited_by text NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  used_at bigint,
  CONSTRAINT invitations_pkey PRIMARY KEY (code_hash),
  CONSTRAINT invitations_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  CONSTRAINT invitations_is_operator_check CHECK ((is_operator = ANY (ARRAY[0, 1]))),
  CONSTRAINT invitations_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'owner'::text])))
);

CREATE TABLE job_runs (
  job text NOT NULL,
  slot bigint NOT NULL,
  holder text NOT NULL,
  attempt integer NOT NULL,
  started_at bigint NOT NULL,
  alive_at bigint NOT NULL,
  finished_at bigint,
  outcome text,
  detail text,
  CONSTRAINT job_runs_pkey PRIMARY KEY (job, slot),
  CONSTRAINT job_runs_attempt_check CHECK ((attempt > 0)),
  CONSTRAINT job_runs_check CHECK ((((finished_at IS NULL) = (outcome IS NULL)) AND ((finished_at IS NULL) = (detail IS NULL)))),
  CONSTRAINT job_runs_outcome_check CHECK ((outcome = ANY (ARRAY['ok'::text, 'failed'::text])))
);

CREATE TABLE journal (
  id text NOT NULL,
  at bigint NOT NULL,
  kind text NOT NULL,
  account_id text NOT NULL,
  debit text NOT NULL,
  credit text NOT NULL,
  micros bigint NOT NULL,
  key_id text,
  endpoint text,
  reverses text,
  CONSTRAINT journal_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT journal_check CHECK ((credit <> debit)),
  CONSTRAINT journal_check1 CHECK (((reverses IS NOT NULL) = (kind = 'reversal'::text))),
  CONSTRAINT journal_kind_check CHECK ((kind = ANY (ARRAY['credit'::text, 'charge'::text, 'reversal'::text]))),
  CONSTRAINT journal_micros_check CHECK ((micros > 0))
);

CREATE TABLE key_spend (
  key_id text NOT NULL,
  month text NOT NULL,
  micros bigint NOT NULL,
  CONSTRAINT key_spend_pkey PRIMARY KEY (key_id, month),
  CONSTRAINT key_spend_key_id_fkey FOREIGN KEY (key_id) REFERENCES api_keys(id),
  CONSTRAINT key_spend_micros_check CHECK ((micros >= 0))
) WITH (fillfactor=50);

CREATE TABLE memberships (
  account_id text NOT NULL,
  person_id text NOT NULL,
  role text NOT NULL,
  CONSTRAINT memberships_pkey PRIMARY KEY (account_id, person_id),
  CONSTRAINT memberships_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  CONSTRAINT memberships_person_id_fkey FOREIGN KEY (person_id) REFERENCES persons(id),
  CONSTRAINT memberships_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'owner'::text])))
);

CREATE TABLE migrations (
  migration_id integer NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  name text NOT NULL,
  CONSTRAINT migrations_pkey PRIMARY KEY (migration_id)
);

CREATE TABLE mlb_pitched_games (
  id text NOT NULL,
  season integer NOT NULL,
  day text NOT NULL,
  lines text,
  refusal text,
  read_at bigint NOT NULL,
  CONSTRAINT mlb_pitched_games_pkey PRIMARY KEY (id),
  CONSTRAINT mlb_pitched_games_check CHECK (((lines IS NULL) <> (refusal IS NULL)))
);

CREATE TABLE mlb_pitcher_careers (
  pitcher text NOT NULL,
  season integer NOT NULL,
  seasons text NOT NULL,
  CONSTRAINT mlb_pitcher_careers_pkey PRIMARY KEY (pitcher, season)
);

CREATE TABLE open_contracts (
  venue text NOT NULL,
  ticker text NOT NULL,
  domain text NOT NULL,
  lane text NOT NULL,
  subject text NOT NULL,
  contract text NOT NULL,
  CONSTRAINT open_contracts_pkey PRIMARY KEY (venue, ticker),
  CONSTRAINT open_contracts_domain_check CHECK ((domain = ANY (ARRAY['weather'::text, 'nfl'::text, 'mlb'::text, 'crypto'::text])))
);

CREATE TABLE order_facts (
  seq bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  order_id text NOT NULL,
  kind text NOT NULL,
  reference text NOT NULL,
  at bigint NOT NULL,
  micros bigint,
  currency text,
  url text,
  ends_at bigint,
  detail text,
  CONSTRAINT order_facts_kind_reference_key UNIQUE (kind, reference),
  CONSTRAINT order_facts_pkey PRIMARY KEY (seq),
  CONSTRAINT order_facts_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  CONSTRAINT order_facts_check CHECK (((micros IS NOT NULL) = (kind = ANY (ARRAY['paid'::text, 'refunded'::text, 'disputed'::text])))),
  CONSTRAINT order_facts_check1 CHECK (((currency IS NULL) = (micros IS NULL))),
  CONSTRAINT order_facts_kind_check CHECK ((kind = ANY (ARRAY['opened'::text, 'paid'::text, 'ended'::text, 'refunded'::text, 'disputed'::text])))
);

CREATE TABLE orders (
  id text NOT NULL,
  account_id text NOT NULL,
  provider text NOT NULL,
  micros bigint NOT NULL,
  created_at bigint NOT NULL,
  CONSTRAINT orders_pkey PRIMARY KEY (id),
  CONSTRAINT orders_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  CONSTRAINT orders_micros_check CHECK ((micros > 0))
);

CREATE TABLE outbox (
  id text NOT NULL,
  at bigint NOT NULL,
  account_id text NOT NULL,
  type text NOT NULL,
  livemode integer NOT NULL,
  data text NOT NULL,
  CONSTRAINT outbox_pkey PRIMARY KEY (id),
  CONSTRAINT outbox_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  CONSTRAINT outbox_livemode_check CHECK ((livemode = ANY (ARRAY[0, 1])))
);

CREATE TABLE payers (
  payer text NOT NULL,
  order_id text,
  busy_until bigint NOT NULL,
  reverted integer NOT NULL,
  CONSTRAINT payers_pkey PRIMARY KEY (payer),
  CONSTRAINT payers_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  CONSTRAINT payers_reverted_check CHECK ((reverted >= 0))
);

CREATE TABLE persons (
  id text NOT NULL,
  issuer text NOT NULL,
  subject text NOT NULL,
  name text NOT NULL,
  is_operator integer NOT NULL,
  created_at bigint NOT NULL,
  CONSTRAINT persons_issuer_subject_key UNIQUE (issuer, subject),
  CONSTRAINT persons_pkey PRIMARY KEY (id),
  CONSTRAINT persons_is_operator_check CHECK ((is_operator = ANY (ARRAY[0, 1])))
);

CREATE TABLE record_checkpoints (
  size bigint NOT NULL,
  at bigint NOT NULL,
  key text NOT NULL,
  note text NOT NULL,
  CONSTRAINT record_checkpoints_pkey PRIMARY KEY (size)
);

CREATE TABLE record_inputs (
  hash text NOT NULL,
  text text NOT NULL,
  CONSTRAINT record_inputs_pkey PRIMARY KEY (hash)
);

CREATE TABLE record_leaves (
  "position" bigint NOT NULL,
  id text NOT NULL,
  leaf_hash bytea NOT NULL,
  subtrees bytea NOT NULL,
  text text NOT NULL,
  sealed_until bigint,
  CONSTRAINT record_leaves_id_key UNIQUE (id),
  CONSTRAINT record_leaves_leaf_hash_key UNIQUE (leaf_hash),
  CONSTRAINT record_leaves_pkey PRIMARY KEY ("position")
);

CREATE TABLE reply_bytes (
  key_id text NOT NULL,
  day integer NOT NULL,
  charged bigint DEFAULT 0 NOT NULL,
  free bigint DEFAULT 0 NOT NULL,
  CONSTRAINT reply_bytes_pkey PRIMARY KEY (key_id, day)
);

CREATE TABLE scoreboard (
  id integer NOT NULL,
  format bigint NOT NULL,
  version bigint NOT NULL,
  settled_at bigint,
  CONSTRAINT scoreboard_pkey PRIMARY KEY (id),
  CONSTRAINT scoreboard_id_check CHECK ((id = 1))
);

CREATE TABLE scoreboard_cells (
  kind text NOT NULL,
  name text NOT NULL,
  sums text NOT NULL,
  CONSTRAINT scoreboard_cells_pkey PRIMARY KEY (kind, name)
);

CREATE TABLE sessions (
  id text NOT NULL,
  token_hash text NOT NULL,
  person_id text NOT NULL,
  account_id text,
  created_at bigint NOT NULL,
  seen_at bigint NOT NULL,
  ended_at bigint,
  address text,
  browser text,
  CONSTRAINT sessions_token_hash_key UNIQUE (token_hash),
  CONSTRAINT sessions_pkey PRIMARY KEY (id),
  CONSTRAINT sessions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  CONSTRAINT sessions_person_id_fkey FOREIGN KEY (person_id) REFERENCES persons(id)
);

CREATE TABLE settled_batches (
  id uuid NOT NULL,
  at timestamp with time zone DEFAULT now() NOT NULL,
  cancelled boolean DEFAULT false NOT NULL,
  refused json DEFAULT '[]'::json NOT NULL,
  CONSTRAINT settled_batches_pkey PRIMARY KEY (id)
);

CREATE TABLE settled_rows (
  seq bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  domain text NOT NULL,
  venue text NOT NULL,
  ticker text NOT NULL,
  revision bigint NOT NULL,
  series text NOT NULL,
  event text NOT NULL,
  title text NOT NULL,
  instrument text NOT NULL,
  strike_type text,
  floor_strike double precision,
  cap_strike double precision,
  yes_bid bigint,
  yes_ask bigint,
  no_ask bigint,
  model bigint NOT NULL,
  model_version text NOT NULL,
  capture_id text NOT NULL,
  captured_at bigint NOT NULL,
  close_time bigint NOT NULL,
  settled_at bigint NOT NULL,
  result text NOT NULL,
  source_result text,
  fee_rate bigint,
  anchored integer NOT NULL,
  model_source text NOT NULL,
  venue_source text NOT NULL,
  same_source integer NOT NULL,
  flags text NOT NULL,
  CONSTRAINT settled_rows_venue_ticker_revision_key UNIQUE (venue, ticker, revision),
  CONSTRAINT settled_rows_pkey PRIMARY KEY (seq),
  CONSTRAINT settled_rows_anchored_check CHECK ((anchored = ANY (ARRAY[0, 1]))),
  CONSTRAINT settled_rows_cap_strike_check CHECK (((cap_strike >= ('-100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric)::double precision) AND (cap_strike <= ('100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric)::double precision))),
  CONSTRAINT settled_rows_check CHECK (((captured_at < close_time) AND (close_time <= settled_at))),
  CONSTRAINT settled_rows_check1 CHECK ((((yes_bid IS NULL) = (yes_ask IS NULL)) AND ((yes_bid IS NULL) = (no_ask IS NULL)) AND (yes_bid <= yes_ask))),
  CONSTRAINT settled_rows_domain_check CHECK ((domain = ANY (ARRAY['weather'::text, 'nfl'::text, 'mlb'::text, 'crypto'::text]))),
  CONSTRAINT settled_rows_fee_rate_check CHECK (((fee_rate >= 0) AND (fee_rate <= 10000))),
  CONSTRAINT settled_rows_floor_strike_check CHECK (((floor_strike >= ('-100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric)::double precision) AND (floor_strike <= ('100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric)::double precision))),
  CONSTRAINT settled_rows_model_check CHECK (((model >= 0) AND (model <= 1000000))),
  CONSTRAINT settled_rows_no_ask_check CHECK (((no_ask >= 1) AND (no_ask <= 9999))),
  CONSTRAINT settled_rows_result_check CHECK ((result = ANY (ARRAY['yes'::text, 'no'::text, 'void'::text]))),
  CONSTRAINT settled_rows_revision_check CHECK ((revision >= 1)),
  CONSTRAINT settled_rows_same_source_check CHECK ((same_source = ANY (ARRAY[0, 1]))),
  CONSTRAINT settled_rows_source_result_check CHECK ((source_result = ANY (ARRAY['yes'::text, 'no'::text]))),
  CONSTRAINT settled_rows_yes_ask_check CHECK ((yes_ask < 10000)),
  CONSTRAINT settled_rows_yes_bid_check CHECK ((yes_bid > 0))
);

CREATE TABLE shadow_log (
  at bigint NOT NULL,
  port text NOT NULL,
  method text NOT NULL,
  args text NOT NULL,
  agreed integer NOT NULL,
  difference text,
  live_ms integer NOT NULL,
  failure text,
  dropped integer NOT NULL,
  CONSTRAINT shadow_log_agreed_check CHECK ((agreed = ANY (ARRAY[0, 1])))
);

CREATE TABLE sign_ins (
  token_hash text NOT NULL,
  code_hash text,
  return_to text NOT NULL,
  expires_at bigint NOT NULL,
  CONSTRAINT sign_ins_pkey PRIMARY KEY (token_hash)
);

CREATE TABLE tape_agreements (
  asset text NOT NULL,
  minute bigint NOT NULL,
  primary_source text NOT NULL,
  secondary_source text NOT NULL,
  gap double precision NOT NULL,
  CONSTRAINT tape_agreements_pkey PRIMARY KEY (asset, minute),
  CONSTRAINT tape_agreements_gap_check CHECK (((gap >= ('-100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric)::double precision) AND (gap <= ('100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric)::double precision)))
);

CREATE TABLE tapes (
  asset text NOT NULL,
  version bigint NOT NULL,
  CONSTRAINT tapes_pkey PRIMARY KEY (asset)
);

CREATE TABLE temperature_calibrations (
  revision bigint NOT NULL,
  station text NOT NULL,
  variable text NOT NULL,
  bucket integer NOT NULL,
  state text NOT NULL,
  published_at bigint NOT NULL,
  CONSTRAINT temperature_calibrations_pkey PRIMARY KEY (station, variable, bucket, revision),
  CONSTRAINT temperature_calibrations_variable_check CHECK ((variable = ANY (ARRAY['high'::text, 'low'::text])))
);

CREATE TABLE temperature_forecasts (
  station text NOT NULL,
  target_day text NOT NULL,
  variable text NOT NULL,
  bucket integer NOT NULL,
  taken_at bigint NOT NULL,
  forecast_f double precision NOT NULL,
  source text NOT NULL,
  issued text,
  CONSTRAINT temperature_forecasts_pkey PRIMARY KEY (target_day, station, variable, bucket),
  CONSTRAINT temperature_forecasts_forecast_f_check CHECK (((forecast_f >= ('-100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric)::double precision) AND (forecast_f <= ('100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric)::double precision))),
  CONSTRAINT temperature_forecasts_variable_check CHECK ((variable = ANY (ARRAY['high'::text, 'low'::text])))
);

CREATE TABLE temperature_residuals (
  station text NOT NULL,
  target_day text NOT NULL,
  variable text NOT NULL,
  bucket integer NOT NULL,
  product_id text NOT NULL,
  official_f integer NOT NULL,
  residual_f double precision NOT NULL,
  counted integer NOT NULL,
  revision bigint NOT NULL,
  noted_at bigint NOT NULL,
  CONSTRAINT temperature_residuals_pkey PRIMARY KEY (target_day, station, variable, bucket, product_id),
  CONSTRAINT temperature_residuals_counted_check CHECK ((counted = ANY (ARRAY[0, 1]))),
  CONSTRAINT temperature_residuals_residual_f_check CHECK (((residual_f >= ('-100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric)::double precision) AND (residual_f <= ('100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric)::double precision))),
  CONSTRAINT temperature_residuals_variable_check CHECK ((variable = ANY (ARRAY['high'::text, 'low'::text])))
);

CREATE TABLE temperature_steps (
  station text NOT NULL,
  day text NOT NULL,
  variable text NOT NULL,
  read_f integer NOT NULL,
  expected_f double precision NOT NULL,
  official_f integer NOT NULL,
  product_id text NOT NULL,
  revision bigint NOT NULL,
  noted_at bigint NOT NULL,
  CONSTRAINT temperature_steps_pkey PRIMARY KEY (station, day, variable),
  CONSTRAINT temperature_steps_expected_f_check CHECK (((expected_f >= ('-100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric)::double precision) AND (expected_f <= ('100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric)::double precision))),
  CONSTRAINT temperature_steps_variable_check CHECK ((variable = ANY (ARRAY['high'::text, 'low'::text])))
);

CREATE TABLE tracked_contracts (
  venue text NOT NULL,
  ticker text NOT NULL,
  domain text NOT NULL,
  close_time bigint NOT NULL,
  settled_at bigint,
  CONSTRAINT tracked_contracts_pkey PRIMARY KEY (venue, ticker),
  CONSTRAINT tracked_contracts_domain_check CHECK ((domain = ANY (ARRAY['weather'::text, 'nfl'::text, 'mlb'::text, 'crypto'::text])))
);

CREATE TABLE usage_months (
  month text NOT NULL,
  folded bigint NOT NULL,
  CONSTRAINT usage_months_pkey PRIMARY KEY (month),
  CONSTRAINT usage_months_folded_check CHECK ((folded >= 0))
);

CREATE TABLE usage_places (
  month text NOT NULL,
  tx xid8 NOT NULL,
  seq bigint NOT NULL,
  CONSTRAINT usage_places_pkey PRIMARY KEY (month)
);

CREATE TABLE usage_steps (
  step text NOT NULL,
  done bigint NOT NULL,
  goal bigint NOT NULL,
  account_id text NOT NULL,
  kind text NOT NULL,
  start bigint NOT NULL,
  CONSTRAINT usage_steps_pkey PRIMARY KEY (step),
  CONSTRAINT usage_steps_check CHECK ((goal >= done)),
  CONSTRAINT usage_steps_done_check CHECK ((done >= 0))
);

CREATE TABLE usage_sums (
  account_id text NOT NULL,
  span bigint NOT NULL,
  kind text NOT NULL,
  start bigint NOT NULL,
  name text NOT NULL,
  livemode integer NOT NULL,
  calls bigint NOT NULL,
  charged_micros bigint NOT NULL,
  CONSTRAINT usage_sums_pkey PRIMARY KEY (account_id, span, kind, start, name, livemode),
  CONSTRAINT usage_sums_calls_check CHECK ((calls > 0)),
  CONSTRAINT usage_sums_charged_micros_check CHECK ((charged_micros >= 0)),
  CONSTRAINT usage_sums_kind_check CHECK ((kind = ANY (ARRAY['endpoint'::text, 'agent'::text, 'key'::text, 'status'::text]))),
  CONSTRAINT usage_sums_livemode_check CHECK ((livemode = ANY (ARRAY[0, 1])))
) WITH (fillfactor=50);

CREATE TABLE venue_polls (
  venue text NOT NULL,
  domain text NOT NULL,
  at bigint NOT NULL,
  version bigint NOT NULL,
  CONSTRAINT venue_polls_pkey PRIMARY KEY (venue, domain),
  CONSTRAINT venue_polls_domain_check CHECK ((domain = ANY (ARRAY['weather'::text, 'nfl'::text, 'mlb'::text, 'crypto'::text])))
);

CREATE TABLE venue_readings (
  station text NOT NULL,
  day text NOT NULL,
  revision integer NOT NULL,
  status text NOT NULL,
  issued_at bigint NOT NULL,
  high_f integer,
  low_f integer,
  read_at bigint NOT NULL,
  CONSTRAINT venue_readings_pkey PRIMARY KEY (station, day, revision),
  CONSTRAINT venue_readings_status_check CHECK ((status = ANY (ARRAY['official'::text, 'preliminary'::text, 'revised'::text, 'no_report'::text])))
);

CREATE TABLE versions (
  name text NOT NULL,
  version bigint NOT NULL,
  CONSTRAINT versions_pkey PRIMARY KEY (name)
);

CREATE TABLE wallets (
  account_id text NOT NULL,
  balance_micros bigint NOT NULL,
  low_micros bigint,
  CONSTRAINT wallets_pkey PRIMARY KEY (account_id),
  CONSTRAINT wallets_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  CONSTRAINT wallets_balance_micros_check CHECK ((balance_micros >= 0)),
  CONSTRAINT wallets_low_micros_check CHECK ((low_micros > 0))
) WITH (fillfactor=50);

CREATE TABLE weather_guidance (
  station text NOT NULL,
  day text NOT NULL,
  source text NOT NULL,
  variable text NOT NULL,
  issued_at bigint NOT NULL,
  temp_f integer NOT NULL,
  sigma_f integer,
  received_at bigint NOT NULL,
  CONSTRAINT weather_guidance_pkey PRIMARY KEY (station, day, source, variable, issued_at),
  CONSTRAINT weather_guidance_variable_check CHECK ((variable = ANY (ARRAY['high'::text, 'low'::text])))
);

CREATE TABLE webhook_attempts (
  delivery bigint NOT NULL,
  number integer NOT NULL,
  at bigint NOT NULL,
  duration_ms integer,
  status integer,
  error text,
  detail text,
  response text,
  CONSTRAINT webhook_attempts_pkey PRIMARY KEY (delivery, number),
  CONSTRAINT webhook_attempts_delivery_fkey FOREIGN KEY (delivery) REFERENCES webhook_deliveries(seq)
);

CREATE TABLE webhook_deliveries (
  seq bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  webhook_id text NOT NULL,
  event_id text NOT NULL,
  type text NOT NULL,
  subject text,
  cause text NOT NULL,
  created_at bigint NOT NULL,
  body text,
  attempts integer DEFAULT 0 NOT NULL,
  failures integer DEFAULT 0 NOT NULL,
  due_at bigint NOT NULL,
  lease_owner text,
  expires_at bigint,
  ended_at bigint,
  outcome text,
  reason text,
  CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (seq),
  CONSTRAINT webhook_deliveries_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhooks(id),
  CONSTRAINT webhook_deliveries_cause_check CHECK ((cause = ANY (ARRAY['event'::text, 'replay'::text, 'test'::text]))),
  CONSTRAINT webhook_deliveries_check CHECK ((((ended_at IS NULL) = (outcome IS NULL)) AND ((COALESCE(outcome, ''::text) = 'dead'::text) = (reason IS NOT NULL)))),
  CONSTRAINT webhook_deliveries_outcome_check CHECK ((outcome = ANY (ARRAY['delivered'::text, 'dead'::text])))
);

CREATE TABLE webhook_types (
  webhook_id text NOT NULL,
  type text NOT NULL,
  CONSTRAINT webhook_types_pkey PRIMARY KEY (webhook_id, type),
  CONSTRAINT webhook_types_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhooks(id)
);

CREATE TABLE webhooks (
  id text NOT NULL,
  account_id text NOT NULL,
  url text NOT NULL,
  status text NOT NULL,
  secret text,
  previous_secret text,
  previous_until bigint,
  created_at bigint NOT NULL,
  paused_at bigint,
  CONSTRAINT webhooks_pkey PRIMARY KEY (id),
  CONSTRAINT webhooks_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  CONSTRAINT webhooks_check CHECK (((secret IS NULL) = (status = 'deleted'::text))),
  CONSTRAINT webhooks_status_check CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text, 'disabled'::text, 'deleted'::text])))
);

CREATE INDEX access_changes_at ON access_changes USING btree (at);

CREATE INDEX agents_account ON agents USING btree (account_id, id);

CREATE INDEX alerts_account ON alerts USING btree (account_id, id) WHERE (status <> 'deleted'::text);

CREATE INDEX alerts_active ON alerts USING btree (id) WHERE (status = 'active'::text);

CREATE INDEX api_keys_account ON api_keys USING btree (account_id, id);

CREATE INDEX api_keys_agent ON api_keys USING btree (agent_id);

CREATE INDEX audit_account ON ONLY audit USING btree (account_id, at, seq);

CREATE INDEX audit_agent ON ONLY audit USING btree (agent_id, tx, seq) WHERE (agent_id IS NOT NULL);

CREATE INDEX audit_order ON ONLY audit USING btree (tx, seq);

CREATE UNIQUE INDEX audit_request ON ONLY audit USING btree (month, agent_id, request_id) WHERE (agent_id IS NOT NULL);

CREATE INDEX bench_models_accounts ON bench_models USING btree (account_id, status, model);

CREATE INDEX bench_opinions_contracts ON bench_opinions USING btree (venue, ticker, model, at);

CREATE INDEX bench_opinions_days ON bench_opinions USING btree (model, at);

CREATE INDEX buckets_full_at ON buckets USING btree (full_at);

CREATE UNIQUE INDEX captures_bought ON captures USING btree (request_id) WHERE (request_id IS NOT NULL);

CREATE UNIQUE INDEX captures_scheduled ON captures USING btree (lane, endpoint, subject, at) WHERE (kind = 'scheduled'::text);

CREATE INDEX captures_subject ON captures USING btree (lane, endpoint, subject, at);

CREATE INDEX changes_account ON changes USING btree (account_id, seq);

CREATE INDEX climate_reports_final ON climate_reports USING btree (station, status, day);

CREATE INDEX football_games_season ON football_games USING btree (season, gameday);

CREATE INDEX idempotency_at ON idempotency USING btree (at);

CREATE INDEX job_runs_unfinished ON job_runs USING btree (job) WHERE (finished_at IS NULL);

CREATE INDEX journal_reverses ON journal USING btree (account_id, reverses) WHERE (reverses IS NOT NULL);

CREATE INDEX memberships_person ON memberships USING btree (person_id);

CREATE INDEX open_contracts_subjects ON open_contracts USING btree (lane, subject);

CREATE INDEX order_facts_order ON order_facts USING btree (order_id, seq);

CREATE INDEX orders_account ON orders USING btree (account_id, id);

CREATE INDEX outbox_account ON outbox USING btree (account_id, at);

CREATE INDEX payers_order ON payers USING btree (order_id) WHERE (order_id IS NOT NULL);

CREATE INDEX sessions_person ON sessions USING btree (person_id);

CREATE INDEX settled_batches_at ON settled_batches USING btree (at);

CREATE INDEX settled_rows_pages ON settled_rows USING btree (domain, close_time DESC, ticker, venue) WHERE ((yes_bid IS NOT NULL) AND (result <> 'void'::text));

CREATE INDEX shadow_log_at ON shadow_log USING btree (at);

CREATE INDEX sign_ins_expiry ON sign_ins USING btree (expires_at);

CREATE UNIQUE INDEX temperature_residuals_folded ON temperature_residuals USING btree (target_day, station, variable, bucket) WHERE (counted = 1);

CREATE INDEX temperature_residuals_revision ON temperature_residuals USING btree (revision);

CREATE INDEX temperature_steps_revision ON temperature_steps USING btree (revision);

CREATE INDEX tracked_contracts_due ON tracked_contracts USING btree (settled_at, close_time);

CREATE INDEX weather_guidance_runs ON weather_guidance USING btree (source, issued_at);

CREATE INDEX webhook_deliveries_dead ON webhook_deliveries USING btree (webhook_id, seq) WHERE (outcome = 'dead'::text);

CREATE INDEX webhook_deliveries_due ON webhook_deliveries USING btree (due_at) WHERE (ended_at IS NULL);

CREATE INDEX webhook_deliveries_due_of ON webhook_deliveries USING btree (webhook_id, due_at) WHERE (ended_at IS NULL);

CREATE INDEX webhook_deliveries_ended ON webhook_deliveries USING btree (ended_at) WHERE (ended_at IS NOT NULL);

CREATE UNIQUE INDEX webhook_deliveries_event ON webhook_deliveries USING btree (event_id, webhook_id) WHERE (cause = 'event'::text);

CREATE INDEX webhook_deliveries_expiry ON webhook_deliveries USING btree (expires_at) WHERE (ended_at IS NULL);

CREATE INDEX webhook_deliveries_first ON webhook_deliveries USING btree (webhook_id, subject, created_at, seq) WHERE ((ended_at IS NULL) AND (failures = 0));

CREATE INDEX webhook_deliveries_list ON webhook_deliveries USING btree (webhook_id, seq);

CREATE INDEX webhook_deliveries_newest_dead ON webhook_deliveries USING btree (ended_at, webhook_id) WHERE (outcome = 'dead'::text);

CREATE INDEX webhook_deliveries_of_event ON webhook_deliveries USING btree (event_id, webhook_id, seq);

CREATE UNIQUE INDEX webhook_deliveries_under_way ON webhook_deliveries USING btree (event_id, webhook_id) WHERE (ended_at IS NULL);

CREATE INDEX webhooks_account ON webhooks USING btree (account_id, id);

CREATE OR REPLACE FUNCTION append_audit(calls settle_call[])
RETURNS void
LANGUAGE plpgsql
AS $function$
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
END $function$;

CREATE OR REPLACE FUNCTION audit_ahead(p_months integer)
RETURNS void
LANGUAGE sql
AS $function$
  SELECT audit_table(to_char(date_trunc('month', now() AT TIME ZONE 'UTC') + n * interval '1 month', 'YYYY-MM'))
  FROM generate_series(0, p_months) n
$function$;

CREATE OR REPLACE FUNCTION audit_drop(p_month text)
RETURNS void
LANGUAGE plpgsql
SECURITY DEFINER
SET search_path TO 'public', 'pg_temp'
SET lock_timeout TO '200ms'
AS $function$
BEGIN
  PERFORM 1 FROM audit_months WHERE month = p_month AND dropping = 1 FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  IF p_month >= to_char(now() AT TIME ZONE 'UTC' - interval '1 month', 'YYYY-MM') THEN
    RAISE EXCEPTION 'the month % of the audit trail is kept', p_month;
  END IF;
  EXECUTE format('DROP TABLE %I', 'audit_' || replace(p_month, '-', '_'));
  DELETE FROM audit_months WHERE month = p_month;
  DELETE FROM usage_months WHERE month = p_month;
  DELETE FROM usage_places WHERE month = p_month;
END $function$;

CREATE OR REPLACE FUNCTION audit_month(p_month text)
RETURNS void
LANGUAGE plpgsql
SECURITY DEFINER
SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  PERFORM audit_table(p_month);
  INSERT INTO audit_months (month) VALUES (p_month) ON CONFLICT DO NOTHING;
END $function$;

CREATE OR REPLACE FUNCTION audit_no_change()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN RAISE EXCEPTION 'audit is append-only'; END $function$;

CREATE OR REPLACE FUNCTION audit_table(p_month text)
RETURNS void
LANGUAGE plpgsql
SECURITY DEFINER
SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE name text := 'audit_' || replace(p_month, '-', '_');
BEGIN
  IF p_month !~ '^\d{4}-\d{2}$' THEN RAISE EXCEPTION '% is not a month', p_month; END IF;
  PERFORM pg_advisory_xact_lock(hashtext('market-signals ' || name));
  IF to_regclass(name) IS NOT NULL THEN RETURN; END IF;
  EXECUTE format('CREATE TABLE %I (LIKE audit INCLUDING ALL EXCLUDING IDENTITY)', name);
  EXECUTE format('CREATE TRIGGER no_change BEFORE UPDATE OR DELETE ON %I FOR EACH ROW EXECUTE FUNCTION audit_no_change()', name);
  EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION audit_no_change()', name);
  EXECUTE format('ALTER TABLE audit ATTACH PARTITION %I FOR VALUES IN (%L)', name, p_month);
END $function$;

CREATE OR REPLACE FUNCTION bench_models_no_delete()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
  IF true THEN RAISE EXCEPTION 'bench_models is append-only'; END IF;
  RETURN OLD;
END $function$;

CREATE OR REPLACE FUNCTION bench_models_no_update()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
  IF true THEN RAISE EXCEPTION 'bench_models is append-only'; END IF;
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION bench_opinions_no_delete()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
  IF true THEN RAISE EXCEPTION 'bench_opinions is append-only'; END IF;
  RETURN OLD;
END $function$;

CREATE OR REPLACE FUNCTION bench_opinions_no_update()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
  IF true THEN RAISE EXCEPTION 'bench_opinions is append-only'; END IF;
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION cancel(p_batch uuid)
RETURNS integer
LANGUAGE plpgsql
AS $function$
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
END $function$;

CREATE OR REPLACE FUNCTION cancel(p_batch uuid, p_calls json)
RETURNS integer
LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO cancels (batch, calls) VALUES (p_batch, p_calls) ON CONFLICT DO NOTHING;
  RETURN cancel(p_batch);
END $function$;

CREATE OR REPLACE FUNCTION capture_outcomes_no_delete()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
  IF true THEN RAISE EXCEPTION 'capture_outcomes is append-only'; END IF;
  RETURN OLD;
END $function$;

CREATE OR REPLACE FUNCTION capture_outcomes_no_update()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
  IF true THEN RAISE EXCEPTION 'capture_outcomes is append-only'; END IF;
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION captured_contracts_no_delete()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
  IF true THEN RAISE EXCEPTION 'captured_contracts is append-only'; END IF;
  RETURN OLD;
END $function$;

CREATE OR REPLACE FUNCTION captured_contracts_no_update()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
  IF true THEN RAISE EXCEPTION 'captured_contracts is append-only'; END IF;
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION captures_no_delete()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
  IF true THEN RAISE EXCEPTION 'captures is append-only'; END IF;
  RETURN OLD;
END $function$;

CREATE OR REPLACE FUNCTION captures_no_update()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
  IF true THEN RAISE EXCEPTION 'captures is append-only'; END IF;
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION changes_no_delete()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
  IF true THEN RAISE EXCEPTION 'changes is append-only'; END IF;
  RETURN OLD;
END $function$;

CREATE OR REPLACE FUNCTION changes_no_update()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
  IF true THEN RAISE EXCEPTION 'changes is append-only'; END IF;
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION climate_days_no_report_no_delete()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
  IF true THEN RAISE EXCEPTION 'climate_days_no_report is append-only'; END IF;
  RETURN OLD;
END $function$;

CREATE OR REPLACE FUNCTION climate_days_no_report_no_update()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
  IF true THEN RAISE EXCEPTION 'climate_days_no_report is append-only'; END IF;
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION climate_reports_no_delete()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
  IF true THEN RAISE EXCEPTION 'climate_reports is append-only'; END IF;
  RETURN OLD;
END $function$;

CREATE OR REPLACE FUNCTION climate_reports_no_update()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
  IF true THEN RAISE EXCEPTION 'climate_reports is append-only'; END IF;
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION count_access()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
DECLARE now_at bigint; changed text := OLD.id;
BEGIN
  UPDATE versions SET version = version + 1 WHERE name = 'access' RETURNING version INTO now_at;
  INSERT INTO access_changes (version, id) VALUES (now_at, changed);
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION grantable(fills_at double precision, p_now double precision, n integer, step double precision)
RETURNS integer
LANGUAGE sql
IMMUTABLE
AS $function$
SELECT least(n, greatest(0, floor((60000 + 1e-6 - (least(greatest(fills_at, p_now), p_now + 60000) - p_now)) / step)))::integer $function$;

CREATE OR REPLACE FUNCTION job_runs_finished_once()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
  IF OLD.finished_at IS NOT NULL THEN RAISE EXCEPTION 'a finished job run does not change'; END IF;
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION job_runs_keep_recent()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
  IF OLD.slot > (SELECT MAX(slot) FROM job_runs WHERE job = OLD.job) - 2592000000 THEN RAISE EXCEPTION 'the last month of a job''s runs is kept'; END IF;
  RETURN OLD;
END $function$;

CREATE OR REPLACE FUNCTION journal_no_delete()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
  IF true THEN RAISE EXCEPTION 'journal is append-only'; END IF;
  RETURN OLD;
END $function$;

CREATE OR REPLACE FUNCTION journal_no_update()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
  IF true THEN RAISE EXCEPTION 'journal is append-only'; END IF;
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION mlb_pitched_games_no_delete()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
  IF true THEN RAISE EXCEPTION 'mlb_pitched_games is append-only'; END IF;
  RETURN OLD;
END $function$;

CREATE OR REPLACE FUNCTION mlb_pitched_games_no_update()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
  IF true THEN RAISE EXCEPTION 'mlb_pitched_games is append-only'; END IF;
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION mlb_pitcher_careers_no_delete()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
  IF true THEN RAISE EXCEPTION 'mlb_pitcher_careers is append-only'; END IF;
  RETURN OLD;
END $function$;

CREATE OR REPLACE FUNCTION mlb_pitcher_careers_no_update()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
  IF true THEN RAISE EXCEPTION 'mlb_pitcher_careers is append-only'; END IF;
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION note_used(p_used json)
RETURNS void
LANGUAGE sql
AS $function$
  UPDATE api_keys k SET last_used_at = u.at
    FROM json_to_recordset(p_used) AS u (key text, at bigint),
      (SELECT f.id FROM api_keys f WHERE f.id IN (SELECT o.key FROM json_to_recordset(p_used) AS o (key text))
        ORDER BY f.id FOR NO KEY UPDATE SKIP LOCKED) free
    WHERE k.id = u.key AND free.id = k.id AND coalesce(k.last_used_at, 0) < u.at
$function$;

CREATE OR REPLACE FUNCTION now_ms()
RETURNS double precision
LANGUAGE sql
AS $function$
SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::double precision $function$;

CREATE OR REPLACE FUNCTION order_facts_no_delete()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
  IF true THEN RAISE EXCEPTION 'order_facts is append-only'; END IF;
  RETURN OLD;
END $function$;

CREATE OR REPLACE FUNCTION order_facts_no_update()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
  IF true THEN RAISE EXCEPTION 'order_facts is append-only'; END IF;
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION orders_no_delete()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
  IF true THEN RAISE EXCEPTION 'orders is append-only'; END IF;
  RETURN OLD;
END $function$;

CREATE OR REPLACE FUNCTION orders_no_update()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
  IF true THEN RAISE EXCEPTION 'orders is append-only'; END IF;
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION outbox_deliveries()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
      BEGIN
INSERT INTO webhook_deliveries (webhook_id, event_id, type, subject, cause, created_at, due_at)
SELECT w.id, NEW.id, NEW.type, NEW.data::json ->> 'agent_id', 'event', NEW.at, NEW.at
FROM webhooks w JOIN webhook_types t ON t.webhook_id = w.id
WHERE w.account_id = NEW.account_id AND t.type = NEW.type AND w.status IN ('active', 'paused') ORDER BY w.id FOR SHARE OF w; RETURN NULL; END $function$;

CREATE OR REPLACE FUNCTION outbox_no_delete()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
  IF true THEN RAISE EXCEPTION 'outbox is append-only'; END IF;
  RETURN OLD;
END $function$;

CREATE OR REPLACE FUNCTION outbox_no_update()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
  IF true THEN RAISE EXCEPTION 'outbox is append-only'; END IF;
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION record_checkpoints_no_delete()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
  IF true THEN RAISE EXCEPTION 'record_checkpoints is append-only'; END IF;
  RETURN OLD;
END $function$;

CREATE OR REPLACE FUNCTION record_checkpoints_no_update()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
  IF true THEN RAISE EXCEPTION 'record_checkpoints is append-only'; END IF;
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION record_inputs_no_delete()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
  IF true THEN RAISE EXCEPTION 'record_inputs is append-only'; END IF;
  RETURN OLD;
END $function$;

CREATE OR REPLACE FUNCTION record_inputs_no_update()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
  IF true THEN RAISE EXCEPTION 'record_inputs is append-only'; END IF;
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION record_leaves_no_delete()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
  IF true THEN RAISE EXCEPTION 'record_leaves is append-only'; END IF;
  RETURN OLD;
END $function$;

CREATE OR REPLACE FUNCTION record_leaves_no_gap()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
  IF NEW.position <> coalesce((SELECT MAX(position) + 1 FROM record_leaves), 0) THEN RAISE EXCEPTION 'record_leaves has no gaps'; END IF;
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION record_leaves_no_update()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
  IF true THEN RAISE EXCEPTION 'record_leaves is append-only'; END IF;
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION settle(p_batch uuid, p_calls json, p_lines json, p_used json, p_skip boolean, p_wait integer, p_warning integer[])
RETURNS TABLE(i integer, tag text, n bigint)
LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
DECLARE
  calls settle_call[]; easy settle_call[]; hard text[]; before settled_batches; refused json := '[]'; nay jsonb := '[]';
  ours text[]; locked text[] := '{}'; waited text;
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
    SELECT coalesce(array_agg(DISTINCT w.account_id), '{}') INTO locked FROM unnest(calls) x
      JOIN wallets w ON w.account_id = x.account WHERE NOT w.account_id = ANY (ours);
  ELSE
    PERFORM 1 FROM wallets w WHERE w.account_id IN (SELECT x.account FROM unnest(calls) x)
      ORDER BY w.account_id FOR NO KEY UPDATE;
  END IF;
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
END $function$;

CREATE OR REPLACE FUNCTION settle_read(p_batch uuid, p_calls json, p_skip boolean, p_wait integer, p_day bigint)
RETURNS json
LANGUAGE plpgsql
AS $function$
DECLARE calls settle_call[]; before settled_batches; ours text[]; locked text[] := '{}'; waited text; state json;
BEGIN
  waited := current_setting('lock_timeout');
  PERFORM set_config('lock_timeout', p_wait::text, true);
  INSERT INTO settled_batches (id) VALUES (p_batch) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN
    SELECT * INTO before FROM settled_batches b WHERE b.id = p_batch;
    IF before.cancelled THEN RAISE EXCEPTION 'batch % was cancelled', p_batch; END IF;
    RETURN json_build_object('refused', before.refused);
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
  END IF;
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
END $function$;

CREATE OR REPLACE FUNCTION settle_rows(p_done settle_call[], p_lines settle_call[])
RETURNS void
LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO journal (id, at, kind, account_id, debit, credit, micros, key_id, endpoint)
    SELECT x.id, x.at, 'charge', x.account, 'wallet:' || x.account, 'revenue', x.micros, x.key, x.endpoint
    FROM unnest(p_done) x WHERE x.micros > 0;
  INSERT INTO key_spend AS k (key_id, month, micros)
    SELECT x.key, x.month, sum(x.micros) FROM unnest(p_done) x WHERE x.micros > 0 GROUP BY 1, 2
    ON CONFLICT (key_id, month) DO UPDATE SET micros = k.micros + excluded.micros;
  PERFORM append_audit(p_done || p_lines);
END $function$;

CREATE OR REPLACE FUNCTION settle_write(p_batch uuid, p_done json, p_refused json, p_sums json, p_events json, p_used json)
RETURNS void
LANGUAGE plpgsql
AS $function$
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
END $function$;

CREATE OR REPLACE FUNCTION settled_rows_no_delete()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
  IF true THEN RAISE EXCEPTION 'settled_rows is append-only'; END IF;
  RETURN OLD;
END $function$;

CREATE OR REPLACE FUNCTION settled_rows_no_update()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
  IF true THEN RAISE EXCEPTION 'settled_rows is append-only'; END IF;
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION take(p_names text[], p_n integer[], p_step double precision[])
RETURNS TABLE(name text, granted integer, full_at double precision, at double precision)
LANGUAGE plpgsql
AS $function$
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
END $function$;

CREATE OR REPLACE FUNCTION temperature_calibrations_no_delete()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
  IF true THEN RAISE EXCEPTION 'temperature_calibrations is append-only'; END IF;
  RETURN OLD;
END $function$;

CREATE OR REPLACE FUNCTION temperature_calibrations_no_update()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
  IF true THEN RAISE EXCEPTION 'temperature_calibrations is append-only'; END IF;
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION temperature_forecasts_no_delete()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
  IF true THEN RAISE EXCEPTION 'temperature_forecasts is append-only'; END IF;
  RETURN OLD;
END $function$;

CREATE OR REPLACE FUNCTION temperature_forecasts_no_update()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
  IF true THEN RAISE EXCEPTION 'temperature_forecasts is append-only'; END IF;
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION temperature_residuals_no_delete()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
  IF true THEN RAISE EXCEPTION 'temperature_residuals is append-only'; END IF;
  RETURN OLD;
END $function$;

CREATE OR REPLACE FUNCTION temperature_residuals_no_update()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
  IF true THEN RAISE EXCEPTION 'temperature_residuals is append-only'; END IF;
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION temperature_steps_no_delete()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
  IF true THEN RAISE EXCEPTION 'temperature_steps is append-only'; END IF;
  RETURN OLD;
END $function$;

CREATE OR REPLACE FUNCTION temperature_steps_no_update()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
  IF true THEN RAISE EXCEPTION 'temperature_steps is append-only'; END IF;
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION venue_readings_no_delete()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
  IF true THEN RAISE EXCEPTION 'venue_readings is append-only'; END IF;
  RETURN OLD;
END $function$;

CREATE OR REPLACE FUNCTION venue_readings_no_update()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
  IF true THEN RAISE EXCEPTION 'venue_readings is append-only'; END IF;
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION weather_guidance_no_delete()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
  IF true THEN RAISE EXCEPTION 'weather_guidance is append-only'; END IF;
  RETURN OLD;
END $function$;

CREATE OR REPLACE FUNCTION weather_guidance_no_update()
RETURNS trigger
LANGUAGE plpgsql
AS $function$
BEGIN
  IF true THEN RAISE EXCEPTION 'weather_guidance is append-only'; END IF;
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION write_events(p_events json)
RETURNS void
LANGUAGE plpgsql
AS $function$
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
END $function$;

CREATE TRIGGER count_access AFTER UPDATE OF suspended_at ON accounts FOR EACH ROW EXECUTE FUNCTION count_access();

CREATE TRIGGER count_access AFTER UPDATE OF status ON agents FOR EACH ROW EXECUTE FUNCTION count_access();

CREATE TRIGGER count_access AFTER DELETE OR UPDATE OF agent_id, environment, per_minute, scopes, expires_at, overlap_ends_at, revoked_at ON api_keys FOR EACH ROW EXECUTE FUNCTION count_access();

CREATE TRIGGER bench_models_no_delete BEFORE DELETE ON bench_models FOR EACH ROW EXECUTE FUNCTION bench_models_no_delete();

CREATE TRIGGER bench_models_no_truncate BEFORE TRUNCATE ON bench_models FOR EACH STATEMENT EXECUTE FUNCTION bench_models_no_update();

CREATE TRIGGER bench_models_no_update BEFORE UPDATE ON bench_models FOR EACH ROW EXECUTE FUNCTION bench_models_no_update();

CREATE TRIGGER bench_opinions_no_delete BEFORE DELETE ON bench_opinions FOR EACH ROW EXECUTE FUNCTION bench_opinions_no_delete();

CREATE TRIGGER bench_opinions_no_truncate BEFORE TRUNCATE ON bench_opinions FOR EACH STATEMENT EXECUTE FUNCTION bench_opinions_no_update();

CREATE TRIGGER bench_opinions_no_update BEFORE UPDATE ON bench_opinions FOR EACH ROW EXECUTE FUNCTION bench_opinions_no_update();

CREATE TRIGGER capture_outcomes_no_delete BEFORE DELETE ON capture_outcomes FOR EACH ROW EXECUTE FUNCTION capture_outcomes_no_delete();

CREATE TRIGGER capture_outcomes_no_truncate BEFORE TRUNCATE ON capture_outcomes FOR EACH STATEMENT EXECUTE FUNCTION capture_outcomes_no_update();

CREATE TRIGGER capture_outcomes_no_update BEFORE UPDATE ON capture_outcomes FOR EACH ROW EXECUTE FUNCTION capture_outcomes_no_update();

CREATE TRIGGER captured_contracts_no_delete BEFORE DELETE ON captured_contracts FOR EACH ROW EXECUTE FUNCTION captured_contracts_no_delete();

CREATE TRIGGER captured_contracts_no_truncate BEFORE TRUNCATE ON captured_contracts FOR EACH STATEMENT EXECUTE FUNCTION captured_contracts_no_update();

CREATE TRIGGER captured_contracts_no_update BEFORE UPDATE ON captured_contracts FOR EACH ROW EXECUTE FUNCTION captured_contracts_no_update();

CREATE TRIGGER captures_no_delete BEFORE DELETE ON captures FOR EACH ROW EXECUTE FUNCTION captures_no_delete();

CREATE TRIGGER captures_no_truncate BEFORE TRUNCATE ON captures FOR EACH STATEMENT EXECUTE FUNCTION captures_no_update();

CREATE TRIGGER captures_no_update BEFORE UPDATE ON captures FOR EACH ROW EXECUTE FUNCTION captures_no_update();

CREATE TRIGGER changes_no_delete BEFORE DELETE ON changes FOR EACH ROW EXECUTE FUNCTION changes_no_delete();

CREATE TRIGGER changes_no_truncate BEFORE TRUNCATE ON changes FOR EACH STATEMENT EXECUTE FUNCTION changes_no_update();

CREATE TRIGGER changes_no_update BEFORE UPDATE ON changes FOR EACH ROW EXECUTE FUNCTION changes_no_update();

CREATE TRIGGER climate_days_no_report_no_delete BEFORE DELETE ON climate_days_no_report FOR EACH ROW EXECUTE FUNCTION climate_days_no_report_no_delete();

CREATE TRIGGER climate_days_no_report_no_truncate BEFORE TRUNCATE ON climate_days_no_report FOR EACH STATEMENT EXECUTE FUNCTION climate_days_no_report_no_update();

CREATE TRIGGER climate_days_no_report_no_update BEFORE UPDATE ON climate_days_no_report FOR EACH ROW EXECUTE FUNCTION climate_days_no_report_no_update();

CREATE TRIGGER climate_reports_no_delete BEFORE DELETE ON climate_reports FOR EACH ROW EXECUTE FUNCTION climate_reports_no_delete();

CREATE TRIGGER climate_reports_no_truncate BEFORE TRUNCATE ON climate_reports FOR EACH STATEMENT EXECUTE FUNCTION climate_reports_no_update();

CREATE TRIGGER climate_reports_no_update BEFORE UPDATE ON climate_reports FOR EACH ROW EXECUTE FUNCTION climate_reports_no_update();

CREATE TRIGGER job_runs_finished_once BEFORE UPDATE ON job_runs FOR EACH ROW EXECUTE FUNCTION job_runs_finished_once();

CREATE TRIGGER job_runs_keep_recent BEFORE DELETE ON job_runs FOR EACH ROW EXECUTE FUNCTION job_runs_keep_recent();

CREATE TRIGGER journal_no_delete BEFORE DELETE ON journal FOR EACH ROW EXECUTE FUNCTION journal_no_delete();

CREATE TRIGGER journal_no_truncate BEFORE TRUNCATE ON journal FOR EACH STATEMENT EXECUTE FUNCTION journal_no_update();

CREATE TRIGGER journal_no_update BEFORE UPDATE ON journal FOR EACH ROW EXECUTE FUNCTION journal_no_update();

CREATE TRIGGER mlb_pitched_games_no_delete BEFORE DELETE ON mlb_pitched_games FOR EACH ROW EXECUTE FUNCTION mlb_pitched_games_no_delete();

CREATE TRIGGER mlb_pitched_games_no_truncate BEFORE TRUNCATE ON mlb_pitched_games FOR EACH STATEMENT EXECUTE FUNCTION mlb_pitched_games_no_update();

CREATE TRIGGER mlb_pitched_games_no_update BEFORE UPDATE ON mlb_pitched_games FOR EACH ROW EXECUTE FUNCTION mlb_pitched_games_no_update();

CREATE TRIGGER mlb_pitcher_careers_no_delete BEFORE DELETE ON mlb_pitcher_careers FOR EACH ROW EXECUTE FUNCTION mlb_pitcher_careers_no_delete();

CREATE TRIGGER mlb_pitcher_careers_no_truncate BEFORE TRUNCATE ON mlb_pitcher_careers FOR EACH STATEMENT EXECUTE FUNCTION mlb_pitcher_careers_no_update();

CREATE TRIGGER mlb_pitcher_careers_no_update BEFORE UPDATE ON mlb_pitcher_careers FOR EACH ROW EXECUTE FUNCTION mlb_pitcher_careers_no_update();

CREATE TRIGGER order_facts_no_delete BEFORE DELETE ON order_facts FOR EACH ROW EXECUTE FUNCTION order_facts_no_delete();

CREATE TRIGGER order_facts_no_truncate BEFORE TRUNCATE ON order_facts FOR EACH STATEMENT EXECUTE FUNCTION order_facts_no_update();

CREATE TRIGGER order_facts_no_update BEFORE UPDATE ON order_facts FOR EACH ROW EXECUTE FUNCTION order_facts_no_update();

CREATE TRIGGER orders_no_delete BEFORE DELETE ON orders FOR EACH ROW EXECUTE FUNCTION orders_no_delete();

CREATE TRIGGER orders_no_truncate BEFORE TRUNCATE ON orders FOR EACH STATEMENT EXECUTE FUNCTION orders_no_update();

CREATE TRIGGER orders_no_update BEFORE UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION orders_no_update();

CREATE TRIGGER outbox_deliveries AFTER INSERT ON outbox FOR EACH ROW EXECUTE FUNCTION outbox_deliveries();

CREATE TRIGGER outbox_no_delete BEFORE DELETE ON outbox FOR EACH ROW EXECUTE FUNCTION outbox_no_delete();

CREATE TRIGGER outbox_no_truncate BEFORE TRUNCATE ON outbox FOR EACH STATEMENT EXECUTE FUNCTION outbox_no_update();

CREATE TRIGGER outbox_no_update BEFORE UPDATE ON outbox FOR EACH ROW EXECUTE FUNCTION outbox_no_update();

CREATE TRIGGER record_checkpoints_no_delete BEFORE DELETE ON record_checkpoints FOR EACH ROW EXECUTE FUNCTION record_checkpoints_no_delete();

CREATE TRIGGER record_checkpoints_no_truncate BEFORE TRUNCATE ON record_checkpoints FOR EACH STATEMENT EXECUTE FUNCTION record_checkpoints_no_update();

CREATE TRIGGER record_checkpoints_no_update BEFORE UPDATE ON record_checkpoints FOR EACH ROW EXECUTE FUNCTION record_checkpoints_no_update();

CREATE TRIGGER record_inputs_no_delete BEFORE DELETE ON record_inputs FOR EACH ROW EXECUTE FUNCTION record_inputs_no_delete();

CREATE TRIGGER record_inputs_no_truncate BEFORE TRUNCATE ON record_inputs FOR EACH STATEMENT EXECUTE FUNCTION record_inputs_no_update();

CREATE TRIGGER record_inputs_no_update BEFORE UPDATE ON record_inputs FOR EACH ROW EXECUTE FUNCTION record_inputs_no_update();

CREATE TRIGGER record_leaves_no_delete BEFORE DELETE ON record_leaves FOR EACH ROW EXECUTE FUNCTION record_leaves_no_delete();

CREATE TRIGGER record_leaves_no_gap BEFORE INSERT ON record_leaves FOR EACH ROW EXECUTE FUNCTION record_leaves_no_gap();

CREATE TRIGGER record_leaves_no_truncate BEFORE TRUNCATE ON record_leaves FOR EACH STATEMENT EXECUTE FUNCTION record_leaves_no_update();

CREATE TRIGGER record_leaves_no_update BEFORE UPDATE ON record_leaves FOR EACH ROW EXECUTE FUNCTION record_leaves_no_update();

CREATE TRIGGER settled_rows_no_delete BEFORE DELETE ON settled_rows FOR EACH ROW EXECUTE FUNCTION settled_rows_no_delete();

CREATE TRIGGER settled_rows_no_truncate BEFORE TRUNCATE ON settled_rows FOR EACH STATEMENT EXECUTE FUNCTION settled_rows_no_update();

CREATE TRIGGER settled_rows_no_update BEFORE UPDATE ON settled_rows FOR EACH ROW EXECUTE FUNCTION settled_rows_no_update();

CREATE TRIGGER temperature_calibrations_no_delete BEFORE DELETE ON temperature_calibrations FOR EACH ROW EXECUTE FUNCTION temperature_calibrations_no_delete();

CREATE TRIGGER temperature_calibrations_no_truncate BEFORE TRUNCATE ON temperature_calibrations FOR EACH STATEMENT EXECUTE FUNCTION temperature_calibrations_no_update();

CREATE TRIGGER temperature_calibrations_no_update BEFORE UPDATE ON temperature_calibrations FOR EACH ROW EXECUTE FUNCTION temperature_calibrations_no_update();

CREATE TRIGGER temperature_forecasts_no_delete BEFORE DELETE ON temperature_forecasts FOR EACH ROW EXECUTE FUNCTION temperature_forecasts_no_delete();

CREATE TRIGGER temperature_forecasts_no_truncate BEFORE TRUNCATE ON temperature_forecasts FOR EACH STATEMENT EXECUTE FUNCTION temperature_forecasts_no_update();

CREATE TRIGGER temperature_forecasts_no_update BEFORE UPDATE ON temperature_forecasts FOR EACH ROW EXECUTE FUNCTION temperature_forecasts_no_update();

CREATE TRIGGER temperature_residuals_no_delete BEFORE DELETE ON temperature_residuals FOR EACH ROW EXECUTE FUNCTION temperature_residuals_no_delete();

CREATE TRIGGER temperature_residuals_no_truncate BEFORE TRUNCATE ON temperature_residuals FOR EACH STATEMENT EXECUTE FUNCTION temperature_residuals_no_update();

CREATE TRIGGER temperature_residuals_no_update BEFORE UPDATE ON temperature_residuals FOR EACH ROW EXECUTE FUNCTION temperature_residuals_no_update();

CREATE TRIGGER temperature_steps_no_delete BEFORE DELETE ON temperature_steps FOR EACH ROW EXECUTE FUNCTION temperature_steps_no_delete();

CREATE TRIGGER temperature_steps_no_truncate BEFORE TRUNCATE ON temperature_steps FOR EACH STATEMENT EXECUTE FUNCTION temperature_steps_no_update();

CREATE TRIGGER temperature_steps_no_update BEFORE UPDATE ON temperature_steps FOR EACH ROW EXECUTE FUNCTION temperature_steps_no_update();

CREATE TRIGGER venue_readings_no_delete BEFORE DELETE ON venue_readings FOR EACH ROW EXECUTE FUNCTION venue_readings_no_delete();

CREATE TRIGGER venue_readings_no_truncate BEFORE TRUNCATE ON venue_readings FOR EACH STATEMENT EXECUTE FUNCTION venue_readings_no_update();

CREATE TRIGGER venue_readings_no_update BEFORE UPDATE ON venue_readings FOR EACH ROW EXECUTE FUNCTION venue_readings_no_update();

CREATE TRIGGER weather_guidance_no_delete BEFORE DELETE ON weather_guidance FOR EACH ROW EXECUTE FUNCTION weather_guidance_no_delete();

CREATE TRIGGER weather_guidance_no_truncate BEFORE TRUNCATE ON weather_guidance FOR EACH STATEMENT EXECUTE FUNCTION weather_guidance_no_update();

CREATE TRIGGER weather_guidance_no_update BEFORE UPDATE ON weather_guidance FOR EACH ROW EXECUTE FUNCTION weather_guidance_no_update();

CREATE VIEW postings AS
SELECT id,
 at,
 kind,
 account_id,
 debit,
 credit,
 micros,
 key_id,
 endpoint,
 reverses
FROM journal;
