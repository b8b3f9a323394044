import { logistic, logit } from "../../math/logistic.ts"
import { probabilityScale } from "./calibration.ts"

/** Probabilities are kept this far from 0 and 1, so that the log-odds of a model that is certain are finite. */
export const clip = 0.001

/** @param millionths of probability */
export const clipMillionths = (millionths: number): number =>
  Math.min(1 - clip, Math.max(clip, millionths / probabilityScale))

/**
 * The pool of model and market, millionths, as served and scored; at weight 0 it is the market's price.
 *
 * @param model millionths
 * @param market millionths
 */
export const pool = (model: number, market: number, weight: number): number => {
  if (weight === 0) return market
  const base = logit(clipMillionths(market))
  return Math.round(probabilityScale * logistic(base + weight * (logit(clipMillionths(model)) - base)))
}
