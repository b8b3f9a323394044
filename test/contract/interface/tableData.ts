// The rows of the interface's tables, to the letter.

export const lanes = [
  "| Weather | Official climatological report per day for nine US stations, history (back to about 2001, 72,846 station-days), point forecast with alerts, and a per-degree probability distribution for the day's official high and low |",
  "| Football | Games, results and consensus lines since 1999, quarterback stat lines, injury report and reserve list, annual players-voted Top 100, model fair line, public track record |",
  "| Baseball | Daily slate with probable starters, model win probability with all inputs exposed, public track record |",
  "| Crypto | BTC and ETH spot from a one-minute tape, realized volatility over the last 120 one-minute closes, probability of price above a strike grid for horizons of 5 minutes to 24 hours |",
  "| Markets | Edge board (model vs prediction-market venue price), row-level settled head-to-heads, public scoreboard |",
  "| In development | SEC filing summary (returns deterministic mock JSON in its final shape; not part of the live catalogue) |",
]

export const kinds = [
  "| Data | Recorded values, cleaned and joined, not modeled |",
  "| Signal | Model output: a probability distribution or fair line; snapshotted beside venue prices and scored after settlement |",
  "| Proof | Track record: every settled head-to-head, misses included, plain JSON, no key |",
]

export const envelope = [
  "| `results` | object or array | Endpoint-specific payload |",
  "| `_reasoning` | array of strings | Ordered, atomic, one-sentence steps that produced the answer |",
  "| `_citations` | array of `{step: integer, source: string, locator: string}` | Links a reasoning step to its data source (for example a product id, the tape, a registry row) |",
  "| `_confidence` | object `{score: number 0..1, label: string, factors: array of strings}` | Label `settlement` marks recorded values, `reasoned` marks model output |",
  "| `_links` | array of `{id: string, endpoints: array of strings}` | Canonical ids surfaced and the endpoints that accept them |",
  "| `_meta` | object | See below |",
]

export const meta = [
  "| `request_id` | string | Format `req_<base32>`, opaque; also sent in header `X-Request-Id` |",
  "| `latency_ms` | integer | Processing time |",
  "| `data_freshness` | string | `mock`, `shadow` or `live` |",
  "| `tokens_estimated` | integer | Estimated token size of the response |",
  "| `version` | string | API version label, for example `v1` |",
  "| `next_cursor` | string | Present when a next page exists (cursor pagination) |",
  "| `price` | object `{display: string, charged_micros: integer}` | List price and what was actually charged; `charged_micros` is millionths of a dollar (1000 for 0.001 USD) |",
]

export const error = [
  "| `error.code` | string | See Errors |",
  "| `error.message` | string | Human-readable |",
  "| `error.recoverable` | boolean | true: fix input and retry; false: escalate to a human |",
  "| `error.retry_after_ms` | integer or null | Back-off hint (set on 429) |",
  "| `error.docs_url` | string | Link to error reference |",
  "| `error.request_id` | string | Same as `_meta.request_id` format |",
  "| `error.hints` | array of `{field: string, action: string, suggestion: string}` | Structured remediation |",
]

export const settlementDay = [
  "| `day` | date YYYY-MM-DD |",
  "| `high_f`, `low_f` | integer, degrees Fahrenheit, verbatim from the official report |",
  "| `high_time_local`, `low_time_local` | string, local time as printed in the report |",
  "| `precip_in`, `snow_in` | number, inches |",
  "| `source` | string |",
  "| `weather_service_product_id` | string, exact text-product id, for audit back to the source |",
]

export const states = [
  "| `_meta.data_freshness` | `mock`, `shadow`, `live` |",
  "| Agent budget | within cap, at 80% of monthly cap, at 100% of monthly cap |",
  "| Model call on an unplayed football game | `recorded_to_track_record` false or true; `retrospective` false or true |",
  "| Baseball game `state` | `Scheduled` (seen) |",
  "| Async job (not offered) | completed, failed (as event names) |",
  "| Football game result fields | null before final, filled after the final |",
]

export const transitions = [
  "| Agent within cap | usage accrues | agent crosses 80% of monthly cap | at 80% | event `agent.budget_warning` |",
  "| Agent at 80% | usage accrues | agent reaches 100% of monthly cap | at 100% | event `agent.budget_exceeded`; further calls answer 429 `agent_budget_exceeded` |",
  "| Agent at 100% | calendar month rolls over | new month begins | within cap | cap resets |",
  "| Football game unplayed | fair-line call | game is unplayed | prediction stored append-only in the track record (stored rows cannot be edited) | scored later against the final |",
  "| Football game pending | final score arrives | game played | scores and `result` filled | prediction scored at `/v1/nfl/performance` |",
  "| `data_freshness` mock | server configuration flip | operator change | `shadow`, then `live` | client code unchanged |",
]

