import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { modules } from "../../../adapters/lanes/all.ts"
import * as World from "../../../adapters/lanes/world.ts"
import * as secrets from "../../../adapters/runtime/node/secrets.ts"
import { runOnce } from "../../../adapters/runtime/scheduler/runOnce.ts"
import * as stores from "../../../adapters/store/open.ts"
import * as captures from "../../../adapters/store/record/Captures.ts"
import * as outcomes from "../../../adapters/store/record/Outcomes.ts"
import * as jobRuns from "../../../adapters/store/upkeep/JobRuns.ts"
import { Accounts } from "../../../core/account/Accounts.ts"
import { MicroUsd } from "../../../core/account/Money.ts"
import * as Catalogue from "../../../core/endpoint/Catalogue.ts"
import { Gateway } from "../../../core/gateway/Gateway.ts"
import { catalogue } from "../../../core/lanes/all.ts"
import * as App from "../../../services/app.ts"
import * as Lanes from "../../../services/config/lanes.ts"
import { Jobs } from "../../../services/jobs.ts"
import * as Readiness from "../../../services/readiness.ts"
import { signer } from "../../../services/record.ts"
import { json, replay } from "../../support/replay.ts"
import { settings } from "../../support/running.ts"
import { toy } from "../../support/toyLane/adapters/live.ts"
import { level, Toy } from "../../support/toyLane/core/Toy.ts"

/** What two lists get when a lane is added: `core/lanes/all.ts` and `adapters/lanes/all.ts`. */
const all = Catalogue.make(...catalogue.lanes, Toy.lane)
const allModules = [...modules, toy] as const

/** What an environment says of the lanes. */
const configOf = (environment: Readonly<Record<string, string>>) =>
  Effect.withConfigProvider(
    Lanes.laneSettings(allModules),
    ConfigProvider.fromMap(new Map(Object.entries(environment))),
  )

const store = App.store(settings())

/** Gateway, jobs and readiness over a world with the toy lane in it. */
const service = (environment: Readonly<Record<string, string>>) =>
  Layer.unwrapEffect(
    Effect.map(configOf(environment), (config) => {
      const world = Lanes.readWorld(allModules, config)
      return Gateway.layer(all).pipe(
        Layer.provide(stores.keyring),
        Layer.merge(Layer.effect(Jobs, World.jobs(allModules, world))),
        Layer.provideMerge(World.layer(all, allModules, world)),
        Layer.provideMerge(Layer.mergeAll(captures.layer, outcomes.layer, jobRuns.layer, signer(settings()))),
        Layer.provideMerge(Layer.merge(FetchHttpClient.layer, store)),
        Layer.provide(Gateway.layerDefaults),
        Layer.provide(secrets.layer),
      )
    }),
  )

/** The gauges' service: every gauge at 250 cm. */
const gauges = replay([{ path: "/reading", reply: ({ query }) => json({ gauge: query.get("gauge"), cm: 250 }) }])

/** An account with a dollar and its two keys. */
const account = Effect.gen(function* () {
  const accounts = yield* Accounts
  const { id } = yield* accounts.create("tester")
  yield* accounts.credit(id, MicroUsd(1_000_000))
  const key = (environment: "test" | "live") =>
    Effect.map(
      accounts.issueKey({ account: id, environment, tier: "pro" }),
      ({ plaintext }) => `Bearer ${Redacted.value(plaintext)}`,
    )
  const balance = Effect.map(accounts.balance(id), ({ balance }) => balance)
  return { test: yield* key("test"), live: yield* key("live"), balance }
})

const ask = (authorization: string) =>
  Effect.map(
    Effect.flatMap(Gateway, ({ call }) => call(level, { gauge: "A" }, { authorization })),
    ({ answer: { results, freshness }, charged }) => ({ cm: results.level_cm, freshness, charged }),
  )

const mocked = { cm: 165, freshness: "mock", charged: 0 }

