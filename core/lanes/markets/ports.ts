import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Contract, Priced, VenueResult } from "../../contracts/Contract.ts"
import type { Observed, PricedSignals, SignalCall } from "../../contracts/ContractPricing.ts"
import * as Port from "../../endpoint/Port.ts"
import type { Failure } from "../../Failure.ts"
import type { Published, Weights } from "../../record/scoreboard/anchorWeight.ts"
import type { Board } from "../../record/scoreboard/board.ts"
import type { CurrentRow, Domain, Result, SettledMarket } from "../../record/scoreboard/Settled.ts"
import { compare } from "../../text.ts"

/** Read port: the current settled rows that are scored. */
export const SettledRows = Port.define("markets/SettledRows")<{
  /** At most `limit` rows of a domain after a position, latest close first, then by ticker, then by venue. */
  readonly after: (
    domain: Domain,
    position: Position | undefined,
    limit: number,
  ) => Effect.Effect<ReadonlyArray<CurrentRow>, Failure>
}>()
export type SettledRows = typeof SettledRows.Identifier

/** The scoreboard at a moment. */
export interface Current {
  /** The same object until something settles. Do not modify. */
  readonly board: Board
  /** Epoch milliseconds of its last result; absent without one. */
  readonly settledAt?: number
}

/** Read port: the sums over every settled row. */
export const Scoreboard = Port.define("markets/Scoreboard")<{
  readonly current: Effect.Effect<Current, Failure>
  /** The last one that was computed, without waiting for a newer one; undefined before the first. */
  readonly latest: Effect.Effect<Current | undefined, Failure>
  /** The weights of the models beside the prices, as published last; a call never fits them. */
  readonly weights: Effect.Effect<Published, Failure>
}>()
export type Scoreboard = typeof Scoreboard.Identifier

/** A venue's book of a domain that is polled. */
export interface Poll {
  readonly venue: string
  readonly domain: Domain
  /** Epoch milliseconds of the last poll that succeeded; absent before the first. */
  readonly at?: number
}

/** The open contracts that a model prices. */
export interface Open {
  readonly contracts: ReadonlyArray<Priced>
  /** Epoch milliseconds of the last successful venue poll; absent before the first. */
  readonly checkedAt?: number
  /** The books that are to be polled; absent where the contracts are generated. */
  readonly polls?: ReadonlyArray<Poll>
}

/** Read port: the venues' open contracts. */
export const OpenContracts = Port.define("markets/OpenContracts")<{
  /** Numbers of captured contracts: open ones with a model's price, and closed ones without a result. */
  readonly tracking: Effect.Effect<{ readonly openTracked: number; readonly awaitingSettlement: number }, Failure>
  /** As of the last poll, each with its model's price. */
  readonly open: Effect.Effect<Open, Failure>
  /** The same without prices; absent where `open` does not compute them. */
  readonly listed?: Effect.Effect<ReadonlyArray<Contract>, Failure>
}>(
  /** Without venues. */
  { tracking: Effect.succeed({ openTracked: 0, awaitingSettlement: 0 }), open: Effect.succeed({ contracts: [] }) },
)
export type OpenContracts = typeof OpenContracts.Identifier

/** Which captures of contracts are read: those of one contract, or of an event's. */
export type HistoryOf = { readonly market: string } | { readonly event: string }

/** A place in the order of captures: by venue, ticker, time and capture. */
export interface CapturePlace {
  readonly venue: string
  readonly ticker: string
  /** Epoch milliseconds. */
  readonly at: number
  readonly captureId: string
}

/** The model's probability and the book of a contract, as captured. */
export interface CapturedContract {
  readonly at: number
  readonly captureId: string
  readonly contract: Priced
}

/** The result of a contract, and when it was learned, epoch milliseconds. */
export type Ended = Pick<CurrentRow, "result" | "settledAt">