export const endpoints = [
  "| GET | `/v1/weather/stations` | Data | free | key |",
  "| GET | `/v1/weather/settlement` | Data | 0.001 | key |",
  "| GET | `/v1/weather/settlement/history` | Data | 0.005 | key |",
  "| GET | `/v1/weather/forecast` | Data | 0.001 | key |",
  "| GET | `/v1/weather/signal` | Signal | 0.01 | key |",
  "| GET | `/v1/nfl/games` | Data | 0.001 | key |",
  "| GET | `/v1/nfl/qb` | Data | 0.002 | key |",
  "| GET | `/v1/nfl/injuries` | Data | 0.002 | key |",
  "| GET | `/v1/nfl/top100` | Data | 0.001 | key |",
  "| GET | `/v1/nfl/fair-line` | Signal | 0.01 | key |",
  "| GET | `/v1/nfl/performance` | Proof | free | none |",
  "| GET | `/v1/mlb/games` | Data | 0.001 | key |",
  "| GET | `/v1/mlb/fair-odds` | Signal | 0.01 | key |",
  "| GET | `/v1/mlb/performance` | Proof | free | none |",
  "| GET | `/v1/crypto/spot` | Data | free | key |",
  "| GET | `/v1/crypto/signal` | Signal | 0.01 | key |",
  "| GET | `/v1/markets/edge` | Signal | 0.01 | key |",
  "| GET | `/v1/markets/settled` | Data | free | none |",
  "| GET | `/v1/markets/performance` | Proof | free | none |",
]

export const parameters = [
  "| `/v1/weather/stations` | none | | | |",
  "| `/v1/weather/settlement` | `station` | string, registry station id | yes | |",
  "| | `day` | date YYYY-MM-DD | no | omitted: latest official report |",
  "| `/v1/weather/settlement/history` | `station` | string | yes | |",
  "| | `start` | date YYYY-MM-DD | yes | first climate day |",
  "| | `end` | date YYYY-MM-DD | yes | last climate day, inclusive; at most 400 days per call |",
  "| `/v1/weather/forecast` | `lat` | number, decimal degrees | yes | US latitude |",
  "| | `lon` | number, decimal degrees | yes | US longitude |",
  "| | `hours` | integer | no | 12 to 168, default 48 |",
  "| | `hourly` | boolean | no | hourly granularity instead of 12-hour periods |",
  "| `/v1/weather/signal` | `station` | string | yes | |",
  "| | `target` | date YYYY-MM-DD | no | default today at the station; up to 6 days ahead |",
  "| `/v1/nfl/games` | `season` | integer | no | 1999 to current; default current season |",
  "| | `week` | integer | no | 1 to 22 (regular season and playoffs) |",
  "| | `team` | string | no | team code |",
  "| `/v1/nfl/qb` | `player` | string | yes | quarterback name (partial match allowed) or GSIS id |",
  "| | `season` | integer | no | 2002 to current |",
  "| | `last` | integer | no | most recent weeks returned, 1 to 60, default 20 |",
  "| `/v1/nfl/injuries` | `team` | string | yes | team code |",
  "| | `season` | integer | no | default current season; prior seasons must be requested explicitly |",
  "| | `week` | integer | no | 1 to 22 |",
  "| `/v1/nfl/top100` | `season` | integer | no | 2011 to current; default latest loaded season |",
  "| `/v1/nfl/fair-line` | `game_id` | string | no | league-data game id as returned by `/v1/nfl/games` |",
  "| | `team` | string | no | team code; resolves that team's next unplayed game |",
  "| | `opponent` | string | no | narrows the team lookup to this opponent |",
  "| `/v1/nfl/performance` | none | | | |",
  "| `/v1/mlb/games` | `date` | date YYYY-MM-DD (UTC) | no | default today |",
  "| `/v1/mlb/fair-odds` | `game_pk` | integer | yes | `gamePk` as listed by `/v1/mlb/games` |",
  "| `/v1/mlb/performance` | none | | | |",
  "| both | `asset` | string | no | `BTC` or `ETH`; default `BTC` |",
  "| `/v1/crypto/signal` | `horizon_minutes` | integer | no | 5 to 1440; default 60 |",
  "| `/v1/markets/edge` | none | | | |",
  "| `/v1/markets/settled` | `domain` | string | no | one of `weather`, `nfl`, `mlb`, `crypto`; default `crypto` |",
  "| | `limit` | integer | no | 1 to 500; default 200 |",
  "| | `before` | ISO 8601 close time | no | pages backwards from this time; use the `next_before` of the previous page |",
  "| `/v1/markets/performance` | none | | | |",
]

