import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Effect from "effect/Effect"
import { exitWith } from "./exit.ts"
import * as Logging from "./logging.ts"
import { serve } from "./serve.ts"

NodeRuntime.runMain(exitWith(Effect.provide(serve, Logging.layer(process.stderr.isTTY))), {
  disableErrorReporting: true,
  disablePrettyLogger: true,
})
