import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import { afterAll, beforeAll } from "vitest"
import * as mock from "../../adapters/lanes/baseball/mock/baseball.ts"
import { baseball } from "../../adapters/lanes/baseball/module.ts"
import type { Mode } from "../../adapters/lanes/LaneModule.ts"
import * as hasher from "../../adapters/runtime/node/hasher.ts"
import * as secrets from "../../adapters/runtime/node/secrets.ts"
import * as sqlite from "../../adapters/store/engine/sqlite/open.ts"
import { freshnesses } from "../../core/endpoint/Answer.ts"
import { Feeds } from "../../core/feeds/Feeds.ts"
import type { BaseballPorts } from "../../core/lanes/baseball/Baseball.ts"
import { endpoints } from "../../core/lanes/baseball/endpoints.ts"
import { toSecondStamp } from "../../core/lanes/baseball/listings.ts"
import { dayOf } from "../../core/time.ts"
import { faults } from "../support/faults.ts"
import { game, mlbRoutes, now } from "../support/mlb.ts"
import { type Replay, replay } from "../support/replay.ts"
import { type Running, settings, start } from "../support/running.ts"
import { standalone } from "../support/standalone.ts"
import { leagueContract } from "./baseball.ts"

/** The ports of a mode, with the hand-made statistics service as upstream. */
const portsOf = (mode: Mode): Layer.Layer<BaseballPorts, sqlite.StoreError> =>
  Layer.unwrapScoped(
    Effect.map(replay(mlbRoutes(() => [{ game: game() }])), ({ url }) =>
      standalone(baseball, mode, { mlb: url, userAgent: "market-signals (tests)" }),
    ),
  ).pipe(Layer.provide([Feeds.layerNone, FetchHttpClient.layer, hasher.layer, secrets.layer, sqlite.layer(":memory:")]))

for (const mode of freshnesses) leagueContract(`mode ${mode}`, portsOf(mode), { now, day: "2026-07-09" })

const hour = 3_600_000
for (const [name, at] of [
  ["on opening day", Date.UTC(2026, 2, 26, 12)],
  ["while games are played", Date.UTC(2026, 4, 9, 1)],
  ["a week after them", Date.UTC(2026, 8, 27)],
] as const) {
  leagueContract(`the mock, ${name}`, mock.layer, {
    now: at,
    day: name === "a week after them" ? "2026-09-20" : dayOf(at),
  })
}

/** The keys of a value; of a list, those that any of its elements has. */
const keysOf = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.every((each) => typeof each === "object")
      ? [Object.assign({}, ...value.map(keysOf))]
      : ["leaf"]
    : typeof value === "object" && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            // On opening day, when the example is played, a starter has none.
            // A live service without box scores has no skills and line-ups, and a flag that says so.
            .filter(([key]) => !key.endsWith("_starter_era_raw") && !/^(skills?|line_up|quality_flags)$/.test(key))
            .map(([key, each]) => [key, keysOf(each)]),
        )
      : "leaf"

const full = {
  games: Schema.is(endpoints.games.results, { onExcessProperty: "error" }),
  "fair-odds": Schema.is(endpoints.fairOdds.results, { onExcessProperty: "error" }),
}

