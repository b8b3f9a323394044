import type { Account, KeyRecord } from "../../../../core/account/AccountStore.ts"
import type { Agent, Spend } from "../../../../core/account/Agent.ts"
import { usd } from "../../../../core/account/Money.ts"
import { type Condition, marks, type Named, type Tone } from "../../condition/Condition.ts"
import * as conditions from "../../condition/ofAccount.ts"
import { timeText } from "../../view/dates.ts"
import type { MonthAndToday } from "../spend.ts"

/** What an element of a page shows. */
export interface Shown {
  readonly text: string
  /** Of an amount under a cap. */
  readonly meter?: { readonly value: number; readonly max: number; readonly high: number }
  /** Of a state. */
  readonly badge?: { readonly tone: Tone; readonly mark: string }
}

/**
 * A value that changes while a page is open. Pages and `live.json` make it by the same functions, so that both say it in
 * the same words.
 */
export interface Value {
  /** The elements of a page that show it have this name. */
  readonly name: string
  readonly shown: Shown
}

const text = (name: string, shown: string | number): Value => ({ name, shown: { text: String(shown) } })

/** Since when the account is suspended; `no`: it is not. */
export const suspended = ({ suspendedAt }: Pick<Account, "suspendedAt">): Value =>
  text("suspended", suspendedAt === undefined ? "no" : timeText(suspendedAt))

export const balance = (micros: number): Value => text("balance", usd(micros))

export const month = ({ month }: Pick<MonthAndToday, "month">): Value => text("month", usd(month.charged))

export const callsToday = ({ today }: Pick<MonthAndToday, "today">): Value => text("calls", today.calls)

const state = (id: string, { tone, label }: Condition): Value => ({
  name: `${id}.state`,
  shown: { text: label, badge: { tone, mark: marks[tone] } },
})

export const agentState = (agent: Agent, spend: ReadonlyArray<Spend>): Value =>
  state(agent.id, conditions.agent(agent, spend))

/** Spend of an agent's live or test keys against its cap, this month or in all. */
export const agentSpend = (
  agent: Agent,
  spend: ReadonlyArray<Spend>,
  kind: "live" | "test",
  over: "month" | "total",
): Value => {
  const total = spend.find(({ livemode }) => livemode === (kind === "live"))
  const [spent = 0, cap] =
    over === "month" ? [total?.monthSpent, agent.monthlyCap] : [total?.totalSpent, agent.budgetCap]
  return {
    name: `${agent.id}.${kind}.${over}`,
    shown:
      cap === undefined
        ? { text: `${usd(spent)}, no cap` }
        : {
            text: `${usd(spent)} of ${usd(cap)}`,
            meter: { value: Math.min(spent, cap), max: Math.max(cap, 1), high: cap * 0.8 },
          },
  }
}

const agentValues = (agent: Agent, spend: ReadonlyArray<Spend>): ReadonlyArray<Value> => [
  agentState(agent, spend),
  ...(["live", "test"] as const).flatMap((kind) =>
    (["month", "total"] as const).map((over) => agentSpend(agent, spend, kind, over)),
  ),
]

export const keyState = (key: KeyRecord, now: number): Value => state(key.id, conditions.key(key, now))

export const keyUse = ({ id, lastUsedAt }: Pick<KeyRecord, "id" | "lastUsedAt">): Value =>
  text(`${id}.used`, lastUsedAt === undefined ? "never" : timeText(lastUsedAt))

/** The conditions that can stop the account's calls and need action. */
export const attention = (urgent: ReadonlyArray<Named>): Value =>
  text("attention", urgent.map(({ name, condition }) => `${name}: ${condition.label}`).join("; "))

/** The newest row of a list, by its id: a page that begins with another one says that there are newer ones. */
export const newestCall = (id: string | undefined): Value => text("newest.call", id ?? "none")
export const newestPosting = (id: string | undefined): Value => text("newest.posting", id ?? "none")

/** What is read of an account. */
export interface Figures {
  readonly now: number
  readonly account: Pick<Account, "suspendedAt">
  readonly balance: number
  readonly usage: MonthAndToday
  readonly agents: ReadonlyArray<{ readonly agent: Agent; readonly spend: ReadonlyArray<Spend> }>
  readonly keys: ReadonlyArray<KeyRecord>
  /** The ids of the newest call and of the newest posting. */
  readonly call: string | undefined
  readonly posting: string | undefined
  readonly urgent: ReadonlyArray<Named>
}

export const listValues = (found: Figures): ReadonlyArray<Value> => [
  suspended(found.account),
  balance(found.balance),
  month(found.usage),
  callsToday(found.usage),
  attention(found.urgent),
  newestCall(found.call),
  newestPosting(found.posting),
  ...found.agents.flatMap(({ agent, spend }) => agentValues(agent, spend)),
  ...found.keys.flatMap((key) => [keyState(key, found.now), keyUse(key)]),
]
