import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/TestClock"
import * as mock from "../../../../adapters/lanes/crypto/mock/tape.ts"
import { captureJob } from "../../../../adapters/lanes/crypto/module.ts"
import * as secrets from "../../../../adapters/runtime/node/secrets.ts"
import { runOnce } from "../../../../adapters/runtime/scheduler/runOnce.ts"
import * as Scheduler from "../../../../adapters/runtime/scheduler/Scheduler.ts"
import type { PlatformCrypto } from "../../../../core/account/PlatformCrypto.ts"
import { rounded } from "../../../../core/endpoint/Rounding.ts"
import { Feeds } from "../../../../core/feeds/Feeds.ts"
import type { JobRuns } from "../../../../core/jobs/JobRuns.ts"
import { recomputations } from "../../../../core/lanes/all.ts"
import { Crypto } from "../../../../core/lanes/crypto/Crypto.ts"
import { endpoints } from "../../../../core/lanes/crypto/endpoints.ts"
import { type Asset, assets } from "../../../../core/lanes/crypto/fields.ts"
import { CandleStore, CryptoLaws, type Tape } from "../../../../core/lanes/crypto/ports.ts"
import { type Capture, Captures, toLeaf } from "../../../../core/record/captures/Captures.ts"
import type { RecordInputs } from "../../../../core/record/captures/RecordInputs.ts"
import { recomputeLeaf } from "../../../../core/record/captures/recompute.ts"
import { RecordLog } from "../../../../core/record/log/RecordLog.ts"
import type { SyncSha256 } from "../../../../core/record/log/SyncSha256.ts"
import { finished, hour, midnight, minute, store } from "../../../support/cryptoJobs.ts"
import { inMemory } from "../../../support/record.ts"

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
        Layer.mergeAll(
          seen(taken),
          secrets.layer,
          Crypto.layer.pipe(Layer.provide([CryptoLaws.layerNone, Feeds.layerNone])),
        ).pipe(Layer.provideMerge(Layer.merge(store, Layer.fresh(inMemory)))),
      )
    })

  it.scoped("captures one signal per asset and slot, however often it runs", () =>
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
            modelVersion: "blend-t-2",
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
          const { spot, sigma_ln, nu, p_above } = results
          // As served.
          assert.deepStrictEqual(taken[index]!.output, rounded(endpoints.signal, { spot, sigma_ln, nu: nu!, p_above }))
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

  it.scoped("captures 24 a day and asset", () =>
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

  it.scoped("stores its signals' inputs: each signal is recomputed to the byte", () =>
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
        yield* log.append(taken.map(toLeaf))
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
        yield* log.append([forged, foreign, lost].map(toLeaf))
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

  it.scoped("captures nothing from a stale tape and reports why", () =>
    capturing((taken) =>
      Effect.gen(function* () {
        const job = yield* captureJob
        yield* TestClock.setTime(midnight - 2 * minute)
        yield* traded(midnight - 3 * hour)
        yield* TestClock.setTime(midnight + 1_000)
        assert.deepStrictEqual(
          yield* runOnce(job),
          finished(
            "failed",
            "data_freshness_stale: BTC candles end with 2026-07-07T23:57Z; 2026-07-07T23:58Z is due. A late source is not taken for an answer.",
          ),
        )
        assert.deepStrictEqual(taken, [])
      }),
    ),
  )

  it.scoped("captures nothing without a tape and reports why", () =>
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
    it.scoped(`captures ${fresh} without ${missing}, reports it, and captures ${missing} once there is a tape`, () =>
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

  it.scoped("captures nothing for a missed slot: its signal would use later data", () =>
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
