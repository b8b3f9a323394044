import * as Config from "effect/Config"
import { modules } from "../../adapters/lanes/all.ts"
import { caller } from "./caller.ts"
import { general, laneVariables, termsVariables } from "./lanes.ts"
import { logs } from "./logs.ts"
import { mailVariables } from "./mail.ts"
import {
  accessLog,
  adminVariables,
  http,
  mcp,
  metrics,
  network,
  operator,
  securityContact,
  stopPauseSeconds,
  traces,
  warmUp,
  webhooks,
} from "./network.ts"
import { signInVariables } from "./signIn.ts"
import { store } from "./store.ts"
import { stripeVariables } from "./stripe.ts"
import { type Variable, type Variables, variable } from "./values.ts"
import { x402Variables } from "./x402.ts"

export const cryptoModel = variable(
  "CRYPTO_MODEL",
  Config.nonEmptyString,
  "module with your own model of prices, in the form that the open bench takes (`crypto --model`); it runs in the server",
  { defaultText: "the served one" },
)

/** Read at the program's first import, because the registry is part of the parameters' schemas. */
export const stationsFile = variable(
  "STATIONS_FILE",
  Config.nonEmptyString,
  "JSON file of further stations with a daily climate report, each with id, name, city, state, tz, cli_product, lat, lon and, where there is one, the venue's series",
  { defaultText: "the nine of the registry" },
)

/** Variables under one heading of the documents. */
export interface Group {
  readonly title: string
  readonly variables: ReadonlyArray<Variable>
}

const group = (title: string, ...all: ReadonlyArray<Variables>): Group => ({
  title,
  variables: all.flatMap((each) => Object.values(each)),
})

/** All environment variables, in the groups in which documents show them. */
export const groups: ReadonlyArray<Group> = [
  group("Server", http, network, { stopPauseSeconds, warmUp, securityContact }, operator),
  group("Store", store),
  group("Data", general, ...modules.flatMap((module) => Object.values(laneVariables([module]))), {
    ...termsVariables(modules),
    cryptoModel,
    stationsFile,
  }),
  group("Dashboard and administration", signInVariables, adminVariables, metrics),
  group("Payments", stripeVariables, x402Variables),
  group("MCP, webhooks and e-mail", caller, mcp, webhooks, mailVariables),
  group("Logs", logs, { accessLog }, traces),
]

export const variables: ReadonlyArray<Variable> = groups.flatMap((group) => group.variables)
