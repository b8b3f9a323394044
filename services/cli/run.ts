import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Effect from "effect/Effect"
import { exitCode } from "../exit.ts"
import { main } from "./main.ts"

NodeRuntime.runMain(main(process.argv).pipe(Effect.provide(NodeContext.layer)), {
  disableErrorReporting: true,
  disablePrettyLogger: true,
  teardown: (exit, end) => end(exitCode(exit)),
})
