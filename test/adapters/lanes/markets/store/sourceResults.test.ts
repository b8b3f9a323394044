import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import * as contracts from "../../../../../adapters/lanes/markets/store/Contracts.ts"
import * as secrets from "../../../../../adapters/runtime/node/secrets.ts"
import * as captures from "../../../../../adapters/store/record/Captures.ts"
import * as sqlSettled from "../../../../../adapters/store/record/Settled.ts"
import { parse } from "../../../../../core/call/Subject.ts"
import type { Priced, VenueResult } from "../../../../../core/contracts/Contract.ts"
import { fail } from "../../../../../core/Failure.ts"
import { Feeds } from "../../../../../core/feeds/Feeds.ts"
import { toFigures } from "../../../../../core/lanes/markets/performance.ts"
import { Scoreboard, SettledRows, SourceResults, Venues } from "../../../../../core/lanes/markets/ports.ts"
import { settle, toRecordedQuote } from "../../../../../core/lanes/markets/rounds.ts"
import { Captures, captureSignal } from "../../../../../core/record/captures/Captures.ts"
import { toInputs } from "../../../../../core/record/captures/RecordInputs.ts"
import { RecordLog } from "../../../../../core/record/log/RecordLog.ts"
import type { Result } from "../../../../../core/record/scoreboard/Settled.ts"
import { inAnyStore } from "../../../../support/anyStore.ts"
import { contract, noon } from "../../../../support/contracts.ts"
import { recomputed } from "../../../../support/settledRows.ts"

const hour = 3_600_000
const close = contract().closeTime
const { ticker } = contract()

/** Results of venue and model's own source by ticker; tests change them. */
interface Said {
  venue: Record<string, VenueResult["result"]>
  source: Record<string, Result>
  warnings: ReadonlyArray<string>
  /** The requests to the source. */
  readonly asked: Array<ReadonlyArray<string>>
}

const fresh = (said: Said) =>
  Layer.mergeAll(
    captures.layer,
    contracts.layerStore,
    sqlSettled.layerStore,
    sqlSettled.layerSettledRows,
    sqlSettled.layerScoreboard,
  ).pipe(
    Layer.provideMerge(Layer.merge(secrets.layer, Feeds.layerNone)),
    Layer.provideMerge(inAnyStore),
    Layer.provideMerge(
      Layer.succeed(Venues, [
        {
          name: "kalshi",
          domains: ["weather", "crypto"],
          open: () => Effect.fail(fail("upstream_unavailable")),
          outcomes: (tickers) =>
            Effect.sync(() => ({
              items: tickers.flatMap((one) => {
                const result = said.venue[one]
                return result === undefined ? [] : [{ ticker: one, closedAt: close, result }]
              }),
              failed: [],
            })),
        },
      ]),
    ),
    Layer.provideMerge(
      Layer.succeed(SourceResults, {
        revisableDomains: new Set(["weather"] as const),
        read: (asked) =>
          Effect.sync(() => {
            said.asked.push(asked.map((one) => one.ticker))
            return { results: new Map(Object.entries(said.source)), failed: [], warnings: said.warnings }
          }),
      }),
    ),
  )

type Ports = Layer.Layer.Success<ReturnType<typeof fresh>>

const silent = (): Said => ({ venue: {}, source: {}, warnings: [], asked: [] })

/** A test over a fresh store with contracts of one capture on its record. */
const following = (
  sentence: string,
  body: (said: Said) => Effect.Effect<void, unknown, Ports>,
  changes: ReadonlyArray<Partial<Priced>> = [{}],
) =>
  it.effect(sentence, () => {
    const said = silent()
    return Effect.gen(function* () {
      const priced = changes.map(contract)
      const record = {
        ...{ lane: "weather", endpoint: "weather_signal", subject: parse("KNYC/2026-07-12") },
        ...{
          modelVersion: "temperature-t8-1.0",
          at: noon,
          params: {},
          output: () => ({}),
          inputs: toInputs({}),
          closeTime: close,
        },
      }
      const one = yield* captureSignal(record, { kind: "scheduled", slot: noon }, priced, priced.map(toRecordedQuote))
      yield* (yield* Captures).append([one])
      yield* body(said)
      // In any order of arrival, the scoreboard equals one computed from all rows.
      const [read, rebuilt] = [yield* (yield* Scoreboard).current, yield* recomputed]
      assert.deepStrictEqual([toFigures(read.board), read.settledAt], [toFigures(rebuilt.board), rebuilt.settledAt])
    }).pipe(Effect.provide(fresh(said)))
  })

