import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Failure } from "../Failure.ts"
import { type Captured, Captures } from "../record/captures/Captures.ts"
import { type Agent, type Cap, monthOf, type Spend } from "./Agent.ts"
import type { Caller } from "./Keyring.ts"
import { MicroUsd, zero } from "./Money.ts"

/**
 * One line of the audit trail: a keyed call, whatever became of it, or `calls` of a key that ended alike within a minute
 * and cost nothing: then `at` is the first of them, `requestId` the last, `latencyMs` the longest.
 */
export interface Audit {
  /** How many calls the line stands for; one where it is left out. */
  readonly calls?: number
  /** Epoch milliseconds of the call's begin. */
  readonly at: number
  readonly requestId: string
  readonly accountId: string
  readonly agentId?: string
  readonly keyId: string
  /** Its id; `*` on a line that stands for calls of several. */
  readonly endpoint: string
  /** SHA-256 of the parameters: which call it was, without what it asked. */
  readonly paramsHash: string
  readonly status: number
  readonly code?: string
  readonly charged: MicroUsd
  readonly latencyMs: number
}

/** What an idempotent call leaves behind, to be answered again. */
export interface Remembered {
  /** UUIDv4 of the caller. */
  readonly key: string
  /** Hash of endpoint, parameters and options. */
  readonly requestHash: string
  /**
   * The body but for `_meta`, and what `_meta` needs to be made again. Of a call that cost nothing it may not have been
   * kept: then the call is made again.
   */
  readonly stored?: string
}

/** What a finished call asks of the ledger: all of it or nothing. */
export interface Settlement {
  readonly caller: Caller
  /** What counts against the agent's caps. */
  readonly list: MicroUsd
  /** What the wallet pays: 0 for test keys. */
  readonly micros: MicroUsd
  readonly audit: Audit
  readonly remember?: Remembered
  /** The signal that is sold, on its way onto the record. */
  readonly captured?: Captured
}

export type Verdict =
  | { readonly _tag: "Settled" }
  | { readonly _tag: "Capped"; readonly cap: Cap }
  | { readonly _tag: "Insufficient"; readonly balance: MicroUsd }
  /** Another call with the same idempotency key was settled in between. */
  | { readonly _tag: "Raced" }
  /** The answer costs something and cannot be kept any more today. */
  | { readonly _tag: "Unkept" }

export const settled: Verdict = { _tag: "Settled" }

/** What a caller has to pay with, and what it has spent: a look that decides nothing and leaves nothing behind. */
export interface Standing {
  /** Of the account's wallet. */
  readonly balance: MicroUsd
  /** The UTC month of `monthSpent`, YYYY-MM. */
  readonly month: string
  /** What calls of this key have charged in the month. */
  readonly monthSpent: MicroUsd
  /** The key's agent, its caps and what all of its keys have spent at list price, live and test counted apart. */
  readonly agent?: Pick<Agent, "name" | "monthlyCap" | "budgetCap"> & Pick<Spend, "monthSpent" | "totalSpent">
}

/**
 * The money path. One atomic step decides whether a call is affordable — spent + price ≤ cap and balance ≥ price — and
 * writes everything it means: wallet, journal, agent's spend, events, audit row, stored answer, capture and leaf. Nothing is held between
 * a look and its settlement, so there is nothing to release: of calls that race, the step lets through what fits.
 */
export class Ledger extends Context.Tag("core/account/Ledger")<
  Ledger,
  {
    readonly balance: (accountId: string) => Effect.Effect<MicroUsd, Failure>
    /** A look before the work: what `settle` would say now. A refusal by a cap may leave an event. */
    readonly look: (caller: Caller, list: MicroUsd, micros: MicroUsd, at: number) => Effect.Effect<Verdict, Failure>
    readonly standing: (caller: Caller, at: number) => Effect.Effect<Standing, Failure>
    /** Returns only when what it wrote is durable. Anything but `Settled` wrote nothing of the call. */
    readonly settle: (settlement: Settlement) => Effect.Effect<Verdict, Failure>
    /**
     * The audit row of a call that settled nothing. Written with the next batch, or counted with others of its minute; the
     * caller does not wait.
     */
    readonly note: (audit: Audit) => Effect.Effect<void>
    /** What an idempotency key of the last 24 hours stands for. */
    readonly recall: (keyId: string, key: string, now: number) => Effect.Effect<Remembered | undefined, Failure>
  }
>() {
  /**
   * Balances, stored answers and captures that live as long as the layer: for embedders and tests. No agents.
   *
   * @param taken gets the captures of the calls that settle
   */
  static layerMemory(
    balances: Iterable<readonly [accountId: string, micros: number]>,
    taken: Array<Captured> = [],
  ): Layer.Layer<Ledger> {
    return Layer.sync(Ledger, () => {
      const open = new Map([...balances].map(([id, micros]) => [id, MicroUsd(micros)]))
      const remembered = new Map<string, Remembered>()
      const spent = new Map<string, number>()
      const captures = Captures.inMemory(taken)
      const balanceOf = (accountId: string) => open.get(accountId) ?? zero
      const verdict = (accountId: string, micros: MicroUsd): Verdict => {
        const balance = balanceOf(accountId)
        return balance >= micros ? settled : { _tag: "Insufficient", balance }
      }
      return {
        balance: (accountId) => Effect.sync(() => balanceOf(accountId)),
        look: ({ accountId }, _list, micros) => Effect.sync(() => verdict(accountId, micros)),
        standing: ({ accountId, keyId }, at) =>
          Effect.sync(() => {
            const month = monthOf(at)
            return {
              balance: balanceOf(accountId),
              month,
              monthSpent: MicroUsd(spent.get(`${keyId}/${month}`) ?? 0),
            }
          }),
        settle: ({ caller: { accountId, keyId }, micros, audit: { at }, remember, captured }) =>
          Effect.gen(function* () {
            const name = `${keyId}/${remember?.key}`
            if (remember !== undefined && remembered.has(name)) return { _tag: "Raced" }
            const said = verdict(accountId, micros)
            if (said._tag !== "Settled") return said
            open.set(accountId, MicroUsd(balanceOf(accountId) - micros))
            const month = `${keyId}/${monthOf(at)}`
            spent.set(month, (spent.get(month) ?? 0) + micros)
            if (remember !== undefined) remembered.set(name, remember)
            if (captured !== undefined) yield* captures.take([captured])
            return said
          }),
        note: () => Effect.void,
        recall: (keyId, key) => Effect.sync(() => remembered.get(`${keyId}/${key}`)),
      }
    })
  }
}
