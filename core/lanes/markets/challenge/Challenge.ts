import * as Effect from "effect/Effect"
import type { Contract } from "../../../contracts/Contract.ts"
import * as Port from "../../../endpoint/Port.ts"
import type { Failure } from "../../../Failure.ts"
import type { Buyer } from "../../../record/captures/Captures.ts"
import type { Leaf } from "../../../record/log/leaf.ts"
import type { Sums } from "../../../record/scoreboard/challengers.ts"
import type { SettledMarket } from "../../../record/scoreboard/Settled.ts"

/** Most models of an account, withdrawn ones included. */
export const mostModels = 5
/** Most opinions that an account records in a UTC day. */
export const mostOpinions = 1_000
/** Most opinions of one call. */
export const mostAtOnce = 100

/** A contract that takes opinions until its close. */
export interface Listed extends Pick<Contract, "domain" | "venue" | "ticker" | "title" | "closeTime"> {
  /** The lane whose signals price it. */
  readonly lane: string
}

/** A challenger's probability of a contract. */
export interface Opinion {
  readonly contract: Listed
  /** Of yes, whole millionths. */
  readonly p: number
}

/** An opinion with what its leaf needs. */
export interface Written extends Opinion {
  readonly id: string
  readonly model: string
  /** Epoch milliseconds. */
  readonly at: number
  readonly salt: string
}

/** The log leaf of an opinion. It is sealed until the contract's announced close and does not name the account. */
export const leafOf = ({ id, model, at, salt, contract, p }: Written): Leaf => ({
  id,
  kind: "opinion",
  at,
  lane: contract.lane,
  subject: contract.ticker,
  body: { model, venue: contract.venue, ticker: contract.ticker, p, close_time: contract.closeTime },
  seal: { until: contract.closeTime, salt },
})

/** Why opinions were not recorded: all of them, or none. */
export type Refusal =
  /** The model's name belongs to another account. */
  | { readonly _tag: "Owned" }
  /** The account has as many models as it may. */
  | { readonly _tag: "Models" }
  | { readonly _tag: "Withdrawn"; readonly at: number }
  /** The account has recorded `used` opinions of this day, and these are `fresh` more. */
  | { readonly _tag: "Day"; readonly used: number; readonly fresh: number }
  /** Contracts that have closed: places in the list and the time of the close. */
  | { readonly _tag: "Closed"; readonly closed: ReadonlyArray<{ readonly at: number; readonly closeTime: number }> }

/** Opinions on the record. */
export interface Recorded {
  readonly _tag: "Recorded"
  /** The leaf of each. */
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
  /** Models of its account: those that it ever entered, and those of them that it withdrew. */
  readonly ofAccount: { readonly entered: number; readonly withdrawn: number }
  readonly sums: Sums
}

/** All challengers, and when something last settled. */
export interface Challengers {
  readonly challengers: ReadonlyArray<Challenger>
  /** Epoch milliseconds. */
  readonly settledAt?: number
}

/** Where an opinion stands among those of its model. */
export interface OpinionPlace {
  /** Epoch milliseconds. */
  readonly at: number
  readonly seq: number
}

/** An opinion whose contract has closed, with the row that it is scored on if there is one. */
export interface Receipt extends OpinionPlace, Pick<Listed, "venue" | "ticker" | "closeTime"> {
  /** Its leaf. */
  readonly id: string
  /** Of yes, whole millionths. */
  readonly p: number
  readonly row?: SettledMarket
}

/** Store port of the challenge: models of accounts, and their opinions on open contracts. */
export const Challenge = Port.define("markets/Challenge")<{
  /** Contracts that take opinions in addition to those that the venues list. */
  readonly practice: (now: number) => ReadonlyArray<Listed>
  /** When contracts closed that took opinions once, epoch milliseconds by ticker; without unknown ones. */
  readonly closed: (tickers: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, number>, Failure>
  /**
   * Records all or none, each with its leaf, in one transaction. A model is the account's that names it first. An opinion
   * that says what the model said last of the contract is not recorded again: its leaf is the earlier one.
   *
   * @returns undefined where nothing is kept
   */
  readonly submit: (
    author: Buyer,
    model: string,
    opinions: ReadonlyArray<Opinion>,
  ) => Effect.Effect<Recorded | Refusal | undefined, Failure>
  /**
   * Withdraws a model, for good.
   *
   * @returns when it was withdrawn, epoch milliseconds; undefined where nothing is kept
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
  /** At most `limit` opinions of a model before a place, newest first: those on contracts that close by `now`. */
  readonly receipts: (
    model: string,
    before: OpinionPlace | undefined,
    now: number,
    limit: number,
  ) => Effect.Effect<ReadonlyArray<Receipt>, Failure>
}>({
  practice: () => [],
  closed: () => Effect.succeed(new Map()),
  submit: () => Effect.succeed(undefined),
  withdraw: () => Effect.succeed(undefined),
  challengers: Effect.succeed({ challengers: [] }),
  receipts: () => Effect.succeed([]),
})
export type Challenge = typeof Challenge.Identifier
