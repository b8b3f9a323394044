import * as Effect from "effect/Effect"
import { Accounts } from "../../core/account/Accounts.ts"
import { Agents } from "../../core/account/Agents.ts"
import { Webhooks } from "../../core/events/Webhooks.ts"
import type { Failure } from "../../core/Failure.ts"

/** Finds what a parameter names: its id, and the account that owns it. */
export type AccountOf = (
  name: string,
) => Effect.Effect<{ readonly id: string; readonly accountId: string }, Failure, Accounts | Agents | Webhooks>

/** By the name of the parameter. A verb of members names nothing else in its path. */
export const accountOf: Readonly<Record<string, AccountOf>> = {
  account: (name) => Effect.flatMap(Accounts, ({ get }) => Effect.map(get(name), ({ id }) => ({ id, accountId: id }))),
  key: (id) => Effect.flatMap(Accounts, ({ key }) => key(id)),
  agent: (name) => Effect.flatMap(Agents, ({ get }) => Effect.map(get(name), ({ agent }) => agent)),
  webhook: (id) => Effect.flatMap(Webhooks, ({ get }) => get(id)),
}
