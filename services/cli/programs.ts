import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { callerUrl } from "../Config.ts"
import { expectedWebUrl, lastPort, parseWebUrl } from "../config/values.ts"
import { integer, optional, parsed, text } from "./parameters.ts"
import { make } from "./parser.ts"

/** Options of `serve` by the variables that they replace. */
const served = {
  HOST: optional(text("host", "Address to listen on, else HOST.")),
  PORT: optional(
    parsed(
      integer("port", "Port to listen on, else PORT; 0: a free one."),
      (port) => (port >= 0 && port <= lastPort ? String(port) : undefined),
      (port) => `--port: expected a whole number from 0 to ${lastPort}; got ${port}.`,
    ),
  ),
  DATABASE_URL: optional(
    parsed(
      text("store", "SQLite file of the store, else DATABASE_URL."),
      (file) => (/^\w+:/.test(file) ? undefined : `sqlite:${file}`),
      "--store: expected a file. A URL belongs in DATABASE_URL: lists of processes show arguments.",
    ),
  ),
}

export const serve = make(
  "serve",
  "Serve the API, the dashboard and the jobs. Variables configure all else: see config show.",
  served,
  (given) =>
    Effect.configProviderWith((environment) => {
      const options = new Map(
        Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
      )
      return Effect.withConfigProvider(
        Effect.flatMap(
          Effect.promise(() => import("../serve.ts")),
          (program) => program.serve,
        ),
        ConfigProvider.orElse(ConfigProvider.fromMap(options), () => environment),
      )
    }),
)

const url = optional(
  parsed(
    text(
      "url",
      "Base URL of a server whose tools to serve, else MARKET_SIGNALS_URL. Without either, those of an existing store.",
    ),
    parseWebUrl,
    `--url: ${expectedWebUrl}`,
  ),
)

export const mcp = make(
  "mcp",
  "Serve one MCP client over standard input and output; MARKET_SIGNALS_KEY is its key.",
  { url },
  ({ url }) =>
    Effect.gen(function* () {
      const remote = url === undefined ? yield* callerUrl : Option.some(url)
      if (Option.isNone(remote)) return yield* (yield* Effect.promise(() => import("../serveMcp.ts"))).serveMcp
      const program = yield* Effect.promise(() => import("../bridgeMcp.ts"))
      return yield* program.bridgeMcp(remote.value)
    }),
)
