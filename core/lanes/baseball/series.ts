import { type ScoreSubject, scoreContracts } from "../../contracts/finalScore.ts"
import { teamIds } from "./teams.ts"

/**
 * The venue's series with what their contracts are about: who wins, one contract per team. Series on margins and totals
 * (KXMLBSPREAD, KXMLBTOTAL) are left out, since the model does not predict runs.
 */
export const venueSeries: Readonly<Record<string, ScoreSubject>> = { KXMLBGAME: "winner" }

export const {
  homeWin,
  findFixture: parseSides,
  scoreRules,
} = scoreContracts(venueSeries, (code) => Object.hasOwn(teamIds, code))
