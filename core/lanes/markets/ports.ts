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

/** Read port: the current rows of settled contracts that are scored. */
export const SettledRows = Port.define("markets/SettledRows")<{
  /** At most `limit` rows of a domain after a position, latest close first, then by ticker, then by venue. */
  readonly after: (
    domain: Domain,
    position: Position | undefined,
    limit: number,
  ) => Effect.Effect<ReadonlyArray<CurrentRow>, Failure>
}>()
export type SettledRows = typeof SettledRows.Identifier

export interface CurrentScoreboard {
  /** The same object until a contract settles. Do not modify it. */
  readonly board: Board
  /** When the last contract settled, epoch milliseconds; absent before the first. */
  readonly settledAt?: number
}

/** Read port: the scoreboard, sums over all settled rows. */
export const Scoreboard = Port.define("markets/Scoreboard")<{
  readonly current: Effect.Effect<CurrentScoreboard, Failure>
  /** The scoreboard computed last, without waiting for a newer one; undefined before the first. */
  readonly latest: Effect.Effect<CurrentScoreboard | undefined, Failure>
  /** The models' weights beside market prices, as last published; reading them never fits new ones. */
  readonly weights: Effect.Effect<Published, Failure>
}>()
export type Scoreboard = typeof Scoreboard.Identifier

/** A book that is polled: a venue's contracts of one domain. */
export interface BookPoll {
  readonly venue: string
  readonly domain: Domain
  /** Epoch milliseconds of the last poll that succeeded; absent before the first. */
  readonly at?: number
}

/** The open contracts that a model prices. */
export interface OpenContractList {
  readonly contracts: ReadonlyArray<Priced>
  /** Epoch milliseconds of the last successful venue poll; absent before the first. */
  readonly checkedAt?: number
  /** The books that are polled; absent if the contracts are generated. */
  readonly polls?: ReadonlyArray<BookPoll>
}

/** Read port: the venues' open contracts. */
export const OpenContracts = Port.define("markets/OpenContracts")<{
  /** Numbers of captured contracts: open ones with a model's price, and closed ones without a result. */
  readonly tracking: Effect.Effect<{ readonly openTracked: number; readonly awaitingSettlement: number }, Failure>
  /** As of the last poll, each with its model's price. */
  readonly open: Effect.Effect<OpenContractList, Failure>
}>(
  /** Without venues. */
  { tracking: Effect.succeed({ openTracked: 0, awaitingSettlement: 0 }), open: Effect.succeed({ contracts: [] }) },
)
export type OpenContracts = typeof OpenContracts.Identifier

/** Which captures are read: those of one contract, or of all contracts of an event. */
export type HistoryScope = { readonly market: string } | { readonly event: string }

/** A position in the order of captures: by venue, ticker, time and capture id. */
export interface CapturePlace {
  readonly venue: string
  readonly ticker: string
  /** Epoch milliseconds. */
  readonly at: number
  readonly captureId: string
}

export interface CapturedContract {
  /** Epoch milliseconds. */
  readonly at: number
  readonly captureId: string
  readonly contract: Priced
}

/** The result of a contract, and when it was read, epoch milliseconds. */
export type ContractEnd = Pick<CurrentRow, "result" | "settledAt">

