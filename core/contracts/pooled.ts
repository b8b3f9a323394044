import type { AnchorWeight } from "../record/scoreboard/anchorWeight.ts"
import { probabilityScale } from "../record/scoreboard/calibration.ts"
import { feePerContract, priceScale, suggestedAsk } from "../record/scoreboard/hypothetical.ts"
import { pool } from "../record/scoreboard/pool.ts"
import { toMarketProbability } from "../record/scoreboard/Settled.ts"
import { count } from "../text.ts"
import { iso } from "../time.ts"
import type { Contract } from "./Contract.ts"

/** The side that the model thinks more likely than the market does. */
export const edgeSide = (edge: number): "yes" | "no" => (edge < 0 ? "no" : "yes")

/**
 * The expected gain of a contract of the suggested side, dollars, after ask and fee, if a probability is right.
 *
 * @param yes millionths
 * @returns undefined where the venue's fee is unknown
 */
export const expectedGain = (
  { bidAsk, feeRate }: Pick<Contract, "bidAsk" | "feeRate">,
  edge: number,
  yes: number,
): number | undefined => {
  if (feeRate === undefined) return undefined
  const ask = suggestedAsk(edge, bidAsk)
  const probability = edge < 0 ? probabilityScale - yes : yes
  return (probability - ask * (probabilityScale / priceScale)) / probabilityScale - feePerContract(feeRate, ask)
}

/**
 * The pool of model and market, and the gain by it.
 *
 * @param model millionths
 */
export const poolContract = (contract: Pick<Contract, "bidAsk" | "feeRate">, model: number, weight: number) => {
  const market = toMarketProbability(contract.bidAsk)
  const pooled = pool(model, market, weight)
  const gain = expectedGain(contract, model - market, pooled)
  return {
    pooled_prob: pooled / probabilityScale,
    pool_weight: weight,
    ...(gain === undefined ? {} : { expected_gain: gain }),
  }
}

/** The home win beside the price of its contract, as an answer has it. */
export const homeWinProbability = (contract: Contract, model: number, weight: number) => {
  const market = toMarketProbability(contract.bidAsk)
  return {
    venue: contract.venue,
    market: contract.ticker,
    market_prob: market / probabilityScale,
    side: edgeSide(model - market),
    ...poolContract(contract, model, weight),
    quoted_at: iso(contract.quotedAt),
  }
}

/**
 * The sentence of the reasoning that explains a weight, with the number of settled rows behind it.
 *
 * @param noun of the rows: `games`, `weather contracts`
 */
export const weightText = ({ weight, rows }: Pick<AnchorWeight, "weight" | "rows">, noun: string): string =>
  rows === 0
    ? `No settled ${noun} have shown yet what the model adds to the price; its weight is 0.`
    : `Over ${count(rows)} settled ${noun} the model ${weight === 0 ? "adds nothing" : "has added"} to the price; its weight is ${weight}.`
