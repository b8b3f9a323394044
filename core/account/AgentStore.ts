import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Failure } from "../Failure.ts"
import type { Page } from "../Page.ts"
import type { Agent, Spend, Status } from "./Agent.ts"
import type { Audit } from "./Ledger.ts"
import type { MicroUsd } from "./Money.ts"

export interface Caps {
  readonly monthlyCap?: MicroUsd
  readonly budgetCap?: MicroUsd
}

/** Null removes a cap; an omitted cap stays. */
export interface CapChange {
  readonly monthlyCap?: MicroUsd | null
  readonly budgetCap?: MicroUsd | null
}

/** An agent and its spend. */
export interface Spender {
  readonly agent: Agent
  readonly spend: ReadonlyArray<Spend>
}

/** Agents whose spend is compared with their caps for one page. */
export const maxComparedAgents = 1_000

export interface AgentFilter extends Page {
  /** A part of an agent's id or name. */
  readonly text?: string
  /** Those that are not revoked, or those that are; absent: both. */
  readonly open?: boolean
  /**
   * Active ones whose spend is near a cap (`isWarning`) or at it, or that had a call refused, of the newest `maxComparedAgents`
   * active ones with a cap; absent: all.
   */
  readonly nearCap?: true
}

/** Write port behind `Agents`. Every method is one short transaction. */
export class AgentStore extends Context.Tag("market-signals/core/account/AgentStore")<
  AgentStore,
  {
    /** False: the account already has an agent with that name. */
    readonly insert: (agent: Agent) => Effect.Effect<boolean, Failure>
    /** By id, or by a name that only one agent has. */
    readonly find: (idOrName: string) => Effect.Effect<Agent | undefined, Failure>
    /** By id or name. */
    readonly findIn: (accountId: string, idOrName: string) => Effect.Effect<Agent | undefined, Failure>
    /** Newest first. */
    readonly ofAccount: (accountId: string, page: Page) => Effect.Effect<ReadonlyArray<Agent>, Failure>
    readonly setStatus: (id: string, status: Status) => Effect.Effect<void, Failure>
    /** After a monthly cap was raised or removed, events whose level the spend is now below can be sent again. */
    readonly setCaps: (id: string, change: CapChange) => Effect.Effect<void, Failure>
    /** Spend with live keys, then with test keys, in a month and in total. */
    readonly spend: (id: string, month: string) => Effect.Effect<ReadonlyArray<Spend>, Failure>
    /** Newest first. */
    readonly page: (
      accountId: string,
      month: string,
      filter: AgentFilter,
    ) => Effect.Effect<ReadonlyArray<Spender>, Failure>
    /**
     * Audit rows of an agent in the order of writing, so a later row never comes before one that was read.
     *
     * @param after the request id of the last row read; undefined: from the beginning
     * @returns undefined if the agent has no such row
     */
    readonly audit: (
      id: string,
      after: string | undefined,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<Audit> | undefined, Failure>
  }
>() {}
