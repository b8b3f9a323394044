import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import * as contracts from "../../../../adapters/lanes/markets/store/Contracts.ts"
import * as secrets from "../../../../adapters/runtime/node/secrets.ts"
import { Sqlite } from "../../../../adapters/store/engine/sqlite/client.ts"
import * as captures from "../../../../adapters/store/record/Captures.ts"
import * as sqlSettled from "../../../../adapters/store/record/Settled.ts"
import type { Contract, Priced, VenueResult } from "../../../../core/contracts/Contract.ts"
import { fail } from "../../../../core/Failure.ts"
import { Feeds } from "../../../../core/feeds/Feeds.ts"
import * as Lane from "../../../../core/lanes/Lane.ts"
import { edge } from "../../../../core/lanes/markets/edge.ts"
import {
  ContractStore,
  OpenContracts,
  type PartialResult,
  PricingLanes,
  Scoreboard,
  SettledRows,
  SourceResults,
  Venues,
} from "../../../../core/lanes/markets/ports.ts"
import { capture, refresh, settle } from "../../../../core/lanes/markets/rounds.ts"
import { toInputs } from "../../../../core/record/captures/RecordInputs.ts"
import { RecordLog } from "../../../../core/record/log/RecordLog.ts"
import { contract, noon } from "../../../support/contracts.ts"
import { inStore } from "../../../support/record.ts"

const minute = 60_000
const hour = 60 * minute

const high = contract()
const low = contract({ series: "KXLOWTNYC", event: "KXLOWTNYC-26JUL12", ticker: "KXLOWTNYC-26JUL12-T70" })
const close = high.closeTime

/** What a venue says next; a test changes it as it goes. */
interface Saying {
  open: PartialResult<Contract>
  outcomes: PartialResult<VenueResult>
  readonly unknownSources?: ReadonlyArray<string>
}

const heard = <A>(...rows: ReadonlyArray<A>): PartialResult<A> => ({ items: rows, failed: [] })

const without = <A>(told: PartialResult<A>, part: string): PartialResult<A> => ({
  ...told,
  failed: [{ part, failure: fail("upstream_unavailable", { detail: "It is down." }) }],
})

/** The following over a store, one venue, and a model that knows every contract of its. */
const following = (saying: Saying) => {
  const told: ReadonlyArray<Priced> = [high, low]
  const venues = Layer.succeed(Venues, [
    {
      name: "kalshi",
      domains: ["weather"],
      open: () =>
        Effect.map(TestClock.currentTimeMillis, (quotedAt) => ({
          ...saying.open,
          items: saying.open.items.map((one) => ({ ...one, quotedAt })),
        })),
      outcomes: () => Effect.sync(() => saying.outcomes),
    },
  ])
  const models = Layer.succeed(PricingLanes, {
    price: (listed) =>
      Effect.succeed({
        signals: listed.map((one) => ({
          ...{ lane: "weather", subject: { _tag: "Game" as const, id: one.ticker } },
          record: {
            ...{
              lane: "weather",
              endpoint: "weather_signal",
              subject: { _tag: "Game" as const, id: one.ticker },
              modelVersion: "m",
              params: {},
            },
            ...{ output: () => ({}), inputs: toInputs({}), at: one.quotedAt, closeTime: one.closeTime },
          },
          contracts: [{ ...told.find(({ ticker }) => ticker === one.ticker)!, ...one }],
        })),
        warnings: [],
        unknownSources: saying.unknownSources ?? [],
      }),
  })
  return Layer.mergeAll(
    Layer.mergeAll(
      contracts.layerOpenContracts([]),
      sqlSettled.layerSettledRows,
      sqlSettled.layerScoreboard,
      contracts.layerStore,
    ),
    captures.layer,
    Layer.mergeAll(venues, models, SourceResults.layerNone, Feeds.layerNone),
  ).pipe(Layer.provideMerge(secrets.layer), Layer.provideMerge(inStore()))
}

const known = Effect.map(
  Effect.flatMap(OpenContracts, ({ open }) => open),
  ({ contracts: found }) => found.map(({ ticker, quotedAt }) => [ticker, quotedAt]).sort(),
)

