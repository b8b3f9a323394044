import { present } from "../../endpoint/Field.ts"
import type { Leaf } from "../../record/leaf.ts"
import { isLive, lastBeforeClose, type Settled } from "../../record/Settled.ts"
import { doubtsOf, type Outcome, type Priced } from "./contract.ts"

/** A contract as a capture on the record has it. */
export interface Recorded {
  readonly captureId: string
  /** Epoch milliseconds. */
  readonly at: number
  readonly contract: Priced
}

/**
 * The row of a contract: the last capture before its actual close beside the venue's result. Undefined while nothing can
 * be settled: no capture is from before the close, or by our clock the close is still to come.
 *
 * @param captures of this contract, in the order in which they were taken
 * @param isAnchored whether a signed checkpoint from before an instant covers a capture
 */
export const settledRow = (
  captures: ReadonlyArray<Recorded>,
  { closedAt, result }: Outcome,
  now: number,
  isAnchored: (captureId: string, before: number) => boolean,
): Settled | undefined => {
  const last = lastBeforeClose(captures, closedAt)
  if (last === undefined || now < closedAt) return undefined
  const { contract, captureId, at } = last
  const { book } = contract
  return {
    domain: contract.domain,
    venue: contract.venue,
    series: contract.series,
    ticker: contract.ticker,
    event: contract.event,
    title: contract.title,
    instrument: contract.instrument,
    ...present("strikeType", contract.strikeType),
    ...present("floorStrike", contract.floorStrike),
    ...present("capStrike", contract.capStrike),
    ...present("quotes", isLive(book) ? book : undefined),
    model: contract.model,
    modelVersion: contract.modelVersion,
    captureId,
    capturedAt: at,
    closeTime: closedAt,
    settledAt: now,
    result,
    ...present("feeRate", contract.feeRate),
    anchored: isAnchored(captureId, closedAt),
    basis: contract.basis,
    flags: doubtsOf(contract),
  }
}

/** What a settled row is on the record. Another result of the same contract is a correction. */
export const leafOf = (row: Settled, lane: string, revision: number): Leaf => ({
  id: `${row.venue}/${row.ticker}/${revision}`,
  kind: revision === 1 ? "settlement" : "correction",
  at: row.settledAt,
  lane,
  subject: row.ticker,
  body: {
    venue: row.venue,
    event: row.event,
    capture_id: row.captureId,
    captured_at: row.capturedAt,
    close_time: row.closeTime,
    model: row.model,
    model_version: row.modelVersion,
    ...(row.quotes === undefined
      ? {}
      : { yes_bid: row.quotes.yesBid, yes_ask: row.quotes.yesAsk, no_ask: row.quotes.noAsk }),
    result: row.result,
    ...present("fee_rate", row.feeRate),
    revision,
  },
})
