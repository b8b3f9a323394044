import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { followed } from "../../adapters/lanes/LaneModule.ts"
import * as secrets from "../../adapters/runtime/node/secrets.ts"
import { runOnce } from "../../adapters/runtime/scheduler/runOnce.ts"
import * as sqlite from "../../adapters/store/engine/sqlite/open.ts"
import { pricings } from "../../core/lanes/all.ts"
import { ContractStore } from "../../core/lanes/markets/ports.ts"
import { Recorder } from "../../core/record/captures/Recorder.ts"
import { toInputs } from "../../core/record/captures/RecordInputs.ts"
import { RecordLog } from "../../core/record/log/RecordLog.ts"
import { recorder } from "../../services/app.ts"
import { laneModes } from "../../services/Config.ts"
import { Jobs } from "../../services/jobs.ts"
import { record } from "../../services/record.ts"
import { contract, noon } from "../support/contracts.ts"
import { json, replay } from "../support/replay.ts"
import { settings } from "../support/running.ts"
import { seriesRoute } from "../support/venues.ts"
import { jobsOf, marketsOf } from "../support/world.ts"

const store = () => Layer.merge(sqlite.layer(":memory:"), secrets.layer)

const modes = ["mock", "shadow", "live"] as const

describe("the jobs of the markets", () => {
  const cases: ReadonlyArray<
    readonly [changes: Parameters<typeof settings>[0], jobs: ReadonlyArray<string>, domains: ReadonlyArray<string>]
  > = [
    [{}, [], []],
    [{ markets: "live" }, [], []],
    [{ weather: "live", crypto: "live" }, [], []],
    [{ markets: "live", weather: "live" }, ["quotes", "capture", "settle"], ["weather"]],
    [{ markets: "live", weather: "shadow", crypto: "live" }, ["quotes", "capture", "settle"], ["crypto"]],
    [{ markets: "shadow", weather: "shadow" }, ["quotes"], ["weather"]],
    [{ markets: "shadow", weather: "live" }, [], []],
  ]
  for (const [changes, jobs, domains] of cases) {
    it.effect(`${JSON.stringify(changes)}: ${jobs.join(", ") || "none"}`, () =>
      Effect.gen(function* () {
        const config = settings(changes)
        const names = (yield* Jobs).map(({ name }) => name).filter((name) => name.startsWith("markets-"))
        assert.deepStrictEqual(
          names,
          jobs.map((name) => `markets-${name}`),
        )
        assert.deepStrictEqual(
          followed(pricings, laneModes(config)).map(({ domain }) => domain),
          domains,
        )
      }).pipe(Effect.provide(jobsOf(settings(changes)).pipe(Layer.provide(store())))),
    )
  }
})

describe("the capture of a call", () => {
  const signal = {
    lane: "weather",
    endpoint: "weather_signal",
    subject: { _tag: "StationDay" as const, station: "KNYC", day: "2026-07-12" },
    modelVersion: "v",
    at: noon,
    params: {},
    output: () => ({ high: { "90": 0.5, "91": 0.25 }, low: {} }),
    inputs: toInputs({}),
    closeTime: noon + 86_400_000,
  }
  for (const markets of modes) {
    it.effect(`has venue prices if venues are tracked live: ${markets}`, () => {
      const config = settings({ markets, weather: "live" })
      return Effect.gen(function* () {
        yield* (yield* ContractStore).replace("kalshi", "weather", [contract()], noon)
        const captured = yield* (yield* Recorder).capture(signal, {
          requestId: "req_1",
          accountId: "acct_1",
          keyId: "key_1",
        })
        assert.strictEqual(captured?.contracts.length, markets === "live" ? 1 : undefined)
        // Nothing is written before the charge.
        assert.strictEqual(yield* (yield* RecordLog).size, 0)
      }).pipe(
        Effect.provide(
          Layer.merge(recorder(config), record).pipe(
            Layer.provideMerge(marketsOf(config)),
            Layer.provideMerge(store()),
          ),
        ),
      )
    })
  }
})

describe("a venue that is down", () => {
  it.scopedLive("fails its job with a message and leaves the stored state unchanged", () =>
    Effect.gen(function* () {
      const down = yield* replay([{ path: /.*/, reply: { ...json({}), status: 404 } }])
      const base = settings({ markets: "live", crypto: "live" })
      const config = { ...base, upstreams: { ...base.upstreams, kalshi: down.url, polymarket: down.url } }
      yield* Effect.gen(function* () {
        const contracts = yield* ContractStore
        yield* contracts.replace("kalshi", "crypto", [contract({ domain: "crypto" })], noon)
        const job = (yield* Jobs).find(({ name }) => name === "markets-quotes")!
        const attempt = yield* runOnce(job)
        assert.deepInclude(attempt, { _tag: "Finished", outcome: "failed" })
        assert.strictEqual((yield* contracts.about("weather", "KNYC/2026-07-12")).length, 1)
      }).pipe(Effect.provide(jobsOf(config).pipe(Layer.provide(store()))))
    }),
  )

  it.scopedLive("does not stop the other", () =>
    Effect.gen(function* () {
      const kalshi = yield* replay([{ path: /.*/, reply: { ...json({}), status: 404 } }])
      const polymarket = yield* replay([seriesRoute, { path: "/events/keyset", reply: json({ events: [] }) }])
      const base = settings({ markets: "live", crypto: "live" })
      const config = { ...base, upstreams: { ...base.upstreams, kalshi: kalshi.url, polymarket: polymarket.url } }
      yield* Effect.gen(function* () {
        const job = (yield* Jobs).find(({ name }) => name === "markets-quotes")!
        assert.deepStrictEqual(yield* runOnce(job), {
          _tag: "Finished",
          outcome: "failed",
          detail:
            "upstream_unavailable: 0 contracts priced; kalshi crypto: Kalshi answered with an error (status 404).",
        })
        assert.isAbove(polymarket.requests.length, 0)
      }).pipe(Effect.provide(jobsOf(config).pipe(Layer.provide(store()))))
    }),
  )
})
