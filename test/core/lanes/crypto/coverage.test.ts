import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { requireRecord } from "../../../../core/contracts/ContractPricing.ts"
import { Feeds } from "../../../../core/feeds/Feeds.ts"
import { Crypto } from "../../../../core/lanes/crypto/Crypto.ts"
import { type Hole, tapeCoverage } from "../../../../core/lanes/crypto/coverage.ts"
import { CryptoLaws, type Window } from "../../../../core/lanes/crypto/ports.ts"
import { asking, hour, lastMinute, week, window } from "../../../support/crypto.ts"

const endOf = (minute: number) => (minute + 1) * 60_000

describe("the coverage of a tape", () => {
  const names = ({ missing }: ReturnType<typeof tapeCoverage>) => missing.map(({ name }) => name)

  it("lacks a minute from two minutes after it began", () => {
    assert.deepStrictEqual(names(tapeCoverage(lastMinute, [], endOf(lastMinute) + 120_000)), [])
    assert.deepStrictEqual(names(tapeCoverage(lastMinute, [], endOf(lastMinute) + 120_001)), ["2026-07-08T14:30Z"])
    assert.deepStrictEqual(names(tapeCoverage(lastMinute, [], endOf(lastMinute) + 180_001)), [
      "2026-07-08T14:30Z",
      "2026-07-08T14:31Z",
    ])
  })

  it("lists an hour of late minutes at most, also of a tape without candles", () => {
    for (const last of [lastMinute - 10_000, undefined]) {
      const found = tapeCoverage(last, [], endOf(lastMinute))
      assert.strictEqual(found.missing.length, 60)
      assert.strictEqual(found.missing.at(-1)?.order, found.expected?.order)
    }
  })

  it("has a gap for five minutes in a row without a candle", () => {
    const holes = [
      { from: 10, to: 14 },
      { from: 20, to: 25 },
    ]
    assert.deepStrictEqual(tapeCoverage(lastMinute, holes, endOf(lastMinute)).gaps, [
      { order: 20, name: "5 minutes from 1970-01-01T00:20Z" },
    ])
  })
})

describe("a signal of a tape that is not whole", () => {
  /** The register over a tape with these holes. */
  const feeds = (holes: ReadonlyArray<Hole>) =>
    Layer.succeed(Feeds, {
      coverage: () => Effect.sync(() => tapeCoverage(lastMinute, holes, endOf(lastMinute))),
      all: Effect.succeed([]),
      attempted: () => Effect.void,
    })
  const signal = (holes: ReadonlyArray<Hole>, whole: Window = window(week)) =>
    asking(Layer.provide(Crypto.layer, [CryptoLaws.layerNone, feeds(holes)]))(whole, (lane) => lane.signal(hour))

  it.effect("says which minutes it lacks, is less confident, and is neither recorded nor priced", () =>
    Effect.gen(function* () {
      const [good, holed] = [yield* signal([]), yield* signal([{ from: lastMinute - 100, to: lastMinute - 90 }])]
      assert.deepStrictEqual([good.unrecorded, good.record === undefined], [undefined, false])
      const text = "BTC candles lack 10 minutes from 2026-07-08T12:49Z."
      assert.deepStrictEqual([holed.unrecorded, holed.record], [text, undefined])
      assert.deepStrictEqual(holed.results.quality_flags, ["tape_incomplete"])
      assert.include(holed.reasoning, `${text} The signal is not recorded.`)
      assert.closeTo(holed.confidence.score, 0.7 * good.confidence.score, 0.006)
      const failure = yield* Effect.flip(requireRecord(holed))
      assert.deepStrictEqual([failure.code, failure.message], ["data_freshness_stale", text])
    }),
  )

  it.effect("names the exchanges that disagree, and the one that it goes by", () =>
    Effect.gen(function* () {
      const disagreement = { minute: lastMinute, primary: "coinbase", secondary: "kraken", gap: 0.0123 }
      const doubtful = window(week, {
        ...{ source: "coinbase, kraken", lastSource: "kraken", flags: ["source_disagreement"], disagreement },
      })
      const { reasoning, citations, unrecorded, record } = yield* signal([], doubtful)
      assert.match(reasoning[0]!, / USD at 2026-07-08T14:30:00\.000Z, by kraken\.$/)
      assert.deepStrictEqual(
        citations.map(({ step, source }) => [step, source]),
        [
          [1, "kraken"],
          [2, "coinbase, kraken"],
        ],
      )
      const text = "coinbase and kraken differ by up to 1.23 %, compared at 2026-07-08T14:29Z."
      assert.deepStrictEqual([unrecorded, record], [text, undefined])
      assert.include(reasoning, `${text} The signal is not recorded.`)
    }),
  )
})
