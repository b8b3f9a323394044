import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Failure } from "../Failure.ts"
import type { KeyRecord } from "./AccountStore.ts"
import type { Agent } from "./Agent.ts"

export type KeyName = Pick<KeyRecord, "id" | "name" | "environment" | "lastFour">
export type AgentName = Pick<Agent, "id" | "name">

/** Which keys or agents of an account: the newest, or those with the given ids. Ids of other accounts are ignored. */
export type Which = { readonly newest: number } | { readonly ids: ReadonlyArray<string> }

/** Names of an account's keys and agents, newest first: cheap reads for pages, however many keys there are. */
export class Names extends Context.Tag("market-signals/core/account/Names")<
  Names,
  {
    readonly keys: (accountId: string, which: Which) => Effect.Effect<ReadonlyArray<KeyName>, Failure>
    readonly agents: (accountId: string, which: Which) => Effect.Effect<ReadonlyArray<AgentName>, Failure>
  }
>() {}