/** Read port: all captures of contracts. */
export const MarketHistory = Port.define("markets/MarketHistory")<{
  /**
   * At most `limit` captures after a position, in order of venue, ticker and time.
   *
   * @param from epoch milliseconds, included
   * @param until epoch milliseconds, excluded
   */
  readonly captures: (query: {
    readonly scope: HistoryScope
    readonly from: number
    readonly until: number
    readonly after: CapturePlace | undefined
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<CapturedContract>, Failure>
  /** The results of the given contracts that have settled, by `venue/ticker`. */
  readonly ends: (
    contracts: ReadonlyArray<Pick<Contract, "venue" | "ticker">>,
  ) => Effect.Effect<ReadonlyMap<string, ContractEnd>, Failure>
}>(
  /** Without captures. */
  { captures: () => Effect.succeed([]), ends: () => Effect.succeed(new Map()) },
)
export type MarketHistory = typeof MarketHistory.Identifier

/** Finds the call whose answer is the signal of a priced contract. */
export const SignalCalls = Port.plain("markets/SignalCalls")<{
  /** Undefined if the contract's lane is unknown, or if the endpoint accepts no such call at `now`. */
  readonly find: (contract: Priced, now: number) => SignalCall | undefined
}>(
  /** Without lanes. */
  { find: () => undefined },
)
export type SignalCalls = typeof SignalCalls.Identifier

/** The items that a venue returned, and the parts of the request that failed; what is stored for those stays. */
export interface PartialResult<A> {
  readonly items: ReadonlyArray<A>
  readonly failed: ReadonlyArray<{
    /** A series of open contracts, or some tickers of results. */
    readonly part: string
    readonly failure: Failure
  }>
  /** What is missing in the items, as sentences. */
  readonly notes?: ReadonlyArray<string>
}

/** Source port: a venue. The adapter skips unreadable contracts; a request fails only if every part of it failed. */
export interface Venue {
  readonly name: string
  readonly domains: ReadonlyArray<Domain>
  /** Open contracts of the series that the lanes price, with bid, ask and fees. */
  readonly open: (domain: Domain) => Effect.Effect<PartialResult<Contract>, Failure>
  /** Results of decided contracts; none for unknown contracts. */
  readonly outcomes: (tickers: ReadonlyArray<string>) => Effect.Effect<PartialResult<VenueResult>, Failure>
}

export class Venues extends Context.Tag("market-signals/core/lanes/markets/Venues")<Venues, ReadonlyArray<Venue>>() {}

/** Source port: the models' prices for contracts. */
export const PricingLanes = Port.plain("markets/PricingLanes")<{
  /** One signal per subject. */
  readonly price: (contracts: ReadonlyArray<Contract>) => Effect.Effect<PricedSignals>
}>()
export type PricingLanes = typeof PricingLanes.Identifier

/** Source port: results of closed contracts from the models' own sources. */
export const SourceResults = Port.plain("markets/SourceResults")<{
  /** Domains whose sources may correct a result; the sources of the others are read only until there is one. */
  readonly revisableDomains: ReadonlySet<Domain>
  /** Results of one venue's contracts. A source that fails or has no result yet does not affect the others. */
  readonly read: (contracts: ReadonlyArray<Priced>) => Effect.Effect<Observed>
}>(
  /** Without sources: rows settle only on the venues' results. */
  { revisableDomains: new Set<Domain>(), read: () => Effect.succeed({ results: new Map(), failed: [], warnings: [] }) },
)
export type SourceResults = typeof SourceResults.Identifier

/** A recorded contract without a final result. */
export interface UnsettledContract {
  readonly venue: string
  readonly ticker: string
  /** If it is settled again because a value of the model's own source was voided: that value, and why. */
  readonly sourceVoided?: string
}

/** A contract's result from the venue and, if known, from the model's own source. */
export interface ContractResult extends VenueResult, Pick<UnsettledContract, "sourceVoided"> {
  readonly sourceResult?: Result
}

/** Store of open and captured contracts. */
export const ContractStore = Port.plain("markets/ContractStore")<{
  /**
   * Replaces the stored open contracts of a venue and domain.
   *
   * @param failed series that could not be read: their contracts stay
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
  /** Recorded contracts that no longer trade and have no result, and those settled since `since`, as results may change. */
  readonly due: (now: number, since: number) => Effect.Effect<ReadonlyArray<UnsettledContract>, Failure>
  readonly voids: Effect.Effect<number, Failure>
  /**
   * The contracts among `ended` for which the model's own source is to be read, as in their last capture before the close:
   * those without a result from it, and those whose source may correct it.
   */
  readonly awaitingSource: (
    venue: string,
    ended: ReadonlyArray<VenueResult>,
    revisableDomains: ReadonlySet<Domain>,
  ) => Effect.Effect<ReadonlyArray<Priced>, Failure>
  /**
   * Settles contracts by the venue's results: writes the row of the last capture before the close, its leaf and the
   * scoreboard in one transaction. A result that is stored already changes nothing. A changed result of the venue, or a
   * new or changed one of the model's own source, adds a revision. An absent one removes the stored one only if its value
   * was voided.
   *
   * @param now when the results were read, epoch milliseconds
   * @param voids the number of voids before the sources were read: if it has changed since, nothing is settled
   * @returns number of new rows
   */
  readonly settle: (
    venue: string,
    learned: ReadonlyArray<ContractResult>,
    now: number,
    voids?: number,
  ) => Effect.Effect<number, Failure>
  /** Publishes the weights of a UTC day. The first publication of a day stands. */
  readonly publish: (day: string, weights: Weights) => Effect.Effect<void, Failure>
}>()
export type ContractStore = typeof ContractStore.Identifier

/**
 * A position in the order of settled rows: latest close first, then by ticker, then by venue. Without ticker and venue it
 * is after every row of its close time.
 */
export interface Position {
  /** Epoch milliseconds. */
  readonly closeTime: number
  readonly ticker?: string
  readonly venue?: string
}

type Row = Pick<SettledMarket, "closeTime" | "ticker" | "venue">

export const compareRows = (a: Row, b: Row): number =>
  b.closeTime - a.closeTime || compare(a.ticker, b.ticker) || compare(a.venue, b.venue)

const isAfter = (row: Row, { closeTime, ticker, venue }: Position): boolean =>
  ticker === undefined || venue === undefined
    ? row.closeTime < closeTime
    : compareRows(row, { closeTime, ticker, venue }) > 0

/** The first `limit` rows after a position, of rows that are sorted by `compareRows`. */
export const pageAfter = <A extends Row>(
  rows: ReadonlyArray<A>,
  position: Position | undefined,
  limit: number,
): ReadonlyArray<A> => {
  const from = position === undefined ? 0 : rows.findIndex((row) => isAfter(row, position))
  return from === -1 ? [] : rows.slice(from, from + limit)
}

export const encodePosition = ({ closeTime, ticker, venue }: Required<Position>): string =>
  JSON.stringify([closeTime, ticker, venue])

/** Reads a cursor; undefined for an invalid one, since callers may send any text. */
export const decodePosition = (key: string): Required<Position> | undefined => {
  try {
    const [closeTime, ticker, venue] = JSON.parse(key) as ReadonlyArray<unknown>
    return Number.isSafeInteger(closeTime) && typeof ticker === "string" && typeof venue === "string"
      ? { closeTime: closeTime as number, ticker, venue }
      : undefined
  } catch {
    return undefined
  }
}
