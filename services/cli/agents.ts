import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { perform } from "../../adapters/admin/AdminOperation.ts"
import type * as shapes from "../../adapters/admin/shapes.ts"
import { UsageError } from "../exit.ts"
import { forms } from "./audit.ts"
import { command } from "./command.ts"
import { family } from "./family.ts"
import { json, readable, store, table, usd, verbs } from "./shared.ts"

const agent = Args.text({ name: "agent" }).pipe(Args.withDescription("Agent id, or a name that only one agent has."))

type Agent = typeof shapes.Agent.Type

const caps = ({ monthly_cap_micros: monthly, budget_cap_micros: budget }: Agent): ReadonlyArray<string> => [
  monthly === undefined ? "no monthly cap" : `${usd(monthly)} a month`,
  budget === undefined ? "no budget cap" : `${usd(budget)} in total`,
]

const line = (each: Agent): string => `${each.id}  ${each.name}  ${each.status}  ${caps(each).join(", ")}`

/** Rows are read in pages, so that exporting a busy agent does not block other work. */
const page = 1_000

const readSpendRows = (agent: string, since: string | undefined, limit: number) =>
  Effect.gen(function* () {
    const rows: Array<typeof shapes.AuditRow.Type> = []
    for (let after = since; rows.length < limit; ) {
      const found = yield* readable(
        perform(verbs.agentsAudit, {
          agent,
          ...(after === undefined ? {} : { since: after }),
          limit: Math.min(page, limit - rows.length),
        }),
      )
      rows.push(...found.rows)
      after = found.next_since
      if (after === undefined) break
    }
    return rows
  })

const audit = Command.make(
  "audit",
  {
    agent,
    format: Options.optional(Options.choice("format", ["ndjson", "csv"] as const)),
    since: Options.optional(Options.text("since")).pipe(Options.withDescription("Only rows after this request id.")),
    limit: Options.optional(Options.integer("limit")).pipe(Options.withDescription("Number of rows (default: all).")),
    json,
  },
  ({ agent, format, since, limit, json: asJson }) =>
    Effect.gen(function* () {
      const most = Option.getOrElse(limit, () => Number.POSITIVE_INFINITY)
      if (!(most > 0)) return yield* Effect.fail(new UsageError("--limit: expected a positive whole number."))
      const rows = yield* readSpendRows(agent, Option.getOrUndefined(since), most)
      const form = forms[Option.getOrElse(format, () => "table" as const)]
      const text = asJson ? JSON.stringify({ rows }) : form(rows)
      if (text !== "") yield* Console.log(text)
    }).pipe(Effect.provide(store)),
).pipe(Command.withDescription("List an agent's calls, oldest first, by end time."))

export const agents = family("agents", "Agents: spenders within an account, each with its own caps.", [
  command("create", verbs.agentsCreate, line),
  command("list", verbs.agentsList, ({ agents }) =>
    table(agents.map((each) => [each.id, each.name, each.status, ...caps(each)])),
  ),
  command("show", verbs.agentsShow, (shown) => {
    const spent = (mode: "live" | "test") => {
      const { month, month_micros, total_micros } = shown.spend[mode]
      return [`${mode} keys`, `${usd(month_micros)} in ${month}`, `${usd(total_micros)} in total`]
    }
    return `${line(shown)}\n${table([spent("live"), spent("test")])}`
  }),
  command("pause", verbs.agentsPause, line),
  command("resume", verbs.agentsResume, line),
  command("revoke", verbs.agentsRevoke, line),
  command("cap", verbs.agentsCap, line),
  audit,
])
