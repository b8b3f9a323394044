/** @jsxRuntime automatic @jsxImportSource preact */
import * as Effect from "effect/Effect"
import type { KeySummary } from "../../../../core/account/AccountStore.ts"
import { Accounts } from "../../../../core/account/Accounts.ts"
import { Agents } from "../../../../core/account/Agents.ts"
import type { Environment } from "../../../../core/account/ApiKey.ts"
import { Calls } from "../../../../core/account/Calls.ts"
import { Usage } from "../../../../core/account/Usage.ts"
import { countText } from "../../../../core/BoundedCount.ts"
import { Webhooks } from "../../../../core/events/Webhooks.ts"
import { ifDefined } from "../../../../core/ifDefined.ts"
import { count, plural } from "../../../../core/text.ts"
import { day, dayOf } from "../../../../core/time.ts"
import { isAllowed } from "../../../admin/AdminOperation.ts"
import { agentVerbs } from "../../../admin/agentVerbs.ts"
import { playground } from "../../view/addresses.ts"
import { List } from "../../view/parts.tsx"
import { Attention, lines } from "../Attention.tsx"
import { Live, LiveState, spendMeter } from "../live/Live.tsx"
import * as values from "../live/values.ts"
import { modeIn, modes, withMode } from "../mode.tsx"
import { ofAccount } from "../Page.ts"
import { Card } from "../parts.tsx"
import {
  beginningsOf,
  byResult,
  bySpan,
  type MonthAndToday,
  monthAndToday,
  spendOverTime,
  type TimeLeft,
  timeLeft,
} from "../spend.ts"
import { readStops, urgentOfAccount, urgentStops } from "../urgent.ts"

/** Agents that the overview shows. */
const agentsShown = 10

/** Days of the chart, today included. */
const chartDays = 30

/** Newest answers whose latency is shown. */
const timedCalls = 200

/** The usage of an account per day, in this month and in the days of the chart. */
const readUsage = (accountId: string, now: number, livemode: boolean | undefined) =>
  Effect.gen(function* () {
    const { sums } = yield* Usage
    const { today, month } = beginningsOf(now)
    const [first, end] = [today - (chartDays - 1) * day, today + day]
    const query = { from: Math.min(month, first), to: end, span: "day", group: "status" } as const
    const rows = yield* sums(accountId, { ...query, ...ifDefined("livemode", livemode) })
    return {
      ...monthAndToday(rows, now),
      rows,
      each: bySpan(rows, first, end, "day"),
      series: byResult(rows, first, end, "day"),
    }
  })

/** The 95th percentile of the latency of the newest calls that were answered, by nearest rank; ms. */
const readLatency = (accountId: string, mode: Environment | undefined) =>
  Effect.map(
    Effect.flatMap(Calls, ({ page }) => page(accountId, { status: 2, ...ifDefined("environment", mode) }, timedCalls)),
    ({ rows }) => {
      const sorted = rows.map(({ latencyMs }) => latencyMs).sort((one, other) => one - other)
      return { count: sorted.length, p95: sorted[Math.ceil(0.95 * sorted.length) - 1] }
    },
  )

/** The figures on top. Those that follow the calls are of all keys: with a mode they stand still. */
const Cards = ({
  balance,
  left,
  usage,
  latency,
  keys,
  dead,
  now,
  query,
}: {
  readonly balance: number
  readonly left: TimeLeft
  readonly usage: MonthAndToday
  readonly latency: Effect.Effect.Success<ReturnType<typeof readLatency>>
  readonly keys: KeySummary
  readonly dead: number
  readonly now: number
  readonly query: URLSearchParams
}) => {
  const value = (is: values.Value) => (modeIn(query) === undefined ? <Live is={is} /> : is.shown.text)
  return (
    <dl class="cards">
      <Card name="Wallet" href="/dashboard/wallet" figure={<Live is={values.balance(balance)} />}>
        <small>
          {left.figure === "–" ? "" : `${left.figure} left `}
          {left.note}
        </small>
      </Card>
      <Card name="This month, UTC" href={withMode("/dashboard/usage", query)} figure={value(values.month(usage))} />
      <Card name="Calls today" href={withMode("/dashboard/calls", query)} figure={value(values.callsToday(usage))}>
        <a href={withMode(`/dashboard/calls?status=failed&from=${dayOf(now)}`, query)}>
          {value(values.failedToday(usage))}
        </a>
      </Card>
      <Card
        name="Latency, 95th percentile"
        href={withMode("/dashboard/calls?status=2xx", query)}
        figure={latency.p95 === undefined ? "–" : `${count(latency.p95)} ms`}
      >
        <small>{latency.count === 0 ? "no answer yet" : `of the newest ${plural(latency.count, "answer")}`}</small>
      </Card>
      <Card name="Keys" href="/dashboard/keys" figure={countText(keys.open)} />
      <Card
        name="Failed deliveries"
        href="/dashboard/webhooks/dead-letters"
        figure={dead === 100 ? "100 or more" : dead}
      />
    </dl>
  )
}

const FirstSteps = ({ hasKey }: { readonly hasKey: boolean }) => (
  <>
    <h2>First steps</h2>
    <ol>
      <li>
        {hasKey && "Use a key that you have, or "}
        <a href="/dashboard/keys/new">{hasKey ? "create" : "Create"} a test key</a> (free).
      </li>
      <li>
        <a href={playground}>Try a call</a> here, or <a href="/dashboard/connect">connect a program</a>.
      </li>
      <li>
        <a href="/dashboard/agents/new">Create an agent</a> with a spending cap for each program that spends.
      </li>
    </ol>
  </>
)

/** The overview: the balance, and what needs attention. */
export const overview = ofAccount({
  path: "/dashboard",
  label: "Overview",
  hasModes: true,
  view: ({ account, actor, now, query }) =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const agents = yield* Agents
      const webhooks = yield* Webhooks
      const { balance } = yield* accounts.balance(account.id)
      const keys = yield* accounts.keySummary(account.id)
      const newest = yield* agents.page(account.id, { open: true, limit: agentsShown + 1 })
      const mode = modeIn(query)
      const all = yield* readUsage(account.id, now, undefined)
      const usage = mode === undefined ? all : yield* readUsage(account.id, now, modes.get(mode))
      const latency = yield* readLatency(account.id, mode)
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
            <Cards
              {...{ balance, usage, keys, now, query }}
              left={timeLeft(balance, all.rows, now)}
              latency={latency}
              dead={dead.length}
            />
            {!keys.isUsed && <FirstSteps hasKey={keys.open.count > 0} />}
            <section class="listing">
              <h2>Spend and calls</h2>
              {spendOverTime({ each: usage.each, series: usage.series, span: "day", shows: "calls" })}
            </section>
            <section class="listing">
              <div class="title">
                <h2>Agents</h2>
                {isAllowed(agentVerbs.agentsCreate, actor) && <a href="/dashboard/agents/new">New agent</a>}
              </div>
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
