import { type ScoreSubject, scoreContracts } from "../../contracts/finalScore.ts"
import { franchise } from "./data/teams.ts"

/** Series by what their contracts are on: who wins, by more than how much, and the points of both. */
export const series: Readonly<Record<string, ScoreSubject>> = {
  KXNFLGAME: "winner",
  KXNFLSPREAD: "margin",
  KXNFLTOTAL: "total",
}

/** Reads the contracts of these series. */
export const { homeWin, listed, answers, span } = scoreContracts(series, (code) => franchise(code) !== undefined)
