import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/TestClock"
import { captureJob, tapeJob } from "../../../adapters/lanes/crypto/jobs.ts"
import * as mock from "../../../adapters/lanes/crypto/mock/tape.ts"
import * as sqlCandles from "../../../adapters/lanes/crypto/store/Candles.ts"
import * as secrets from "../../../adapters/node/secrets.ts"
import { type Attempt, runOnce } from "../../../adapters/scheduler/runOnce.ts"
import * as Scheduler from "../../../adapters/scheduler/Scheduler.ts"
import * as sqlite from "../../../adapters/sql/sqlite.ts"
import type { PlatformCrypto } from "../../../core/account/PlatformCrypto.ts"
import { rounded } from "../../../core/endpoint/Rounding.ts"
import { JobRuns } from "../../../core/jobs/JobRuns.ts"
import { recomputations } from "../../../core/lanes/all.ts"
import { Crypto } from "../../../core/lanes/crypto/Crypto.ts"
import { type Asset, assets, endpoints } from "../../../core/lanes/crypto/endpoints.ts"
import { CandleStore, Tape } from "../../../core/lanes/crypto/ports.ts"
import { type Capture, Captures, leafOf } from "../../../core/record/captures/Captures.ts"
import type { RecordInputs } from "../../../core/record/captures/RecordInputs.ts"
import { recomputeLeaf } from "../../../core/record/captures/recompute.ts"
import { RecordLog } from "../../../core/record/log/RecordLog.ts"
import type { SyncSha256 } from "../../../core/record/log/SyncSha256.ts"
import { Jobs } from "../../../services/jobs.ts"
import { inMemory } from "../../support/record.ts"
import { settings } from "../../support/running.ts"
import { jobsOf } from "../../support/world.ts"

const minute = 60_000
const hour = 60 * minute
const midnight = Date.UTC(2026, 6, 8)

const store = Layer.merge(sqlCandles.layerStore, sqlCandles.layerTape).pipe(
  Layer.provide(sqlite.layer(":memory:")),
  Layer.merge(JobRuns.layerMemory),
)

const finished = (outcome: "ok" | "failed", detail: string): Attempt => ({ _tag: "Finished", outcome, detail })

describe("the jobs of a mode", () => {
  const expected = { mock: [], shadow: ["crypto-tape"], live: ["crypto-tape", "crypto-capture"] }
  for (const [mode, names] of Object.entries(expected)) {
    it.effect(`${mode}: ${names.join(", ") || "none of this lane"}`, () =>
      Effect.gen(function* () {
        const jobs = yield* Jobs
        assert.deepStrictEqual(
          jobs.map(({ name }) => name).filter((name) => name.startsWith("crypto-")),
          names,
        )
      }).pipe(
        Effect.provide(
          jobsOf(settings({ crypto: mode as keyof typeof expected })).pipe(
            Layer.provide(Layer.merge(sqlite.layer(":memory:"), secrets.layer)),
          ),
        ),
      ),
    )
  }
})

