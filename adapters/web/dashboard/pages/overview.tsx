/** @jsxRuntime automatic @jsxImportSource preact */
import * as Effect from "effect/Effect"
import { Accounts } from "../../../../core/account/Accounts.ts"
import { Agents } from "../../../../core/account/Agents.ts"
import { Usage } from "../../../../core/account/Usage.ts"
import { countText } from "../../../../core/BoundedCount.ts"
import { Webhooks } from "../../../../core/events/Webhooks.ts"
import { day, dayOf } from "../../../../core/time.ts"
import { List } from "../../view/parts.tsx"
import { Attention, lines } from "../Attention.tsx"
import { Live, LiveState, spendMeter } from "../live/Live.tsx"
import * as values from "../live/values.ts"
import { ofAccount } from "../Page.ts"
import { Card } from "../parts.tsx"
import { beginningsOf, bySpan, monthAndToday, SpendOverTime } from "../spend.tsx"
import { readStops, urgentOfAccount, urgentStops } from "../urgent.ts"

/** Agents that the overview shows. */
const agentsShown = 10

/** Days of the chart, today included. */
const chartDays = 30

/** The usage of an account per day, in this month and in the days of the chart. */
const readUsage = (accountId: string, now: number) =>
  Effect.gen(function* () {
    const { sums } = yield* Usage
    const { today, month } = beginningsOf(now)
    const first = today - (chartDays - 1) * day
    const rows = yield* sums(accountId, {
      from: Math.min(month, first),
      to: today + day,
      span: "day",
      group: "status",
    })
    return { ...monthAndToday(rows, now), each: bySpan(rows, first, today + day, "day") }
  })

/** The overview: the balance, and what needs attention. */
export const overview = ofAccount({
  path: "/dashboard",
  label: "Overview",
  hasModes: true,
  view: ({ account, now }) =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const agents = yield* Agents
      const webhooks = yield* Webhooks
      const { balance } = yield* accounts.balance(account.id)
      const keys = yield* accounts.keySummary(account.id)
      const newest = yield* agents.page(account.id, { open: true, limit: agentsShown + 1 })
      const usage = yield* readUsage(account.id, now)
      const dead = yield* webhooks.deadLetters(account.id, { limit: 100 })
      const stops = yield* readStops(account.id)
      const urgent = yield* urgentOfAccount(account.id, now, stops, lines)
      return {
        title: "Overview",
        body: (
          <>
            {(keys.isUsed || urgent.length > 0) && (
              <Attention of={urgent} is={values.attention(urgentStops(stops))} href="/dashboard" />
            )}
            <dl class="cards">
              <Card name="Wallet" href="/dashboard/wallet" figure={<Live is={values.balance(balance)} />} />
              <Card name="This month, UTC" href="/dashboard/usage" figure={<Live is={values.month(usage)} />} />
              <Card name="Calls today" href="/dashboard/calls" figure={<Live is={values.callsToday(usage)} />}>
                <a href={`/dashboard/calls?status=failed&from=${dayOf(now)}`}>
                  <Live is={values.failedToday(usage)} />
                </a>
              </Card>
              <Card name="Keys" href="/dashboard/keys" figure={countText(keys.open)} />
              <Card
                name="Failed deliveries"
                href="/dashboard/webhooks/dead-letters"
                figure={dead.length === 100 ? "100 or more" : dead.length}
              />
            </dl>
            {!keys.isUsed && (
              <>
                <h2>First steps</h2>
                <ol>
                  <li>
                    <a href="/dashboard/keys/new">Create a test key</a> (free).
                  </li>
                  <li>
                    <a href="/dashboard/playground">Try a call</a> here, or{" "}
                    <a href="/dashboard/connect">connect a program</a>.
                  </li>
                  <li>
                    <a href="/dashboard/agents/new">Create an agent</a> with a spending cap for each program that
                    spends.
                  </li>
                </ol>
              </>
            )}
            <section class="listing">
              <h2>Spend</h2>
              <SpendOverTime each={usage.each} span="day" />
            </section>
            <section class="listing">
              <h2>Agents</h2>
              <List
                caption="Agents and their spend this month"
                rows={newest.slice(0, agentsShown)}
                empty={
                  <>
                    No agent yet. <a href="/dashboard/agents/new">Create an agent</a> with a spending cap.
                  </>
                }
                columns={[
                  ["Agent", ({ agent }) => <a href={`/dashboard/agents/${agent.id}`}>{agent.name}</a>],
                  ["State", ({ agent, spend }) => <LiveState is={values.agentState(agent, spend)} />],
                  ["This month, live", (of) => spendMeter(of, "month", `Spend of ${of.agent.name}`)],
                ]}
              />
              {newest.length > agentsShown && (
                <p>
                  <a href="/dashboard/agents">All agents</a>; these are the newest {agentsShown}.
                </p>
              )}
            </section>
          </>
        ),
      }
    }),
})
