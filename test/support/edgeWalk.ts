import * as Effect from "effect/Effect"
import { listTrading } from "../../adapters/lanes/markets/mock/markets.ts"
import { findCaptureTime } from "../../adapters/lanes/markets/mock/settled.ts"
import { modelEdge, type Priced } from "../../core/contracts/Contract.ts"
import type { Failure } from "../../core/Failure.ts"
import { Markets, type MarketsPorts } from "../../core/lanes/markets/Markets.ts"
import { OpenContracts, Scoreboard, SettledRows, SignalCalls } from "../../core/lanes/markets/ports.ts"
import * as Hypothetical from "../../core/record/scoreboard/hypothetical.ts"
import {
  type CurrentRow,
  type Domain,
  domains,
  isLive,
  toMarketProbability,
} from "../../core/record/scoreboard/Settled.ts"
import { day, hour, iso, minute } from "../../core/time.ts"
import type { SetClock } from "./clock.ts"
import { ask, type Finals, outcome, type Signals, scheduled } from "./edgeSignals.ts"

/** What a walk over the generated venue's edges found. */
export interface Walk {
  readonly stops: number
  /** Contracts that were open at a stop, each compared with its signal; edges among them, by domain. */
  readonly compared: Readonly<Record<Domain, number>>
  readonly edges: Readonly<Record<Domain, number>>
  /** Rows of the ledger compared with the lane's own final, and of those with the board at their capture. */
  readonly settled: Readonly<Record<Domain, number>>
  readonly captured: Readonly<Record<Domain, number>>
  /**
   * Edges that were walked to their end; those of them that no final decides, and those that are not scored because the
   * last capture found no two live sides.
   */
  readonly ended: number
  readonly undecided: number
  readonly unquoted: number
  /** The largest difference of a board's probability and its signal's within the minute of the board. */
  readonly farthest: number
  /**
   * The largest share of open contracts on which model and market differed by 0.05 or more. Football's are not counted: its
   * venue keeps to the bookmakers' line, from which the model is as far as in life.
   */
  readonly mostOff: number
  /** Each in a line. */
  readonly contradictions: ReadonlyArray<string>
  /** Of the trades that the ledger counts: what they paid, what the models expected of them, and its deviation. USD. */
  readonly trades: { readonly count: number; readonly pnl: number; readonly expected: number; readonly sd: number }
}

/** The bars that a walk misses. */
export const faultsOf = ({ contradictions, mostOff, trades }: Walk): ReadonlyArray<string> => [
  ...(contradictions.length > 0 ? [`${contradictions.length} contradictions`] : []),
  ...(mostOff > 0.15 ? [`${mostOff} of the open contracts but football's differ by 0.05 or more`] : []),
  ...(Math.abs(trades.pnl - trades.expected) > 3 * trades.sd
    ? [`trades made ${trades.pnl} USD, not ${trades.expected} ± ${trades.sd}`]
    : []),
]

export interface Options {
  readonly from: number
  readonly days: number
  /** Between two stops, milliseconds. */
  readonly every: number
  /** Days in which the ledger is read after the last stop; 11 unless given. By then all that was open is decided. */
  readonly settling?: number
}

/** What any signal's probabilities are rounded to. */
const rounding = 3e-6
/** A signal's clock may be finer than the board's minute. */
const withinMinute = 0.002

const tally = (): Record<Domain, number> => ({ weather: 0, nfl: 0, mlb: 0, crypto: 0 })

/** What the models expected of the trades that the ledger counts, contract by contract of one event: they move together. */
const tradesOf = (rows: Iterable<CurrentRow>): Walk["trades"] => {
  const ledger = Hypothetical.empty()
  const byEvent = new Map<string, number>()
  let expected = 0
  for (const { domain, quotes, result, ...row } of rows) {
    const { model, feeRate, event } = row
    if (quotes === undefined || result === "void" || feeRate === undefined) continue
    const market = toMarketProbability(quotes)
    const before = ledger.trades
    Hypothetical.add(ledger, { ...row, market, ...quotes, happened: result === "yes" })
    if (ledger.trades === before) continue
    const isYes = model > market
    // Football's bookmakers know more than the model: their price is what its trades are worth.
    const yes = (domain === "nfl" ? market : model) / 1e6
    const [p, price] = isYes ? [yes, quotes.yesAsk / 1e4] : [1 - yes, quotes.noAsk / 1e4]
    const one = Hypothetical.empty()
    Hypothetical.add(one, { ...row, market, ...quotes, happened: isYes })
    expected += p / price - 1 - one.feeMicros / 1e6
    // Trades of one event never hedge each other by more than they would alone.
    byEvent.set(event, (byEvent.get(event) ?? 0) + Math.sqrt(p * (1 - p)) / price)
  }
  const { trades, pnl } = Hypothetical.balance(ledger)
  const variance = [...byEvent.values()].reduce((sum, sd) => sum + sd * sd, 0)
  return { count: trades, pnl, expected, sd: Math.sqrt(variance) }
}

