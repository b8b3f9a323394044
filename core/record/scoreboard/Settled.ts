/** Whose contracts the scoreboard keeps. */
export const domains = ["weather", "nfl", "mlb", "crypto"] as const
export type Domain = (typeof domains)[number]

export type Result = "yes" | "no"

/** A venue's quotes of one contract, in whole ten-thousandths of a dollar. */
export interface Quotes {
  readonly yesBid: number
  readonly yesAsk: number
  readonly noAsk: number
}

/**
 * Whether both sides can be traded and make sense: a bid of 0, an ask of 1 dollar and a bid above the ask are no quote.
 */
export const isLive = ({ yesBid, yesAsk, noAsk }: Quotes): boolean =>
  yesBid > 0 && yesBid <= yesAsk && yesAsk < 10_000 && noAsk > 0 && noAsk < 10_000

/** The market's probability: the middle of yes bid and yes ask, in millionths. Always whole. */
export const marketOf = ({ yesBid, yesAsk }: Quotes): number => (yesBid + yesAsk) * 50

/** One contract after its end: what model and market said last before it closed, and what came true. */
export interface Settled {
  readonly domain: Domain
  readonly venue: string
  readonly series: string
  readonly ticker: string
  /** What contracts that depend on each other share: a day's high at a station, a game, an hour of an asset. */
  readonly event: string
  readonly title: string
  /** What the contract is on: a station, a game, an asset. */
  readonly instrument: string
  readonly strikeType?: string
  readonly floorStrike?: number
  readonly capStrike?: number
  /** Absent where the capture found no two live sides: such a contract is not scored. */
  readonly quotes?: Quotes
  /** The model's probability of yes, whole millionths. */
  readonly model: number
  readonly modelVersion: string
  /** The capture on the record that model and quotes are taken from. */
  readonly captureId: string
  /** Epoch milliseconds; before `closeTime`. */
  readonly capturedAt: number
  /** When trading really ended, which may be before the venue's schedule. */
  readonly closeTime: number
  /** When this was learned: the venue's result, or later the outcome by the model's own source beside it. */
  readonly settledAt: number
  /** The venue's own result. A contract that it voided is not scored. */
  readonly result: Result | "void"
  /** The outcome by the model's own source, where that is known. */
  readonly sourceResult?: Result
  /** The venue's fee rate in ten-thousandths (700 for 0.07 · p · (1 − p) a contract), where it is known. */
  readonly feeRate?: number
  /** Whether a signed checkpoint from before the close covers the capture. */
  readonly anchored: boolean
  readonly basis: { readonly modelSource: string; readonly venueSource: string; readonly same: boolean }
  /** Doubts about the row; an open vocabulary. */
  readonly flags: ReadonlyArray<string>
}

/**
 * A row as it stands, with the venue's results that were recorded before it and that it replaced, oldest first.
 * `settledAt` is when the venue's result, and each of those, was first learned.
 */
export interface Standing extends Settled {
  readonly earlier: ReadonlyArray<Pick<Settled, "result" | "settledAt">>
}

/**
 * The one rule by which the row of a market is chosen: the last capture before its close.
 *
 * @param captures in the order in which they were taken; of two at one moment the later stands
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

/** What is wrong with a row: nothing may be stored of it then. Empty where nothing is. */
export const faultsOf = (row: Settled): ReadonlyArray<string> => {
  const { quotes, model, capturedAt, closeTime, settledAt, feeRate } = row
  const faults: Array<string> = []
  const times = [capturedAt, closeTime, settledAt]
  if (!times.every(Number.isSafeInteger)) faults.push("times must be whole milliseconds")
  if (!(capturedAt < closeTime)) faults.push("capturedAt must be before closeTime")
  if (!(closeTime <= settledAt)) faults.push("settledAt must not be before closeTime")
  if (!(Number.isInteger(model) && model >= 0 && model <= 1_000_000))
    faults.push("model must be 0 to 1000000 millionths")
  if (quotes !== undefined && !(isLive(quotes) && Object.values(quotes).every(Number.isInteger)))
    faults.push("quotes must be two live sides in ten-thousandths of a dollar, or absent")
  if (feeRate !== undefined && !(Number.isInteger(feeRate) && feeRate >= 0 && feeRate <= 10_000))
    faults.push("feeRate must be 0 to 10000 ten-thousandths")
  for (const name of ["venue", "series", "ticker", "event", "modelVersion", "captureId"] as const)
    if (row[name] === "") faults.push(`${name} must not be empty`)
  return faults
}