/** A run of the job so many hours after the close; how many rows were new. */
const run = (hours: number) =>
  Effect.zipRight(
    TestClock.setTime(close + hours * hour),
    Effect.map(settle, ({ done }) => done),
  )

const row = Effect.map(
  Effect.flatMap(SettledRows, ({ after }) => after("weather", undefined, 1)),
  ([found]) => found,
)

/** Kind and outcomes of every leaf behind the capture. */
const leaves = Effect.map(
  Effect.flatMap(RecordLog, (log) => log.range(1, 100)),
  (found) =>
    found.map(({ text }) => {
      const { kind, at, body } = JSON.parse(text)
      return [kind, body.result, body.source_result, (at - close) / hour, body.revision]
    }),
)

const figures = Effect.map(
  Effect.flatMap(Scoreboard, ({ current }) => current),
  ({ board }) => {
    const { by_settlement: bases, corrected, excluded } = toFigures(board)
    return {
      scored: [bases!.venue_source.markets_scored, bases!.model_source.markets_scored],
      compared: bases!.compared,
      disagreed: bases!.disagreed,
      corrected,
      void: excluded!.void,
    }
  },
)

describe("the outcome by the model's own source", () => {
  following("comes later than the venue's result: the row is settled at once and gains it", (said) =>
    Effect.gen(function* () {
      said.venue[ticker] = "yes"
      assert.strictEqual(yield* run(1), 1)
      assert.isUndefined((yield* row)!.sourceResult)
      assert.strictEqual(yield* run(2), 0)
      said.source[ticker] = "no"
      assert.strictEqual(yield* run(3), 1)
      assert.strictEqual(yield* run(4), 0)
      const found = (yield* row)!
      assert.deepInclude(found, { result: "yes", sourceResult: "no", settledAt: close + hour, capturedAt: noon })
      // The venue has not changed its mind.
      assert.deepStrictEqual(found.earlier, [])
      assert.deepStrictEqual(yield* leaves, [
        ["settlement", "yes", undefined, 1, 1],
        ["observation", "yes", "no", 3, 2],
      ])
      assert.deepStrictEqual(yield* figures, { scored: [1, 1], compared: 1, disagreed: 1, corrected: 0, void: 0 })
      assert.strictEqual((yield* (yield* Scoreboard).current).settledAt, close + 3 * hour)
    }),
  )

  following("is there before the venue's result: one row has both", (said) =>
    Effect.gen(function* () {
      said.source[ticker] = "yes"
      assert.strictEqual(yield* run(1), 0)
      said.venue[ticker] = "yes"
      assert.strictEqual(yield* run(2), 1)
      assert.strictEqual(yield* run(3), 0)
      assert.deepStrictEqual(yield* leaves, [["settlement", "yes", "yes", 2, 1]])
      assert.deepStrictEqual(yield* figures, { scored: [1, 1], compared: 1, disagreed: 0, corrected: 0, void: 0 })
    }),
  )

  following("never comes: the row stands on the venue's result, and nobody asks after three days", (said) =>
    Effect.gen(function* () {
      said.venue[ticker] = "no"
      for (const hours of [1, 30, 72, 74, 90]) yield* run(hours)
      assert.deepStrictEqual(yield* leaves, [["settlement", "no", undefined, 1, 1]])
      assert.deepStrictEqual(yield* figures, { scored: [1, 0], compared: 0, disagreed: 0, corrected: 0, void: 0 })
      assert.deepStrictEqual(said.asked, [[ticker], [ticker], [ticker]])
    }),
  )

  following("is corrected by the source: another revision, and the venue's result is still the first", (said) =>
    Effect.gen(function* () {
      said.venue[ticker] = "yes"
      said.source[ticker] = "no"
      yield* run(1)
      said.source[ticker] = "yes"
      assert.strictEqual(yield* run(5), 1)
      // A source that falls silent takes nothing back.
      said.source = {}
      assert.strictEqual(yield* run(6), 0)
      assert.deepInclude((yield* row)!, { sourceResult: "yes", settledAt: close + hour, earlier: [] })
      assert.deepStrictEqual(yield* leaves, [
        ["settlement", "yes", "no", 1, 1],
        ["correction", "yes", "yes", 5, 2],
      ])
      assert.deepStrictEqual(yield* figures, { scored: [1, 1], compared: 1, disagreed: 0, corrected: 0, void: 0 })
    }),
  )

  following("is kept when the venue changes its result, and each of the venue's words is listed once", (said) =>
    Effect.gen(function* () {
      said.venue[ticker] = "yes"
      yield* run(1)
      said.source[ticker] = "no"
      yield* run(2)
      said.venue[ticker] = "no"
      said.source = {}
      assert.strictEqual(yield* run(3), 1)
      said.venue[ticker] = "yes"
      assert.strictEqual(yield* run(4), 1)
      assert.deepInclude((yield* row)!, { result: "yes", sourceResult: "no", settledAt: close + 4 * hour })
      assert.deepStrictEqual((yield* row)!.earlier, [
        { result: "yes", settledAt: close + hour },
        { result: "no", settledAt: close + 3 * hour },
      ])
      assert.deepStrictEqual(
        (yield* leaves).map(([kind]) => kind),
        ["settlement", "observation", "correction", "correction"],
      )
      assert.deepStrictEqual(yield* figures, { scored: [1, 1], compared: 1, disagreed: 1, corrected: 2, void: 0 })
    }),
  )

  following("is neither asked for nor kept for a voided contract, until the venue gives a result after all", (said) =>
    Effect.gen(function* () {
      said.venue[ticker] = "yes"
      said.source[ticker] = "yes"
      yield* run(1)
      said.venue[ticker] = "void"
      said.asked.length = 0
      assert.strictEqual(yield* run(2), 1)
      assert.strictEqual(yield* run(3), 0)
      assert.deepStrictEqual(said.asked.flat(), [])
      assert.deepStrictEqual(yield* figures, { scored: [0, 0], compared: 0, disagreed: 0, corrected: 1, void: 1 })
      said.venue[ticker] = "no"
      assert.strictEqual(yield* run(4), 1)
      assert.deepStrictEqual((yield* leaves).slice(1), [
        ["correction", "void", undefined, 2, 2],
        ["correction", "no", "yes", 4, 3],
      ])
      assert.deepStrictEqual(yield* figures, { scored: [1, 1], compared: 1, disagreed: 1, corrected: 2, void: 0 })
    }),
  )

  following(
    "is not asked for again where its source corrects nothing",
    (said) =>
      Effect.gen(function* () {
        said.venue = { report: "yes", price: "yes" }
        said.source = { report: "yes", price: "yes" }
        yield* run(1)
        yield* run(2)
        assert.deepStrictEqual(said.asked, [["price", "report"], ["report"]])
      }),
    [{ ticker: "report" }, { ticker: "price", domain: "crypto", lane: "crypto" }],
  )

  following("costs the row nothing where its source is down, which the run tells", (said) =>
    Effect.gen(function* () {
      said.venue[ticker] = "yes"
      said.warnings = ["KNYC/2026-07-12: it is down"]
      yield* TestClock.setTime(close + hour)
      assert.deepStrictEqual(yield* settle, {
        done: 1,
        refusals: [],
        notes: [],
        warnings: said.warnings,
        failures: [],
        sources: 1,
      })
      assert.strictEqual((yield* row)!.result, "yes")
      said.warnings = []
      said.source[ticker] = "yes"
      assert.strictEqual(yield* run(2), 1)
    }),
  )

  following(
    "of a contract without a quote is recorded and not scored; of one that was never captured nobody asks",
    (said) =>
      Effect.gen(function* () {
        said.venue = { quiet: "yes", unknown: "yes" }
        said.source = { quiet: "no", unknown: "no" }
        yield* run(1)
        assert.deepStrictEqual(yield* leaves, [["settlement", "yes", "no", 1, 1]])
        assert.deepStrictEqual(yield* figures, { scored: [0, 0], compared: 0, disagreed: 0, corrected: 0, void: 0 })
        assert.deepStrictEqual(said.asked, [["quiet"]])
      }),
    [{ ticker: "quiet", bidAsk: { yesBid: 0, yesAsk: 500, noAsk: 10_000 } }],
  )

  const many = Array.from({ length: 1_100 }, (_, at) => String(at))
  following(
    "of more contracts than one step takes",
    (said) =>
      Effect.gen(function* () {
        said.venue = Object.fromEntries(many.map((one) => [one, "yes"]))
        assert.strictEqual(yield* run(1), many.length)
        said.source = Object.fromEntries(many.map((one) => [one, "no"]))
        assert.strictEqual(yield* run(2), many.length)
        assert.strictEqual(yield* run(3), 0)
        const { scored: both, disagreed } = yield* figures
        assert.deepStrictEqual([...both, disagreed], [many.length, many.length, many.length])
      }),
    many.map((one) => ({ ticker: one })),
  )
})
