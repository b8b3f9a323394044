// Proof: takes five seconds or more.
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import * as mock from "../../../../adapters/lanes/crypto/mock/tape.ts"
import { tapeJob } from "../../../../adapters/lanes/crypto/module.ts"
import * as secrets from "../../../../adapters/runtime/node/secrets.ts"
import { runOnce } from "../../../../adapters/runtime/scheduler/runOnce.ts"
import * as sqlite from "../../../../adapters/store/engine/sqlite/open.ts"
import { Feeds } from "../../../../core/feeds/Feeds.ts"
import { type Asset, assets } from "../../../../core/lanes/crypto/fields.ts"
import { CandleStore, Tape } from "../../../../core/lanes/crypto/ports.ts"
import { Jobs } from "../../../../services/jobs.ts"
import { finished, midnight, minute, store } from "../../../support/cryptoJobs.ts"
import { settings } from "../../../support/running.ts"
import { jobsOf } from "../../../support/world.ts"

describe("the jobs of a mode", () => {
  const expected = { mock: [], shadow: ["crypto-tape"], live: ["crypto-tape", "crypto-capture", "crypto-scores"] }
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
          return answer({ error: [], result: { [query.get("pair")!]: rows, last: running * 60 } })
        }),
      ),
    )

  const job = (world: World) =>
    tapeJob({
      coinbase: "http://coinbase.test",
      kraken: "http://kraken.test",
      userAgent: "market-signals (ops@example.test)",
    }).pipe(Effect.provide([exchanges(world), Feeds.layerNone]))

  const make = (): World => ({ asked: [], agents: new Set(), down: new Set(), premium: 1 })
  const run = (world: World) => Effect.flatMap(job(world), runOnce)

  it.effect("sends its User-Agent to both exchanges", () =>
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

  it.effect("fetches a week, then each new minute", () =>
    Effect.gen(function* () {
      const world = make()
      const tape = yield* Tape
      const tapeJob = yield* job(world)
      yield* TestClock.setTime(midnight + 31 * minute + 5_000)
      assert.deepStrictEqual(
        yield* runOnce(tapeJob),
        finished("ok", "10080 BTC new, 0 BTC missing, 10080 ETH new, 0 ETH missing"),
      )
      // The new tape of each asset is compared.
      assert.strictEqual(world.asked.length, 2 * (34 + 2))
      assert.strictEqual(world.asked.filter((host) => host.startsWith("kraken")).length, 2)
      world.asked.length = 0
      for (let n = 1; n <= 3; n++) {
        yield* TestClock.adjust("1 minute")
        assert.deepStrictEqual(
          yield* runOnce(tapeJob),
          finished("ok", "1 BTC new, 0 BTC missing, 1 ETH new, 0 ETH missing"),
        )
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
      assert.deepStrictEqual(
        yield* runOnce(tapeJob),
        finished("ok", "0 BTC new, 0 BTC missing, 0 ETH new, 0 ETH missing"),
      )
      assert.deepStrictEqual(world.asked, [])
    }).pipe(Effect.provide(store)),
  )

  it.effect("falls back to the second exchange, and continues with the other asset", () =>
    Effect.gen(function* () {
      const world = make()
      yield* TestClock.setTime(midnight + 31 * minute + 5_000)
      world.down.add("coinbase").add("kraken ETH")
      const attempt = yield* run(world)
      assert.strictEqual(attempt._tag === "Finished" && attempt.outcome, "failed")
      const detail = attempt._tag === "Finished" ? attempt.detail : ""
      // Kraken knows twelve hours, the minute that is running among them.
      assert.match(
        detail,
        /^upstream_unavailable: 719 BTC new, 9361 BTC missing; .*coinbase: Coinbase (?:did not answer|cannot be reached|answered)/,
      )
      assert.match(detail, /All sources of ETH candles failed: coinbase: .* kraken: /)
      const tape = yield* Tape
      assert.strictEqual((yield* tape.window("BTC", 60))!.source, "kraken")
      assert.isUndefined(yield* tape.window("ETH", 60))
    }).pipe(Effect.provide(store)),
  )

  it.effect("fails when no exchange answers, names them, and recovers", () =>
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
        finished("ok", "10080 BTC new, 0 BTC missing, 10080 ETH new, 0 ETH missing"),
      )
    }).pipe(Effect.provide(store)),
  )

  it.effect("flags a tape on which the exchanges disagree", () =>
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
      for (const asset of assets)
        assert.deepStrictEqual((yield* tape.window(asset, 60))!.flags, ["source_disagreement"])
    }).pipe(Effect.provide(store)),
  )

  it.effect("deletes candles older than a month, once an hour", () =>
    Effect.gen(function* () {
      const world = make()
      const { append, closes } = yield* CandleStore
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
      assert.strictEqual((yield* closes("BTC", 0))[0]?.minute, old - 1)
      yield* TestClock.setTime(midnight + 5_000)
      yield* runOnce(tapeJob)
      assert.strictEqual((yield* closes("BTC", 0))[0]?.minute, old)
    }).pipe(Effect.provide(store)),
  )
})