describe("the tape job", () => {
  interface World {
    /** Requests by host, as [path, from, to] or the like. */
    readonly asked: Array<string>
    /** User-Agents of the requests, by host. */
    readonly agents: Set<string>
    /** Hosts, or hosts with an asset, that are down. */
    readonly down: Set<string>
    /** Kraken's price over Coinbase's. */
    premium: number
  }

  /** Both exchanges, without a network: they traded in every minute, also in the one that is running. */
  const exchanges = (world: World) =>
    Layer.succeed(
      HttpClient.HttpClient,
      HttpClient.make((request, url) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const name = url.hostname.split(".")[0]!
          const asset: Asset = /ETH/.test(url.pathname + url.search) ? "ETH" : "BTC"
          world.asked.push(`${name} ${asset}`)
          world.agents.add(`${name} ${request.headers["user-agent"]}`)
          const answer = (body: unknown, status = 200) =>
            HttpClientResponse.fromWeb(request, new Response(JSON.stringify(body), { status }))
          if (world.down.has(name) || world.down.has(`${name} ${asset}`)) return answer({}, 404)
          const running = Math.floor(now / minute)
          const query = url.searchParams
          if (name === "coinbase") {
            const [from, to] = ["start", "end"].map((at) => Date.parse(query.get(at)!) / minute)
            const closes = mock.closes(asset, from!, to! + 2)
            const rows = Array.from(closes, (close, at) => [(from! + at) * 60, close, close, close, close, 1])
            return answer(rows.filter(([time]) => time! <= running * 60).reverse())
          }
          const since = Math.max(Number(query.get("since")) / 60 + 1, running - 719)
          const rows = Array.from(mock.closes(asset, since, running + 1), (close, at) => {
            const price = String(close * world.premium)
            return [(since + at) * 60, price, price, price, price, price, "1.0", 1]
          })
          return answer({ error: [], result: { PAIR: rows, last: running * 60 } })
        }),
      ),
    )

  const job = (world: World) =>
    tapeJob({
      coinbase: "http://coinbase.test",
      kraken: "http://kraken.test",
      userAgent: "market-signals (ops@example.test)",
    }).pipe(Effect.provide(exchanges(world)))

  const make = (): World => ({ asked: [], agents: new Set(), down: new Set(), premium: 1 })
  const run = (world: World) => Effect.flatMap(job(world), runOnce)

  it.effect("tells both exchanges who asks", () =>
    Effect.gen(function* () {
      const world = make()
      // Kraken is asked for what Coinbase lacks.
      world.down.add("coinbase ETH")
      yield* TestClock.setTime(midnight + 31 * minute + 5_000)
      yield* run(world)
      assert.sameMembers(
        [...world.agents],
        ["coinbase market-signals (ops@example.test)", "kraken market-signals (ops@example.test)"],
      )
    }).pipe(Effect.provide(store)),
  )

  it.effect("fetches a week, then minute by minute what is new", () =>
    Effect.gen(function* () {
      const world = make()
      const tape = yield* Tape
      const tapeJob = yield* job(world)
      yield* TestClock.setTime(midnight + 31 * minute + 5_000)
      assert.deepStrictEqual(
        yield* runOnce(tapeJob),
        finished("ok", "BTC 10080 new, 0 missing; ETH 10080 new, 0 missing"),
      )
      assert.strictEqual(world.asked.length, 2 * 34)
      for (let n = 1; n <= 3; n++) {
        yield* TestClock.adjust("1 minute")
        assert.deepStrictEqual(yield* runOnce(tapeJob), finished("ok", "BTC 1 new, 0 missing; ETH 1 new, 0 missing"))
        const now = yield* Clock.currentTimeMillis
        for (const asset of assets) {
          const window = yield* tape.window(asset, 10_080)
          assert.strictEqual(window!.lastMinute, Math.floor(now / minute) - 1)
          assert.strictEqual(window!.source, "coinbase")
          assert.deepStrictEqual(
            window!.closes,
            mock.closes(asset, window!.lastMinute - 10_079, window!.lastMinute + 1),
          )
        }
      }
      assert.isTrue(world.asked.every((host) => host.startsWith("coinbase")))
      // Within the same minute there is nothing to ask for.
      world.asked.length = 0
      yield* TestClock.adjust("10 seconds")
      assert.deepStrictEqual(yield* runOnce(tapeJob), finished("ok", "BTC 0 new, 0 missing; ETH 0 new, 0 missing"))
      assert.deepStrictEqual(world.asked, [])
    }).pipe(Effect.provide(store)),
  )

  it.effect("goes on with the second exchange, and with the asset that is to be had", () =>
    Effect.gen(function* () {
      const world = make()
      yield* TestClock.setTime(midnight + 31 * minute + 5_000)
      world.down.add("coinbase").add("kraken ETH")
      const attempt = yield* run(world)
      assert.strictEqual(attempt._tag === "Finished" && attempt.outcome, "ok")
      const detail = attempt._tag === "Finished" ? attempt.detail : ""
      // Kraken knows twelve hours, the minute that is running among them.
      assert.match(detail, /^BTC 719 new, 9361 missing; coinbase: coinbase request failed/)
      assert.match(detail, /All sources of ETH candles failed: coinbase: .* kraken: /)
      const tape = yield* Tape
      assert.strictEqual((yield* tape.window("BTC", 60))!.source, "kraken")
      assert.isUndefined(yield* tape.window("ETH", 60))
    }).pipe(Effect.provide(store)),
  )

  it.effect("fails when no exchange answers, says which, and comes back", () =>
    Effect.gen(function* () {
      const world = make()
      const tapeJob = yield* job(world)
      yield* TestClock.setTime(midnight + 31 * minute + 5_000)
      world.down.add("coinbase").add("kraken")
      const attempt = yield* runOnce(tapeJob)
      assert.strictEqual(attempt._tag === "Finished" && attempt.outcome, "failed")
      const detail = attempt._tag === "Finished" ? attempt.detail : ""
      assert.match(detail, /^upstream_unavailable: .*BTC.*coinbase.*kraken.*ETH.*coinbase.*kraken/)
      const tape = yield* Tape
      for (const asset of assets) assert.isUndefined(yield* tape.window(asset, 60))
      // The week is still wanted when they are back.
      world.down.clear()
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(
        yield* runOnce(tapeJob),
        finished("ok", "BTC 10080 new, 0 missing; ETH 10080 new, 0 missing"),
      )
    }).pipe(Effect.provide(store)),
  )

  it.effect("flags a tape of which the exchanges disagree", () =>
    Effect.gen(function* () {
      const world = make()
      const tape = yield* Tape
      const tapeJob = yield* job(world)
      yield* TestClock.setTime(midnight + 30 * minute + 5_000)
      world.premium = 1.004
      yield* runOnce(tapeJob)
      for (const asset of assets) assert.deepStrictEqual((yield* tape.window(asset, 60))!.flags, [])
      world.premium = 1.006
      yield* TestClock.adjust("5 minutes")
      yield* runOnce(tapeJob)
      for (const asset of assets) assert.deepStrictEqual((yield* tape.window(asset, 60))!.flags, ["sources_disagree"])
    }).pipe(Effect.provide(store)),
  )

  it.effect("forgets what is older than a month, once an hour", () =>
    Effect.gen(function* () {
      const world = make()
      const { append, minutes } = yield* CandleStore
      const tapeJob = yield* job(world)
      const old = midnight / minute - 30 * 1440
      const candle = { high: 1, low: 1, close: 1, volume: 1 }
      yield* append(
        "BTC",
        "coinbase",
        [-1, 0, 1].map((by) => ({ minute: old + by, ...candle })),
      )
      yield* TestClock.setTime(midnight - minute + 5_000)
      yield* runOnce(tapeJob)
      assert.strictEqual((yield* minutes("BTC", 0))[0], old - 1)
      yield* TestClock.setTime(midnight + 5_000)
      yield* runOnce(tapeJob)
      assert.strictEqual((yield* minutes("BTC", 0))[0], old)
    }).pipe(Effect.provide(store)),
  )
})

