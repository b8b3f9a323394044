import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Failure } from "../Failure.ts"
import type { Agent, Spend, Status } from "./Agent.ts"
import type { Audit } from "./Ledger.ts"
import type { MicroUsd } from "./Money.ts"

export interface Caps {
  readonly monthlyCap?: MicroUsd
  readonly budgetCap?: MicroUsd
}

/** Null lifts a cap; a cap that is not given stays. */
export interface CapChange {
  readonly monthlyCap?: MicroUsd | null
  readonly budgetCap?: MicroUsd | null
}

/** Write port behind `Agents`. Every method is one short transaction. */
export class AgentStore extends Context.Tag("core/account/AgentStore")<
  AgentStore,
  {
    /** False: the account has an agent of that name. */
    readonly insert: (agent: Agent) => Effect.Effect<boolean, Failure>
    /** By id, or by name where only one agent has it. */
    readonly find: (idOrName: string) => Effect.Effect<Agent | undefined, Failure>
    readonly ofAccount: (accountId: string) => Effect.Effect<ReadonlyArray<Agent>, Failure>
    readonly setStatus: (id: string, status: Status) => Effect.Effect<void, Failure>
    /** A monthly cap that was raised or lifted makes those events due again whose line the spend is now below. */
    readonly setCaps: (id: string, change: CapChange) => Effect.Effect<void, Failure>
    /** What was spent with live keys, then with test keys, in a month and over all. */
    readonly spend: (id: string, month: string) => Effect.Effect<ReadonlyArray<Spend>, Failure>
    /**
     * Audit rows of an agent in the order in which they were written, so that what is written later never stands before
     * what was read.
     *
     * @param after the request id of the last row that was read; undefined: from the beginning
     * @returns undefined where the agent has no such row
     */
    readonly audit: (
      id: string,
      after: string | undefined,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<Audit> | undefined, Failure>
  }
>() {}
