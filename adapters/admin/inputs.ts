import * as Effect from "effect/Effect"
import { Accounts } from "../../core/account/Accounts.ts"
import { Agents } from "../../core/account/Agents.ts"
import { Alerts } from "../../core/alerts/Alerts.ts"
import * as Param from "../../core/endpoint/Param.ts"
import { Webhooks } from "../../core/events/Webhooks.ts"
import type { Failure } from "../../core/Failure.ts"

/** Parameters that name a resource. */
export const accountParam = { account: Param.text(64, "Account id or name.") }
export const agentParam = { agent: Param.text(64, "Agent id, or a name that only one agent has.") }
export const keyParam = { key: Param.text(64, "Key id.") }
export const alertParam = { alert: Param.text(64, "Alert id.") }
export const webhookParam = { webhook: Param.text(64, "Webhook id.") }

export const rpm = Param.integer(1, 10_000_000, "Calls per minute of an enterprise key.")

/** Finds what a parameter names: its id, and the account that owns it. */
type FindAccount = (
  name: string,
) => Effect.Effect<{ readonly id: string; readonly accountId: string }, Failure, Accounts | Agents | Alerts | Webhooks>

/** The finders by name of the parameter. The paths of verbs that members may run name nothing else. */
export const findAccountBy: Readonly<Record<string, FindAccount>> = {
  account: (name) => Effect.flatMap(Accounts, ({ get }) => Effect.map(get(name), ({ id }) => ({ id, accountId: id }))),
  key: (id) => Effect.flatMap(Accounts, ({ key }) => key(id)),
  agent: (name) => Effect.flatMap(Agents, ({ get }) => Effect.map(get(name), ({ agent }) => agent)),
  alert: (id) => Effect.flatMap(Alerts, ({ get }) => get(id)),
  webhook: (id) => Effect.flatMap(Webhooks, ({ get }) => get(id)),
}