describe("a lane that is added as one folder pair and an entry in two lists", () => {
  it("is part of what is sold, and the other lanes are as they were", () => {
    assert.strictEqual(all.get("toy_level"), level)
    assert.strictEqual(all.byPath.get("/v1/toy/level")?.method, "level")
    assert.strictEqual(all.entries.length, catalogue.entries.length + 1)
  })

  it.effect("has names in the environment that derive from it", () =>
    Effect.gen(function* () {
      const none = yield* configOf({})
      assert.strictEqual(none.modes.toy, "mock")
      assert.strictEqual(none.upstreams.toy, "https://gauges.example")
      const own = yield* configOf({ DATA_FRESHNESS_TOY: "live", TOY_URL: "https://mirror.example/" })
      assert.strictEqual(own.modes.toy, "live")
      assert.strictEqual(own.modes.weather, "mock")
      assert.strictEqual(own.upstreams.toy, "https://mirror.example")
      assert.strictEqual((yield* configOf({ DATA_FRESHNESS: "shadow" })).modes.toy, "shadow")
      for (const wrong of [{ DATA_FRESHNESS_TOY: "soon" }, { TOY_URL: "ftp://gauges.example" }]) {
        const read = yield* Effect.either(configOf(wrong))
        assert.include(String(Either.getOrThrow(Either.flip(read))), Object.keys(wrong).join())
      }
    }),
  )

  it.scopedLive("answers test keys from the mock and live keys, who pay, from its upstream", () =>
    Effect.gen(function* () {
      const upstream = yield* gauges
      yield* Effect.gen(function* () {
        const { test, live, balance } = yield* account
        assert.deepStrictEqual(yield* ask(test), mocked)
        assert.lengthOf(upstream.requests, 0)
        assert.strictEqual(yield* balance, 1_000_000)
        assert.deepStrictEqual(yield* ask(live), { cm: 250, freshness: "live", charged: 3_000 })
        assert.strictEqual(yield* balance, 997_000)
        assert.deepStrictEqual(
          upstream.requests.map(({ path, query, headers }) => [path, query.get("gauge"), headers["user-agent"]]),
          [["/reading", "A", "market-signals (ops@example.com)"]],
        )
      }).pipe(
        Effect.provide(
          service({ DATA_FRESHNESS_TOY: "live", TOY_URL: upstream.url, UPSTREAM_CONTACT: "ops@example.com" }),
        ),
      )
    }),
  )

  it.scopedLive("costs nothing where its upstream does not answer", () =>
    Effect.gen(function* () {
      const upstream = yield* replay([])
      yield* Effect.gen(function* () {
        const { live, balance } = yield* account
        const failure = yield* Effect.flip(ask(live))
        assert.strictEqual(failure.code, "upstream_unavailable")
        assert.strictEqual(yield* balance, 1_000_000)
      }).pipe(Effect.provide(service({ DATA_FRESHNESS_TOY: "live", TOY_URL: upstream.url })))
    }),
  )

  it.scopedLive("is compared in shadow mode, and its callers have the mock's answer", () =>
    Effect.gen(function* () {
      const upstream = yield* gauges
      yield* Effect.gen(function* () {
        const { live } = yield* account
        assert.deepStrictEqual(yield* ask(live), { cm: 165, freshness: "shadow", charged: 3_000 })
        const sql = yield* SqlClient.SqlClient
        const compared = sql`SELECT port, method, args, agreed, difference, failure FROM shadow_log`
        // Comparisons are written a second after the first of them.
        const rows = yield* Effect.repeat(Effect.delay(compared, "20 millis"), { until: ({ length }) => length > 0 })
        assert.lengthOf(rows, 1)
        const [row] = rows
        assert.deepInclude(row, { port: "toy/Levels", method: "at", args: '["A"]', agreed: 1, failure: null })
        assert.lengthOf(upstream.requests, 1)
      }).pipe(Effect.provide(service({ DATA_FRESHNESS_TOY: "shadow", TOY_URL: upstream.url })))
    }),
  )

  it.scopedLive("has its job over the live port, and its data's age in readiness", () =>
    Effect.gen(function* () {
      const upstream = yield* gauges
      yield* Effect.gen(function* () {
        const jobs = yield* Jobs
        assert.deepStrictEqual(
          jobs.map(({ name }) => name),
          ["toy-levels", "weather-reports"],
        )
        const ready = Effect.map(
          Effect.flatten(Readiness.make({ toy: "live", weather: "mock" }, [], allModules)),
          // biome-ignore lint/suspicious/noExplicitAny: a test reads what the wire brings
          ({ report }): any => JSON.parse(JSON.stringify(report)),
        )
        const before = yield* ready
        assert.lengthOf(before.lanes, 1)
        assert.deepInclude(before.lanes[0], { lane: "toy", last_good_at: null, age_seconds: null, stale: true })
        assert.strictEqual(before.status, "degraded")
        assert.deepStrictEqual(yield* runOnce(jobs[0]!), {
          _tag: "Finished",
          outcome: "ok",
          detail: "2 gauges",
        })
        assert.lengthOf(upstream.requests, 2)
        const [after] = (yield* ready).lanes
        assert.deepInclude(after, { lane: "toy", stale: false })
        assert.isBelow(after.age_seconds, 60)
      }).pipe(
        Effect.provide(
          service({ DATA_FRESHNESS_TOY: "live", TOY_URL: upstream.url, DATA_FRESHNESS_WEATHER: "shadow" }),
        ),
      )
    }),
  )

  it.scopedLive("asks for no job while its data is generated", () =>
    Effect.gen(function* () {
      assert.lengthOf(yield* Jobs, 0)
    }).pipe(Effect.provide(service({}))),
  )
})
