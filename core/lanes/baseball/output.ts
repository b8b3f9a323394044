import { rounded } from "../../endpoint/Rounding.ts"
import { fairOdds } from "./endpoints.ts"

/** The part of a signal that is scored, as served. */
export const outputOf = (win_prob_home: number) => rounded(fairOdds, { prediction: { win_prob_home } }).prediction
