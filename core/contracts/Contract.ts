import type { Contract, Depth } from "../call/Contract.ts"
import { isLive, type SettledMarket, toMarketProbability } from "../record/scoreboard/Settled.ts"

export type { Contract, Depth }

/** A contract with a model's probability. */
export interface Priced extends Contract {
  /** A station, a game, an asset. */
  readonly instrument: string
  /** Lane and subject of the signal that prices it. */
  readonly lane: string
  readonly subject: string
  /** The model's probability of yes, whole millionths. */
  readonly model: number
  readonly modelVersion: string
  /** In a capture: the model's weight beside the price, as published then; absent before. */
  readonly poolWeight?: number
  readonly basis: SettledMarket["basis"]
  /** How the venue's settlement source agrees with the model's, such as `312 of 314`. */
  readonly agreement?: string
  /** The model's quality flags; an open vocabulary. */
  readonly flags: ReadonlyArray<string>
}

export interface VenueResult {
  readonly ticker: string
  /** Epoch milliseconds of the actual close. */
  readonly closedAt: number
  readonly result: SettledMarket["result"]
}

/** A difference of at least this, in millionths, suggests an error of the model, the mapping or the quote. */
const implausibleEdge = 300_000

/** Model minus market in millionths; undefined unless both sides of the book are live. */
export const modelEdge = ({ bidAsk, model }: Pick<Priced, "bidAsk" | "model">): number | undefined =>
  isLive(bidAsk) ? model - toMarketProbability(bidAsk) : undefined

/** The quality flags of the model and of the comparison. */
export const qualityFlags = (contract: Priced): ReadonlyArray<string> => {
  const edge = modelEdge(contract)
  return edge !== undefined && Math.abs(edge) >= implausibleEdge
    ? [...contract.flags, "divergence_implausible"]
    : contract.flags
}

/** A probability in whole millionths; undefined for NaN and values outside [0, 1]. */
export const millionths = (probability: number): number | undefined =>
  probability >= -1e-9 && probability <= 1 + 1e-9
    ? Math.round(Math.min(1, Math.max(0, probability)) * 1_000_000)
    : undefined
