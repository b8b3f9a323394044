import { type On, onScore } from "../../contracts/finalScore.ts"
import { franchise } from "./data/teams.ts"

/** Series by what their contracts are on: who wins, by more than how much, and the points of both. */
export const series: Readonly<Record<string, On>> = { KXNFLGAME: "winner", KXNFLSPREAD: "margin", KXNFLTOTAL: "total" }

/** Reads the contracts of these series. */
export const { homeWin, listed, answers, span } = onScore(series, (code) => franchise(code) !== undefined)
