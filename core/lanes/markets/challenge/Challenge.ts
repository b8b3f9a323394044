import * as Effect from "effect/Effect"
import type { Contract } from "../../../contracts/Contract.ts"
import * as Port from "../../../endpoint/Port.ts"
import type { Failure } from "../../../Failure.ts"
import type { Buyer } from "../../../record/captures/Captures.ts"
import type { Leaf } from "../../../record/log/leaf.ts"
import type { Sums } from "../../../record/scoreboard/challengers.ts"
import type { SettledMarket } from "../../../record/scoreboard/Settled.ts"

/** An account may have this many models, withdrawn ones included. */
export const maxModels = 5
/** An account may record this many opinions in a UTC day. */
export const maxDailyOpinions = 1_000

export const maxOpinionsPerCall = 100

/** A contract that accepts opinions until its close. */
export interface ListedContract extends Pick<Contract, "domain" | "venue" | "ticker" | "title" | "closeTime"> {
  /** The lane that prices it. */
  readonly lane: string
}

export interface Opinion {
  readonly contract: ListedContract
  /** Probability of yes, whole millionths. */
  readonly p: number
}

/** An opinion as it is written to the record, with everything that its leaf contains. */
export interface OpinionEntry extends Opinion {
  readonly id: string
  readonly model: string
  /** Epoch milliseconds. */
  readonly at: number
  readonly salt: string
}

/** The log leaf of an opinion. It is sealed until the contract's announced close and does not name the account. */
export const toLeaf = ({ id, model, at, salt, contract, p }: OpinionEntry): Leaf => ({
  id,
  kind: "opinion",
  at,
  lane: contract.lane,
  subject: contract.ticker,
  body: { model, venue: contract.venue, ticker: contract.ticker, p, close_time: contract.closeTime },
  seal: { until: contract.closeTime, salt },
})

/** Why none of the opinions of a call were recorded. */
export type Refusal =
  /** The model's name belongs to another account. */
  | { readonly _tag: "Owned" }
  /** The account has `maxModels` models already. */
  | { readonly _tag: "Models" }
  | { readonly _tag: "Withdrawn"; readonly at: number }
  /** The account has recorded `used` opinions in this UTC day; this call adds `fresh`, which would exceed the limit. */
  | { readonly _tag: "Day"; readonly used: number; readonly fresh: number }
  /** Some contracts have closed: their indexes in the call, and when. */
  | { readonly _tag: "Closed"; readonly closed: ReadonlyArray<{ readonly index: number; readonly closeTime: number }> }

export interface Recorded {
  readonly _tag: "Recorded"
  readonly leaves: ReadonlyArray<string>
  /** How many more the account may record in this UTC day. */
  readonly left: number
}

/** A model of an account, with the sums of its scored opinions. */
export interface Challenger {
  readonly model: string
  /** Epoch milliseconds of its first opinion. */
  readonly since: number
  readonly withdrawnAt?: number
  /** Models that its account has ever entered, and how many of them it withdrew. */
  readonly accountModels: { readonly entered: number; readonly withdrawn: number }
  readonly sums: Sums
}

export interface Challengers {
  readonly challengers: ReadonlyArray<Challenger>
  /** Epoch milliseconds. */
  readonly settledAt?: number
}

/** The position of an opinion among those of its model. */
export interface OpinionPlace {
  /** Epoch milliseconds. */
  readonly at: number
  readonly seq: number
}

/** An opinion whose contract has closed, with the settled row that it is scored on, if any. */
export interface Receipt extends OpinionPlace, Pick<ListedContract, "venue" | "ticker" | "closeTime"> {
  readonly id: string
  /** Probability of yes, whole millionths. */
  readonly p: number
  readonly row?: SettledMarket
}

/** Store port of the challenge: users' models and their opinions on open contracts. */
export const Challenge = Port.define("markets/Challenge")<{
  /** Contracts for practice, offered in addition to those that the venues list. */
  readonly practiceContracts: (now: number) => ReadonlyArray<ListedContract>
  /** Close times of contracts that once accepted opinions, epoch milliseconds by ticker; unknown tickers are left out. */
  readonly closeTimes: (tickers: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, number>, Failure>
  /**
   * Records all opinions or none, each with its leaf, in one transaction. A model's name belongs to the account that uses
   * it first. An opinion that repeats the model's last one on the contract is not recorded again; it gets the same leaf.
   *
   * @returns undefined if this store records nothing
   */
  readonly submit: (
    author: Buyer,
    model: string,
    opinions: ReadonlyArray<Opinion>,
  ) => Effect.Effect<Recorded | Refusal | undefined, Failure>
  /**
   * Withdraws a model permanently.
   *
   * @returns when it was withdrawn, epoch milliseconds; undefined if this store records nothing
   */
  readonly withdraw: (
    accountId: string,
    model: string,
  ) => Effect.Effect<
    | { readonly _tag: "Withdrawn"; readonly at: number }
    | { readonly _tag: "Owned" }
    | { readonly _tag: "Unknown" }
    | undefined,
    Failure
  >
  readonly challengers: Effect.Effect<Challengers, Failure>
  /** At most `limit` opinions of a model that are older than `before`, newest first, on contracts that close by `now`. */
  readonly receipts: (
    model: string,
    before: OpinionPlace | undefined,
    now: number,
    limit: number,
  ) => Effect.Effect<ReadonlyArray<Receipt>, Failure>
}>({
  practiceContracts: () => [],
  closeTimes: () => Effect.succeed(new Map()),
  submit: () => Effect.succeed(undefined),
  withdraw: () => Effect.succeed(undefined),
  challengers: Effect.succeed({ challengers: [] }),
  receipts: () => Effect.succeed([]),
})
export type Challenge = typeof Challenge.Identifier
