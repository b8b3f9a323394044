import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { agentVerbs } from "../../adapters/admin/agentVerbs.ts"
import type * as shapes from "../../adapters/admin/shapes.ts"
import { ifDefined } from "../../core/ifDefined.ts"
import { UsageError } from "../exit.ts"
import { type Ask, makeAsk } from "./ask.ts"
import { rowFormats } from "./audit.ts"
import { command } from "./command.ts"
import { argument, choice, integer, optional, text } from "./parameters.ts"
import { family, make } from "./parser.ts"
import { json, readable, table, usd } from "./shared.ts"

type Agent = typeof shapes.Agent.Type

const caps = ({ monthly_cap_micros: monthly, budget_cap_micros: budget }: Agent): ReadonlyArray<string> => [
  monthly === undefined ? "no monthly cap" : `${usd(monthly)} a month`,
  budget === undefined ? "no budget cap" : `${usd(budget)} in total`,
]

const line = (each: Agent): string => `${each.id}  ${each.name}  ${each.status}  ${caps(each).join(", ")}`

/** Rows per request: exporting a busy agent must not hold up other calls. */
const pageRows = 1_000

const readSpendRows = (ask: Ask, agent: string, since: string | undefined, limit: number) =>
  Effect.gen(function* () {
    const rows: Array<typeof shapes.AuditRow.Type> = []
    for (let after = since; rows.length < limit; ) {
      const agents = yield* readable(
        ask.verb(agentVerbs.agentsAudit, {
          agent,
          ...ifDefined("since", after),
          limit: Math.min(pageRows, limit - rows.length),
        }),
      )
      rows.push(...agents.rows)
      after = agents.next_since
      if (after === undefined) break
    }
    return rows
  })

const auditCommand = make(
  "audit",
  "List an agent's calls in the order in which they ended.",
  {
    agent: argument("agent", "Agent id, or a name that only one agent has."),
    format: optional(choice("format", ["ndjson", "csv"], "Format of the rows (default: a table).")),
    since: optional(text("since", "Only rows after this request id.")),
    limit: optional(integer("limit", "Number of rows (default: all).")),
    json,
  },
  ({ agent, format, since, limit = Number.POSITIVE_INFINITY, json: asJson }) =>
    Effect.gen(function* () {
      if (limit <= 0) return yield* Effect.fail(new UsageError("--limit: expected a positive whole number."))
      const rows = yield* readSpendRows(yield* makeAsk("agents audit"), agent, since, limit)
      const shown = asJson ? JSON.stringify({ rows }) : rowFormats[format ?? "table"](rows)
      if (shown !== "") yield* Console.log(shown)
    }).pipe(Effect.scoped),
)

export const agents = family("agents", "Agents: spenders within an account, each with its own caps.", [
  command("create", agentVerbs.agentsCreate, line),
  command("list", agentVerbs.agentsList, ({ agents }) =>
    table(agents.map((each) => [each.id, each.name, each.status, ...caps(each)])),
  ),
  command("show", agentVerbs.agentsShow, (shown) => {
    const spent = (mode: "live" | "test") => {
      const { month, month_micros, total_micros } = shown.spend[mode]
      return [`${mode} keys`, `${usd(month_micros)} in ${month}`, `${usd(total_micros)} in total`]
    }
    return `${line(shown)}\n${table([spent("live"), spent("test")])}`
  }),
  command("pause", agentVerbs.agentsPause, line),
  command("resume", agentVerbs.agentsResume, line),
  command("revoke", agentVerbs.agentsRevoke, line),
  command("cap", agentVerbs.agentsCap, line),
  auditCommand,
])