/**
 * Goes through virtual time as an agent does: reads the board, calls the signal that each contract came from, and when it
 * has settled compares the ledger with the lane's own final and with what the signal said at the capture.
 *
 * @param clock that the lanes run by
 */
export const walk = (
  clock: SetClock,
  { from, days, every, settling = 11 }: Options,
): Effect.Effect<Walk, Failure, Finals | MarketsPorts | Markets | Signals> =>
  Effect.gen(function* () {
    const markets = yield* Markets
    const { open } = yield* OpenContracts
    const { current } = yield* Scoreboard
    const calls = yield* SignalCalls
    const rows = yield* SettledRows
    const [compared, edges, settled, recaptured] = [tally(), tally(), tally(), tally()]
    const contradictions: Array<string> = []
    const seen = new Map<string, { readonly contract: Priced; readonly isEdge: boolean }>()
    const captures = new Map<string, Priced>()
    const ledger = new Map<string, CurrentRow>()
    let [farthest, mostOff, ended, undecided, unquoted] = [0, 0, 0, 0, 0]
    const contradict = (at: number, what: string): void => void contradictions.push(`${iso(at)} ${what}`)

    /** The board against the signals, later in its minute. */
    const compare = (at: number) =>
      Effect.gen(function* () {
        clock.set(at)
        const { contracts } = yield* open
        const board = (yield* markets.edge({ min_edge: 0.05 })).results.edges
        const off = new Set(board.map(({ market }) => market))
        const urls = new Map(board.map(({ market, signal_url }) => [market, signal_url]))
        const others = contracts.filter(({ domain }) => domain !== "nfl")
        const apart = others.filter(({ ticker }) => off.has(ticker)).length
        mostOff = Math.max(mostOff, others.length === 0 ? 0 : apart / others.length)
        const bySubject = new Map<string, Array<Priced>>()
        for (const contract of contracts) {
          const name = `${contract.lane}/${contract.subject}`
          bySubject.set(name, [...(bySubject.get(name) ?? []), contract])
          const edge = modelEdge(contract)
          if (edge !== undefined && Math.abs(edge) >= 50_000 !== off.has(contract.ticker)) {
            contradict(
              at,
              `${contract.ticker}: an edge of ${edge / 1e6} is ${off.has(contract.ticker) ? "" : "not "}listed`,
            )
          }
          seen.set(contract.ticker, {
            contract,
            isEdge: off.has(contract.ticker) || seen.get(contract.ticker)?.isEdge === true,
          })
        }
        for (const own of bySubject.values()) {
          if (!(yield* scheduled(own[0]!))) contradict(at, `${own[0]!.event} is not on the schedule`)
          for (const [later, tolerance] of [
            [0, rounding],
            [50_000, withinMinute],
          ] as const) {
            clock.set(at + later)
            const answers = new Map<string, (contract: Priced) => number>()
            for (const contract of own) {
              const url = calls.find(contract, at + later)?.contractPath
              if (url === undefined || (off.has(contract.ticker) && urls.get(contract.ticker) !== url)) {
                contradict(at, `${contract.ticker}: ${urls.get(contract.ticker)} on the board, ${url} for its signal`)
              }
              if (url === undefined) continue
              const probability = answers.get(url) ?? (yield* ask(url, at + later))
              answers.set(url, probability)
              const gap = Math.abs(probability(contract) - contract.model / 1e6)
              if (later > 0) farthest = Math.max(farthest, gap)
              if (gap <= tolerance) continue
              contradict(
                at,
                `${contract.ticker}: ${contract.model / 1e6} on the board, ${probability(contract)} called`,
              )
            }
          }
          clock.set(at)
        }
        for (const { domain, ticker } of contracts) {
          compared[domain] += 1
          if (off.has(ticker)) edges[domain] += 1
        }
      })

    /** New rows of the ledger against the finals, and against the board at their capture. */
    const settle = (at: number) =>
      Effect.gen(function* () {
        clock.set(at)
        for (const domain of domains) {
          for (const row of yield* rows.after(domain, undefined, 10_000)) {
            const before = seen.get(row.ticker)
            if (before === undefined || ledger.has(row.ticker)) continue
            ledger.set(row.ticker, row)
            settled[domain] += 1
            const own = yield* outcome(before.contract, at)
            if (own !== row.result) contradict(at, `${row.ticker}: ${row.result} in the ledger, ${own} by the lane`)
            if (row.sourceResult !== row.result) contradict(at, `${row.ticker}: two results`)
            if (row.settledAt > at) contradict(at, `${row.ticker}: settled ahead of time`)
            const captured = captures.get(row.ticker)
            if (captured === undefined) continue
            recaptured[domain] += 1
            if (Math.abs(captured.model - row.model) > 1 || captured.bidAsk.yesBid !== row.quotes?.yesBid) {
              contradict(at, `${row.ticker}: ${row.model / 1e6} in the ledger, ${captured.model / 1e6} at its capture`)
            }
          }
        }
        const { board } = yield* current
        for (const [domain, { disagreed }] of board.counts) {
          if (disagreed > 0) contradict(at, `${domain}: ${disagreed} rows with two different results`)
        }
      })

    const until = from + days * day
    // Any minute of the hour.
    const stops = Array.from(
      { length: Math.ceil((days * day) / every) },
      (_, n) => from + n * every + ((n * 17) % 60) * minute,
    )
    // The moments at which the ledger says that somebody asked: what the board shows then is what it has to keep.
    const asked = new Set<number>()
    const captureTimes = new Map<string, number>()
    for (let on = from; on < until; on += hour / 2) {
      for (const domain of domains) {
        for (const listing of listTrading(domain, on)) {
          const at = findCaptureTime(listing)
          captureTimes.set(listing.ticker, at)
          // Only contracts of a stop are followed; there are too many others on an asset's price.
          const isSeen = stops.some((stop) => listing.opensAt <= stop && stop < listing.closesAt)
          if (at >= from && at < until && (domain !== "crypto" || isSeen)) asked.add(at)
        }
      }
    }
    const moments = [...new Set([...stops, ...asked])].sort((a, b) => a - b)
    for (const at of moments) {
      if (asked.has(at)) {
        clock.set(at)
        for (const contract of (yield* open).contracts) {
          const listing = listTrading(contract.domain, at).find(({ ticker }) => ticker === contract.event)
          if (listing !== undefined && findCaptureTime(listing) === at) captures.set(contract.ticker, contract)
        }
      }
      if (!stops.includes(at)) continue
      yield* compare(at)
      yield* settle(at)
    }
    // What is open now is decided in eleven days at the latest: a week of football, and a climate day.
    const end = until + settling * day
    for (let later = until + day; later <= end; later += day) yield* settle(later)
    for (const { contract, isEdge } of seen.values()) {
      if (!isEdge) continue
      ended += 1
      if (ledger.has(contract.ticker)) continue
      // A tape is remembered for a week.
      const known = contract.domain === "crypto" ? contract.closeTime + 10 * minute : end
      clock.set(known)
      if ((yield* outcome(contract, known)) === undefined) {
        undecided += 1
        continue
      }
      // It ended and is not scored: then it had no two live sides when somebody asked last.
      const at = captureTimes.get(contract.event)!
      clock.set(at)
      const captured = (yield* open).contracts.find(({ ticker }) => ticker === contract.ticker)
      if (captured === undefined || isLive(captured.bidAsk)) contradict(at, `${contract.ticker} is not in the ledger`)
      else unquoted += 1
    }
    return {
      stops: stops.length,
      compared,
      edges,
      settled,
      captured: recaptured,
      ended,
      undecided,
      unquoted,
      farthest,
      mostOff,
      contradictions,
      trades: tradesOf(ledger.values()),
    }
  })