describe("the capture job", () => {
  /** Stores the tape job's candles up to now, from `from` on. */
  const traded = (from: number, only: ReadonlyArray<Asset> = assets) =>
    Effect.gen(function* () {
      const { append } = yield* CandleStore
      const running = Math.floor((yield* Clock.currentTimeMillis) / minute)
      for (const asset of only) {
        const candles = Array.from(mock.closes(asset, from / minute, running), (close, at) => ({
          ...{ high: close, low: close, close, volume: 1 },
          minute: from / minute + at,
        }))
        yield* append(asset, "coinbase", candles)
      }
    })

  /** Captures in memory; `taken` gets each as it comes. */
  const seen = (taken: Array<Capture>) =>
    Layer.map(Captures.layerMemory(), (context) => {
      const captures = Context.get(context, Captures)
      return Context.make(Captures, {
        ...captures,
        append: (offered) =>
          Effect.tap(captures.append(offered), (fresh) =>
            Effect.sync(() => taken.push(...fresh.map(({ capture }) => capture))),
          ),
      })
    })

  /** A test over a store of candles and captures that are seen as they come. */
  const capturing = <A, E>(
    body: (
      taken: ReadonlyArray<Capture>,
    ) => Effect.Effect<
      A,
      E,
      | Captures
      | Crypto
      | CandleStore
      | SyncSha256
      | JobRuns
      | RecordInputs
      | RecordLog
      | Scope.Scope
      | PlatformCrypto
      | Tape
    >,
  ) =>
    Effect.suspend(() => {
      const taken: Array<Capture> = []
      return Effect.provide(
        body(taken),
        Layer.mergeAll(seen(taken), secrets.layer, Crypto.layer).pipe(
          Layer.provideMerge(Layer.merge(store, Layer.fresh(inMemory))),
        ),
      )
    })

  it.scoped("takes one signal per asset for its slot, however often it is run", () =>
    capturing((taken) =>
      Effect.gen(function* () {
        const job = yield* captureJob
        yield* TestClock.setTime(midnight + 10_000)
        yield* traded(midnight - 3 * hour)
        assert.deepStrictEqual(yield* runOnce(job), finished("ok", "2 captured"))
        assert.deepStrictEqual(
          taken.map(({ id: _, inputsHash: __, output: ___, salt: ____, ...rest }) => rest),
          assets.map((asset) => ({
            lane: "crypto",
            endpoint: "crypto_signal",
            subject: `${asset}/60`,
            modelVersion: "blend-t-1",
            kind: "scheduled" as const,
            at: midnight,
            params: { asset, horizon_minutes: 60 },
            quotes: [],
            closeTime: midnight + 10_000 + hour,
            sealedUntil: midnight + 10_000 + hour,
          })),
        )
        const { signal } = yield* Crypto
        for (const [index, asset] of assets.entries()) {
          const { results } = yield* signal({ asset, horizon_minutes: 60 })
          const { spot, sigma_ln, p_above } = results
          // As served.
          assert.deepStrictEqual(taken[index]!.output, rounded(endpoints.signal, { spot, sigma_ln, p_above }))
          assert.match(taken[index]!.id, /^[0-9A-HJKMNP-TV-Z]{26}$/)
          assert.match(taken[index]!.inputsHash, /^[0-9a-f]{64}$/)
        }
        for (const seconds of [1, 20, 60]) {
          yield* TestClock.adjust(`${seconds} seconds`)
          yield* traded(midnight - 3 * hour)
          assert.deepStrictEqual(yield* runOnce(job), finished("ok", "0 captured"))
        }
        assert.strictEqual(taken.length, 2)
      }),
    ),
  )

  it.scoped("takes 24 a day and asset", () =>
    capturing((taken) =>
      Effect.gen(function* () {
        const job = yield* captureJob
        yield* TestClock.setTime(midnight - 30 * minute)
        yield* traded(midnight - 4 * hour)
        yield* Layer.build(Scheduler.layer([job]))
        for (let n = 0; n < 24; n++) {
          yield* TestClock.setTime(midnight + n * hour - minute)
          yield* traded(midnight + (n - 2) * hour)
          yield* TestClock.setTime(midnight + n * hour)
          yield* TestClock.adjust("5 seconds")
          yield* traded(midnight + n * hour - minute)
          // By hand, outside the schedule.
          assert.deepStrictEqual(yield* runOnce(job), finished("ok", "0 captured"))
        }
        for (const asset of assets) {
          const own = taken.filter(({ subject }) => subject === `${asset}/60`)
          assert.deepStrictEqual(
            own.map(({ at }) => (at - midnight) / hour),
            Array.from({ length: 24 }, (_, n) => n),
          )
        }
        assert.strictEqual(taken.length, 48)
        assert.strictEqual(new Set(taken.map(({ id }) => id)).size, 48)
        assert.strictEqual(new Set(taken.map(({ inputsHash }) => inputsHash)).size, 48)
      }),
    ),
  )

  it.scoped("keeps what its signals were computed from: each is the same to the byte when it is computed again", () =>
    capturing((taken) =>
      Effect.gen(function* () {
        const job = yield* captureJob
        // Ten hours of the tape are missing; the stored inputs have the gap too.
        yield* TestClock.setTime(midnight - 20 * hour)
        yield* traded(midnight - 30 * hour)
        for (const slot of [midnight, midnight + hour]) {
          yield* TestClock.setTime(slot + 7_000)
          yield* traded(midnight - 10 * hour)
          yield* runOnce(job)
        }
        assert.strictEqual(taken.length, 4)
        const log = yield* RecordLog
        yield* log.append(taken.map(leafOf))
        yield* TestClock.adjust("400 days")
        for (const { id, output } of taken) {
          const { equal, recomputed, endpoint } = yield* recomputeLeaf(id, recomputations)
          assert.deepStrictEqual([equal, endpoint], [true, "crypto_signal"])
          assert.deepStrictEqual(JSON.parse(recomputed), output)
        }

        // The recomputed output is compared with the recorded one.
        const forged = { ...taken[0]!, id: "forged", output: { ...(taken[0]!.output as object), spot: 1 } }
        const foreign = { ...taken[0]!, id: "foreign", endpoint: "markets_edge" }
        const lost = { ...taken[0]!, id: "lost", inputsHash: "0".repeat(64) }
        yield* log.append([forged, foreign, lost].map(leafOf))
        assert.isFalse((yield* recomputeLeaf("forged", recomputations)).equal)
        for (const [id, message] of [
          ["foreign", "markets_edge cannot be recomputed."],
          ["lost", "The inputs of lost are not stored."],
          ["absent", "No leaf absent is recorded."],
        ] as const) {
          assert.strictEqual((yield* Effect.flip(recomputeLeaf(id, recomputations))).message, message)
        }
      }),
    ),
  )

  it.scoped("takes nothing from a tape that is stale, and says why", () =>
    capturing((taken) =>
      Effect.gen(function* () {
        const job = yield* captureJob
        yield* TestClock.setTime(midnight - 2 * minute)
        yield* traded(midnight - 3 * hour)
        yield* TestClock.setTime(midnight + 1_000)
        assert.deepStrictEqual(
          yield* runOnce(job),
          finished("failed", "data_freshness_stale: The last BTC candle ended 121 s ago (limit 120 s)."),
        )
        assert.deepStrictEqual(taken, [])
      }),
    ),
  )

  it.scoped("takes nothing where there is no tape, and says why", () =>
    capturing((taken) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(midnight + 1_000)
        assert.deepStrictEqual(
          yield* Effect.flatMap(captureJob, runOnce),
          finished("failed", "upstream_unavailable: No BTC candles are stored yet."),
        )
        assert.deepStrictEqual(taken, [])
      }),
    ),
  )

  for (const [fresh, missing] of [
    ["BTC", "ETH"],
    ["ETH", "BTC"],
  ] as const) {
    it.scoped(
      `takes ${fresh} also where there is no ${missing}, and says so; ${missing} follows when it is there`,
      () =>
        capturing((taken) =>
          Effect.gen(function* () {
            const job = yield* captureJob
            yield* TestClock.setTime(midnight + 10_000)
            yield* traded(midnight - 3 * hour, [fresh])
            assert.deepStrictEqual(
              yield* runOnce(job),
              finished("failed", `upstream_unavailable: No ${missing} candles are stored yet.`),
            )
            assert.deepStrictEqual(
              taken.map(({ subject }) => subject),
              [`${fresh}/60`],
            )
            yield* TestClock.adjust("20 seconds")
            yield* traded(midnight - 3 * hour)
            assert.deepStrictEqual(yield* runOnce(job), finished("ok", "1 captured"))
          }),
        ),
    )
  }

  it.scoped("takes nothing for a slot that has passed: its signal would know what came after", () =>
    capturing((taken) =>
      Effect.gen(function* () {
        const job = yield* captureJob
        for (const [late, outcome] of [
          [40 * minute, "failed"],
          [2 * minute + 1, "failed"],
          [2 * minute, "ok"],
        ] as const) {
          yield* TestClock.setTime(midnight + late)
          yield* traded(midnight - 3 * hour)
          const attempt = yield* runOnce(job)
          assert.strictEqual(attempt._tag === "Finished" && attempt.outcome, outcome)
          if (outcome === "ok" || attempt._tag !== "Finished") continue
          assert.match(attempt.detail, /^SlotOver: Slot 2026-07-08T00:00:00\.000Z was missed by more than 2 minutes/)
          assert.deepStrictEqual(taken, [])
        }
        assert.strictEqual(taken.length, 2)
      }),
    ),
  )
})
