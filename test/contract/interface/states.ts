// biome-ignore-all lint/suspicious/noExplicitAny: a test reads what the wire brought
import { createHash } from "node:crypto"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { isWarning } from "../../../core/account/Agent.ts"
import { Calls } from "../../../core/account/Calls.ts"
import type * as Tier from "../../../core/account/Tier.ts"
import { freshnesses } from "../../../core/endpoint/Answer.ts"
import { types as eventTypes, reserved } from "../../../core/events/Event.ts"
import { standard } from "../../../core/events/retry.ts"
import { replayableEvents } from "../../../core/events/Webhooks.ts"
import { codes } from "../../../core/Failure.ts"
import { agentKey } from "../../support/agentKey.ts"
import { type App, type Check, cellsOf, elsewhere, except, type Row, row, untested } from "./app.ts"
import { fairLine, notOffered, settlement } from "./calls.ts"
import { has } from "./fields.ts"
import * as tables from "./tableData.ts"

const byName = (
  lines: ReadonlyArray<string>,
  rows: Readonly<Record<string, (line: string) => Row>>,
): ReadonlyArray<Row> => lines.map((line) => rows[cellsOf(line)[0]!]!(line))
const checked = (check: Check) => (line: string) => row(line, check)
const pointed = (file: string, title: string) => (line: string) => elsewhere(line, file, title)

const states = byName(tables.states, {
  "_meta.data_freshness": checked(() => assert.sameMembers([...freshnesses], ["mock", "shadow", "live"])),
  "Agent budget": checked(() => {
    for (const [spent, is] of [
      [79, false],
      [80, true],
      [100, true],
    ] as const)
      assert.strictEqual(isWarning(spent, 100), is)
  }),
  "Model call on an unplayed football game": checked(async ({ results }) => {
    const { games } = await results("/v1/nfl/games?limit=200")
    const played = games.find(({ result }: any) => result !== null)
    const [next, past] = [await results(fairLine), await results(`/v1/nfl/fair-line?game_id=${played.game_id}`)]
    assert.deepStrictEqual([next.retrospective, past.retrospective], [false, true])
    // Generated data never enters the record; test/services/football.test.ts has the line that does.
    assert.deepStrictEqual([next.recorded_to_track_record, past.recorded_to_track_record], [false, false])
  }),
  "Baseball game state": checked(async ({ results }) => {
    const { games } = await results("/v1/mlb/games?date=2026-09-14")
    assert.include(
      games.map(({ state }: any) => state),
      "Scheduled",
    )
  }),
  "Async job (not offered)": (line) =>
    except(line, "2026-11-27", "Jobs belong to paths that are not offered: their events are never sent."),
  "Football game result fields": checked(async ({ results }) => {
    const { games } = await results("/v1/nfl/games?limit=200")
    for (const { gameday, home_score, away_score, result, total } of games) {
      const values = [home_score, away_score, result, total]
      if (gameday < "2026-09-12") assert.isTrue(values.every(Number.isInteger), gameday)
      if (gameday > "2026-09-14") assert.deepStrictEqual(values, [null, null, null, null])
    }
  }),
})

/** The types of all events of the account. */
const eventsOf = ({ run, account }: App): Promise<ReadonlyArray<string>> =>
  run(
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      Effect.map(sql<{ type: string }>`SELECT type FROM outbox WHERE account_id = ${account.id} `, (rows) =>
        rows.map(({ type }) => type),
      ),
    ),
  )

/** An agent with room for ten settlements spends them, and has room again next month. */
const spending: Check = async (app) => {
  const { get, clock } = app
  const key = await agentKey(app, app.fresh("agent"), 10_000)
  const before = await eventsOf(app)
  const call = async () => (await get(`${settlement}&day=2025-01-02`, key)).json
  for (let at = 1; at <= 10; at++) assert.notProperty(await call(), "error")
  const { error } = await call()
  assert.deepStrictEqual([error.code, error.recoverable], ["agent_budget_exceeded", false])
  const after = await eventsOf(app)
  assert.deepStrictEqual(after.toSorted(), [...before, "agent.budget_warning", "agent.budget_exceeded"].toSorted())
  const today = clock.unsafeCurrentTimeMillis()
  clock.set(today + error.retry_after_ms)
  assert.strictEqual(new Date(clock.unsafeCurrentTimeMillis()).toISOString().slice(0, 10), "2026-10-01")
  const next = await call()
  clock.set(today)
  assert.notProperty(next, "error")
}

const transitions = byName(tables.transitions, {
  "Agent within cap": checked(spending),
  "Agent at 80%": checked(spending),
  "Agent at 100%": checked(spending),
  "Football game unplayed": pointed("test/services/football.test.ts", "puts its line of a game to come on the record"),
  "Football game pending": pointed("test/adapters/runtime/scheduler/football.test.ts", "predictions_scored"),
  "data_freshness mock": pointed(
    "test/services/jobs.test.ts",
    "answers as the mock does, marked as shadow, and reports the comparison",
  ),
})

