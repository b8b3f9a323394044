/** @jsxRuntime automatic @jsxImportSource preact */

import * as Effect from "effect/Effect"
import { Accounts } from "../../../../core/account/Accounts.ts"
import type { Agent } from "../../../../core/account/Agent.ts"
import { Agents } from "../../../../core/account/Agents.ts"
import { ifDefined } from "../../../../core/endpoint/Field.ts"
import { fail } from "../../../../core/Failure.ts"
import { isAllowed } from "../../../admin/AdminOperation.ts"
import { agentVerbs } from "../../../admin/agentVerbs.ts"
import * as conditions from "../../../server/http/condition/ofAccount.ts"
import { Facts, State, Table } from "../../view/parts.tsx"
import { confirmed, runs } from "../actions.ts"
import { Fields, Form } from "../Form.tsx"
import { listAddress, Pager, shownBy, stateOf } from "../listing.tsx"
import { Changed, LiveState, Meter } from "../live/Live.tsx"
import * as values from "../live/values.ts"
import { keyName } from "../names.ts"
import { ofAccount, type Page, type Visit } from "../Page.ts"
import { Confirm, Environment, Find, Time } from "../parts.tsx"

const { agentsCreate, agentsPause, agentsResume, agentsRevoke, agentsCap } = agentVerbs

/** Agents of a page, and revoked ones below those that are not. */
const pageSize = 50
const endedShown = 10

const listPath = "/dashboard/agents"

const pathOf = ({ id }: Pick<Agent, "id">): string => `${listPath}/${id}`

const dollars = (micros: number | undefined): string | undefined =>
  micros === undefined ? undefined : String(micros / 1e6)

const toAgent = (agent: Pick<Agent, "id">) => ({ to: pathOf(agent) })

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

/** Pauses or resumes the agent of a row, and shows the same part of the list again. */
const turning = (verb: typeof agentsPause) =>
  runs(
    verb,
    (_, { query }) => ({ to: listAddress(listPath, shownBy(query)) }),
    (_, values) => ({ agent: values.get("agent") ?? "" }),
  )

const list = ofAccount({
  path: listPath,
  label: "Agents",
  view: (visit) =>
    Effect.gen(function* () {
      const { page } = yield* Agents
      const { account } = visit
      const at = shownBy(visit.query)
      const { text, isOpen, before } = at
      const own = yield* page(account.id, { text, open: isOpen, limit: pageSize + 1, ...ifDefined("before", before) })
      const ended =
        isOpen && before === undefined ? yield* page(account.id, { text, open: false, limit: endedShown + 1 }) : []
      const shown = own.slice(0, pageSize)
      const isAny = text !== "" || own.length + ended.length > 10 || before !== undefined
      return {
        title: isOpen ? "Agents" : "Revoked agents",
        body: (
          <>
            <p>
              An agent is a program that spends. Its keys never spend more than its caps, and a pause stops them within
              a second.
            </p>
            {isAllowed(agentsCreate, visit.actor) && (
              <p>
                <a class="button" href={`${listPath}/new`}>
                  New agent
                </a>
              </p>
            )}
            {isAny && <Find text={text} label="Find by name or id" {...ifDefined("state", stateOf(at))} />}
            <Changed href={listAddress(listPath, at)} />
            {shown.length === 0 ? (
              <p>
                {text !== ""
                  ? `No ${isOpen ? "active" : "revoked"} agents match your search.`
                  : before !== undefined
                    ? "No older agent."
                    : isOpen
                      ? "No agent yet. A cap of 5 USD is a good start."
                      : "No agent is revoked."}
              </p>
            ) : (
              <Table
                caption={`${isOpen ? "Agents" : "Revoked agents"}, newest first: live spend at list price`}
                columns={["Agent", "State", "This month", "All time", "Action"]}
                rows={shown.map(({ agent, spend }) => [
                  <a key="agent" href={pathOf(agent)}>
                    {agent.name}
                  </a>,
                  <LiveState key="state" is={values.agentState(agent, spend)} />,
                  <Meter
                    key="month"
                    label={`${agent.name} this month`}
                    is={values.agentSpend(agent, spend, "live", "month")}
                  />,
                  <Meter
                    key="life"
                    label={`${agent.name} all time`}
                    is={values.agentSpend(agent, spend, "live", "total")}
                  />,
                  <Turn key="turn" agent={agent} visit={visit} />,
                ])}
              />
            )}
            <Pager
              path={listPath}
              shown={at}
              what="agents"
              last={own.length > pageSize ? shown.at(-1)!.agent.id : undefined}
            />
            {ended.length > 0 && (
              <details>
                <summary>Revoked agents</summary>
                <ul>
                  {ended.slice(0, endedShown).map(({ agent }) => (
                    <li key={agent.id}>
                      <a href={pathOf(agent)}>{agent.name}</a>
                    </li>
                  ))}
                </ul>
                {ended.length > endedShown && (
                  <p>
                    <a href={listAddress(listPath, { text, isOpen: false })}>All revoked agents</a>
                  </p>
                )}
              </details>
            )}
          </>
        ),
      }
    }),
  actions: { pause: turning(agentsPause), resume: turning(agentsResume) },
})

