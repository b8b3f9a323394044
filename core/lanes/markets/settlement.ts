import { type Priced, qualityFlagsOf } from "../../contracts/Contract.ts"
import { ifDefined } from "../../ifDefined.ts"
import type { Leaf } from "../../record/log/leaf.ts"
import { isLive, type SettledMarket } from "../../record/scoreboard/Settled.ts"
import type { ContractResult } from "./ports.ts"

/** A contract in a recorded capture. */
export interface Recorded {
  readonly captureId: string
  /** Epoch milliseconds. */
  readonly at: number
  readonly contract: Priced
}

/** The part of a row that is the captured contract: its terms, and its prices by model and venue. */
export const capturedPart = (contract: Priced) => ({
  domain: contract.domain,
  venue: contract.venue,
  series: contract.series,
  ticker: contract.ticker,
  event: contract.event,
  title: contract.title,
  instrument: contract.instrument,
  ...ifDefined("strikeType", contract.strikeType),
  ...ifDefined("floorStrike", contract.floorStrike),
  ...ifDefined("capStrike", contract.capStrike),
  ...ifDefined("quotes", isLive(contract.bidAsk) ? contract.bidAsk : undefined),
  model: contract.model,
  modelVersion: contract.modelVersion,
  poolWeight: contract.poolWeight ?? 0,
  ...ifDefined("feeRate", contract.feeRate),
  basis: contract.basis,
  flags: qualityFlagsOf(contract),
})

/**
 * The row of a contract: its last capture before the actual close, with the results. A voided contract has no result by
 * the model's own source.
 */
const rowOf = (
  last: Recorded,
  { closedAt, result, sourceResult, sourceVoided }: ContractResult,
  now: number,
  anchored: boolean,
): SettledMarket => {
  const { contract, captureId, at } = last
  return {
    ...capturedPart(contract),
    captureId,
    capturedAt: at,
    closeTime: closedAt,
    settledAt: now,
    result,
    ...ifDefined("sourceResult", result === "void" ? undefined : sourceResult),
    ...ifDefined("sourceVoided", sourceVoided),
    anchored,
  }
}

/**
 * The next row of a contract. Undefined without news, without a capture before the close, or before the close by the
 * local clock. A new result of the model's own source changes nothing else in the row; one whose value was voided goes.
 *
 * @param before the current row
 * @param last the last capture before the close
 * @param anchored whether a signed checkpoint from before the actual close covers that capture
 */
export const nextRow = (
  before: SettledMarket | undefined,
  last: Recorded | undefined,
  learned: ContractResult,
  now: number,
  anchored: boolean,
): SettledMarket | undefined => {
  const { sourceResult: known, sourceVoided: voided, ...rest } = before ?? {}
  const { result, sourceVoided = voided } = learned
  const isVoided = sourceVoided !== voided
  const sourceResult = learned.sourceResult ?? (isVoided ? undefined : known)
  const source = { ...ifDefined("sourceResult", sourceResult), ...ifDefined("sourceVoided", sourceVoided) }
  if (before?.result !== result) {
    return last === undefined || now < learned.closedAt
      ? undefined
      : rowOf(last, { ...learned, ...source }, now, anchored)
  }
  return result === "void" || (sourceResult === known && !isVoided)
    ? undefined
    : { ...(rest as SettledMarket), ...source, settledAt: now }
}

/** A changed result is a correction; the first result of the model's own source is an observation. */
const kindOf = (row: SettledMarket, before: SettledMarket | undefined): Leaf["kind"] => {
  if (before === undefined) return "settlement"
  return before.result === row.result && before.sourceResult === undefined ? "observation" : "correction"
}

/**
 * The log leaf of a settled row.
 *
 * @param before the previous row
 */
export const leafOf = (
  row: SettledMarket,
  before: SettledMarket | undefined,
  lane: string,
  revision: number,
): Leaf => ({
  id: `${row.venue}/${row.ticker}/${revision}`,
  kind: kindOf(row, before),
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
    pool_weight: row.poolWeight,
    ...(row.quotes === undefined
      ? {}
      : { yes_bid: row.quotes.yesBid, yes_ask: row.quotes.yesAsk, no_ask: row.quotes.noAsk }),
    result: row.result,
    ...ifDefined("source_result", row.sourceResult),
    ...ifDefined("source_voided", row.sourceVoided),
    ...ifDefined("fee_rate", row.feeRate),
    revision,
  },
})
