import type * as shapes from "../../adapters/admin/alertVerbs.ts"
import { account, orders, wallet } from "./account.ts"
import { agents } from "./agents.ts"
import { audit } from "./audit.ts"
import { backup, restore } from "./backup.ts"
import { bench } from "./bench/bench.ts"
import { call } from "./call.ts"
import { command } from "./command.ts"
import { config } from "./config.ts"
import { dashboard } from "./dashboard.ts"
import { doctor } from "./doctor.ts"
import { ingest } from "./ingest.ts"
import { jobs } from "./jobs.ts"
import { keys } from "./keys.ts"
import { type Command, family } from "./parser.ts"
import { mcp, serve } from "./programs.ts"
import { record, replay, scoreboard, verify } from "./record.ts"
import { shadow } from "./shadow.ts"
import { table, verbs } from "./shared.ts"
import { store } from "./store.ts"
import { webhooks } from "./webhooks.ts"

type Alert = typeof shapes.Alert.Type

const cells = ({ id, status, reason, threshold, crossings, fired_at, call, name }: Alert): ReadonlyArray<string> => [
  id,
  reason === undefined ? status : `${status} (${reason})`,
  threshold === undefined ? "each report" : String(threshold),
  crossings === 0 ? "never fired" : `fired ${crossings}${fired_at === undefined ? "" : `, last ${fired_at}`}`,
  call,
  name ?? "",
]

const line = (alert: Alert): string => cells(alert).join("  ").trim()

const alerts = family("alerts", "Alerts: events when the answer of a call crosses a threshold.", [
  command("create", verbs.alertsCreate, line),
  command("list", verbs.alertsList, ({ alerts }) => table(alerts.map(cells))),
  command("pause", verbs.alertsPause, line),
  command("resume", verbs.alertsResume, line),
  command("delete", verbs.alertsDelete, ({ id }) => `deleted ${id}`),
])

/** They serve until they are stopped; every other command answers, with --json by one JSON object. */
export const servers = [serve, mcp] as const

/** All commands, in the groups of the help text. */
export const groups: ReadonlyArray<{ readonly title: string; readonly commands: ReadonlyArray<Command> }> = [
  { title: "Run", commands: [...servers, call] },
  {
    title: "Customers and money",
    commands: [account, wallet, orders, keys, agents, audit, webhooks, alerts, dashboard],
  },
  { title: "Data and models", commands: [ingest, jobs, shadow, scoreboard, bench] },
  { title: "The record", commands: [record, verify, replay] },
  { title: "Operation", commands: [config, doctor, backup, restore, store] },
]

export const root = family(
  "market-signals",
  "Market data and model signals for software agents.",
  groups.flatMap(({ commands }) => commands),
)
