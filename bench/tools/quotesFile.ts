import { parse } from "csv-parse/sync"
import * as Either from "effect/Either"
import type { HeadToHead } from "../../core/record/scoreboard/board.ts"
import { probabilityScale } from "../../core/record/scoreboard/calibration.ts"
import { priceScale } from "../../core/record/scoreboard/hypothetical.ts"

/** A settled market of a file, with its series. */
export interface QuotedRow extends HeadToHead {
  readonly series: string
}

/** Column of the file's own model. */
export const modelColumn = "model_prob"

/** A file without a model is refused: the scores of no model would be taken for those of one. */
const needed = ["result", "mid", "yes_bid", "yes_ask", modelColumn] as const

/** Maximum number of faulty lines reported. */
const mostFaults = 10

const fraction = (text: string | undefined): number | undefined => {
  const value = text === undefined || text.trim() === "" ? Number.NaN : Number(text)
  return value >= 0 && value <= 1 ? value : undefined
}

type Raw = Readonly<Record<string, string>>

const eventOf = ({ event, ticker, series, event_date }: Raw, line: number): string =>
  event ?? (ticker?.includes("-") ? ticker.slice(0, ticker.lastIndexOf("-")) : `${series}/${event_date ?? line}`)

const readRow = (raw: Raw, index: number, feeRate: number, faults: Array<string>) => {
  const line = index + 2
  const at = (name: string): number => {
    const value = fraction(raw[name])
    if (value === undefined)
      faults.push(`line ${line}: ${name} must be a number from 0 to 1, not ${JSON.stringify(raw[name])}`)
    return value ?? 0
  }
  const result = raw["result"]
  if (result !== "yes" && result !== "no")
    faults.push(`line ${line}: result must be yes or no, not ${JSON.stringify(result)}`)
  const [mid, bid, ask] = [at("mid"), at("yes_bid"), at("yes_ask")]
  if (bid > ask) faults.push(`line ${line}: yes_bid must not be above yes_ask`)
  const closeTime = Date.parse(raw["event_date"] ?? "") || 0
  return {
    series: raw["series"] ?? "all",
    // One bootstrap stratum, whose name is not shown.
    domain: "weather",
    event: eventOf(raw, line),
    venue: "kalshi",
    modelVersion: modelColumn,
    capturedAt: closeTime,
    closeTime,
    anchored: false,
    model: at(modelColumn) * probabilityScale,
    market: Math.round(mid * probabilityScale),
    // Nobody has published a weight of this model.
    pool: Math.round(mid * probabilityScale),
    yesAsk: Math.round(ask * priceScale),
    noAsk: priceScale - Math.round(bid * priceScale),
    feeRate,
    happened: result === "yes",
  } as const satisfies QuotedRow
}

/**
 * Reads settled quotes from CSV with a header: `result` (yes or no), `mid`, `yes_bid`, `yes_ask` in dollars; `event`,
 * or a `ticker` whose part after the last dash is the strike; the scored model's probabilities in `model_prob`;
 * optionally `series` and `event_date`.
 *
 * @param feeRate ten-thousandths
 * @returns the rows, or the errors by line
 */
export const parseQuotes = (
  text: string,
  feeRate: number,
): Either.Either<ReadonlyArray<QuotedRow>, ReadonlyArray<string>> => {
  let records: ReadonlyArray<Raw>
  try {
    records = parse<Raw>(text, { columns: true, skip_empty_lines: true, bom: true, trim: true })
  } catch (error) {
    return Either.left([error instanceof Error ? error.message : String(error)])
  }
  const first = records[0]
  if (first === undefined) return Either.left(["the file has no rows"])
  const missing = needed.filter((name) => first[name] === undefined)
  if (missing.length > 0) {
    return Either.left(
      missing.map((name) => `column ${name} is missing${name === modelColumn ? ": the probabilities to score" : ""}`),
    )
  }
  const faults: Array<string> = []
  const rows = records.map((raw, index) => readRow(raw, index, feeRate, faults))
  if (faults.length === 0) return Either.right(rows)
  const more = faults.length - mostFaults
  return Either.left([...faults.slice(0, mostFaults), ...(more > 0 ? [`and ${more} more`] : [])])
}
