import * as Struct from "effect/Struct"
import { type Priced, qualityFlags } from "../../contracts/Contract.ts"
import { ifDefined } from "../../ifDefined.ts"
import type { Leaf } from "../../record/log/leaf.ts"
import { isLive, type SettledMarket } from "../../record/scoreboard/Settled.ts"
import { wire } from "../../wire.ts"
import type { ContractResult } from "./ports.ts"

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

/** The fields of a row that come from the captured contract: its terms, and its prices by model and venue. */
export const toCapturedFields = (contract: Priced) => ({
  ...pickTerms(contract),
  poolWeight: contract.poolWeight ?? 0,
  ...ifDefined("quotes", isLive(contract.bidAsk) ? contract.bidAsk : undefined),
  flags: qualityFlags(contract),
})

/**
 * The settled row of a contract: its last capture before the actual close, with the results. A voided contract has no
 * result of the model's own source.
 */
const settledRow = (
  last: Recorded,
  { closedAt, result, sourceResult, sourceVoided }: ContractResult,
  now: number,
  anchored: boolean,
): SettledMarket => {
  const { contract, captureId, at } = last
  return {
    ...toCapturedFields(contract),
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
 * The next row of a contract; undefined if nothing changed, if no capture precedes the close, or if the close has not come
 * by the local clock. A new result of the model's own source changes nothing else in the row. If the value behind that
 * result was voided, the result is removed.
 *
 * @param previous the current row
 * @param last the last capture before the close
 * @param anchored whether a signed checkpoint from before the actual close covers that capture
 */
export const nextRow = (
  previous: SettledMarket | undefined,
  last: Recorded | undefined,
  results: ContractResult,
  now: number,
  anchored: boolean,
): SettledMarket | undefined => {
  const { sourceResult: previousSource, sourceVoided: previousVoided, ...rest } = previous ?? {}
  const { result, sourceVoided = previousVoided } = results
  const isVoided = sourceVoided !== previousVoided
  const sourceResult = results.sourceResult ?? (isVoided ? undefined : previousSource)
  const source = { ...ifDefined("sourceResult", sourceResult), ...ifDefined("sourceVoided", sourceVoided) }
  if (previous?.result !== result) {
    return last === undefined || now < results.closedAt
      ? undefined
      : settledRow(last, { ...results, ...source }, now, anchored)
  }
  return result === "void" || (sourceResult === previousSource && !isVoided)
    ? undefined
    : { ...(rest as SettledMarket), ...source, settledAt: now }
}

/** The first row is a settlement, the first result of the model's own source an observation, any other change a correction. */
const leafKind = (row: SettledMarket, previous: SettledMarket | undefined): Leaf["kind"] => {
  if (previous === undefined) return "settlement"
  return previous.result === row.result && previous.sourceResult === undefined ? "observation" : "correction"
}

const pickStated = wire<SettledMarket>()([
  ...(["venue", "event", "captureId", "capturedAt", "closeTime", "model", "modelVersion", "poolWeight"] as const),
])
const pickQuotes = wire<NonNullable<SettledMarket["quotes"]>>()(["yesBid", "yesAsk", "noAsk"])
const pickResult = wire<SettledMarket>()(["result", "sourceResult", "sourceVoided", "feeRate"])

export const toLeaf = (
  row: SettledMarket,
  previous: SettledMarket | undefined,
  lane: string,
  revision: number,
): Leaf => ({
  id: `${row.venue}/${row.ticker}/${revision}`,
  kind: leafKind(row, previous),
  at: row.settledAt,
  lane,
  subject: row.ticker,
  body: { ...pickStated(row), ...(row.quotes && pickQuotes(row.quotes)), ...pickResult(row), revision },
})
