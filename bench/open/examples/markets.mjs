// A naive model of contracts: halfway between the price and the served model, in log odds.
// market-signals-bench markets --data settled.csv --model bench/open/examples/markets.mjs

export const name = "halfway"

/** @param {number} p */
const logOdds = (p) => {
  const inside = Math.min(0.999, Math.max(0.001, p))
  return Math.log(inside / (1 - inside))
}

/** @type {import("../lanes/markets/task.ts").MarketsForecaster} */
export const forecast = ({ marketProb, modelProb }) => ({
  p: 1 / (1 + Math.exp(-(logOdds(marketProb) + logOdds(modelProb)) / 2)),
})
