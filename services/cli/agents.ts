import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as shapes from "../../adapters/admin/shapes.ts"
import { perform } from "../../adapters/admin/Verb.ts"
import { forms } from "./audit.ts"
import { account, given, json, readable, run, store, table, usd, usdOption, usdOrNoneOption, verbs } from "./shared.ts"

const agent = Args.text({ name: "agent" }).pipe(Args.withDescription("Id of the agent, or its name where it is alone."))

type Agent = typeof shapes.Agent.Type

const caps = ({ monthly_cap_micros: monthly, budget_cap_micros: budget }: Agent): ReadonlyArray<string> => [
  monthly === undefined ? "no monthly cap" : `${usd(monthly)} a month`,
  budget === undefined ? "no budget cap" : `${usd(budget)} in all`,
]

const line = (each: Agent): string => `${each.id}  ${each.name}  ${each.status}  ${caps(each).join(", ")}`

const create = Command.make(
  "create",
  {
    account,
    name: Options.text("name"),
    monthly: Options.optional(usdOption("monthly-cap-usd")),
    budget: Options.optional(usdOption("budget-cap-usd")),
    json,
  },
  ({ account, name, monthly, budget, json: asJson }) =>
    run(
      verbs.agentsCreate,
      { account, name, ...given({ monthly_cap_micros: monthly, budget_cap_micros: budget }) },
      asJson,
      line,
    ),
).pipe(Command.withDescription("Make an agent of an account, with caps of its own."))

const list = Command.make("list", { account, json }, (options) =>
  run(verbs.agentsList, { account: options.account }, options.json, ({ agents }) =>
    table(agents.map((each) => [each.id, each.name, each.status, ...caps(each)])),
  ),
).pipe(Command.withDescription("List the agents of an account."))

const show = Command.make("show", { agent, json }, (options) =>
  run(verbs.agentsShow, { agent: options.agent }, options.json, (shown) => {
    const spent = (mode: "live" | "test") => {
      const { month, month_micros, total_micros } = shown.spend[mode]
      return [`${mode} keys`, `${usd(month_micros)} in ${month}`, `${usd(total_micros)} in all`]
    }
    return `${line(shown)}\n${table([spent("live"), spent("test")])}`
  }),
).pipe(Command.withDescription("Show an agent, its caps and what it has spent at list price."))

const turn = (name: "pause" | "resume" | "revoke", description: string) => {
  const verb = { pause: verbs.agentsPause, resume: verbs.agentsResume, revoke: verbs.agentsRevoke }[name]
  return Command.make(name, { agent, json }, (options) => run(verb, { agent: options.agent }, options.json, line)).pipe(
    Command.withDescription(description),
  )
}

const cap = Command.make(
  "cap",
  {
    agent,
    monthly: Options.optional(usdOrNoneOption("monthly-cap-usd")),
    budget: Options.optional(usdOrNoneOption("budget-cap-usd")),
    json,
  },
  ({ agent, monthly, budget, json: asJson }) =>
    run(verbs.agentsCap, { agent, ...given({ monthly_cap_micros: monthly, budget_cap_micros: budget }) }, asJson, line),
).pipe(Command.withDescription("Change the caps of an agent; one that is left out stays."))

/** Rows are read in pages, so that an export of a busy agent holds up nothing else. */
const page = 1_000

const rowsOf = (agent: string, since: string | undefined, limit: number) =>
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
    since: Options.optional(Options.text("since")).pipe(
      Options.withDescription("Only what was written after the row of this request id."),
    ),
    limit: Options.optional(Options.integer("limit")).pipe(
      Options.withDescription("How many rows; all when left out."),
    ),
    json,
  },
  ({ agent, format, since, limit, json: asJson }) =>
    Effect.gen(function* () {
      const most = Option.getOrElse(limit, () => Number.POSITIVE_INFINITY)
      if (!(most > 0)) return yield* Effect.fail(new Error("limit must be a whole number above 0."))
      const rows = yield* rowsOf(agent, Option.getOrUndefined(since), most)
      const form = forms[Option.getOrElse(format, () => "table" as const)]
      const text = asJson ? JSON.stringify({ rows }) : form(rows)
      if (text !== "") yield* Console.log(text)
    }).pipe(Effect.provide(store)),
).pipe(Command.withDescription("The audit trail of an agent, in the order in which its calls ended."))

export const agents = Command.make("agents").pipe(
  Command.withDescription("Agents: spenders of an account with caps of their own."),
  Command.withSubcommands([
    create,
    list,
    show,
    turn("pause", "Pause an agent: its keys answer 403 within a second."),
    turn("resume", "Let a paused agent go on."),
    turn("revoke", "Revoke an agent for good: its keys answer 401 within a second."),
    cap,
    audit,
  ]),
)
