import * as Effect from "effect/Effect"
import { Accounts } from "../../../core/account/Accounts.ts"
import { nextMonth } from "../../../core/account/Agent.ts"
import type { Spender } from "../../../core/account/AgentStore.ts"
import { Agents } from "../../../core/account/Agents.ts"
import { Calls, maxRows } from "../../../core/account/Calls.ts"
import { usd } from "../../../core/account/Money.ts"
import { Alerts } from "../../../core/alerts/Alerts.ts"
import { webhookHost } from "../../../core/events/Webhook.ts"
import { Webhooks } from "../../../core/events/Webhooks.ts"
import { Payments } from "../../../core/payment/Payments.ts"
import { plural } from "../../../core/text.ts"
import { delivery as markShape } from "../../admin/webhookShapes.ts"
import { type Named, urgentFirst } from "../condition/Condition.ts"
import * as conditions from "../condition/ofAccount.ts"
import { startOfDayAndMonth } from "./spend.ts"

/** The newest things of a kind that are checked: a list of urgent ones names only a few. */
const maxRead = 20

/** Newest deliveries of a webhook that its state depends on. */
export const fewDeliveries = 5

/** What can stop the calls of an account: its suspension, its wallet, and the caps of its agents. */
export const readStops = (accountId: string) =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const { account, balance } = yield* accounts.balance(accountId)
    const { isUsed } = yield* accounts.keySummary(accountId)
    const low = yield* accounts.lowBalance(accountId)
    const near = yield* (yield* Agents).page(accountId, { open: true, nearCap: true, limit: maxRead })
    return {
      account: [
        { name: "Account", condition: conditions.account(account) },
        // Whoever has not made a call yet has nothing to pay for.
        ...(isUsed ? [{ name: "Wallet", condition: conditions.balance(balance, low) }] : []),
      ] satisfies ReadonlyArray<Named>,
      agents: near,
    }
  })

type Stops = Effect.Effect.Success<ReturnType<typeof readStops>>

const namedAgent = ({ agent, spend }: Spender, refused?: string): Named => ({
  name: agent.name,
  condition: conditions.agent(agent, spend, refused),
})

/** What stops an account's calls, or soon will. */
export const urgentStops = ({ account, agents }: Stops): ReadonlyArray<Named> =>
  urgentFirst([...account, ...agents.map((agent) => namedAgent(agent))])

/** Calls of an agent that its cap has refused this month, in words; undefined: none of the newest. */
const countRefused = (accountId: string, agentId: string, now: number) =>
  Effect.gen(function* () {
    const filter = { agentId, status: 4, from: startOfDayAndMonth(now).month, to: nextMonth(now) } as const
    const { rows, next } = yield* (yield* Calls).page(accountId, filter, maxRows)
    const count = rows.filter(({ code }) => code === "agent_budget_exceeded").length
    if (count === 0) return undefined
    return `${plural(count, "call")}${next === undefined ? "" : " or more"}`
  })

const readWebhooks = (accountId: string) =>
  Effect.gen(function* () {
    const webhooks = yield* Webhooks
    return yield* Effect.forEach(yield* webhooks.list(accountId), (webhook) =>
      Effect.map(
        webhooks.deliveries(webhook.id, { limit: fewDeliveries }),
        (newest): Named => ({
          name: `Webhook ${webhookHost(webhook)}`,
          condition: conditions.webhook(webhook, newest.map(markShape)),
        }),
      ),
    )
  })

const readAlerts = (accountId: string) =>
  Effect.map(
    Effect.flatMap(Alerts, ({ list }) => list(accountId)),
    (alerts) =>
      alerts.map(
        (alert): Named => ({
          name: `Alert ${alert.name ?? alert.call}`,
          condition: conditions.alert(alert),
        }),
      ),
  )

const readPayments = (accountId: string, now: number) =>
  Effect.map(
    Effect.flatMap(Payments, ({ page }) => page({ accountId, limit: maxRead })),
    (orders) =>
      orders.map(
        (order): Named => ({
          name: `Payment of ${usd(order.micros)}`,
          condition: conditions.order(order, now),
        }),
      ),
  )

/**
 * The conditions of an account that need action, the worst first.
 *
 * @param lines how many of them a page names
 */
export const urgentOfAccount = (accountId: string, now: number, stops: Stops, lines: number) =>
  Effect.gen(function* () {
    const capped = yield* Effect.forEach(stops.agents, (agent, at) =>
      at < lines && conditions.agent(agent.agent, agent.spend).tone === "stopped"
        ? Effect.map(countRefused(accountId, agent.agent.id, now), (refused) => namedAgent(agent, refused))
        : Effect.succeed(namedAgent(agent)),
    )
    return urgentFirst([
      ...stops.account,
      ...capped,
      ...(yield* readAlerts(accountId)),
      ...(yield* readWebhooks(accountId)),
      ...(yield* readPayments(accountId, now)),
    ])
  })
