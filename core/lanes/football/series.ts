import { type ScoreSubject, scoreContracts } from "../../contracts/finalScore.ts"
import { findFranchise } from "./data/teams.ts"

/** The venue's series with what their contracts are about: who wins, the margin, or the total points. */
export const venueSeries: Readonly<Record<string, ScoreSubject>> = {
  KXNFLGAME: "winner",
  KXNFLSPREAD: "margin",
  KXNFLTOTAL: "total",
}

export const {
  homeWin,
  findFixture: parseSides,
  scoreRules,
  span: toSpan,
} = scoreContracts(venueSeries, (code) => findFranchise(code) !== undefined)
