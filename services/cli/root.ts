import { families, program } from "./families.ts"

const load = <Name extends keyof typeof families>(...names: ReadonlyArray<Name>) =>
  Promise.all(names.map((name) => families[name]()))

/** They serve until they are stopped; every other command answers, with --json by one JSON object. */
export const servers = await load("serve", "mcp")

/** All commands, in the groups of the help text. */
export const groups = [
  { title: "Run", commands: [...servers, ...(await load("call"))] },
  {
    title: "Customers and money",
    commands: await load(
      ...(["account", "wallet", "orders", "keys", "agents", "audit", "webhooks", "alerts", "dashboard"] as const),
    ),
  },
  { title: "Data and models", commands: await load("ingest", "jobs", "shadow", "scoreboard", "bench") },
  { title: "The record", commands: await load("record", "verify", "replay") },
  { title: "Operation", commands: await load("config", "doctor", "backup", "restore", "store") },
]

export const root = program(groups.flatMap(({ commands }) => commands))
