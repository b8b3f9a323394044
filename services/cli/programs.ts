import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { callerUrl } from "../Config.ts"
import { expectedWebUrl, parseWebUrl } from "../config/values.ts"
import { optional, parsed, text } from "./parameters.ts"
import { make } from "./parser.ts"

export const serve = make(
  "serve",
  "Serve the API, the dashboard and the jobs. Variables configure it: see config show.",
  {},
  () =>
    Effect.flatMap(
      Effect.promise(() => import("../serve.ts")),
      (program) => program.serve,
    ),
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