const addresses = tables.addresses.map((line, at) =>
  row(line, async ({ url, open }) => {
    const [mcp, openapi, manifest] = await Promise.all(
      ["mcp", "openapi", "agent-capabilities"].map((name) => open(`/.well-known/${name}`)),
    )
    const text = async (path: string) => {
      const response = await fetch(url + path)
      assert.strictEqual(response.status, 200, path)
      return response.text()
    }
    const checks: ReadonlyArray<() => Promise<void>> = [
      async () => has(mcp, { string: "url", array: "transports", object: "authentication capabilities" }),
      async () => {
        const sha256 = createHash("sha256")
          .update(await text("/openapi.json"))
          .digest("hex")
        assert.deepStrictEqual(
          [openapi.openapi.slice(0, 3), openapi.sha256, openapi.url.endsWith("/openapi.json")],
          ["3.1", sha256, true],
        )
      },
      async () => {
        assert.isNotEmpty(manifest.tools)
        has(manifest.tools, { string: "[].name [].input [].output [].example" })
        for (const { input, output } of manifest.tools.slice(0, 2)) for (const path of [input, output]) await text(path)
      },
      async () => assert.match((await open("/openapi.json")).openapi, /^3\.1/),
      async () => {
        assert.includeMembers(mcp.transports, ["http+sse", "streamable-http"])
        const answer = await fetch(`${url}/mcp`, {
          method: "POST",
          headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
          body: JSON.stringify({
            jsonrpc: "2.0",
            id: 1,
            method: "initialize",
            params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
          }),
        })
        assert.strictEqual(answer.status, 200)
        assert.include(await answer.text(), '"serverInfo"')
      },
      async () => assert.isAbove((await text("/llms-full.txt")).length, (await text("/llms.txt")).length),
      async () => {
        const found = await text("/.well-known/security.txt")
        for (const field of ["Contact: mailto:security@example.com", "Expires: "]) assert.include(found, field)
      },
    ]
    await checks[at]!()
  }),
)

const prefixes = tables.prefixes.map((line) => {
  const [prefix, environment, counts] = cellsOf(line) as [string, string, string]
  return row(line, async ({ account, get, balance, run }) => {
    const { token, id } = account[environment.toLowerCase() as "test" | "live"]
    assert.isTrue(token.startsWith(prefix))
    const before = await balance()
    const { headers } = await get(settlement, token)
    assert.strictEqual(before - (await balance()), counts === "Yes" ? 1_000 : 0)
    const trail = await run(Effect.flatMap(Calls, (calls) => calls.page(account.id, { keyId: id }, 100)))
    assert.include(JSON.stringify(trail), headers.get("x-request-id")!)
  })
})

const events = tables.events.map((line) => {
  const [type] = cellsOf(line) as [string]
  if (reserved.includes(type)) {
    return except(
      line,
      "2026-11-27",
      "Of endpoints that are not offered: nothing causes it, its name is kept, and a webhook cannot ask for it.",
      () => assert.notInclude(eventTypes, type),
    )
  }
  return type === "alert.fired"
    ? elsewhere(line, "test/core/alerts/Alerts.test.ts", "reach a webhook's queue and the stream of the account")
    : row(line, spending)
})

const executed: Readonly<Record<string, Check>> = {
  missing_authorization: async ({ refused }) => void (await refused(settlement, 401, "missing_authorization", "")),
  invalid_api_key_format: async ({ refused }) => void (await refused(settlement, 401, "invalid_api_key_format", "abc")),
  invalid_accession_number: async ({ refused }) =>
    void (await refused("/v1/sec/filing?accession_number=1", 400, "invalid_accession_number")),
  invalid_request_body: async ({ url, account }) => {
    const answer = await fetch(`${url}/v1/bench/opinions`, {
      method: "POST",
      body: "{}",
      headers: { authorization: `Bearer ${account.live.token}`, "content-type": "application/json" },
    })
    const { error } = await answer.json()
    assert.deepStrictEqual([answer.status, error.code], [400, "invalid_request_body"])
    assert.isNotEmpty(error.hints)
  },
  agent_budget_exceeded: spending,
  rate_limit_exceeded: async (app) => {
    const key = await app.customer(app.fresh("busy"), 0, { tier: "indie" })
    for (let call = 1; call <= 60; call++)
      assert.strictEqual((await app.get("/v1/weather/stations?fields=count", key)).status, 200)
    const { status, json } = await app.get("/v1/weather/stations?fields=count", key)
    assert.deepStrictEqual([status, json.error.code], [429, "rate_limit_exceeded"])
    assert.isAbove(json.error.retry_after_ms, 0)
    assert.isNotEmpty(json.error.hints)
  },
  not_offered: async ({ refused }) => {
    for (const path of notOffered) await refused(path, 410, "not_offered")
  },
}