describe("the endpoints over HTTP", { timeout: 30_000 }, () => {
  const scope = Effect.runSync(Scope.make())
  const servers = new Map<Mode, Running>()
  const firstPitch = Date.now() + 5 * hour
  let mlb: Replay
  beforeAll(async () => {
    const tonight = game({ gameDate: toSecondStamp(firstPitch), officialDate: dayOf(firstPitch) })
    const routes = mlbRoutes(() => [{ date: dayOf(firstPitch), game: tonight }])
    mlb = await Effect.runPromise(Scope.extend(replay(routes), scope))
    const upstreams = { ...settings().upstreams, mlb: mlb.url }
    for (const mode of freshnesses) {
      servers.set(mode, await start({ baseball: mode, upstreams }))
    }
  })
  afterAll(async () => {
    await Promise.all([...servers.values()].map((server) => server.stop()))
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  /** Calls that answer in a mode: live, the one game there is; otherwise the declared examples. */
  const callsOf = (mode: Mode) => {
    const [date, pk] = mode === "live" ? [dayOf(firstPitch), 500_001] : ["2026-07-04", 777_001]
    return [
      ["games", `/v1/mlb/games?date=${date}`, 1_000],
      ["fair-odds", `/v1/mlb/fair-odds?game_pk=${pk}`, 10_000],
    ] as const
  }

  it("answer with the same keys in every mode, as their schemas say, and charge their price", async () => {
    const shapes = new Map<Mode, Array<unknown>>()
    for (const [mode, server] of servers) {
      const found: Array<unknown> = []
      for (const [name, path, price] of callsOf(mode)) {
        for (const more of ["", "&verbose=true", "&include=_alternatives,_counterfactual,_suggestions"]) {
          const before = await server.balance()
          const { status, json } = await server.get(path + more)
          assert.strictEqual(status, 200, JSON.stringify(json))
          assert.strictEqual(json._meta.data_freshness, mode)
          assert.deepStrictEqual([json._meta.price.charged_micros, before - (await server.balance())], [price, price])
          if (more === "&verbose=true") assert.isTrue(full[name](json.results), JSON.stringify(json.results))
          for (const { step } of json._citations) assert.isAtMost(step, json._reasoning.length)
          found.push(keysOf(json.results))
        }
      }
      shapes.set(mode, found)
    }
    assert.deepStrictEqual(shapes.get("shadow"), shapes.get("mock"))
    assert.deepStrictEqual(shapes.get("live"), shapes.get("mock"))
  })

  it("let a reader compute the probability again from the JSON of an answer", async () => {
    for (const [mode, server] of servers) {
      const [, [, path]] = callsOf(mode)
      const { json } = await server.get(`${path}&verbose=true`)
      const { inputs, coefficients, skills, line_up, drivers, win_prob_home } = json.results.prediction
      const logit = (p: number) => Math.log(p / (1 - p))
      const runs =
        inputs.home_edge +
        coefficients.pythagorean * (logit(inputs.home_pyth) - logit(inputs.away_pyth)) +
        coefficients.starter_era * (inputs.away_starter_era - inputs.home_starter_era)
      const { skill } = coefficients
      const z = skill
        ? skill.constant +
          skill.runs * runs +
          skill.starter_kbb * skills.kbb.starter +
          skill.bullpen_kbb * skills.kbb.bullpen +
          skill.bats_kbb * skills.kbb.bats +
          skill.bullpen_lw * skills.lw.bullpen +
          skill.bats_lw * skills.lw.bats
        : runs
      const posted = coefficients.line_up
      const all = line_up.used ? z + posted.line_up * line_up.difference : z
      const sum = drivers.reduce((total: number, each: { readonly log_odds: number }) => total + each.log_odds, 0)
      assert.approximately(sum, logit(win_prob_home), 1e-5)
      // The inputs are rounded as served.
      assert.approximately(win_prob_home, 1 / (1 + Math.exp(-all)), 1e-5)
      // The same coefficients as are published with the track record.
      const { json: record } = await server.get("/v1/mlb/performance?verbose=true", "")
      assert.deepInclude(record.coefficients, {
        pythagorean: coefficients.pythagorean,
        starter_era: coefficients.starter_era,
        home_edge: inputs.home_edge,
      })
    }
  })

  it("page a slate with a cursor that belongs to its day", async () => {
    const server = servers.get("mock")!
    const whole = (await server.get("/v1/mlb/games?date=2026-07-04")).json.results
    const rows: Array<unknown> = []
    let cursor = ""
    do {
      const { json } = await server.get(`/v1/mlb/games?date=2026-07-04&limit=4${cursor}`)
      rows.push(...json.results.games)
      cursor = json._meta.next_cursor === undefined ? "" : `&cursor=${json._meta.next_cursor}`
      const other = await server.get(`/v1/mlb/games?date=2026-07-05&limit=4${cursor}`)
      assert.strictEqual(other.status, cursor === "" ? 200 : 400)
    } while (cursor !== "")
    assert.isAbove(rows.length, 8)
    assert.deepStrictEqual(rows, whole.games)
  })

  it("serve the track record without a key and outside the envelope", async () => {
    const { status, json } = await servers.get("mock")!.get("/v1/mlb/performance", "")
    assert.strictEqual(status, 200)
    assert.deepStrictEqual(Object.keys(json).sort(), ["attribution", "backtest", "model_version"])
    assert.deepStrictEqual(Object.keys(json.backtest.overall), [
      ...["games", "accuracy", "brier_model", "brier_market", "accuracy_market"],
      ...["bets", "wins", "losses", "hit_rate", "units", "roi"],
    ])
  })

  it("refuse what cannot be asked, name the field, charge nothing and ask nobody", async () => {
    const server = servers.get("live")!
    const [balance, requests] = [await server.balance(), mlb.requests.length]
    for (const [path, status, field] of [
      ["/v1/mlb/fair-odds", 400, "game_pk"],
      ["/v1/mlb/fair-odds?game_pk=", 400, "game_pk"],
      ["/v1/mlb/fair-odds?game_pk=0", 400, "game_pk"],
      ["/v1/mlb/fair-odds?game_pk=1.5", 400, "game_pk"],
      ["/v1/mlb/fair-odds?game_pk=1000000000", 400, "game_pk"],
      ["/v1/mlb/games?date=2026-02-30", 400, "date"],
      ["/v1/mlb/games?date=today", 400, "date"],
      ["/v1/mlb/games?limit=201", 400, "limit"],
      ["/v1/mlb/games?cursor=x", 400, "cursor"],
    ] as const) {
      const { status: found, json } = await server.get(path)
      assert.deepStrictEqual(
        [found, json.error.hints.map((hint: { field: string }) => hint.field)],
        [status, [field]],
        path,
      )
    }
    assert.deepStrictEqual([await server.balance(), mlb.requests.length], [balance, requests])
  })

  it("know of no such game, of a day without games, and of an upstream that is down", async () => {
    for (const [mode, server] of servers) {
      const before = await server.balance()
      const { status, json } = await server.get("/v1/mlb/fair-odds?game_pk=999999999")
      assert.deepStrictEqual([status, json.error.code, json.error.hints[0].field], [404, "not_found", "game_pk"], mode)
      assert.strictEqual(await server.balance(), before)
      const empty = await server.get("/v1/mlb/games?date=2026-01-15")
      assert.deepStrictEqual(
        [empty.status, empty.json.results],
        [200, { date: "2026-01-15", count: 0, games: [] }],
        mode,
      )
    }
    const server = servers.get("live")!
    const before = await server.balance()
    mlb.spoil(faults.forbidden)
    for (const path of ["/v1/mlb/games?date=2026-01-16", "/v1/mlb/fair-odds?game_pk=500002"]) {
      const { status, json } = await server.get(path)
      assert.deepStrictEqual([status, json.error.code], [503, "upstream_unavailable"])
      assert.isAbove(json.error.retry_after_ms, 0)
    }
    mlb.spoil()
    assert.strictEqual(await server.balance(), before)
  })

  it("without the terms accepted: live is unavailable and asks nobody, test keys read the mock", async () => {
    const requests = mlb.requests.length
    const server = await start({ baseball: "live", upstreams: { ...settings().upstreams, mlb: "" } })
    try {
      for (const [, path] of callsOf("mock")) {
        const { status, json } = await server.get(path)
        assert.deepStrictEqual([status, json.error.code], [503, "data_provider_unavailable"])
        const mocked = await server.get(path, server.account.test.token)
        assert.deepStrictEqual([mocked.status, mocked.json._meta.data_freshness], [200, "mock"])
      }
      assert.deepStrictEqual([await server.charges(), mlb.requests.length], [0, requests])
    } finally {
      await server.stop()
    }
  })
})
