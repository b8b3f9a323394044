import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type CapturedContract, MarketHistory } from "../../../../core/lanes/markets/ports.ts"
import * as Step from "../../../../core/Step.ts"
import { Transactions } from "../../../store/engine/Transactions.ts"
import * as sqlSettled from "../../../store/record/Settled.ts"
import { parseContract } from "./openSteps.ts"

interface CapturedRow {
  readonly at: number
  readonly capture_id: string
  readonly contract: string
}

const toCaptured = ({ at, capture_id, contract }: CapturedRow): CapturedContract => ({
  at,
  captureId: capture_id,
  contract: parseContract(contract),
})

/** The captures of contracts, read by their primary key. */
export const layer: Layer.Layer<MarketHistory, never, Transactions> = Layer.effect(
  MarketHistory,
  Effect.map(Transactions, (transactions) => {
    const { prepare, read } = transactions
    // One step of the index for each venue.
    const venues = prepare<{ readonly venue: string }>(`
      WITH RECURSIVE v (venue) AS (
        SELECT MIN(venue) FROM captured_contracts
        UNION ALL SELECT (SELECT MIN(c.venue) FROM captured_contracts AS c WHERE c.venue > v.venue) FROM v WHERE venue IS NOT NULL
      ) SELECT venue FROM v WHERE venue IS NOT NULL`)
    // Each has one lower bound, so that the index is entered at the page's first row.
    const ofContract = prepare<CapturedRow>(`
      SELECT at, capture_id, contract FROM captured_contracts
      WHERE venue = ? AND ticker = ? AND (at, capture_id) > (?, ?) AND at < ?
      ORDER BY at, capture_id LIMIT ?`)
    const ofEvent = prepare<CapturedRow>(`
      SELECT at, capture_id, contract FROM captured_contracts
      WHERE venue = ? AND (ticker, at, capture_id) > (?, ?, ?) AND ticker < ? AND at >= ? AND at < ?
      ORDER BY ticker, at, capture_id LIMIT ?`)
    const settled = sqlSettled.makeSteps(transactions)

    const page = Step.fn(function* ({
      scope,
      from,
      until,
      after,
      limit,
    }: Parameters<(typeof MarketHistory.Service)["captures"]>[0]) {
      const rows: Array<CapturedRow> = []
      for (const { venue } of yield* venues.all()) {
        if (after !== undefined && venue < after.venue) continue
        const start = after?.venue === venue ? after : undefined
        const rest = limit - rows.length
        if (rest === 0) break
        // All tickers that begin with the event and a hyphen: a full stop is the next character.
        rows.push(
          ...(yield* "market" in scope
            ? ofContract.all(venue, scope.market, start?.at ?? from, start?.captureId ?? "", until, rest)
            : ofEvent.all(
                ...([venue, start?.ticker ?? `${scope.event}-`, start?.at ?? -1, start?.captureId ?? ""] as const),
                ...([`${scope.event}.`, from, until, rest] as const),
              )),
        )
      }
      return rows.map(toCaptured)
    })

    return {
      freshness: "live",
      captures: (asked) => read(() => page(asked)),
      ends: (contracts) =>
        Effect.map(
          read(() => settled.newest(contracts)),
          (rows) => new Map(Array.from(rows, ([key, row]) => [key, { result: row.result, settledAt: row.settled_at }])),
        ),
    }
  }),
)