const errors = tables.errors.map((line) => {
  const [code, status, recoverable] = cellsOf(line) as [keyof typeof codes, string, string]
  return row(line, async (app) => {
    assert.strictEqual(codes[code].status, Number(status))
    if (recoverable !== "n/a") assert.strictEqual(codes[code].recoverable, recoverable === "yes")
    assert.strictEqual((await fetch(`${app.url}/errors/${code}`)).status, 200)
    await executed[code]?.(app)
  })
})

const tierRow = (tier: Tier.Tier, perMinute: number, request = {}) =>
  checked(async ({ customer, fresh, get }) => {
    const key = await customer(fresh(tier), 0, { tier, ...request })
    assert.strictEqual(
      (await get("/v1/weather/stations?fields=count", key)).headers.get("x-ratelimit-limit"),
      String(perMinute),
    )
  })

/** A limit that a parameter's row tries. */
const tried = (good: ReadonlyArray<string>, bad: ReadonlyArray<string>) =>
  checked(async ({ ask }) => {
    for (const path of good) assert.strictEqual((await ask(path)).status, 200, path)
    for (const path of bad) assert.strictEqual((await ask(path)).status, 400, path)
  })

const limits = byName(tables.limits, {
  "Requests per minute per key, Indie tier": tierRow("indie", 60),
  "Requests per minute per key, Studio tier": tierRow("studio", 600),
  "Requests per minute per key, Pro tier": tierRow("pro", 6_000),
  "Requests per minute per key, Enterprise tier": tierRow("enterprise", 12_345, { rpm: 12_345 }),
  "X-RateLimit-Reset": checked(async ({ customer, fresh, get }) => {
    const key = await customer(fresh("reset"), 0, { tier: "indie" })
    for (const seconds of [1, 2, 3]) {
      const { headers } = await get("/v1/weather/stations?fields=count", key)
      assert.deepStrictEqual(
        [headers.get("x-ratelimit-remaining"), headers.get("x-ratelimit-reset")],
        [String(60 - seconds), String(seconds)],
      )
    }
  }),
  "429 responses": checked(async (app) => {
    await executed["rate_limit_exceeded"]!(app)
    await spending(app)
  }),
  "General page size limit": tried(["/v1/nfl/games?limit=200"], ["/v1/nfl/games?limit=201", "/v1/mlb/games?limit=201"]),
  "Settled rows limit": tried(
    ["/v1/markets/settled?limit=500"],
    ["/v1/markets/settled?limit=0", "/v1/markets/settled?limit=501"],
  ),
  "Weather history range": tried(
    ["/v1/weather/settlement/history?station=KNYC&start=2025-01-01&end=2026-02-04&limit=1"],
    ["/v1/weather/settlement/history?station=KNYC&start=2025-01-01&end=2026-02-05&limit=1"],
  ),
  "Weather forecast window": tried(
    ["/v1/weather/forecast?lat=40.78&lon=-73.97&hours=12", "/v1/weather/forecast?lat=40.78&lon=-73.97&hours=168"],
    ["/v1/weather/forecast?lat=40.78&lon=-73.97&hours=11", "/v1/weather/forecast?lat=40.78&lon=-73.97&hours=169"],
  ),
  "Weather signal lead": tried(
    ["/v1/weather/signal?station=KNYC&target=2026-09-19"],
    ["/v1/weather/signal?station=KNYC&target=2026-09-20"],
  ),
  "Crypto horizon": tried(
    ["/v1/crypto/signal?horizon_minutes=5", "/v1/crypto/signal?horizon_minutes=1440"],
    ["/v1/crypto/signal?horizon_minutes=4", "/v1/crypto/signal?horizon_minutes=1441"],
  ),
  "Quarterback weeks returned": tried(
    ["/v1/nfl/qb?player=Mahomes&last=60"],
    ["/v1/nfl/qb?player=Mahomes&last=0", "/v1/nfl/qb?player=Mahomes&last=61"],
  ),
  "Football season ranges": tried(
    ["/v1/nfl/games?week=22&season=2024", "/v1/nfl/games?week=1"],
    [
      "/v1/nfl/games?season=1998",
      "/v1/nfl/qb?player=Mahomes&season=2001",
      "/v1/nfl/top100?season=2010",
      "/v1/nfl/games?week=23",
    ],
  ),
  "Weather sync backtest time-out (not offered)": (line) => untested(line, "Of a path that is not offered."),
  "Webhook retry window": checked(() => assert.strictEqual(standard.windowMs, 24 * 3_600_000)),
  "Webhook replay": checked(() => assert.strictEqual(replayableEvents, 100)),
  "Edge threshold": checked(async ({ results }) =>
    assert.strictEqual((await results("/v1/markets/edge")).min_edge_threshold, 0.05),
  ),
  "Agent budget warnings": checked(spending),
})

export const generatedStates: ReadonlyArray<Row> = [
  states,
  transitions,
  addresses,
  prefixes,
  events,
  errors,
  limits,
].flat()
