import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Agents } from "../../core/account/Agents.ts"
import { MicroUsd } from "../../core/account/Money.ts"
import * as Param from "../../core/endpoint/Param.ts"
import { ifDefined } from "../../core/ifDefined.ts"
import * as AdminOperation from "./AdminOperation.ts"
import { accountParam, agentParam } from "./inputs.ts"
import { list } from "./list.ts"
import * as shapes from "./shapes.ts"
import { makeStateVerb } from "./stateVerb.ts"

const agentService = Effect.serviceFunctions(Agents)

const cap = (description: string) => shapes.micros.annotations({ description })
/** Null removes the cap; absent leaves it unchanged. */
const capChange = (description: string) =>
  Param.optional(
    Schema.NullOr(cap(description)).annotations({
      description,
      [Param.RuleAnnotation]: `an integer from 0 to ${Number.MAX_SAFE_INTEGER}, or null to remove the cap`,
    }),
  )

const monthlyCap = "Cap per UTC month, micro-dollars."
const budgetCap = "Lifetime cap, micro-dollars."

const toCap = <None extends null | undefined>(micros: number | None): MicroUsd | None =>
  typeof micros === "number" ? MicroUsd(micros) : micros

const stateVerb = makeStateVerb({ params: agentParam, leastRole: "owner", results: shapes.Agent, show: shapes.agent })

/** Verbs for agents, their caps and their audit trail. */
export const agentVerbs = {
  agentsCreate: AdminOperation.make("agents_create", "POST accounts/:account/agents", {
    leastRole: "owner",
    summary: "Create an agent with its own monthly and lifetime caps",
    success: 201,
    params: Schema.Struct({
      ...accountParam,
      name: Param.text(64, "Name of the agent, unique within the account."),
      monthly_cap_micros: Param.optional(cap(monthlyCap)),
      budget_cap_micros: Param.optional(cap(budgetCap)),
    }),
    results: shapes.Agent,
    run: ({ account, name, monthly_cap_micros: monthly, budget_cap_micros: budget }) =>
      Effect.map(
        agentService.create(account, name, {
          ...ifDefined("monthlyCap", toCap(monthly)),
          ...ifDefined("budgetCap", toCap(budget)),
        }),
        shapes.agent,
      ),
  }),

  agentsList: list("agents_list", "accounts/:account/agents", {
    leastRole: "viewer",
    summary: "List an account's agents, newest first",
    params: accountParam,
    rows: ["agents", shapes.Agent],
    key: ({ id }) => id,
    read: ({ account }, page) => agentService.list(account, page),
    show: shapes.agent,
  }),

  agentsShow: AdminOperation.make("agents_show", "GET agents/:agent", {
    leastRole: "viewer",
    summary: "Show an agent, its caps and its spend at list price",
    params: Schema.Struct(agentParam),
    results: Schema.Struct({ ...shapes.Agent.fields, spend: shapes.Spends }),
    run: ({ agent }) =>
      Effect.map(agentService.get(agent), ({ agent: shown, spend }) => ({
        ...shapes.agent(shown),
        spend: shapes.spends(spend),
      })),
  }),

  agentsPause: stateVerb("pause", "Pause an agent: its keys answer 403 within a second", agentService.pause),
  agentsResume: stateVerb("resume", "Resume a paused agent", agentService.resume),
  agentsRevoke: stateVerb(
    "revoke",
    "Revoke an agent permanently: its keys stop working within a second",
    agentService.revoke,
  ),

  agentsCap: AdminOperation.make("agents_cap", "PATCH agents/:agent/caps", {
    leastRole: "owner",
    summary: "Change or remove an agent's caps; omitted caps stay",
    params: Schema.Struct({
      ...agentParam,
      monthly_cap_micros: capChange(monthlyCap),
      budget_cap_micros: capChange(budgetCap),
    }),
    results: shapes.Agent,
    run: ({ agent, monthly_cap_micros: monthly, budget_cap_micros: budget }) =>
      Effect.map(
        agentService.setCaps(agent, {
          ...ifDefined("monthlyCap", toCap(monthly)),
          ...ifDefined("budgetCap", toCap(budget)),
        }),
        shapes.agent,
      ),
  }),

  agentsAudit: AdminOperation.make("agents_audit", "GET agents/:agent/audit", {
    leastRole: "viewer",
    summary: "List an agent's calls, in the order in which they ended",
    params: Schema.Struct({
      ...agentParam,
      since: Param.optional(Param.text(64, "Only rows after this request id.")),
      limit: Param.optional(Param.integer(1, 1_000, "Number of rows (default 200).")),
    }),
    results: Schema.Struct({ rows: Schema.Array(shapes.AuditRow), next_since: Param.optional(Schema.String) }),
    run: ({ agent, since, limit = 200 }) =>
      Effect.map(agentService.audit(agent, limit, since), (found) => {
        const rows = found.map(shapes.auditRow)
        return { rows, ...(rows.length < limit ? {} : { next_since: rows.at(-1)!.request_id }) }
      }),
  }),
}
