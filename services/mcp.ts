import "./private.ts"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { serve } from "../adapters/mcp/stdio.ts"
import { catalogue } from "../core/lanes/all.ts"
import * as App from "./app.ts"
import { callerKey, config as environment } from "./Config.ts"
import { exitWith } from "./exit.ts"
import * as Logging from "./logging.ts"

/** Serves one MCP client over stdio, on the same store as a running server and the command line. */
const main = Effect.gen(function* () {
  const config = yield* environment
  const authorization = Option.getOrUndefined(yield* callerKey)
  const { toolsets } = config.mcp
  yield* Effect.flatMap(App.discovery(config), (site) =>
    serve(catalogue, { ...site, input: process.stdin, output: process.stdout, authorization, toolsets }),
  ).pipe(Effect.provide(App.gateway(config).pipe(Layer.provideMerge(App.store(config)))))
})

// Standard output carries the protocol, so logs go to standard error.
NodeRuntime.runMain(exitWith(Effect.provide(main, Logging.layer(process.stderr.isTTY))), {
  disableErrorReporting: true,
  disablePrettyLogger: true,
})