export const filing = ["| GET | `/v1/sec/filing` | 0.005 list | key |"]

export const filingParameters = [
  "| `accession_number` | string | yes | format `##########-##-######` (digits) |",
  "| `diff` | boolean | no | default true: diffs against the prior filing of the same form type |",
]

export const addresses = [
  "| `{base_url}/.well-known/mcp` | MCP server URL, transports, auth, capabilities |",
  "| `{base_url}/.well-known/openapi` | Pointer to the current OpenAPI 3.1 document |",
  "| `{base_url}/.well-known/agent-capabilities` | Compact JSON manifest of tools, schemas and examples |",
  "| `{base_url}/openapi.json` | OpenAPI 3.1 document |",
  "| `{base_url}/mcp` | MCP server; transports `stdio`, `http+sse`, `streamable-http` |",
  "| `{site_url}/llms.txt`, `{site_url}/llms-full.txt` | Overview and full reference for language-model ingest |",
  "| `{site_url}/.well-known/security.txt` | Security contact (RFC 9116) |",
]

export const prefixes = ["| `svk_test_` | Test | No | Yes |", "| `svk_live_` | Live | Yes | Yes |"]

export const events = [
  "| `regime.changed` | macro regime classification flipped |",
  "| `agent.budget_warning` | agent crossed 80% of its monthly cap |",
  "| `agent.budget_exceeded` | agent reached 100% of its monthly cap |",
  "| `job.completed` | async job finished |",
  "| `job.failed` | async job failed terminally |",
  "| `alert.fired` | user-configured threshold crossed (announced for a later minor version, v1.1) |",
]

export const errors = [
  "| `missing_authorization` | 401 | yes | no Bearer token |",
  "| `invalid_api_key_format` | 401 | yes | token lacks the required prefix |",
  "| `invalid_api_key` | 401 | no | key unknown, revoked or never existed |",
  "| `invalid_ticker_format` | 400 | yes | ticker not in MIC:SYMBOL format (ISO 10383 market code, colon, symbol) |",
  "| `invalid_request_body` | 400 | yes | body failed schema validation; `hints` name the field |",
  "| `invalid_accession_number` | 400 | yes | accession number does not match `##########-##-######` |",
  "| `agent_budget_exceeded` | 429 | no | agent hit its monthly cap; resets next month |",
  "| `rate_limit_exceeded` | 429 | yes | per-key limit exceeded; see `retry_after_ms` |",
  "| `data_freshness_stale` | 503 | yes | provider returned stale data; it will be re-fetched; retry |",
  "| `data_provider_unavailable` | 503 | no | server is in live mode but the provider is not implemented |",
  "| `job_not_found` | 404 | no | job id does not exist or belongs to a different organisation |",
  "| `internal_error` | 500 | no | unexpected server error; report with `request_id` |",
  "| `not_offered` | 410 | n/a | request to a path listed under Not offered |",
]

export const limits = [
  "| Requests per minute per key, Indie tier | 60 |",
  "| Requests per minute per key, Studio tier | 600 |",
  "| Requests per minute per key, Pro tier | 6,000 |",
  "| Requests per minute per key, Enterprise tier | custom; value not shown |",
  "| `X-RateLimit-Reset` | seconds until full refill |",
  "| 429 responses | carry `retry_after_ms` |",
  "| General page size `limit` | maximum 200 |",
  "| Settled rows `limit` | 1 to 500, default 200 |",
  "| Weather history range | up to 400 days per call |",
  "| Weather forecast window | 12 to 168 hours, default 48 |",
  "| Weather signal lead | up to 6 days ahead |",
  "| Crypto horizon | 5 to 1440 minutes, default 60 |",
  "| Quarterback weeks returned | 1 to 60, default 20 |",
  "| Football season ranges | games 1999 on; quarterback lines 2002 on; Top 100 2011 on; week 1 to 22 |",
  "| Weather sync backtest time-out (not offered) | 60 seconds |",
  "| Webhook retry window | 24 hours, then dead-lettered |",
  "| Webhook replay | last 100 events |",
  "| Edge threshold | 0.05 probability difference |",
  "| Agent budget warnings | at 80% and 100% of the monthly cap |",
]
