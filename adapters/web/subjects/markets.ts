import * as Effect from "effect/Effect"
import { endpoints as markets } from "../../../core/lanes/markets/endpoints.ts"
import type { Demo } from "../demo.ts"
import { pictureOf } from "../pictures/pictures.ts"
import { timeText } from "../view/dates.ts"
import * as Live from "./live.ts"
import { addressOf, type Card, type Item, type Line, type Shown, type Subject, type View } from "./Subject.ts"
import { contractName, lineOf, saysOf, titleWords, venueOf } from "./words.ts"

/** Contracts in the list. */
const shown = 6

const eventIn = (ticker: string): string => ticker.split("-").slice(0, -1).join("-")

const callOf = (market: string): Shown => ({ endpoint: markets.history, params: { market, limit: 1_000 } })

/** The open contracts of the event, the asked one first. */
const openLines = (demo: Demo, market: string) =>
  Effect.map(demo.call(markets.edge, { min_edge: 0 }), ({ answer }) =>
    answer.results.edges
      .filter((row) => eventIn(row.market) === eventIn(market))
      .sort((a, b) => Number(b.market === market) - Number(a.market === market))
      .map(lineOf),
  )

/** All contracts of a settled event with their last capture. */
const settledLines = (demo: Demo, market: string) =>
  Effect.map(
    demo.call(markets.history, { event: eventIn(market), limit: 1_000 }),
    ({ answer: { results } }): ReadonlyArray<Line> => {
      const last = new Map(results.points.map((point) => [point.market, point]))
      return results.contracts.map(({ market: ticker, title, result }) => {
        const point = last.get(ticker)
        return {
          name: contractName(title),
          ticker,
          ...(point !== undefined && { model: point.model_prob }),
          market: point?.market_prob,
          pool: point?.pooled_prob,
          result,
        }
      })
    },
  )

const read = Effect.fnUntraced(function* (demo: Demo, market: string) {
  const call = callOf(market)
  const { answer } = yield* demo.call(markets.history, { market, limit: 1_000 })
  const { contracts, points } = answer.results
  const contract = contracts[0]!
  const last = points.at(-1)!
  const { status, result } = contract
  const isOver = result !== undefined
  const picture = pictureOf(markets.history.id, { ...call, ...answer })
  const card: Card = {
    title: titleWords(contract.title),
    path: addressOf("markets", market),
    says: [saysOf(last.model_prob, last.market_prob)],
    closesAt: Date.parse(contract.close_time),
    ...(isOver && { happened: result }),
    lines: isOver ? yield* settledLines(demo, market) : status === "open" ? yield* openLines(demo, market) : [],
    picture: picture && { ...picture, title: "Model and market over time" },
    settles: contract.settlement_basis?.venue_source,
    venue: venueOf(contract.venue, market),
    alert: { call: `${markets.edge.path}?market=${market}`, threshold: 0.05 },
    call: { ...call, isFree: answer.billable === false },
    isSample: true,
  }
  const view: View = {
    card,
    lead: `${contract.market}, ${status}: our probability and the market's price over time.`,
    pictures: [],
    facts: {
      Contract: `${contract.market}, ${status}`,
      "Last capture": timeText(Date.parse(last.at)),
      [isOver ? "Closed" : "Closes"]: timeText(Date.parse(contract.close_time)),
    },
    calls: [card.call, { endpoint: markets.edge, params: { market } }],
  }
  return view
})

const live: Subject["live"] = Effect.fnUntraced(function* (reading, _, market, now) {
  const call = callOf(market)
  const path = addressOf("markets", market)
  const all = yield* reading.open(now)
  const contract = all.find(({ ticker }) => ticker === market)
  if (contract !== undefined) {
    const event = all.filter((each) => each.event === contract.event && each.venue === contract.venue)
    const lines = event.map(Live.openLine)
    const card = Live.openCard([contract], {
      ...{ path, call },
      alert: { call: `${markets.edge.path}?market=${market}`, threshold: 0.05 },
      figures: Live.bySide,
    })!
    const view: View = {
      card: { ...card, title: titleWords(contract.title), lines },
      lead: `${market}: the market's price, and our forecast once it is open to everybody.`,
      ...{ pictures: [], facts: {}, calls: [call], entries: yield* reading.entries({ market }, now) },
    }
    return view
  }
  const settledRow = yield* reading.settledOf(market, now)
  const card = Live.lastCard(settledRow, { path, call })
  if (card === undefined) return yield* Live.nothingYet
  const view: View = {
    card,
    lead: `${card.title}: what we and the market said, and what happened.`,
    ...{ pictures: [], facts: {}, calls: [card.call], entries: yield* reading.entries({ market }, now) },
  }
  return view
})

/** The contracts on which model and market differ, and how both have moved. */
export const subject: Subject = {
  kind: "markets",
  title: "Largest differences",
  empty: "No open contract has a price now.",
  // Of each event the contract with the largest difference.
  list: (demo) =>
    Effect.map(demo.call(markets.edge, { min_edge: 0 }), ({ answer }) =>
      [...new Map(answer.results.edges.toReversed().map((row) => [eventIn(row.market), row])).values()]
        .toSorted((a, b) => Math.abs(b.edge) - Math.abs(a.edge))
        .slice(0, shown)
        .map(
          (row): Item => ({
            title: titleWords(row.title),
            path: addressOf("markets", row.market),
            says: [saysOf(row.model_prob, row.market_prob)],
            closesAt: Date.parse(row.close_time),
          }),
        ),
    ),
  read,
  live,
}
