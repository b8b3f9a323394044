/** @jsxRuntime automatic @jsxImportSource preact */
import * as Effect from "effect/Effect"
import { Accounts } from "../../../../core/account/Accounts.ts"
import type { Agent } from "../../../../core/account/Agent.ts"
import { Agents } from "../../../../core/account/Agents.ts"
import { fail } from "../../../../core/Failure.ts"
import { isAllowed } from "../../../admin/AdminOperation.ts"
import { agentVerbs } from "../../../admin/agentVerbs.ts"
import { Table } from "../../view/Table.tsx"
import { confirmed, runs } from "../actions.ts"
import { Fields, Form } from "../Form.tsx"
import { Changed, LiveState, Meter } from "../live/Live.tsx"
import * as values from "../live/values.ts"
import { ofAccount, type Page, type Visit } from "../Page.ts"
import { Confirm, Environment, Find, Time } from "../parts.tsx"

const { agentsCreate, agentsPause, agentsResume, agentsRevoke, agentsCap } = agentVerbs

/** Most agents that the list shows at once. A filter finds the others. */
const most = 50

const pathOf = ({ id }: Agent): string => `/dashboard/agents/${id}`

const dollars = (micros: number | undefined): string | undefined =>
  micros === undefined ? undefined : String(micros / 1e6)

/** Pauses or resumes by one button. */
const Turn = ({ agent, visit }: { readonly agent: Agent; readonly visit: Visit }) => {
  if (agent.status === "revoked" || !isAllowed(agentsPause, visit.actor)) return null
  const isActive = agent.status === "active"
  return (
    <Form
      visit={visit}
      action={isActive ? "pause" : "resume"}
      button={isActive ? "Pause" : "Resume"}
      about={agent.name}
      isInline
    >
      <input type="hidden" name="agent" value={agent.id} />
    </Form>
  )
}

const stateOf = (agent: Agent) => <LiveState is={values.agentState(agent)} />

const list = ofAccount({
  path: "/dashboard/agents",
  label: "Agents",
  view: (visit) =>
    Effect.gen(function* () {
      const agents = yield* Agents
      const text = (visit.query.get("q") ?? "").toLowerCase()
      const all = (yield* agents.list(visit.account.id)).toReversed()
      const chosen = all.filter(({ id, name }) => id.toLowerCase().includes(text) || name.toLowerCase().includes(text))
      const open = chosen.filter(({ status }) => status !== "revoked")
      const ended = chosen.filter(({ status }) => status === "revoked")
      const shown = yield* Effect.forEach(open.slice(0, most), ({ id }) => agents.get(id))
      return {
        title: "Agents",
        body: (
          <>
            <p>
              An agent is a program that spends. Its keys never spend more than its caps, and a pause stops them within
              a second.
            </p>
            {isAllowed(agentsCreate, visit.actor) && (
              <p>
                <a class="button" href="/dashboard/agents/new">
                  New agent
                </a>
              </p>
            )}
            {all.length > 10 && <Find text={text} />}
            <Changed href="/dashboard/agents" />
            {shown.length === 0 ? (
              <p>
                {text === "" ? "No agent yet. One with a cap of 5 USD is a good beginning." : "No agent has this name."}
              </p>
            ) : (
              <Table
                caption="Agents and their spend at list price, live"
                columns={[
                  { name: "Agent" },
                  { name: "State" },
                  { name: "This month" },
                  { name: "In all" },
                  { name: "" },
                ]}
                rows={shown.map(({ agent, spend }) => [
                  <a key="agent" href={pathOf(agent)}>
                    {agent.name}
                  </a>,
                  stateOf(agent),
                  <Meter
                    key="month"
                    label={`${agent.name} this month`}
                    is={values.agentSpend(agent, spend, "live", "month")}
                  />,
                  <Meter
                    key="life"
                    label={`${agent.name} in all`}
                    is={values.agentSpend(agent, spend, "live", "total")}
                  />,
                  <Turn key="turn" agent={agent} visit={visit} />,
                ])}
              />
            )}
            {open.length > most && (
              <p class="soft">
                The newest {most} of {open.length}. Find others by name or id.
              </p>
            )}
            {ended.length > 0 && (
              <details>
                <summary>{ended.length} revoked agents</summary>
                <ul>
                  {ended.slice(0, most).map((agent) => (
                    <li key={agent.id}>
                      <a href={pathOf(agent)}>{agent.name}</a>
                    </li>
                  ))}
                </ul>
              </details>
            )}
          </>
        ),
      }
    }),
  actions: {
    pause: runs(
      agentsPause,
      (_, values) => ({ agent: values.get("agent") ?? "" }),
      () => ({ to: "/dashboard/agents" }),
    ),
    resume: runs(
      agentsResume,
      (_, values) => ({ agent: values.get("agent") ?? "" }),
      () => ({ to: "/dashboard/agents" }),
    ),
  },
})

