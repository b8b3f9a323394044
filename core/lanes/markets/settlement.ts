import * as Struct from "effect/Struct"
import { type Priced, qualityFlags } from "../../contracts/Contract.ts"
import { ifDefined } from "../../ifDefined.ts"
import type { Leaf } from "../../record/log/leaf.ts"
import { isLive, type SettledMarket } from "../../record/scoreboard/Settled.ts"
import { wire } from "../../wire.ts"
import type { ContractResult } from "./ports.ts"

/** A contract in a recorded capture. */
export interface Recorded {
  readonly captureId: string
  /** Epoch milliseconds. */
  readonly at: number
  readonly contract: Priced
}

const pickTerms = Struct.pick(
  ...(["domain", "venue", "series", "ticker", "event", "title", "instrument"] as const),
  ...(["strikeType", "floorStrike", "capStrike", "model", "modelVersion", "feeRate", "basis"] as const),
)

/** The part of a row that is the captured contract: its terms, and its prices by model and venue. */
export const capturedPart = (contract: Priced) => ({
  ...pickTerms(contract),
  poolWeight: contract.poolWeight ?? 0,
  ...ifDefined("quotes", isLive(contract.bidAsk) ? contract.bidAsk : undefined),
  flags: qualityFlags(contract),
})

/**
 * The row of a contract: its last capture before the actual close, with the results. A voided contract has no result by
 * the model's own source.
 */
const settledRow = (
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
      : settledRow(last, { ...learned, ...source }, now, anchored)
  }
  return result === "void" || (sourceResult === known && !isVoided)
    ? undefined
    : { ...(rest as SettledMarket), ...source, settledAt: now }
}

/** A changed result is a correction; the first result of the model's own source is an observation. */
const leafKind = (row: SettledMarket, before: SettledMarket | undefined): Leaf["kind"] => {
  if (before === undefined) return "settlement"
  return before.result === row.result && before.sourceResult === undefined ? "observation" : "correction"
}

const pickStated = wire<SettledMarket>()([
  ...(["venue", "event", "captureId", "capturedAt", "closeTime", "model", "modelVersion", "poolWeight"] as const),
])
const pickQuotes = wire<NonNullable<SettledMarket["quotes"]>>()(["yesBid", "yesAsk", "noAsk"])
const pickResult = wire<SettledMarket>()(["result", "sourceResult", "sourceVoided", "feeRate"])

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
  kind: leafKind(row, before),
  at: row.settledAt,
  lane,
  subject: row.ticker,
  body: { ...pickStated(row), ...(row.quotes && pickQuotes(row.quotes)), ...pickResult(row), revision },
})
