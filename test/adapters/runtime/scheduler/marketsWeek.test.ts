import { spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { captureJob, settleJob } from "../../../../adapters/lanes/markets/module.ts"
import { runOnce } from "../../../../adapters/runtime/scheduler/runOnce.ts"
import { type Database, Sqlite } from "../../../../adapters/store/engine/sqlite/client.ts"
import { Markets } from "../../../../core/lanes/markets/Markets.ts"
import { clusterBootstrap, type Interval } from "../../../../core/math/bootstrap.ts"
import { xoshiro128 } from "../../../../core/math/xoshiro128.ts"
import { domains, type SettledMarket } from "../../../../core/record/scoreboard/Settled.ts"
import type * as mockVenue from "../../../support/knownWorld/venue.ts"
import { modelAt, truthAt } from "../../../support/knownWorld/world.ts"
import { begin, clock, exported, hour, live, minute, pipeline } from "../../../support/marketsPipeline.ts"
import { folder } from "../../../support/store.ts"

/** The long form is a week. */
const days = Number(process.env["PIPELINE_DAYS"] ?? 4)

const performanceOf = Effect.flatMap(Markets, (markets) =>
  Effect.map(markets.performance({}), ({ results }) => results),
)

const verifier = fileURLToPath(new URL("../../../../adapters/web/record/verifier.mjs", import.meta.url))

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
        assert.closeTo(disagreement_rate!, disagreed / compared, 5.1e-7)
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
  const intervalsOf = (db: Database): { readonly bias: Interval; readonly difference: Interval } => {
    const events = new Map<string, [count: number, bias: number, contested: number, difference: number]>()
    const rows = db.prepare(`
      SELECT event, model, result, yes_bid, yes_ask FROM settled_rows
      WHERE revision = 1 AND yes_bid IS NOT NULL AND result <> 'void'`)
    for (const { event, model, result, yes_bid, yes_ask } of rows.all() as ReadonlyArray<
      Pick<SettledMarket, "event" | "model" | "result"> & { readonly yes_bid: number; readonly yes_ask: number }
    >) {
      const [p, market, came] = [model / 1_000_000, (yes_bid + yes_ask) / 20_000, Number(result === "yes")]
      const sums = events.get(event) ?? [0, 0, 0, 0]
      sums[0] += 1
      sums[1] += came - p
      if (market >= 0.05 && market <= 0.95) {
        sums[2] += 1
        sums[3] += (p - came) ** 2 - (market - came) ** 2
      }
      events.set(event, sums)
    }
    // The events of this world are independent: two days of it have no cluster enough for the scoreboard.
    const [bias, difference] = clusterBootstrap(
      [Float64Array.from([...events.values()].flat())],
      4,
      2,
      ([drawn], into) => {
        into[0] = drawn![1]! / drawn![0]!
        into[1] = drawn![3]! / drawn![2]!
      },
      2_000,
      xoshiro128(7),
      0.95,
    )
    return { bias: bias!, difference: difference! }
  }

  /** Two days of a world: the model's Brier score less the market's on contested contracts, and the model's bias. */
  const judged = (options: mockVenue.WorldOptions) =>
    Effect.gen(function* () {
      yield* live(2 * 24)
      const { overall } = yield* performanceOf
      const doubtful = overall.model!.bins.filter(
        ({ mean_probability: mean = 0, low = 0, high = 1 }) => mean < low || mean > high,
      )
      return {
        ...intervalsOf((yield* Sqlite).db),
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