const create = ofAccount({
  path: `${listPath}/new`,
  view: (visit) =>
    Effect.succeed({
      title: "New agent",
      body: (
        <Form visit={visit} action="create" button="Create agent">
          <Fields visit={visit} action="create" verb={agentsCreate} values={{ monthly_cap_micros: "5" }} />
        </Form>
      ),
    }),
  actions: { create: runs(agentsCreate, toAgent) },
})

/** The agent of a page's path, if the account has it. */
const readAgent = (visit: Visit) =>
  Effect.gen(function* () {
    const { get, findIn } = yield* Agents
    const id = visit.params["agent"] ?? ""
    const own = yield* findIn(visit.account!.id, id)
    if (own?.id !== id) return yield* fail("not_found", { detail: "The account has no such agent." })
    return yield* get(id)
  })

/** Keys that the page of an agent lists, the newest. */
const keysShown = 20

const itself = ({ params }: Visit) => ({ agent: params["agent"] })

const one = ofAccount({
  path: `${listPath}/:agent`,
  about: readAgent,
  view: (visit) =>
    Effect.gen(function* () {
      const { agent, spend } = yield* readAgent(visit)
      const keys = yield* (yield* Accounts).keyPage(visit.account.id, { agentId: agent.id, limit: keysShown + 1 })
      const mayChange = agent.status !== "revoked" && isAllowed(agentsCap, visit.actor)
      return {
        title: `Agent ${agent.name}`,
        body: (
          <>
            <Changed href={pathOf(agent)} />
            <Facts
              of={{
                Id: <code>{agent.id}</code>,
                State: (
                  <>
                    <LiveState is={values.agentState(agent, spend)} /> <Turn agent={agent} visit={visit} />
                  </>
                ),
                Created: <Time at={agent.createdAt} />,
              }}
            />
            <Table
              caption="Spend at list price"
              columns={["Keys", "This month (UTC)", "All time"]}
              rows={[true, false].map((livemode) => {
                const name = livemode ? "live" : "test"
                return [
                  <Environment key="kind" name={name} />,
                  <Meter
                    key="month"
                    label={`${name} this month`}
                    is={values.agentSpend(agent, spend, name, "month")}
                  />,
                  <Meter key="life" label={`${name} all time`} is={values.agentSpend(agent, spend, name, "total")} />,
                ]
              })}
            />
            <p class="soft">Test calls are free and have their own cap counter.</p>
            <h2>Keys</h2>
            {keys.length === 0 ? (
              <p>No key yet.</p>
            ) : (
              <ul>
                {keys.slice(0, keysShown).map((key) => (
                  <li key={key.id}>
                    <a href={`/dashboard/keys/${key.id}`}>{keyName(key)}</a>{" "}
                    <State is={conditions.key(key, visit.now)} />
                  </li>
                ))}
              </ul>
            )}
            {keys.length > keysShown && (
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
                <h2 id="caps">Caps</h2>
                <Form visit={visit} action="caps" button="Change caps">
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
                <p>Its keys stop working within a second. This cannot be undone. History is kept.</p>
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
    pause: runs(agentsPause, toAgent, itself),
    resume: runs(agentsResume, toAgent, itself),
    caps: runs(agentsCap, toAgent, itself),
    revoke: confirmed(
      (visit) => Effect.map(readAgent(visit), ({ agent }) => agent.name),
      runs(agentsRevoke, () => ({ to: listPath }), itself),
    ),
  },
})

/** The pages of agents. */
export const agentPages: ReadonlyArray<Page> = [list, create, one]