const rows = Effect.flatMap(SettledRows, ({ after }) => after("weather", undefined, 100))

const board = Effect.flatMap(Effect.all([Feeds, OpenContracts, Scoreboard]), ([feeds, open, scoreboard]) =>
  Lane.method(edge, { feeds, contracts: open, scoreboard, calls: { find: () => undefined } })({ min_edge: 0.05 }),
)

describe("a series that a venue fails to return", () => {
  it.effect("stays as it was seen last, gets old, and is captured no more", () => {
    const saying: Saying = { open: heard(high, low), outcomes: heard() }
    return Effect.gen(function* () {
      yield* TestClock.setTime(noon)
      assert.deepInclude(yield* refresh, { done: 2, warnings: [], failures: [], sources: 1 })
      saying.open = without(heard(high), "KXLOWTNYC")
      yield* TestClock.setTime(noon + 3 * minute)
      assert.deepInclude(yield* refresh, { done: 1, warnings: ["kalshi weather KXLOWTNYC: It is down."], failures: [] })
      assert.deepStrictEqual(yield* known, [
        [high.ticker, noon + 3 * minute],
        [low.ticker, noon],
      ])
      const { results } = yield* board
      assert.deepStrictEqual(
        results.edges.map(({ market, actionable }) => [market, actionable]),
        [
          [high.ticker, true],
          [low.ticker, true],
        ],
      )
      assert.strictEqual((yield* capture(noon + 3 * minute)).done, 1)
      // A series that it tells again, with nothing in it, is empty.
      saying.open = heard(high)
      yield* refresh
      assert.strictEqual((yield* known).length, 1)
    }).pipe(Effect.provide(following(saying)))
  })

  it.effect(
    "on a source that nobody knows by name is a refusal of the venue's books, as what a venue says that they lack",
    () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(noon)
        const { refusals, notes } = yield* refresh
        assert.deepStrictEqual(refusals, [])
        assert.deepStrictEqual(notes, [
          { venue: "kalshi", reason: "kalshi weather: No fees." },
          {
            venue: "kalshi",
            reason:
              'kalshi weather: contracts that settle on "Synoptic Data" are not priced: no model knows this source (settlement_source_unknown).',
          },
        ])
      }).pipe(
        Effect.provide(
          following({
            open: { ...heard(high), notes: ["No fees."] },
            outcomes: heard(),
            unknownSources: ["Synoptic Data"],
          }),
        ),
      ),
  )

  it.effect("costs the results of the others nothing", () => {
    const yes = { ticker: high.ticker, closedAt: close, result: "yes" as const }
    const saying: Saying = { open: heard(high, low), outcomes: without(heard(yes), "KXLOWTNYC-26JUL12-T70 and 0 more") }
    return Effect.gen(function* () {
      yield* TestClock.setTime(noon)
      yield* capture(noon)
      yield* TestClock.setTime(close + hour)
      const round = yield* settle
      assert.deepInclude(round, { done: 1, failures: [] })
      assert.deepStrictEqual(round.warnings, ["kalshi KXLOWTNYC-26JUL12-T70 and 0 more: It is down."])
    }).pipe(Effect.provide(following(saying)))
  })
})

