import * as Arr from "effect/Array"
import { baseballWins, feeRate } from "../../../bench/open/backtest/pricedWins.ts"
import { expectedGain, poolContract } from "../../../core/contracts/pooled.ts"
import { runToEnd } from "../../../core/math/runToEnd.ts"
import { anchorWeightSteps } from "../../../core/record/scoreboard/anchorWeight.ts"
import { minEdge } from "../../../core/record/scoreboard/hypothetical.ts"
import { toMarketProbability } from "../../../core/record/scoreboard/Settled.ts"
import { count } from "../../../core/text.ts"
import { dayOf } from "../../../core/time.ts"
import { type Day, usd } from "./Day.ts"

/** Games of a full day. */
const full = 15

export const baseballDay = async (root: string): Promise<Day> => {
  const rows = await baseballWins(root)
  const onDay = Arr.groupBy(rows, ({ capturedAt }) => dayOf(capturedAt))
  const [on, games] = Object.entries(onDay).findLast(([, listed]) => listed.length >= full)!
  const { weight, rows: scored } = runToEnd(
    anchorWeightSteps(rows.filter(({ settledAt }) => settledAt < Date.parse(on))),
  )
  const all = games.map((row) => {
    const contract = { bidAsk: row.quotes, feeRate }
    const edge = row.model - toMarketProbability(row.quotes)
    const won = expectedGain(contract, edge, row.result === "yes" ? 1e6 : 0)!
    return { edge, won, gain: poolContract(contract, row.model, weight).expected_gain! }
  })
  const bought = all.filter(({ edge }) => Math.abs(edge) >= minEdge)
  return {
    heading: `Baseball: the games of ${on}`,
    told: `Recorded: a book's closing moneylines of the last full day in the file, without their minutes, and the results; no answers of MLB's interface on that day. So no server is asked: the served model's probabilities are those of the backtest, walking forward, and bid and ask are the price without the margin, a cent less and a cent more.`,
    rows: [],
    ended: [
      `${games.length} games. Over ${count(scored)} games before that day the weight of the model beside the price is ${weight}: the expected gain is below 0 on ${all.filter(({ gain }) => gain < 0).length} of ${games.length}, and ${all.filter(({ gain }) => gain > 0).length} are recommended.`,
      `Where the model alone differs by 0.05 or more, ${bought.length} contracts would have been bought, one each; after price and fee they gained ${usd(bought.reduce((sum, { won }) => sum + won, 0))}.`,
    ],
  }
}
