import * as Schema from "effect/Schema"
import type { Priced } from "../../contracts/Contract.ts"
import * as Cursor from "../../endpoint/Cursor.ts"
import * as Endpoint from "../../endpoint/Endpoint.ts"
import { cite, explain, step } from "../../endpoint/explain.ts"
import * as Param from "../../endpoint/Param.ts"
import { ifDefined } from "../../ifDefined.ts"
import { probabilityScale } from "../../record/scoreboard/calibration.ts"
import { priceScale } from "../../record/scoreboard/hypothetical.ts"
import { pool } from "../../record/scoreboard/pool.ts"
import { type CurrentRow, type Domain, marketOf } from "../../record/scoreboard/Settled.ts"
import * as Step from "../../Step.ts"
import { plural } from "../../text.ts"
import { iso } from "../../time.ts"
import { yieldToEventLoop } from "../../yieldToEventLoop.ts"
import { recorded } from "../confidence.ts"
import { SettledPage } from "./fields.ts"
import { Scoreboard, SettledRows } from "./ports.ts"
import { Domain as DomainField } from "./scoreFields.ts"

const longPage = 100

/** Rows in one read of a group that is longer than its page. */
const groupRows = 500

/** The rule for choosing and scoring rows; the scoreboard uses it too. */
export const methodology =
  "One row per market: the last capture before the venue's actual close. market_prob is the midpoint of yes bid and yes ask; a market without two live sides at that moment is not scored. The venue's result is the outcome; voided markets are not scored. A changed result replaces the previous one, which stays in earlier_results. Probabilities are stored and scored in whole millionths."

/** The two sources of a contract's result on the wire, with their agreement where it is known. */
export const basisOf = ({
  basis,
  agreement,
}: Pick<Priced, "basis" | "agreement">): SettledPage["rows"][number]["settlement_basis"] & object => ({
  model_source: basis.modelSource,
  venue_source: basis.venueSource,
  same: basis.same,
  ...ifDefined("agreement", agreement),
})

/** The strikes of a contract on the wire, as the venue states them. */
export const strikesOf = ({
  strikeType,
  floorStrike,
  capStrike,
}: Pick<Priced, "strikeType" | "floorStrike" | "capStrike">) => ({
  ...ifDefined("strike_type", strikeType),
  ...ifDefined("floor_strike", floorStrike),
  ...ifDefined("cap_strike", capStrike),
})

/** A settled row on the wire. */
export const rowOf = (row: CurrentRow): SettledPage["rows"][number] | undefined => {
  const { quotes, result } = row
  if (quotes === undefined || result === "void") return undefined
  return {
    venue: row.venue,
    series: row.series,
    market_ticker: row.ticker,
    title: row.title,
    instrument: row.instrument,
    ...strikesOf(row),
    yes_bid: quotes.yesBid / priceScale,
    yes_ask: quotes.yesAsk / priceScale,
    no_ask: quotes.noAsk / priceScale,
    market_prob: marketOf(quotes) / probabilityScale,
    model_prob: row.model / probabilityScale,
    pooled_prob: pool(row.model, marketOf(quotes), row.poolWeight) / probabilityScale,
    pool_weight: row.poolWeight,
    model_version: row.modelVersion,
    close_time: iso(row.closeTime),
    captured_at: iso(row.capturedAt),
    result,
    ...ifDefined("source_result", row.sourceResult),
    ...ifDefined("source_voided", row.sourceVoided),
    settlement_basis: basisOf(row),
    quality_flags: row.flags,
    event: row.event,
    settled_at: iso(row.settledAt),
    ...ifDefined("fee_rate", row.feeRate === undefined ? undefined : row.feeRate / priceScale),
    capture_id: row.captureId,
    anchored: row.anchored,
    earlier_results: row.earlier.map((before) => ({ result: before.result, settled_at: iso(before.settledAt) })),
  }
}

