import * as Effect from "effect/Effect"
import { endpoints as markets } from "../../../core/lanes/markets/endpoints.ts"
import type { Demo } from "../demo.ts"
import { pictureOf } from "../pictures/pictures.ts"
import { gameTitle } from "../pictures/teams.ts"
import { timeText } from "../view/dates.ts"
import { percent } from "../view/numbers.ts"
import * as Live from "./live.ts"
import { readPages } from "./readPages.ts"
import { addressOf, type Card, type Item, type Line, type Shown, type Subject, type View } from "./Subject.ts"
import {
  byStrike,
  byThreshold,
  contractName,
  endingNow,
  lineOf,
  saysOf,
  scoredOf,
  titleWords,
  venueOf,
} from "./words.ts"

/** Contracts in the list. */
const shown = 6

const eventIn = (ticker: string): string => ticker.split("-").slice(0, -1).join("-")

const callOf = (market: string): Shown => ({ endpoint: markets.history, params: { market } })

/** The open contracts of the event. */
const openLines = (demo: Demo, market: string) =>
  Effect.map(demo.call(markets.edge, { min_edge: 0 }), ({ answer }) =>
    answer.results.edges
      .filter((row) => eventIn(row.market) === eventIn(market))
      .map(lineOf)
      .sort((a, b) => byThreshold(a.ticker, b.ticker)),
  )

/** So many pages of 200 points are read for a page. */
const maxPages = 5

/** The history of a contract or an event. */
export const readHistory = (demo: Demo, of: { market: string } | { event: string }) =>
  Effect.map(
    readPages(markets.history, of, maxPages, (page) =>
      Effect.map(demo.call(markets.history, { ...of, ...page }), ({ answer }) => answer),
    ),
    (answers) => {
      // A contract's newest terms are on the last page that has it.
      const contracts = new Map(answers.flatMap(({ results }) => results.contracts.map((each) => [each.market, each])))
      const points = answers.flatMap(({ results }) => results.points)
      return {
        results: { contracts: [...contracts.values()], count: points.length, points },
        isFree: answers.every(({ billable }) => billable === false),
      }
    },
  )

/** The contracts of an event, each with its last capture and its last price, when that was, and when they closed. */
export const readSettled = (demo: Demo, event: string) =>
  Effect.map(readHistory(demo, { event }), ({ results }) => {
    const last = new Map(results.points.map((point) => [point.market, point]))
    const prices = new Map(
      results.points.flatMap(({ market, market_prob: price }) => (price === undefined ? [] : [[market, price]])),
    )
    return {
      lines: results.contracts
        .map(({ market: ticker, title, result }): Line => {
          const point = last.get(ticker)
          return {
            ...{
              name: contractName(title, ticker),
              ticker,
              market: prices.get(ticker),
              pool: point?.pooled_prob,
              result,
            },
            ...(point !== undefined && { model: point.model_prob }),
          }
        })
        .toSorted((a, b) => byThreshold(a.ticker, b.ticker)),
      writtenAt: Date.parse(results.points.at(-1)!.captured_at),
      closesAt: Date.parse(results.contracts[0]!.close_time),
    }
  })

export type Settled = Effect.Effect.Success<ReturnType<typeof readSettled>>

const read = Effect.fnUntraced(function* (demo: Demo, market: string, now: number) {
  const call = callOf(market)
  const history = yield* readHistory(demo, { market })
  const contract = history.results.contracts[0]!
  const lines = contract.status === "open" ? yield* openLines(demo, market) : []
  const own = lines.filter(({ ticker }) => ticker === market)
  const results = endingNow(history.results, own, now)
  const { points } = results
  const last = points.at(-1)!
  const priced = points.findLast((each) => each.market_prob !== undefined)
  const { status, result } = contract
  const isOver = result !== undefined
  const picture = pictureOf(markets.history.id, { ...call, results })
  const card: Card = {
    title: titleWords(gameTitle(contract.title, market, String)),
    path: addressOf("markets", market),
    says: [
      priced === undefined || priced === last
        ? saysOf(last.model_prob, last.market_prob)
        : {
            ...saysOf(last.model_prob, undefined),
            market: percent(priced.market_prob!),
            marketName: `Last price, ${timeText(Date.parse(priced.captured_at))}`,
          },
    ],
    closesAt: Date.parse(contract.close_time),
    ...(isOver && { happened: result, writtenAt: Date.parse(last.captured_at) }),
    lines: isOver ? (yield* readSettled(demo, eventIn(market))).lines : lines,
    picture: picture && { ...picture, title: "Model and market over time" },
    settles: contract.settlement_basis?.venue_source,
    venue: venueOf(contract.venue, market),
    alert: { call: `${markets.edge.path}?market=${market}`, threshold: 0.05 },
    call: { ...call, isFree: history.isFree },
    isSample: true,
  }
  const view: View = {
    card,
    lead: `${contract.market}, ${status}: our probability and the market's price over time.`,
    facts: {
      Contract: `${contract.market}, ${status}`,
      ...(!isOver && { "Last capture": timeText(Date.parse(history.results.points.at(-1)!.captured_at)) }),
      [isOver ? "Closed" : "Closes"]: timeText(Date.parse(contract.close_time)),
    },
    calls: [card.call, { endpoint: markets.edge, params: { market } }],
    scored: scoredOf(market, contract.instrument),
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
    const lines = event.toSorted((a, b) => byStrike(a.floorStrike, b.floorStrike)).map(Live.openLine)
    const card = Live.openCard([contract], {
      ...{ path, call },
      alert: { call: `${markets.edge.path}?market=${market}`, threshold: 0.05 },
      figures: Live.bySide,
    })!
    const view: View = {
      scored: scoredOf(market, contract.instrument),
      card: { ...card, title: titleWords(gameTitle(contract.title, market, String)), lines },
      lead: `${market}: the market's price, and our forecast once it is open to everybody.`,
      ...{ facts: {}, calls: [call], entries: yield* reading.entries({ market }, now) },
    }
    return view
  }
  const settledRow = yield* reading.settledOf(market, now)
  const card = Live.lastCard(settledRow, { path, call })
  if (card === undefined) return yield* Live.nothingYet
  const view: View = {
    card,
    scored: scoredOf(market, settledRow[0]!.instrument),
    lead: `${card.title}: what we and the market said, and what happened.`,
    ...{ facts: {}, calls: [card.call], entries: yield* reading.entries({ market }, now) },
  }
  return view
})

/** The contracts on which model and market differ, and how both have moved. */
export const subject: Subject = {
  kind: "markets",
  title: "Largest differences",
  empty: "No open contract has a price now.",
  // Of each event one contract; those that are worth their ask come first.
  list: (demo) =>
    Effect.map(demo.call(markets.edge, { min_edge: 0 }), ({ answer }) => {
      const isWorth = ({ expected_gain: gain = 0 }: (typeof rows)[number]) => Number(gain > 0)
      const rows = answer.results.edges.toSorted(
        (a, b) => isWorth(b) - isWorth(a) || Math.abs(b.edge) - Math.abs(a.edge),
      )
      const events = rows.map((row) => eventIn(row.market))
      return rows
        .filter((_, at) => events.indexOf(events[at]!) === at)
        .slice(0, shown)
        .map(
          (row): Item => ({
            title: titleWords(gameTitle(row.title, row.market)),
            path: addressOf("markets", row.market),
            says: [saysOf(row.model_prob, row.market_prob)],
            lines: [lineOf(row)],
            closesAt: Date.parse(row.close_time),
          }),
        )
    }),
  read,
  live,
}
