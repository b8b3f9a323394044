import { logistic, logit } from "../../math/logistic.ts"
import { probabilityScale } from "./calibration.ts"

/** Probabilities are kept this far from 0 and 1: a model that is certain has finite log-odds. */
export const clip = 0.001

/** @param millionths of probability */
export const clipped = (millionths: number): number => Math.min(1 - clip, Math.max(clip, millionths / probabilityScale))

/**
 * Model and market together, millionths: what is served and scored. The market's own price at weight 0.
 *
 * @param model millionths
 * @param market millionths
 */
export const pool = (model: number, market: number, weight: number): number => {
  if (weight === 0) return market
  const base = logit(clipped(market))
  return Math.round(probabilityScale * logistic(base + weight * (logit(clipped(model)) - base)))
}
