import { spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import type { Database } from "better-sqlite3"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { captureJob, quotesJob, settleJob } from "../../../adapters/lanes/markets/jobs.ts"
import * as challenge from "../../../adapters/lanes/markets/store/Challenge.ts"
import * as contracts from "../../../adapters/lanes/markets/store/Contracts.ts"
import * as sqlSettled from "../../../adapters/lanes/markets/store/Settled.ts"
import * as secrets from "../../../adapters/node/secrets.ts"
import { runOnce } from "../../../adapters/scheduler/runOnce.ts"
import { recordCheckpoint } from "../../../adapters/scheduler/storeJobs.ts"
import * as captures from "../../../adapters/sql/Captures.ts"
import { Sqlite } from "../../../adapters/sql/sqlite/client.ts"
import type { Job } from "../../../core/jobs/Job.ts"
import { JobRuns } from "../../../core/jobs/JobRuns.ts"
import { Markets } from "../../../core/lanes/markets/Markets.ts"
import { SignalCalls } from "../../../core/lanes/markets/ports.ts"
import { clusterBootstrap, type Interval } from "../../../core/math/bootstrap.ts"
import { xoshiro128 } from "../../../core/math/xoshiro128.ts"
import { lines, whole } from "../../../core/record/log/exported.ts"
import { RecordLog } from "../../../core/record/log/RecordLog.ts"
import { domains, type SettledMarket } from "../../../core/record/scoreboard/Settled.ts"
import { SettledStore } from "../../../core/record/scoreboard/SettledStore.ts"
import { clockAt } from "../../support/clock.ts"
import * as mockVenue from "../../support/knownWorld/venue.ts"
import { modelAt, truthAt } from "../../support/knownWorld/world.ts"
import { inStore } from "../../support/record.ts"
import { folder } from "../../support/store.ts"

const minute = 60_000
const hour = 60 * minute
/** The long form is a week. */
const days = Number(process.env["PIPELINE_DAYS"] ?? 4)
/** A Friday, so that there is a Sunday of games and the time in which they settle. */
const begin = Date.UTC(2026, 8, 4)

/** Set at every job: a test clock waits in real time at every step. */
const clock = clockAt(begin)

/** The jobs of live mode over a fresh store, with the seeded world instead of venue and lanes. */
const pipeline = (options: mockVenue.WorldOptions = {}) =>
  Markets.layer.pipe(
    Layer.provide(SignalCalls.layerNone),
    Layer.provideMerge(
      Layer.mergeAll(contracts.layerOpen, sqlSettled.layerRows, sqlSettled.layerScoreboard, challenge.layer),
    ),
    Layer.provideMerge(Layer.mergeAll(captures.layer, contracts.layerStore, sqlSettled.layerStore)),
    Layer.provideMerge(Layer.mergeAll(mockVenue.layer(options), secrets.layer, JobRuns.layerMemory)),
    Layer.provideMerge(inStore()),
  )

const done = (job: Job) =>
  Effect.map(runOnce(job), (attempt) =>
    attempt._tag === "Finished" && attempt.outcome === "ok"
      ? attempt.detail
      : assert.fail(`${job.name}: ${JSON.stringify(attempt)}`),
  )

/** Hours of the live pipeline in the order in which its jobs come. */
const live = (hours: number) =>
  Effect.gen(function* () {
    const [quotes, capture, settle, checkpoint] = yield* Effect.all([
      quotesJob,
      captureJob,
      settleJob,
      recordCheckpoint,
    ])
    for (let at = 0; at < hours; at++) {
      clock.set(begin + at * hour)
      yield* done(capture)
      clock.set(begin + at * hour + 30_000)
      yield* done(checkpoint)
      clock.set(begin + at * hour + 20 * minute)
      if (at % 8 === 0) yield* done(quotes)
      yield* done(settle)
    }
    yield* done(checkpoint)
  })

const exported = Effect.gen(function* () {
  const size = yield* (yield* RecordLog).size
  const text: Array<string> = []
  for (let from = 0; from < size; from += 1_000) text.push(...(yield* lines(from, from + 1_000, whole)))
  return text.map((line) => `${line}\n`).join("")
})

const performanceOf = Effect.flatMap(Markets, (markets) =>
  Effect.map(markets.performance({}), ({ results }) => results),
)

const verifier = fileURLToPath(new URL("../../../adapters/record/verifier.mjs", import.meta.url))

describe(`${days} days of the live pipeline over a fresh store`, () => {
  it.scoped(
    "settles contracts of all four domains, scores them honestly, and verifies from its export",
    () =>
      Effect.gen(function* () {
        yield* live(days * 24)
        const board = yield* performanceOf
        for (const domain of domains) {
          assert.isAbove(board.domains[domain].markets_scored, 40, domain)
        }
        assert.isAbove(board.live.open_tracked, 0)
        assert.isAbove(board.excluded!.void, 0)
        assert.isAbove(board.excluded!.no_quote, 0)
        assert.strictEqual(board.unanchored, 0)

        // Nothing was captured at or after its close, and every captured contract that ended has its row.
        const { db } = yield* Sqlite
        assert.strictEqual(
          db.prepare("SELECT COUNT(*) FROM settled_rows WHERE captured_at >= close_time").pluck().get(),
          0,
        )
        const early =
          "SELECT COUNT(*) FROM captured_contracts c JOIN settled_rows s USING (venue, ticker) WHERE s.close_time < c.close_time"
        assert.isAbove(db.prepare(early).pluck().get() as number, 0)

        // The row of each market is the last capture before its close.
        const wrong = `
          SELECT COUNT(*) FROM settled_rows s WHERE s.captured_at <> (
            SELECT MAX(at) FROM captured_contracts c
            WHERE c.venue = s.venue AND c.ticker = s.ticker AND c.at < s.close_time)`
        assert.strictEqual(db.prepare(wrong).pluck().get(), 0)

        // The scoreboard is what a recomputation from every row gives.
        yield* (yield* SettledStore).rebuild
        assert.deepStrictEqual(yield* performanceOf, board)

        // Every settled row is a leaf of the record: the first of a contract, and what its model's own source added.
        const counted = (where: string): number => db.prepare(`SELECT COUNT(*) FROM ${where}`).pluck().get() as number
        const leaves = (kind: string) => counted(`record_leaves WHERE json_extract(text, '$.kind') = '${kind}'`)
        assert.strictEqual(leaves("settlement"), counted("settled_rows WHERE revision = 1"))
        assert.strictEqual(leaves("observation"), counted("settled_rows WHERE revision = 2"))
        assert.strictEqual(leaves("correction"), 0)

        // Outcomes by the models' own sources come before or after the venue's and are scored too.
        assert.isAbove(counted("settled_rows WHERE revision = 1 AND source_result IS NOT NULL"), 100)
        assert.isAbove(counted("settled_rows WHERE revision = 2 AND source_result IS NOT NULL"), 100)
        assert.strictEqual(counted("settled_rows WHERE result = 'void' AND source_result IS NOT NULL"), 0)
        const { venue_source, model_source, compared, disagreed, disagreement_rate } = board.by_settlement!
        assert.strictEqual(model_source.markets_scored, compared)
        assert.isAbove(compared, 0.8 * venue_source.markets_scored)
        assert.isTrue(disagreed > 0 && disagreed < 0.1 * compared)
        assert.strictEqual(disagreement_rate, disagreed / compared)
        assert.notStrictEqual(model_source.brier_model, venue_source.brier_model)

        const text = yield* exported
        const file = join(yield* folder, "record.ndjson")
        writeFileSync(file, text)
        const good = spawnSync(process.execPath, [verifier, file], { encoding: "utf8" })
        assert.strictEqual(good.status, 0, good.stdout + good.stderr)
        writeFileSync(file, text.replace('\\"result\\":\\"yes\\"', '\\"result\\":\\"no\\"'))
        assert.notStrictEqual(spawnSync(process.execPath, [verifier, file], { encoding: "utf8" }).status, 0)
      }).pipe(Effect.provide(pipeline()), Effect.withClock(clock)),
    240_000,
  )

  it.effect(
    "captures nothing while the venue is down for a day, and settles what ended meanwhile once it is back",
    () => {
      const [from, to] = [begin + 12 * hour, begin + 36 * hour]
      return Effect.gen(function* () {
        const [capture, settle] = yield* Effect.all([captureJob, settleJob])
        const outcomes: Array<string> = []
        for (let at = 0; at < 40; at++) {
          clock.set(begin + at * hour)
          const attempt = yield* runOnce(capture)
          clock.set(begin + at * hour + 20 * minute)
          yield* runOnce(settle)
          outcomes.push(attempt._tag === "Finished" ? attempt.outcome : attempt._tag)
        }
        assert.deepStrictEqual(
          outcomes,
          Array.from({ length: 40 }, (_, at) => (at >= 12 && at < 36 ? "failed" : "ok")),
        )
        const { db } = yield* Sqlite
        const counted = (where: string): number => db.prepare(`SELECT COUNT(*) FROM ${where}`).pluck().get() as number
        assert.strictEqual(counted(`captures WHERE at >= ${from} AND at < ${to}`), 0)
        assert.strictEqual(counted(`settled_rows WHERE settled_at >= ${from} AND settled_at < ${to}`), 0)
        const meanwhile = `settled_rows WHERE close_time >= ${from} AND close_time < ${to}`
        assert.isAbove(counted(meanwhile), 0)
        assert.strictEqual(counted(`${meanwhile} AND captured_at >= ${from}`), 0)
      }).pipe(Effect.provide(pipeline({ isDown: (now) => now >= from && now < to })), Effect.withClock(clock))
    },
    240_000,
  )

  /** Outcome less probability over every scored row, mean and interval: contracts of one event are drawn together. */
  const biasOf = (db: Database): Interval => {
    const events = new Map<string, [count: number, bias: number]>()
    const rows = db.prepare(`
      SELECT event, model, result FROM settled_rows WHERE revision = 1 AND yes_bid IS NOT NULL AND result <> 'void'`)
    for (const { event, model, result } of rows.all() as ReadonlyArray<
      Pick<SettledMarket, "event" | "model" | "result">
    >) {
      const [count, bias] = events.get(event) ?? [0, 0]
      events.set(event, [count + 1, bias + Number(result === "yes") - model / 1_000_000])
    }
    const [interval] = clusterBootstrap(
      [Float64Array.from([...events.values()].flat())],
      2,
      1,
      ([drawn], into) => {
        into[0] = drawn![1]! / drawn![0]!
      },
      2_000,
      xoshiro128(7),
      0.95,
    )
    return interval!
  }

  /** Two days of a world: the model's Brier score less the market's on contested contracts, and the model's bias. */
  const judged = (options: mockVenue.WorldOptions) =>
    Effect.gen(function* () {
      yield* live(2 * 24)
      const { contested, overall } = yield* performanceOf
      const doubtful = overall.model!.bins.filter(
        ({ mean_probability: mean = 0, low = 0, high = 1 }) => mean < low || mean > high,
      )
      return {
        difference: contested.brier_difference!,
        bias: biasOf((yield* Sqlite).db),
        /** Bins of the reliability diagram whose mean probability lies outside the band of their frequency. */
        doubtful: doubtful.length,
      }
    }).pipe(Effect.provide(pipeline(options)), Effect.withClock(clock))

  it.effect(
    "finds a model that knows the truth calibrated and no worse than the market, and an injected bias out",
    () =>
      Effect.gen(function* () {
        const truth = yield* judged({
          model: (event, contract, at) => Math.round(truthAt(event, contract, at) * 1_000_000),
        })
        assert.isBelow(truth.difference.low, 0)
        assert.isTrue(truth.bias.low < 0 && 0 < truth.bias.high, JSON.stringify(truth.bias))
        // One of ten may lie outside by chance.
        assert.isAtMost(truth.doubtful, 1)
        const biased = yield* judged({
          model: (event, contract, at) => Math.min(1_000_000, modelAt(event, contract, at) + 200_000),
        })
        assert.isAbove(biased.difference.low, 0)
        assert.isBelow(biased.bias.high, 0)
        assert.isAtLeast(biased.doubtful, 5)
      }),
    240_000,
  )
})
