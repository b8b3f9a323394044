import type * as Effect from "effect/Effect"
import type { Contract } from "../call/Contract.ts"
import type { Recordable } from "../call/Recordable.ts"
import type { Failure } from "../Failure.ts"

export const freshnesses = ["mock", "shadow", "live"] as const
/** The mode of an answer's data. Of several sources, the mode that comes first in `freshnesses`. */
export type Freshness = (typeof freshnesses)[number]

export const worst = (a: Freshness, b: Freshness): Freshness =>
  freshnesses.indexOf(a) <= freshnesses.indexOf(b) ? a : b

export interface Citation {
  /** 1-based index into `reasoning`. */
  readonly step: number
  readonly source: string
  /** Where the source is looked up: a URL, a path of this service, or an id that an endpoint or the source accepts. */
  readonly locator: string
}

export interface Confidence {
  readonly score: number
  /** `settlement`: recorded values. `reasoned`: model output, forecasts and guesses. */
  readonly label: "settlement" | "reasoned"
  readonly factors: ReadonlyArray<string>
}

/** A canonical id and the calls that accept it, as relative paths with query. */
export interface Link {
  readonly id: string
  readonly endpoints: ReadonlyArray<string>
}

export interface Alternative {
  readonly id: string
  readonly label: string
  readonly score: number
  readonly why: string
}

/** The result of the same model with one input changed: numbers by name. */
export interface Counterfactual {
  readonly input: string
  readonly from: number
  readonly to: number
  readonly result: Readonly<Record<string, number>>
  /** `result` minus the served values. */
  readonly delta: Readonly<Record<string, number>>
}

/** A follow-up call; the envelope adds its price. */
export interface Suggestion {
  readonly endpoint: string
  readonly params: Readonly<Record<string, string | number | boolean>>
  readonly why: string
}

/**
 * A distribution over whole numbers that agrees with a market's prices. It is no model's forecast and never recorded or
 * scored. `EnvelopeSchema.ts` has the meaning of its fields.
 */
export interface AnchoredLaw {
  readonly variable: string
  readonly venue: string
  readonly venue_source: string
  readonly contracts: number
  readonly as_of: string
  readonly from: number
  readonly pmf: ReadonlyArray<number>
  readonly ge: ReadonlyArray<number>
}

export const anchoredLabel = "market-anchored, not a model"

/** The laws of a signal anchored to a market's prices, or why there are none. */
export interface MarketAnchored {
  readonly label: typeof anchoredLabel
  /** The model's weight; absent without laws. */
  readonly weight?: number
  readonly laws: ReadonlyArray<AnchoredLaw>
  /** Absent with laws. */
  readonly reason?: string
}

/** Computed only if requested by `include=`, before the charge. */
export interface Extras {
  readonly alternatives?: Effect.Effect<ReadonlyArray<Alternative>, Failure>
  readonly counterfactual?: Effect.Effect<Counterfactual, Failure>
  readonly suggestions?: ReadonlyArray<Suggestion>
  /** The signal's laws with the prices of contracts on its subject, given the model's weight. */
  readonly anchored?: (contracts: ReadonlyArray<Contract>, weight: number) => ReadonlyArray<AnchoredLaw>
}

/**
 * The return value of a lane. `Results` is the full *encoded* (wire) shape, verbose fields included; the envelope selects.
 * Lanes build wire values, and the paid path does not re-encode them; contract tests check them against the schema.
 */
export interface Answer<out Results> {
  readonly results: Results
  readonly reasoning: ReadonlyArray<string>
  readonly citations: ReadonlyArray<Citation>
  readonly confidence: Confidence
  readonly links: ReadonlyArray<Link>
  readonly freshness: Freshness
  /** The sort key of the last row of this page, when another page exists. */
  readonly next?: string
  /** False: the answer is not sold (the candidates of an ambiguous name). */
  readonly billable?: boolean
  /** The record of a signal that can be scored, written together with the charge. */
  readonly record?: Recordable<Results>
  /**
   * The fields of a live signal beside the price of a contract on its subject, and the sentence about the model's weight;
   * undefined where no contract is on it. Computed after the answer was offered to the record.
   */
  readonly beside?: (
    contracts: ReadonlyArray<Contract>,
    weight: { readonly weight: number; readonly rows: number },
  ) => { readonly results: Partial<Results>; readonly sentence: string } | undefined
  /** Why a signal that could be recorded is not: an input of its model is missing. */
  readonly unrecorded?: string
  readonly extras?: Extras
}
