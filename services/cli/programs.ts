import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"

export const serve = Command.make("serve", {}, () =>
  Effect.flatMap(
    Effect.promise(() => import("../serve.ts")),
    (program) => program.serve,
  ),
).pipe(Command.withDescription("Serve the API, the dashboard and the jobs. Variables configure it: see config show."))

export const mcp = Command.make("mcp", {}, () =>
  Effect.flatMap(
    Effect.promise(() => import("../serveMcp.ts")),
    (program) => program.serveMcp,
  ),
).pipe(Command.withDescription("Serve one MCP client over standard input and output; MARKET_SIGNALS_KEY is its key."))