const create = ofAccount({
  path: "/dashboard/agents/new",
  view: (visit) =>
    Effect.succeed({
      title: "New agent",
      body: (
        <Form visit={visit} action="create" button="Make the agent">
          <Fields visit={visit} action="create" verb={agentsCreate} values={{ monthly_cap_micros: "5" }} />
        </Form>
      ),
    }),
  actions: {
    create: runs(
      agentsCreate,
      () => ({}),
      ({ id }) => ({ to: `/dashboard/agents/${id}` }),
    ),
  },
})

/** The agent of a page's path, if the account has it. */
const agentOf = (visit: Visit) =>
  Effect.gen(function* () {
    const { get, list: ofAll } = yield* Agents
    const id = visit.params["agent"]
    const own = (yield* ofAll(visit.account!.id)).find((each) => each.id === id)
    if (own === undefined) return yield* fail("not_found", { detail: "The account has no such agent." })
    return yield* get(own.id)
  })

/** Keys that the page of an agent lists, the newest. */
const mostKeys = 20

const toItself = ({ params }: Visit) => ({ agent: params["agent"] })

const one = ofAccount({
  path: "/dashboard/agents/:agent",
  view: (visit) =>
    Effect.gen(function* () {
      const { agent, spend } = yield* agentOf(visit)
      const keys = yield* (yield* Accounts).keyPage(visit.account.id, { agentId: agent.id, limit: mostKeys + 1 })
      const mayChange = agent.status !== "revoked" && isAllowed(agentsCap, visit.actor)
      return {
        title: `Agent ${agent.name}`,
        body: (
          <>
            <Changed href={pathOf(agent)} />
            <dl class="facts">
              <dt>Id</dt>
              <dd>
                <code>{agent.id}</code>
              </dd>
              <dt>State</dt>
              <dd>
                {stateOf(agent)} <Turn agent={agent} visit={visit} />
              </dd>
              <dt>Made</dt>
              <dd>
                <Time at={agent.createdAt} />
              </dd>
            </dl>
            <Table
              caption="Spend at list price"
              columns={[{ name: "Keys" }, { name: "This month (UTC)" }, { name: "In all" }]}
              rows={[true, false].map((livemode) => {
                const name = livemode ? "live" : "test"
                return [
                  <Environment key="kind" name={name} />,
                  <Meter
                    key="month"
                    label={`${name} this month`}
                    is={values.agentSpend(agent, spend, name, "month")}
                  />,
                  <Meter key="life" label={`${name} in all`} is={values.agentSpend(agent, spend, name, "total")} />,
                ]
              })}
            />
            <p class="soft">Test keys are never charged; they count against the caps apart from live ones.</p>
            <h2>Keys</h2>
            {keys.length === 0 ? (
              <p>No key yet.</p>
            ) : (
              <ul>
                {keys.slice(0, mostKeys).map((key) => (
                  <li key={key.id}>
                    <a href={`/dashboard/keys/${key.id}`}>…{key.lastFour}</a> {key.environment}
                    {key.revokedAt === undefined ? "" : ", revoked"}
                  </li>
                ))}
              </ul>
            )}
            {keys.length > mostKeys && (
              <p>
                <a href={`/dashboard/keys?q=${encodeURIComponent(agent.name)}`}>More keys of this agent</a>
              </p>
            )}
            <p>
              {mayChange && (
                <>
                  <a href={`/dashboard/keys/new?agent=${encodeURIComponent(agent.id)}`}>New key for this agent</a> ·{" "}
                </>
              )}
              <a href={`/dashboard/calls?agent=${agent.id}`}>Calls of this agent</a>
            </p>
            {mayChange && (
              <>
                <h2>Caps</h2>
                <Form visit={visit} action="caps" button="Change the caps">
                  <Fields
                    visit={visit}
                    action="caps"
                    verb={agentsCap}
                    values={{
                      monthly_cap_micros: dollars(agent.monthlyCap),
                      budget_cap_micros: dollars(agent.budgetCap),
                    }}
                  />
                </Form>
                <h2>Revoke</h2>
                <p>The agent's keys answer 401 within a second, for good. Its calls and spend stay listed.</p>
                <Form visit={visit} action="revoke" button={`Revoke ${agent.name}`} isDanger>
                  <Confirm label="Name of the agent" />
                </Form>
              </>
            )}
          </>
        ),
      }
    }),
  actions: {
    pause: runs(agentsPause, toItself, ({ id }) => ({ to: `/dashboard/agents/${id}` })),
    resume: runs(agentsResume, toItself, ({ id }) => ({ to: `/dashboard/agents/${id}` })),
    caps: runs(agentsCap, toItself, ({ id }) => ({ to: `/dashboard/agents/${id}` })),
    revoke: confirmed(
      (visit) => Effect.map(agentOf(visit), ({ agent }) => agent.name),
      runs(agentsRevoke, toItself, () => ({ to: "/dashboard/agents" })),
    ),
  },
})

/** The pages of agents. */
export const agentPages: ReadonlyArray<Page> = [list, create, one]
