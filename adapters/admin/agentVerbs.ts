import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Agents } from "../../core/account/Agents.ts"
import { MicroUsd } from "../../core/account/Money.ts"
import * as Param from "../../core/endpoint/Param.ts"
import { account, agent, optional } from "./inputs.ts"
import * as shapes from "./shapes.ts"
import * as Verb from "./Verb.ts"

const cap = (description: string) => shapes.micros.annotations({ description })
/** Null lifts it, absent leaves it. */
const capChange = (description: string) =>
  optional(
    Schema.NullOr(cap(description)).annotations({
      description,
      [Param.RuleId]: `an integer from 0 to ${Number.MAX_SAFE_INTEGER}, or null for none`,
    }),
  )

const monthlyCap = "What it may spend per UTC month, micro-dollars."
const budgetCap = "What it may spend over its life, micro-dollars."

const capOf = (micros: number | null): MicroUsd | null => (micros === null ? null : MicroUsd(micros))

const turning = (verb: "pause" | "resume" | "revoke", summary: string) =>
  Verb.make({
    id: `agents_${verb}`,
    method: "POST",
    path: `/admin/v1/agents/:agent/${verb}`,
    summary,
    params: Schema.Struct(agent),
    results: shapes.Agent,
    run: ({ agent }) => Effect.flatMap(Agents, (agents) => Effect.map(agents[verb](agent), shapes.agent)),
  })

/** Agents, their caps and their audit trail. */
export const agentVerbs = {
  agentsCreate: Verb.make({
    id: "agents_create",
    method: "POST",
    path: "/admin/v1/accounts/:account/agents",
    summary: "Make an agent: a spender with caps of its own",
    success: 201,
    params: Schema.Struct({
      ...account,
      name: Param.text(64, "Its name; no other agent of the account has it."),
      monthly_cap_micros: optional(cap(monthlyCap)),
      budget_cap_micros: optional(cap(budgetCap)),
    }),
    results: shapes.Agent,
    run: ({ account, name, monthly_cap_micros: monthly, budget_cap_micros: budget }) =>
      Effect.flatMap(Agents, (agents) =>
        Effect.map(
          agents.create(account, name, {
            ...(monthly === undefined ? {} : { monthlyCap: MicroUsd(monthly) }),
            ...(budget === undefined ? {} : { budgetCap: MicroUsd(budget) }),
          }),
          shapes.agent,
        ),
      ),
  }),

  agentsList: Verb.make({
    id: "agents_list",
    path: "/admin/v1/accounts/:account/agents",
    summary: "List the agents of an account",
    params: Schema.Struct(account),
    results: Schema.Struct({ agents: Schema.Array(shapes.Agent) }),
    run: ({ account }) =>
      Effect.flatMap(Agents, (agents) =>
        Effect.map(agents.list(account), (all) => ({ agents: all.map(shapes.agent) })),
      ),
  }),

  agentsShow: Verb.make({
    id: "agents_show",
    path: "/admin/v1/agents/:agent",
    summary: "Show an agent, its caps and what it has spent at list price",
    params: Schema.Struct(agent),
    results: Schema.Struct({ ...shapes.Agent.fields, spend: shapes.Spends }),
    run: ({ agent }) =>
      Effect.flatMap(Agents, (agents) =>
        Effect.map(agents.get(agent), ({ agent: found, spend }) => ({
          ...shapes.agent(found),
          spend: shapes.spends(spend),
        })),
      ),
  }),

  agentsPause: turning("pause", "Pause an agent: its keys answer 403 within a second"),
  agentsResume: turning("resume", "Let a paused agent go on"),
  agentsRevoke: turning("revoke", "Revoke an agent for good: its keys answer 401 within a second"),

  agentsCap: Verb.make({
    id: "agents_cap",
    method: "PATCH",
    path: "/admin/v1/agents/:agent/caps",
    summary: "Change the caps of an agent: null lifts one, one that is absent stays",
    params: Schema.Struct({
      ...agent,
      monthly_cap_micros: capChange(monthlyCap),
      budget_cap_micros: capChange(budgetCap),
    }),
    results: shapes.Agent,
    run: ({ agent, monthly_cap_micros: monthly, budget_cap_micros: budget }) =>
      Effect.flatMap(Agents, (agents) =>
        Effect.map(
          agents.setCaps(agent, {
            ...(monthly === undefined ? {} : { monthlyCap: capOf(monthly) }),
            ...(budget === undefined ? {} : { budgetCap: capOf(budget) }),
          }),
          shapes.agent,
        ),
      ),
  }),

  agentsAudit: Verb.make({
    id: "agents_audit",
    path: "/admin/v1/agents/:agent/audit",
    summary: "The audit trail of an agent, in the order in which its calls ended",
    params: Schema.Struct({
      ...agent,
      since: optional(Param.text(64, "Only what was written after the row of this request id.")),
      limit: optional(Param.integer(1, 1_000, "How many rows; 200.")),
    }),
    results: Schema.Struct({ rows: Schema.Array(shapes.AuditRow), next_since: optional(Schema.String) }),
    run: ({ agent, since, limit = 200 }) =>
      Effect.flatMap(Agents, (agents) =>
        Effect.map(agents.audit(agent, limit, since), (found) => {
          const rows = found.map(shapes.auditRow)
          return { rows, ...(rows.length < limit ? {} : { next_since: rows.at(-1)!.request_id }) }
        }),
      ),
  }),
}
