import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Contract, Outcome, Priced } from "../../contracts/Contract.ts"
import type { Observed, PricedSignals } from "../../contracts/ContractPricing.ts"
import type { Freshness } from "../../endpoint/Answer.ts"
import type { Failure } from "../../Failure.ts"
import type { Board } from "../../record/scoreboard/board.ts"
import type { Domain, Result, Standing } from "../../record/scoreboard/Settled.ts"
import type { Position } from "./pages.ts"

/** Read port: settled rows as they stand, those that are scored. */
export class SettledRows extends Context.Tag("core/lanes/markets/SettledRows")<
  SettledRows,
  {
    readonly freshness: Freshness
    /** At most `limit` rows of a domain behind a position, latest close first, then by ticker, then by venue. */
    readonly after: (
      domain: Domain,
      position: Position | undefined,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<Standing>, Failure>
  }
>() {}

/** The scoreboard at a moment. */
export interface Current {
  /** The same object as long as nothing has settled. Not to be written to. */
  readonly board: Board
  /** When the last result in it was learned, epoch milliseconds; absent while there is none. */
  readonly settledAt?: number
}

/** Read port: the sums over every settled row. */
export class Scoreboard extends Context.Tag("core/lanes/markets/Scoreboard")<
  Scoreboard,
  { readonly freshness: Freshness; readonly current: Effect.Effect<Current, Failure> }
>() {}

/** How many contracts are followed. */
export interface Tracking {
  /** Open, and captured beside a model. */
  readonly openTracked: number
  /** Closed, captured, and without a result. */
  readonly awaitingSettlement: number
}

/** The open contracts that a model prices. */
export interface Open {
  readonly contracts: ReadonlyArray<Priced>
  /** Epoch milliseconds at which a venue last said what is open; absent when none ever did. */
  readonly checkedAt?: number
}

/** Read port: the venues' open contracts. */
export class OpenContracts extends Context.Tag("core/lanes/markets/OpenContracts")<
  OpenContracts,
  {
    readonly freshness: Freshness
    readonly tracking: Effect.Effect<Tracking, Failure>
    /** As they were seen last, each beside its model. */
    readonly open: Effect.Effect<Open, Failure>
  }
>() {
  /** Where no venue is followed. */
  static readonly layerNone: Layer.Layer<OpenContracts> = Layer.succeed(OpenContracts, {
    freshness: "live",
    tracking: Effect.succeed({ openTracked: 0, awaitingSettlement: 0 }),
    open: Effect.succeed({ contracts: [] }),
  })
}

/** What a venue has told, and the parts of the question that it left without an answer: nothing new is known of those. */
export interface Heard<A> {
  readonly heard: ReadonlyArray<A>
  readonly unheard: ReadonlyArray<{
    /** A series of open contracts; a name of some tickers, for outcomes. */
    readonly part: string
    readonly failure: Failure
  }>
}

/**
 * Source port: a venue. Its own words and prices are read by its adapter; a contract that cannot be read is left out. It
 * fails where it told nothing at all.
 */
export interface Venue {
  readonly name: string
  /** The domains that it lists contracts of. */
  readonly domains: ReadonlyArray<Domain>
  /** What trades now of the series that our lanes know, with books and fees. */
  readonly open: (domain: Domain) => Effect.Effect<Heard<Contract>, Failure>
  /** What has become of contracts, as far as it is decided; of contracts that it does not know, nothing. */
  readonly outcomes: (tickers: ReadonlyArray<string>) => Effect.Effect<Heard<Outcome>, Failure>
}

/** The venues that are followed. */
export class Venues extends Context.Tag("core/lanes/markets/Venues")<Venues, ReadonlyArray<Venue>>() {}

/** Source port: what our models say of contracts. */
export class Models extends Context.Tag("core/lanes/markets/Models")<
  Models,
  {
    /** One signal per subject. */
    readonly price: (contracts: ReadonlyArray<Contract>) => Effect.Effect<PricedSignals>
  }
>() {}

/** Source port: what the models' own sources say of contracts that have ended. */
export class SourceResults extends Context.Tag("core/lanes/markets/SourceResults")<
  SourceResults,
  {
    /** Whose sources correct themselves; the others are asked until they know. */
    readonly correcting: ReadonlySet<Domain>
    /** A source that fails or does not know yet costs the others nothing. The contracts are one venue's. */
    readonly of: (contracts: ReadonlyArray<Priced>) => Effect.Effect<Observed>
  }
>() {
  /** Where nobody looks: rows settle on the venues' results alone. */
  static readonly layerNone: Layer.Layer<SourceResults> = Layer.succeed(SourceResults, {
    correcting: new Set<Domain>(),
    of: () => Effect.succeed({ results: new Map(), warnings: [] }),
  })
}

/** A contract that is on the record and whose result is wanted. */
export interface Due {
  readonly venue: string
  readonly ticker: string
}

/** What has become of a contract: the venue's word, and that of the model's own source where it is known. */
export interface Learned extends Outcome {
  readonly sourceResult?: Result
}

/** Store of open contracts, and of what was recorded of them. */
export class ContractStore extends Context.Tag("core/lanes/markets/ContractStore")<
  ContractStore,
  {
    /**
     * Puts what a venue lists of a domain now in the place of what it listed before.
     *
     * @param unheard series of which nothing is known now: their contracts stay as they were seen last
     */
    readonly replace: (
      venue: string,
      domain: Domain,
      contracts: ReadonlyArray<Priced>,
      checkedAt: number,
      unheard?: ReadonlyArray<string>,
    ) => Effect.Effect<void, Failure>
    /** Open contracts of one subject of a lane, as they were seen last. */
    readonly about: (lane: string, subject: string) => Effect.Effect<ReadonlyArray<Priced>, Failure>
    /** Contracts on the record that no longer trade, and those that settled since `since`: a result may change. */
    readonly due: (now: number, since: number) => Effect.Effect<ReadonlyArray<Due>, Failure>
    /**
     * Those of a venue's contracts of which the model's own source is wanted, as their rows have them: as they stood in
     * the last capture before they closed. It is wanted until it is known, and where it may be corrected.
     */
    readonly unobserved: (
      venue: string,
      ended: ReadonlyArray<Outcome>,
      correcting: ReadonlySet<Domain>,
    ) => Effect.Effect<ReadonlyArray<Priced>, Failure>
    /**
     * Settles contracts by the venue's word: the row of the last capture before the close, its leaf and the scoreboard
     * in one step. What is known already changes nothing; another result, and the model's own source once it is known or
     * says something else, is another revision. A source that is silent takes nothing back.
     *
     * @param now when this was learned, epoch milliseconds
     * @returns how many rows were new
     */
    readonly settle: (venue: string, learned: ReadonlyArray<Learned>, now: number) => Effect.Effect<number, Failure>
  }
>() {}
