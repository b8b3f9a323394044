import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { callerUrl } from "../Config.ts"
import { expectedWebUrl, parseWebUrl } from "../config/values.ts"

export const serve = Command.make("serve", {}, () =>
  Effect.flatMap(
    Effect.promise(() => import("../serve.ts")),
    (program) => program.serve,
  ),
).pipe(Command.withDescription("Serve the API, the dashboard and the jobs. Variables configure it: see config show."))

const url = Options.text("url").pipe(
  Options.filterMap((text) => Option.fromNullable(parseWebUrl(text)), `--url: ${expectedWebUrl}`),
  Options.optional,
  Options.withDescription(
    "Base URL of a server whose tools to serve, else MARKET_SIGNALS_URL. Without either, those of an existing store.",
  ),
)

export const mcp = Command.make("mcp", { url }, ({ url }) =>
  Effect.gen(function* () {
    const remote = Option.isSome(url) ? url : yield* callerUrl
    if (Option.isNone(remote)) return yield* (yield* Effect.promise(() => import("../serveMcp.ts"))).serveMcp
    const program = yield* Effect.promise(() => import("../bridgeMcp.ts"))
    return yield* program.bridgeMcp(remote.value)
  }),
).pipe(Command.withDescription("Serve one MCP client over standard input and output; MARKET_SIGNALS_KEY is its key."))
