import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import { clusterBootstrap } from "../../../../core/math/bootstrap.ts"
import { xoshiro128 } from "../../../../core/math/xoshiro128.ts"
import * as Board from "../../../../core/record/scoreboard/board.ts"
import * as Challengers from "../../../../core/record/scoreboard/challengers.ts"
import { boardIntervals, seed } from "../../../../core/record/scoreboard/scores.ts"
import { settledRows } from "../../../support/settledRows.ts"

const { add, empty, challengerScores, sharedClusters } = Challengers

interface Row extends Challengers.Scored {
  readonly challenger: number
}

const [capturedAt, closeTime] = [1_000_000, 5_000_000]

const row = (changes: Partial<Row>): Row => ({
  ...{ domain: "weather", event: "E1", challenger: 500_000, model: 500_000, market: 320_000, happened: true },
  ...{ capturedAt, closeTime },
  ...changes,
})

const rows = [
  row({ challenger: 700_000 }),
  row({ challenger: 100_000, happened: false }),
  row({ challenger: 400_000, event: "E2" }),
]

/** The opinion of a row, made and anchored at its capture. */
const opinionOf = ({ challenger: p, capturedAt: at }: Row): Challengers.Opinion => ({ p, at, anchoredAt: at })

const addReliability = (all: ReadonlyArray<Row>) => {
  const sums = empty()
  for (const one of all) add(sums, one, opinionOf(one))
  return sums
}

describe("a challenger's scores", () => {
  it("are the mean squared errors on the same rows", () => {
    const scores = challengerScores(addReliability(rows))!
    assert.strictEqual(scores.shared, 3)
    assert.closeTo(scores.challenger, (0.3 ** 2 + 0.1 ** 2 + 0.6 ** 2) / 3, 1e-15)
    assert.closeTo(scores.model, 0.25, 1e-15)
    assert.closeTo(scores.market, (0.68 ** 2 + 0.32 ** 2 + 0.68 ** 2) / 3, 1e-15)
  })

  it("have the differences of a bootstrap over the weeks", () => {
    const weeks = Array.from({ length: 12 }, (_, week) =>
      row({
        closeTime: closeTime + week * 7 * 86_400_000,
        challenger: 700_000 - 40_000 * week,
        happened: week % 3 > 0,
      }),
    )
    const squared = (p: number, { happened }: Row) => (p / 1e6 - (happened ? 1 : 0)) ** 2
    const sums = weeks.map((one) => [1, ...[one.challenger, one.model, one.market].map((p) => squared(p, one))])
    const [toModel, toMarket] = clusterBootstrap(
      [Float64Array.from(sums.flat())],
      4,
      2,
      ([drawn], into) => {
        into[0] = (drawn![1]! - drawn![2]!) / drawn![0]!
        into[1] = (drawn![1]! - drawn![3]!) / drawn![0]!
      },
      2_000,
      xoshiro128(seed),
      0.95,
    )
    const { model, market } = challengerScores(addReliability(weeks))!.differences!
    for (const end of ["low", "high"] as const) {
      assert.closeTo(model[end], toModel![end], 1e-12)
      assert.closeTo(market[end], toMarket![end], 1e-12)
    }
    assert.isUndefined(challengerScores(addReliability(weeks.slice(0, 9)))!.differences)
  })

  it("are the scoreboard's where the challenger says what our model said", () => {
    const board = Board.empty()
    const sums = empty()
    for (const settled of settledRows(600, 3)) {
      Board.add(board, settled)
      const scored = Board.headToHead(settled)
      if (scored !== undefined) add(sums, scored, opinionOf({ ...scored, challenger: scored.model }))
    }
    const { model, market, difference } = boardIntervals(board).get("all")!
    const scores = challengerScores(sums)!
    assert.strictEqual(scores.challenger, scores.model)
    assert.deepStrictEqual([scores.differences!.model.low, scores.differences!.model.high], [0, 0])
    assert.closeTo(scores.differences!.market.low, difference.low, 1e-12)
    assert.closeTo(scores.differences!.market.high, difference.high, 1e-12)
    assert.isTrue(model.low < scores.model && scores.model < model.high)
    assert.isTrue(market.low < scores.market && scores.market < market.high)
  })

  it("are none without a row", () => {
    assert.isUndefined(challengerScores(empty()))
  })

  it("are as if a removed row had never been added", () => {
    const sums = addReliability(rows)
    add(sums, rows[2]!, opinionOf(rows[2]!), -1)
    assert.strictEqual(sharedClusters(sums), 2)
    assert.deepStrictEqual(challengerScores(sums), challengerScores(addReliability(rows.slice(0, 2))))
    assert.strictEqual(sums.changes, 4)
  })
})

const millionths = fc.integer({ min: 0, max: 1_000_000 })
const time = fc.integer({ min: 0, max: 60 })
/** Times are small, so that they coincide. */
const anyRow = fc
  .record({ model: millionths, market: millionths, happened: fc.boolean(), times: fc.tuple(time, time), quoted: time })
  .filter(({ times: [one, other] }) => one !== other)
  .map(({ times, quoted, ...figures }) =>
    row({ ...figures, capturedAt: Math.min(...times), closeTime: Math.max(...times), quotedAt: quoted }),
  )
const anyOpinion = fc
  .record({ p: millionths, at: time, delay: fc.option(fc.integer({ min: 0, max: 20 })) })
  .map(({ p, at, delay }) => ({ p, at, ...(delay === null ? {} : { anchoredAt: at + delay }) }))

describe("the opinion that is compared with a capture", () => {
  const compared = (one: Row, opinion: Challengers.Opinion) => {
    const sums = empty()
    add(sums, one, opinion)
    assert.strictEqual(sums.unscored + sharedClusters(sums), 1)
    return challengerScores(sums)
  }

  it("is never newer than the capture or its quotes, and always covered before the close", () => {
    fc.assert(
      fc.property(anyRow, anyOpinion, (one, opinion) => {
        const scores = compared(one, opinion)
        const isEarly = opinion.at <= one.capturedAt && opinion.at <= one.quotedAt!
        assert.strictEqual(scores !== undefined, isEarly && (opinion.anchoredAt ?? Infinity) < one.closeTime)
        if (scores === undefined) return
        assert.strictEqual(scores.lead, one.closeTime - opinion.at)
        assert.isAtLeast(scores.lead, scores.captureLead)
      }),
    )
  })

  it("says the market's price at the capture: the score is the market's", () => {
    fc.assert(
      fc.property(anyRow, anyOpinion, (one, { at, anchoredAt }) => {
        const scores = compared(one, { p: one.market, at, ...(anchoredAt === undefined ? {} : { anchoredAt }) })
        if (scores !== undefined) assert.strictEqual(scores.challenger, scores.market)
      }),
    )
  })

  it("is not improved by a later one that knows the outcome", () => {
    fc.assert(
      fc.property(anyRow, anyOpinion, fc.integer({ min: 1, max: 30 }), (one, opinion, later) => {
        const after = Challengers.figuresAt(one) + later
        assert.isUndefined(compared(one, { p: one.happened ? 1_000_000 : 0, at: after, anchoredAt: after }))
        assert.strictEqual(Challengers.isComparable(opinion, one), compared(one, opinion) !== undefined)
      }),
    )
  })
})
