import { type ScoreSubject, scoreContracts } from "../../contracts/finalScore.ts"
import { teamIds } from "./teams.ts"

/**
 * Series by what their contracts are on: who wins, one contract per team. The model knows nothing of runs, so that those on
 * margins and totals (KXMLBSPREAD, KXMLBTOTAL) are left out.
 */
export const series: Readonly<Record<string, ScoreSubject>> = { KXMLBGAME: "winner" }

/** Reads the contracts of these series. */
export const { homeWin, listed, answers } = scoreContracts(series, (code) => Object.hasOwn(teamIds, code))
