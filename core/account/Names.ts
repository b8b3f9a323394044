import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Failure } from "../Failure.ts"
import type { KeyRecord } from "./AccountStore.ts"
import type { Agent } from "./Agent.ts"

export type KeyName = Pick<KeyRecord, "id" | "name" | "environment" | "lastFour">
export type AgentName = Pick<Agent, "id" | "name">

/** Some of an account's keys or agents: the newest ones, or those with an id of a list. Ids of other accounts name none. */
export type Which = { readonly newest: number } | { readonly ids: ReadonlyArray<string> }

/** Names of what an account has, the newest first: short reads for pages, however many keys there are. */
export class Names extends Context.Tag("market-signals/core/account/Names")<
  Names,
  {
    readonly keys: (accountId: string, which: Which) => Effect.Effect<ReadonlyArray<KeyName>, Failure>
    readonly agents: (accountId: string, which: Which) => Effect.Effect<ReadonlyArray<AgentName>, Failure>
  }
>() {}
