import { type On, onScore } from "../../contracts/finalScore.ts"
import { teamIds } from "./teams.ts"

/**
 * Series by what their contracts are on: who wins, one contract per team. The model knows nothing of runs, so that those on
 * margins and totals (KXMLBSPREAD, KXMLBTOTAL) are left out.
 */
export const series: Readonly<Record<string, On>> = { KXMLBGAME: "winner" }

/** Reads the contracts of these series. */
export const { homeWin, listed, answers } = onScore(series, (code) => Object.hasOwn(teamIds, code))
