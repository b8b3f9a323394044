/** @jsxRuntime automatic @jsxImportSource preact */
import * as Effect from "effect/Effect"
import type { KeyRecord } from "../../../../core/account/AccountStore.ts"
import { Accounts } from "../../../../core/account/Accounts.ts"
import type { Agent } from "../../../../core/account/Agent.ts"
import type { Spender } from "../../../../core/account/AgentStore.ts"
import { Agents } from "../../../../core/account/Agents.ts"
import { notFound } from "../../../../core/Failure.ts"
import { isAllowed } from "../../../admin/AdminOperation.ts"
import { agentVerbs } from "../../../admin/agentVerbs.ts"
import * as conditions from "../../condition/ofAccount.ts"
import { Facts, List, State } from "../../view/parts.tsx"
import { requireConfirmation, toAction } from "../actions.ts"
import { Form, PauseForm, VerbForm } from "../Form.tsx"
import { createPage, listAddress, listPage, shownBy } from "../listing.tsx"
import { Changed, LiveState, spendMeter } from "../live/Live.tsx"
import * as values from "../live/values.ts"
import { keyName } from "../names.ts"
import { ofAccount, type Page, type Visit } from "../Page.ts"
import { Confirm, Environment, Time } from "../parts.tsx"

const { agentsCreate, agentsPause, agentsResume, agentsRevoke, agentsCap } = agentVerbs

const listPath = "/dashboard/agents"

const pathOf = ({ id }: Pick<Agent, "id">): string => `${listPath}/${id}`

const dollars = (micros: number | undefined): string | undefined =>
  micros === undefined ? undefined : String(micros / 1e6)

const toAgent = (agent: Pick<Agent, "id">) => ({ to: pathOf(agent) })

/** Pauses or resumes by one button. */
const turn = ({ id, name, status }: Agent, visit: Visit) =>
  status !== "revoked" &&
  isAllowed(agentsPause, visit.actor) && (
    <PauseForm visit={visit} isActive={status === "active"} about={name} given={{ agent: id }} />
  )

/** Pauses or resumes the agent of a row, and shows the same part of the list again. */
const toPauseAction = (verb: typeof agentsPause) =>
  toAction(verb, (_, { query }) => ({ to: listAddress(listPath, shownBy(query)) }))

const list = listPage<Spender>({
  path: listPath,
  noun: "agent",
  ended: "revoked",
  titles: ["Agents", "Revoked agents", "All revoked agents"],
  find: "Find by name or id",
  empty: ["No agent yet. A cap of 5 USD is a good start.", "No agent is revoked."],
  intro: (
    <p>
      An agent is a program that spends. Its keys never spend more than its caps, and a pause stops them within a
      second.
    </p>
  ),
  create: agentsCreate,
  idOf: ({ agent }) => agent.id,
  read: (accountId, part) => Effect.flatMap(Agents, ({ page }) => page(accountId, part)),
  render: (visit) =>
    Effect.succeed({
      list: (rows, isOpen) => (
        <List
          caption={`${isOpen ? "Agents" : "Revoked agents"}, newest first: live spend at list price`}
          columns={[
            ["Name", ({ agent }) => <a href={pathOf(agent)}>{agent.name}</a>],
            ["State", ({ agent, spend }) => <LiveState is={values.agentState(agent, spend)} />],
            ["This month", (of) => spendMeter(of, "month")],
            ["All time", (of) => spendMeter(of, "total")],
            ["Action", ({ agent }) => turn(agent, visit)],
          ]}
          rows={rows}
        />
      ),
      ended: (rows) => (
        <ul>
          {rows.map(({ agent }) => (
            <li key={agent.id}>
              <a href={pathOf(agent)}>{agent.name}</a>
            </li>
          ))}
        </ul>
      ),
    }),
  actions: { pause: toPauseAction(agentsPause), resume: toPauseAction(agentsResume) },
})

const create = createPage(
  listPath,
  "agent",
  agentsCreate,
  () => Effect.succeed({ values: { monthly_cap_micros: "5" } }),
  toAgent,
)

/** The agent of a page's path, if the account has it. */
const readAgent = (visit: Visit) =>
  Effect.gen(function* () {
    const { get, findIn } = yield* Agents
    const id = visit.params["agent"] ?? ""
    const agent = yield* findIn(visit.account!.id, id)
    if (agent?.id !== id) return yield* notFound("The account has no such agent.")
    return yield* get(id)
  })

/** Keys that the page of an agent lists, the newest. */
const keysShown = 20

const keysOf = (agent: Agent, keys: ReadonlyArray<KeyRecord>, now: number) => (
  <>
    {keys.length === 0 && <p>No key yet.</p>}
    <ul>
      {keys.slice(0, keysShown).map((key) => (
        <li key={key.id}>
          <a href={`/dashboard/keys/${key.id}`}>{keyName(key)}</a> <State is={conditions.key(key, now)} />
        </li>
      ))}
    </ul>
    {keys.length > keysShown && (
      <p>
        <a href={`/dashboard/keys?q=${encodeURIComponent(agent.name)}`}>More keys of this agent</a>
      </p>
    )}
  </>
)

const Changes = ({ visit, agent }: { readonly visit: Visit; readonly agent: Agent }) => (
  <>
    <h2 id="caps">Caps</h2>
    <VerbForm
      visit={visit}
      action="caps"
      button="Change caps"
      verb={agentsCap}
      values={{ monthly_cap_micros: dollars(agent.monthlyCap), budget_cap_micros: dollars(agent.budgetCap) }}
    />
    <h2>Revoke</h2>
    <p>Its keys stop working within a second. This cannot be undone. History is kept.</p>
    <Form visit={visit} action="revoke" button={`Revoke ${agent.name}`} isDanger>
      <Confirm label="Name of the agent" />
    </Form>
  </>
)

const one = ofAccount({
  path: `${listPath}/:agent`,
  about: readAgent,
  view: (visit) =>
    Effect.gen(function* () {
      const of = yield* readAgent(visit)
      const { agent, spend } = of
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
                    <LiveState is={values.agentState(agent, spend)} /> {turn(agent, visit)}
                  </>
                ),
                Created: <Time at={agent.createdAt} />,
              }}
            />
            <List
              caption="Spend at list price"
              columns={[
                ["Keys", (name) => <Environment name={name} />],
                ["This month (UTC)", (kind) => spendMeter(of, "month", kind, kind)],
                ["All time", (kind) => spendMeter(of, "total", kind, kind)],
              ]}
              rows={["live", "test"] as const}
            />
            <p class="soft">Test calls are free and have their own cap counter.</p>
            <h2>Keys</h2>
            {keysOf(agent, keys, visit.now)}
            <p>
              {mayChange && (
                <>
                  <a href={`/dashboard/keys/new?agent=${encodeURIComponent(agent.name)}`}>New key for this agent</a> ·{" "}
                </>
              )}
              <a href={`/dashboard/calls?agent=${agent.id}`}>Calls of this agent</a>
            </p>
            {mayChange && <Changes visit={visit} agent={agent} />}
          </>
        ),
      }
    }),
  actions: {
    pause: toAction(agentsPause, toAgent),
    resume: toAction(agentsResume, toAgent),
    caps: toAction(agentsCap, toAgent),
    revoke: requireConfirmation(
      (visit) => Effect.map(readAgent(visit), ({ agent }) => agent.name),
      toAction(agentsRevoke, () => ({ to: listPath })),
    ),
  },
})

export const agentPages: ReadonlyArray<Page> = [list, create, one]
