import { type Domain, isLive, marketOf, type Quotes, type Settled } from "../record/scoreboard/Settled.ts"

/** A contract of a venue as it stands in its book, nothing of ours added. */
export interface Contract {
  readonly domain: Domain
  readonly venue: string
  readonly series: string
  /** What contracts share that settle on one value. */
  readonly event: string
  readonly ticker: string
  readonly title: string
  /** As the venue words it: `greater` and `less` are strict, `between` is inclusive. Tickers do not tell it. */
  readonly strikeType?: string
  readonly floorStrike?: number
  readonly capStrike?: number
  /** Epoch milliseconds at which trading is to end, as announced now. */
  readonly closeTime: number
  /** What the venue settles it on, in its own words. */
  readonly settlesOn: string
  /** The venue's fee rate in ten-thousandths, where it is known. */
  readonly feeRate?: number
  /** As it stands: a side of 0 or 1 dollar is no quote (`isLive`). */
  readonly book: Quotes
  /** Epoch milliseconds at which the book was read. */
  readonly quotedAt: number
}

/** A contract beside what a model says of it. */
export interface Priced extends Contract {
  /** A station, a game, an asset. */
  readonly instrument: string
  /** Lane and subject of the signal that prices it. */
  readonly lane: string
  readonly subject: string
  /** The model's probability of yes, whole millionths. */
  readonly model: number
  readonly modelVersion: string
  readonly basis: Settled["basis"]
  /** Doubts of the model's; an open vocabulary. */
  readonly flags: ReadonlyArray<string>
}

/** What has become of a contract, by the venue's own word. */
export interface Outcome {
  readonly ticker: string
  /** Epoch milliseconds at which trading really ended. */
  readonly closedAt: number
  readonly result: Settled["result"]
}

/** From this difference on something is wrong with the model, the mapping or the quote, more likely than not. Millionths. */
export const implausible = 300_000

/** Model minus market in millionths; undefined where the book has no two live sides. */
export const edgeOf = ({ book, model }: Pick<Priced, "book" | "model">): number | undefined =>
  isLive(book) ? model - marketOf(book) : undefined

/** The doubts of the model and of the comparison. */
export const doubtsOf = (contract: Priced): ReadonlyArray<string> => {
  const edge = edgeOf(contract)
  return edge !== undefined && Math.abs(edge) >= implausible
    ? [...contract.flags, "divergence_implausible"]
    : contract.flags
}

/** Probabilities are kept in whole millionths; NaN, and what is no probability, is undefined. */
export const millionths = (probability: number): number | undefined =>
  probability >= -1e-9 && probability <= 1 + 1e-9
    ? Math.round(Math.min(1, Math.max(0, probability)) * 1_000_000)
    : undefined