describe("a result", () => {
  const told = (result: VenueResult["result"], closedAt = close): VenueResult => ({
    ticker: high.ticker,
    closedAt,
    result,
  })

  /** Every settled row and leaf after what was said round by round. */
  const after = (...said: ReadonlyArray<PartialResult<VenueResult>>) => {
    const saying: Saying = { open: heard(high), outcomes: heard() }
    return Effect.gen(function* () {
      yield* TestClock.setTime(noon)
      yield* capture(noon)
      const done: Array<number> = []
      for (const [at, outcomes] of said.entries()) {
        yield* TestClock.setTime(close + (at + 1) * hour)
        saying.outcomes = outcomes
        done.push((yield* settle).done)
      }
      const [row] = yield* rows
      const log = yield* RecordLog
      const kinds = (yield* log.range(1, 10)).map(({ text }) => JSON.parse(text).kind)
      const { board: sums } = yield* Effect.flatMap(Scoreboard, ({ current }) => current)
      return { done, row, kinds, counts: sums.counts.get("weather") }
    }).pipe(Effect.provide(following(saying)))
  }

  const cases: ReadonlyArray<
    readonly [
      what: string,
      said: ReadonlyArray<PartialResult<VenueResult>>,
      done: ReadonlyArray<number>,
      result: string | undefined,
      kinds: ReadonlyArray<string>,
    ]
  > = [
    ["once", [heard(told("yes"))], [1], "yes", ["settlement"]],
    ["twice in one answer", [heard(told("yes"), told("yes"))], [1], "yes", ["settlement"]],
    ["two of one contract: the last word", [heard(told("yes"), told("no"))], [1], "no", ["settlement"]],
    ["again and again", [heard(told("yes")), heard(told("yes")), heard(told("yes"))], [1, 0, 0], "yes", ["settlement"]],
    ["changed", [heard(told("yes")), heard(told("no"))], [1, 1], "no", ["settlement", "correction"]],
    [
      "changed and changed back",
      [heard(told("yes")), heard(told("no")), heard(told("yes"))],
      [1, 1, 1],
      "yes",
      ["settlement", "correction", "correction"],
    ],
    ["taken back", [heard(told("yes")), heard()], [1, 0], "yes", ["settlement"]],
    ["voided afterwards", [heard(told("yes")), heard(told("void"))], [1, 1], undefined, ["settlement", "correction"]],
    ["of a contract that nobody asked about", [heard({ ...told("yes"), ticker: "X" })], [0], undefined, []],
    ["of an early close", [heard(told("yes", noon + minute))], [1], "yes", ["settlement"]],
    ["of a close before the capture", [heard(told("yes", noon))], [0], undefined, []],
    ["of the future", [heard(told("yes", close + 9 * hour))], [0], undefined, []],
  ]
  for (const [what, said, done, result, kinds] of cases) {
    it.effect(what, () =>
      Effect.gen(function* () {
        const found = yield* after(...said)
        assert.deepStrictEqual(found.done, done)
        assert.strictEqual(found.row?.result, result)
        assert.deepStrictEqual<ReadonlyArray<string>>(found.kinds, kinds)
      }),
    )
  }
})

describe("a clock that steps back", () => {
  it.effect("makes nobody's quotes young, and no reading that comes later old", () => {
    const saying: Saying = { open: heard(high), outcomes: heard() }
    return Effect.gen(function* () {
      yield* TestClock.setTime(noon + hour)
      yield* refresh
      // Another venue, which is down when the clock steps back.
      yield* (yield* ContractStore).replace("polymarket", "crypto", [], noon + hour)
      assert.strictEqual((yield* board).results.actionable_count, 1)
      yield* TestClock.setTime(noon)
      assert.strictEqual(
        yield* Effect.match(board, { onFailure: ({ code }) => code, onSuccess: () => "answered" }),
        "data_freshness_stale",
      )
      yield* refresh
      const { results } = yield* board
      assert.deepStrictEqual([results.count, results.actionable_count], [1, 1])
    }).pipe(Effect.provide(following(saying)))
  })

  it.effect("takes no slot twice, and scores the capture that was last by the clock", () => {
    const saying: Saying = {
      open: heard(high),
      outcomes: heard({ ticker: high.ticker, closedAt: close, result: "yes" }),
    }
    return Effect.gen(function* () {
      for (const [at, slot] of [
        [noon, noon],
        [noon + hour, noon + hour],
        [noon, noon],
      ] as const) {
        yield* TestClock.setTime(at)
        yield* capture(slot)
      }
      const { db } = yield* Sqlite
      assert.strictEqual(db.prepare("SELECT COUNT(*) FROM captured_contracts").pluck().get(), 2)
      // It settles, and the clock goes back to before the close: what is known stays, and is not settled again.
      yield* TestClock.setTime(close + hour)
      assert.strictEqual((yield* settle).done, 1)
      yield* TestClock.setTime(close - hour)
      assert.strictEqual((yield* settle).done, 0)
      const [row] = yield* rows
      assert.deepInclude(row, { capturedAt: noon + hour, settledAt: close + hour, result: "yes" })
    }).pipe(Effect.provide(following(saying)))
  })
})
