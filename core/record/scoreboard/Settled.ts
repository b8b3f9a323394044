import { type BidAsk, type Contract, type Domain, domains } from "../../call/Contract.ts"

export { type BidAsk, type Domain, domains }

export type Result = "yes" | "no"

/** Whether both sides can be traded. A bid of 0, an ask of 1 USD or a bid above the ask is not a live quote. */
export const isLive = ({ yesBid, yesAsk, noAsk }: BidAsk): boolean =>
  yesBid > 0 && yesBid <= yesAsk && yesAsk < 10_000 && noAsk > 0 && noAsk < 10_000

/** The market's probability in millionths, always an integer: the midpoint of yes bid and yes ask. */
export const toMarketProbability = ({ yesBid, yesAsk }: BidAsk): number => (yesBid + yesAsk) * 50

/** A settled contract: the last probabilities of model and market before its close, and the result. */
export interface SettledMarket
  extends Pick<
    Contract,
    | "domain"
    | "venue"
    | "series"
    | "ticker"
    | "event"
    | "title"
    | "strikeType"
    | "floorStrike"
    | "capStrike"
    | "feeRate"
  > {
  /** A station, a game, an asset. */
  readonly instrument: string
  /** Absent if the capture did not have two live sides; such a contract is not scored. */
  readonly quotes?: BidAsk
  /** The model's probability of yes, whole millionths. */
  readonly model: number
  readonly modelVersion: string
  /** The model's weight in the pool as published when captured, 0 to 1 with six decimals. */
  readonly poolWeight: number
  /** The recorded capture with model and quotes. */
  readonly captureId: string
  /** Epoch milliseconds; before `closeTime`. */
  readonly capturedAt: number
  /** The actual end of trading, which may be before the scheduled one. */
  readonly closeTime: number
  /** When this row's news was read: the venue's result, or later the outcome of the model's own source. */
  readonly settledAt: number
  /** The venue's own result. A void contract is not scored. */
  readonly result: Result | "void"
  /** The outcome of the model's own source, if known. */
  readonly sourceResult?: Result
  /** The value of that source that an operator voided last, and why. */
  readonly sourceVoided?: string
  /** Whether a checkpoint signed before the close covers the capture. */
  readonly anchored: boolean
  readonly basis: { readonly modelSource: string; readonly venueSource: string; readonly same: boolean }
  /** Doubts about the row; an open vocabulary. */
  readonly flags: ReadonlyArray<string>
}

/**
 * The current row of a contract, with the earlier results of the venue that it replaced, oldest first. `settledAt` is when
 * each result was first read.
 */
export interface CurrentRow extends SettledMarket {
  readonly earlier: ReadonlyArray<Pick<SettledMarket, "result" | "settledAt">>
}

/** The key of a contract in maps. */
export const toMarketKey = ({ venue, ticker }: Pick<SettledMarket, "venue" | "ticker">): string => `${venue}/${ticker}`

/**
 * The capture that is scored for a market: the last one before its close.
 *
 * @param captures in order; of two at one time, the later one counts
 * @param closeTime epoch milliseconds, by the venue's actual close
 */
export const lastBeforeClose = <A extends { readonly at: number }>(
  captures: Iterable<A>,
  closeTime: number,
): A | undefined => {
  let last: A | undefined
  for (const capture of captures) {
    if (capture.at < closeTime && (last === undefined || capture.at >= last.at)) last = capture
  }
  return last
}

/** The faults of a row; empty if it is valid. Invalid rows are not stored. */
export const listFaults = (row: SettledMarket): ReadonlyArray<string> => {
  const { quotes, model, poolWeight, capturedAt, closeTime, settledAt, feeRate } = row
  const faults: Array<string> = []
  const times = [capturedAt, closeTime, settledAt]
  if (!times.every(Number.isSafeInteger)) faults.push("times must be whole milliseconds")
  if (!(capturedAt < closeTime)) faults.push("capturedAt must be before closeTime")
  if (!(closeTime <= settledAt)) faults.push("settledAt must not be before closeTime")
  if (!(Number.isInteger(model) && model >= 0 && model <= 1_000_000))
    faults.push("model must be 0 to 1000000 millionths")
  if (!(poolWeight >= 0 && poolWeight <= 1)) faults.push("poolWeight must be 0 to 1")
  if (quotes !== undefined && !(isLive(quotes) && Object.values(quotes).every(Number.isInteger)))
    faults.push("quotes must be two live sides in ten-thousandths of a dollar, or absent")
  if (feeRate !== undefined && !(Number.isInteger(feeRate) && feeRate >= 0 && feeRate <= 10_000))
    faults.push("feeRate must be 0 to 10000 ten-thousandths")
  for (const name of ["venue", "series", "ticker", "event", "modelVersion", "captureId"] as const)
    if (row[name] === "") faults.push(`${name} must not be empty`)
  return faults
}