/** Epoch milliseconds before which the rows of the requested page closed. A cursor is the end of the previous page. */
const startOf = (before: string | undefined, cursor: string | undefined): number | undefined | "bad" => {
  const from = before === undefined ? undefined : Date.parse(before)
  if (cursor === undefined) return from
  return /^\d{1,15}$/.test(cursor) && Number(cursor) < (from ?? Number.POSITIVE_INFINITY) ? Number(cursor) : "bad"
}

const isOneGroup = (rows: ReadonlyArray<CurrentRow>): boolean => rows[0]?.closeTime === rows.at(-1)?.closeTime

/**
 * A page of whole groups of one close time, so that its last close time is where the next page begins: as many groups as
 * fit in `limit`, or the first one however long it is.
 */
const readPage = (rows: SettledRows["Type"], domain: Domain, from: number | undefined, limit: number) =>
  Step.gen(function* () {
    let read = yield* rows.after(domain, from === undefined ? undefined : { closeTime: from }, limit + 1)
    if (read.length <= limit) return { page: read }
    const beyond = read[limit]!
    while (isOneGroup(read)) {
      yield* yieldToEventLoop
      const rest: ReadonlyArray<CurrentRow> = yield* rows.after(domain, read.at(-1), groupRows)
      if (rest.length === 0) return { page: read }
      read = [...read, ...rest]
    }
    const whole = read.filter(({ closeTime }) => closeTime > beyond.closeTime)
    const page = whole.length > 0 ? whole : read.filter(({ closeTime }) => closeTime === beyond.closeTime)
    return { page, end: page.at(-1)!.closeTime }
  })

/** Settled contracts, row by row. */
export const settled = Endpoint.make("/v1/markets/settled", {
  rows: "rows",
  kind: "Data",
  priceMicros: 0,
  auth: "none",
  summary: "Settled contracts: model probability, market probability, result",
  use: "Single past results; totals: `markets_performance`.",
  example: { domain: "weather", limit: 50 },
  params: Schema.Struct({
    domain: Param.withDefault(Param.code(DomainField.literals, "Domain of the contracts."), "crypto"),
    limit: Param.withDefault(
      Param.integer(1, 500, "Rows on this page; more where the rows of one close time are more: they stay together."),
      200,
    ),
    before: Param.optional(
      Param.instant(
        "Rows that closed before this time: `next_before` of the previous page. Pages go backwards in time.",
      ),
    ),
    cursor: Param.optional(
      Param.text(2048, "Opaque: `next_cursor` of the previous page; send the same `domain` and `before`."),
    ),
  }),
  results: SettledPage,
  ports: { rows: SettledRows, scoreboard: Scoreboard },
  answer: function* ({ domain, limit, before, cursor }, { rows, scoreboard }, give) {
    const from = startOf(before, cursor)
    if (from === "bad") return yield* Cursor.bad
    const { board } = yield* scoreboard.current
    const { page, end } = yield* readPage(rows, domain, from, limit)
    // A long page yields to other fibers between its steps.
    const isLong = page.length > longPage
    if (isLong) yield* yieldToEventLoop
    const listed = page.flatMap((row) => rowOf(row) ?? [])
    if (isLong) yield* yieldToEventLoop
    const counts = board.counts.get(domain)
    return give({
      results: {
        domain,
        count: listed.length,
        rows: listed,
        ...ifDefined("next_before", end === undefined ? undefined : iso(end)),
        methodology,
        excluded: { void: counts?.void ?? 0, no_quote: counts?.noQuote ?? 0 },
      },
      explained: explain(
        step(
          `Read ${listed.length} settled ${domain} rows, latest close first.`,
          cite("settled rows", `/v1/markets/settled?domain=${domain}`),
        ),
      ),
      confidence: recorded(1, plural(listed.length, "recorded row")),
      links: [{ id: domain, endpoints: [`/v1/markets/settled?domain=${domain}`, "/v1/markets/performance"] }],
      ...ifDefined("next", end === undefined ? undefined : String(end)),
    })
  },
})
