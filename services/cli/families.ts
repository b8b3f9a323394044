import { type Command, family } from "./parser.ts"

/** The commands of the first level in the groups of the help text. A line loads the one that it names. */
export const groups = {
  Run: {
    serve: async () => (await import("./programs.ts")).serve,
    mcp: async () => (await import("./programs.ts")).mcp,
    call: async () => (await import("./call.ts")).call,
  },
  "Customers and money": {
    account: async () => (await import("./account.ts")).account,
    wallet: async () => (await import("./account.ts")).wallet,
    orders: async () => (await import("./account.ts")).orders,
    keys: async () => (await import("./keys.ts")).keys,
    agents: async () => (await import("./agents.ts")).agents,
    audit: async () => (await import("./audit.ts")).audit,
    webhooks: async () => (await import("./webhooks.ts")).webhooks,
    alerts: async () => (await import("./alerts.ts")).alerts,
    dashboard: async () => (await import("./dashboard.ts")).dashboard,
  },
  "Data and models": {
    ingest: async () => (await import("./ingest.ts")).ingest,
    jobs: async () => (await import("./jobs.ts")).jobs,
    sources: async () => (await import("./sources.ts")).sources,
    shadow: async () => (await import("./shadow.ts")).shadow,
    scoreboard: async () => (await import("./record.ts")).scoreboard,
  },
  "The record": {
    record: async () => (await import("./record.ts")).record,
    verify: async () => (await import("./record.ts")).verify,
    replay: async () => (await import("./record.ts")).replay,
  },
  Operation: {
    config: async () => (await import("./config.ts")).config,
    doctor: async () => (await import("./doctor.ts")).doctor,
    backup: async () => (await import("./backup.ts")).backup,
    restore: async () => (await import("./backup.ts")).restore,
    store: async () => (await import("./store.ts")).store,
  },
}

const loads: Readonly<Record<string, () => Promise<Command>>> = Object.assign({}, ...Object.values(groups))

/** All commands under the program's name, or some of them. */
export const program = (commands: ReadonlyArray<Command>): Command =>
  family("market-signals", "Market data and model signals for software agents.", commands)

/** The program with one command of the first level, by name; undefined if no command has it. */
export const loadOne = async (name = ""): Promise<Command | undefined> =>
  Object.hasOwn(loads, name) ? program([await loads[name]!()]) : undefined
