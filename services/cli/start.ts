import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Effect from "effect/Effect"
import { exitCode } from "../exit.ts"

/** Runs a command line as this process, which ends with its exit code. */
export const start = (line: Effect.Effect<void, unknown, NodeContext.NodeContext>): void =>
  NodeRuntime.runMain(line.pipe(Effect.provide(NodeContext.layer)), {
    disableErrorReporting: true,
    disablePrettyLogger: true,
    teardown: (exit, end) => end(exitCode(exit)),
  })