/** Read port: the captures of contracts at all times before their closes. */
export const MarketHistory = Port.define("markets/MarketHistory")<{
  /**
   * In order of venue, ticker and time.
   *
   * @param from epoch milliseconds, included
   * @param until epoch milliseconds, excluded
   */
  readonly captures: (asked: {
    readonly of: HistoryOf
    readonly from: number
    readonly until: number
    readonly after: CapturePlace | undefined
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<CapturedContract>, Failure>
  /** The results of those of some contracts that have settled, by venue and ticker joined by a slash. */
  readonly ended: (
    contracts: ReadonlyArray<Pick<Contract, "venue" | "ticker">>,
  ) => Effect.Effect<ReadonlyMap<string, Ended>, Failure>
}>(
  /** Without captures. */
  { captures: () => Effect.succeed([]), ended: () => Effect.succeed(new Map()) },
)
export type MarketHistory = typeof MarketHistory.Identifier

/** The calls that answer the signals of priced contracts. */
export const SignalCalls = Port.plain("markets/SignalCalls")<{
  /** Undefined for a contract of no known lane, and where the endpoint accepts no such call now. */
  readonly of: (contract: Priced, now: number) => SignalCall | undefined
}>(
  /** Without lanes. */
  { of: () => undefined },
)
export type SignalCalls = typeof SignalCalls.Identifier

/** The items that a venue returned, and the failed parts of the request; their previous state stays. */
export interface PartialResult<A> {
  readonly items: ReadonlyArray<A>
  readonly failed: ReadonlyArray<{
    /** A series of open contracts, or some tickers of results. */
    readonly part: string
    readonly failure: Failure
  }>
  /** What the items lack, in words. */
  readonly notes?: ReadonlyArray<string>
}

/**
 * Source port: a venue. The adapter parses its terms and prices and skips unreadable contracts. It fails only when every
 * part of a request failed.
 */
export interface Venue {
  readonly name: string
  readonly domains: ReadonlyArray<Domain>
  /** Open contracts of the series that the lanes price, with bid, ask and fees. */
  readonly open: (domain: Domain) => Effect.Effect<PartialResult<Contract>, Failure>
  /** Results of decided contracts; none for unknown contracts. */
  readonly outcomes: (tickers: ReadonlyArray<string>) => Effect.Effect<PartialResult<VenueResult>, Failure>
}

/** The configured venues. */
export class Venues extends Context.Tag("market-signals/core/lanes/markets/Venues")<Venues, ReadonlyArray<Venue>>() {}

/** Source port: the models' prices of contracts. */
export const PricingLanes = Port.plain("markets/PricingLanes")<{
  /** One signal per subject. */
  readonly price: (contracts: ReadonlyArray<Contract>) => Effect.Effect<PricedSignals>
}>()
export type PricingLanes = typeof PricingLanes.Identifier

/** Source port: results of closed contracts by the models' own sources. */
export const SourceResults = Port.plain("markets/SourceResults")<{
  /** Domains whose sources may correct a result; the others are read only until they have one. */
  readonly revisableDomains: ReadonlySet<Domain>
  /** Results of one venue's contracts. A source that fails or has no result yet does not affect the others. */
  readonly of: (contracts: ReadonlyArray<Priced>) => Effect.Effect<Observed>
}>(
  /** Without sources: rows settle only on the venues' results. */
  { revisableDomains: new Set<Domain>(), of: () => Effect.succeed({ results: new Map(), failed: [], warnings: [] }) },
)
export type SourceResults = typeof SourceResults.Identifier

/** A recorded contract without a final result. */
export interface UnsettledContract {
  readonly venue: string
  readonly ticker: string
  /** The voided value of the model's own source for which it is settled again, and why. */
  readonly sourceVoided?: string
}

/** A contract's result by the venue and, where known, by the model's own source. */
export interface ContractResult extends VenueResult, Pick<UnsettledContract, "sourceVoided"> {
  readonly sourceResult?: Result
}

/** Store of open and captured contracts. */
export const ContractStore = Port.plain("markets/ContractStore")<{
  /**
   * Replaces the stored open contracts of a venue and domain.
   *
   * @param failed failed series: their contracts stay
   */
  readonly replace: (
    venue: string,
    domain: Domain,
    contracts: ReadonlyArray<Priced>,
    checkedAt: number,
    failed?: ReadonlyArray<string>,
  ) => Effect.Effect<void, Failure>
  /** Open contracts on one subject of a lane, as of the last poll. */
  readonly about: (lane: string, subject: string) => Effect.Effect<ReadonlyArray<Priced>, Failure>
  /** Recorded contracts that no longer trade, and those settled since `since`, whose result may change. */
  readonly due: (now: number, since: number) => Effect.Effect<ReadonlyArray<UnsettledContract>, Failure>
  /** How many values of the models' own sources have been voided. */
  readonly voids: Effect.Effect<number, Failure>
  /**
   * The venue's contracts that await a result of the model's own source, as in their last capture before the close:
   * those without one, and those whose source may correct it.
   */
  readonly awaitingSource: (
    venue: string,
    ended: ReadonlyArray<VenueResult>,
    revisableDomains: ReadonlySet<Domain>,
  ) => Effect.Effect<ReadonlyArray<Priced>, Failure>
  /**
   * Settles contracts by the venue's result: writes the row of the last capture before the close, its leaf and the
   * scoreboard in one step. A known result changes nothing. A changed result, or a new or changed one of the model's own
   * source, adds a revision; an absent one removes nothing, unless the value behind the known one was voided.
   *
   * @param now time of the results, epoch milliseconds
   * @param voids as counted before the sources were read: where one came since, nothing is settled
   * @returns number of new rows
   */
  readonly settle: (
    venue: string,
    learned: ReadonlyArray<ContractResult>,
    now: number,
    voids?: number,
  ) => Effect.Effect<number, Failure>
  /** Publishes the weights of a UTC day, which stay as they were published first. */
  readonly publish: (day: string, weights: Weights) => Effect.Effect<void, Failure>
}>()
export type ContractStore = typeof ContractStore.Identifier

/**
 * A position in the order of settled rows: close time falling, then ticker, then venue rising. Without ticker and venue it
 * is after every row of its close time.
 */
export interface Position {
  /** Epoch milliseconds. */
  readonly closeTime: number
  readonly ticker?: string
  readonly venue?: string
}

type Row = Pick<SettledMarket, "closeTime" | "ticker" | "venue">

/** The order of settled rows. */
export const inOrder = (a: Row, b: Row): number =>
  b.closeTime - a.closeTime || compare(a.ticker, b.ticker) || compare(a.venue, b.venue)

const isAfter = (row: Row, { closeTime, ticker, venue }: Position): boolean =>
  ticker === undefined || venue === undefined
    ? row.closeTime < closeTime
    : inOrder(row, { closeTime, ticker, venue }) > 0

/** The first `limit` rows after a position; the rows are in order. */
export const after = <A extends Row>(
  rows: ReadonlyArray<A>,
  position: Position | undefined,
  limit: number,
): ReadonlyArray<A> => {
  const from = position === undefined ? 0 : rows.findIndex((row) => isAfter(row, position))
  return from === -1 ? [] : rows.slice(from, from + limit)
}

/** A position as the text of a cursor. */
export const keyOf = ({ closeTime, ticker, venue }: Required<Position>): string =>
  JSON.stringify([closeTime, ticker, venue])

/** Undefined for an invalid text: cursors are not secret, so callers may write their own. */
export const positionOf = (key: string): Required<Position> | undefined => {
  try {
    const [closeTime, ticker, venue] = JSON.parse(key) as ReadonlyArray<unknown>
    return Number.isSafeInteger(closeTime) && typeof ticker === "string" && typeof venue === "string"
      ? { closeTime: closeTime as number, ticker, venue }
      : undefined
  } catch {
    return undefined
  }
}
