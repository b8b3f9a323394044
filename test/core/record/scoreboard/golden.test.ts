import { assert, it } from "@effect/vitest"
import { runToEnd } from "../../../../core/math/runToEnd.ts"
import { anchorWeightSteps } from "../../../../core/record/scoreboard/anchorWeight.ts"
import * as Board from "../../../../core/record/scoreboard/board.ts"
import * as Challengers from "../../../../core/record/scoreboard/challengers.ts"
import { domains } from "../../../../core/record/scoreboard/Settled.ts"
import {
  boardIntervals,
  divisionSteps,
  findPair,
  pairScores,
  pairsBelow,
  profitCurve,
  toReport,
} from "../../../../core/record/scoreboard/scores.ts"
import { digest } from "../../../support/digest.ts"
import { settledRows } from "../../../support/settledRows.ts"

const rows = settledRows(900, 5)
const board = Board.empty()
for (const row of rows) Board.add(board, row)
for (const row of rows.slice(0, 30)) Board.correct(board, row, { ...row, result: row.result === "no" ? "yes" : "no" })

// Each later program opens the sums of a store, and what is published stays: a change belongs into CHANGELOG.md.
it("the scoreboard of the same rows is the same in each release", () => {
  const names = ["all", "contested", "source", ...domains.map((domain) => `domain/${domain}`), "none"]
  assert.deepStrictEqual(
    {
      pairs: digest(board.pairs),
      clusters: digest(board.clusters),
      days: digest(board.days),
      counts: digest(board.counts),
      scores: digest(names.map((name) => pairScores(findPair(board, name)))),
      reports: digest(names.map((name) => toReport(findPair(board, name).model))),
      versions: digest(pairsBelow(board, "version/")),
      parts: digest(board.parts),
      divisions: digest(runToEnd(divisionSteps(board))),
      curve: digest(profitCurve(board.days)),
      poolDays: digest(board.poolDays),
      intervals: digest(boardIntervals(board)),
    },
    {
      clusters: "fb75e8bc",
      counts: "24ac964a",
      curve: "b026da08",
      days: "265fe187",
      divisions: "7da567b8",
      intervals: "7d77b9fa",
      pairs: "8435ec1b",
      parts: "9b33da44",
      poolDays: "7b33b375",
      reports: "a024f1fd",
      scores: "e8bd560b",
      versions: "35831920",
    },
  )
})

it("the scores of a challenger on the same rows are the same in each release", () => {
  const sums = Challengers.empty()
  for (const [at, row] of rows.entries()) {
    const scored = Board.headToHead(row)
    if (scored === undefined) continue
    // Every fifth comes after the capture, every seventh is not covered before the close, every eleventh says nothing.
    const opinion = {
      p: (at * 7_919) % 1_000_001,
      at: row.capturedAt + (at % 5 === 0 ? 1 : -1_000 * (at % 4)),
      ...(at % 7 === 0 ? {} : { anchoredAt: row.closeTime - (at % 3) }),
    }
    Challengers.add(sums, scored, at % 11 === 0 ? undefined : opinion)
  }
  assert.deepStrictEqual(
    {
      shared: Challengers.sharedClusters(sums),
      sums: digest(sums),
      scores: digest(Challengers.challengerScores(sums)),
    },
    {
      scores: "88b32715",
      shared: 334,
      sums: "4c05f841",
    },
  )
})

it("the weight of a model beside the market is the same in each release", () => {
  const quoted = rows.map((row, at) => ({
    ...row,
    // A model that knows the result half of the time.
    model: at % 2 === 0 ? row.model : row.result === "yes" ? 800_000 : 200_000,
    settledAt: row.closeTime + 60_000,
    capturedAt: row.capturedAt + (at % 50) * 86_400_000,
  }))
  const weights = [quoted, quoted.slice(0, 130), quoted.slice(0, 99), rows]
  assert.deepStrictEqual(
    weights.map((some) => digest(runToEnd(anchorWeightSteps(some)))),
    ["88e21675", "08ac82fc", "71922324", "324d8be2"],
  )
})
