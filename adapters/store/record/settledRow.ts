import { ifDefined } from "../../../core/ifDefined.ts"
import type { Counted } from "../../../core/record/scoreboard/board.ts"
import { listFaults, type SettledMarket } from "../../../core/record/scoreboard/Settled.ts"
import * as Sql from "../engine/columns.ts"

export type Contract = Pick<SettledMarket, "venue" | "ticker">

export const throwIfFaulty = (rows: ReadonlyArray<SettledMarket>): void => {
  for (const row of rows) {
    const faults = listFaults(row)
    if (faults.length > 0) throw new Error(`Invalid settled row ${row.venue}/${row.ticker}: ${faults.join("; ")}.`)
  }
}

const plainColumns = Sql.columns<SettledMarket>()(
  [
    ...(["domain", "venue", "ticker", "series", "event", "title", "instrument", "strikeType", "floorStrike"] as const),
    ...([
      "capStrike",
      "model",
      "modelVersion",
      "poolWeight",
      "captureId",
      "capturedAt",
      "closeTime",
      "settledAt",
      "result",
    ] as const),
    ...(["sourceResult", "sourceVoided", "feeRate", "anchored"] as const),
  ],
  { flags: ["anchored"] },
)

/** The columns of a revision, without its number in the table. */
export const toRow = (settled: SettledMarket, revision: number) =>
  plainColumns.toRow(settled, {
    revision,
    yes_bid: settled.quotes?.yesBid ?? null,
    yes_ask: settled.quotes?.yesAsk ?? null,
    no_ask: settled.quotes?.noAsk ?? null,
    model_source: settled.basis.modelSource,
    venue_source: settled.basis.venueSource,
    same_source: settled.basis.same ? 1 : 0,
    flags: JSON.stringify(settled.flags),
  })

export type SettledSqlRow = ReturnType<typeof toRow> & { readonly seq: number }

const quotesFromRow = ({ yes_bid, yes_ask, no_ask }: Pick<SettledSqlRow, "yes_bid" | "yes_ask" | "no_ask">) =>
  yes_bid === null ? undefined : { yesBid: yes_bid, yesAsk: yes_ask!, noAsk: no_ask! }

export const fromRow = (row: SettledSqlRow): SettledMarket =>
  plainColumns.fromRow(row, {
    ...ifDefined("quotes", quotesFromRow(row)),
    basis: { modelSource: row.model_source, venueSource: row.venue_source, same: row.same_source === 1 },
    flags: JSON.parse(row.flags) as ReadonlyArray<string>,
  })

/** The counted columns, and the key of the earlier revision; a scoreboard reads only these. */
export const countedColumns = [
  ...(["seq", "revision", "venue", "ticker", "domain", "event", "model_version", "captured_at"] as const),
  ...([
    "close_time",
    "settled_at",
    "anchored",
    "model",
    "pool_weight",
    "yes_bid",
    "yes_ask",
    "no_ask",
    "fee_rate",
  ] as const),
  ...(["result", "source_result"] as const),
] as const

export type CountedRow = Pick<SettledSqlRow, (typeof countedColumns)[number]>

/** A single literal, for speed: a start makes it of every row. */
export const toCounted = (row: CountedRow): Counted => ({
  domain: row.domain,
  venue: row.venue,
  event: row.event,
  modelVersion: row.model_version,
  capturedAt: row.captured_at,
  closeTime: row.close_time,
  anchored: row.anchored === 1,
  model: row.model,
  poolWeight: row.pool_weight,
  quotes: quotesFromRow(row),
  feeRate: row.fee_rate ?? undefined,
  result: row.result,
  sourceResult: row.source_result ?? undefined,
})

/** The written columns, in order. */
export const columns = [
  ...plainColumns.names,
  ...(["revision", "yes_bid", "yes_ask", "no_ask", "model_source", "venue_source", "same_source", "flags"] as const),
] as const
