#!/usr/bin/env node
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Effect from "effect/Effect"
import { runLine } from "../../services/cli/line.ts"
import { exitCode } from "../../services/exit.ts"
import { root } from "./cli/root.ts"

NodeRuntime.runMain(runLine(process.argv, async () => root).pipe(Effect.provide(NodeContext.layer)), {
  disableErrorReporting: true,
  disablePrettyLogger: true,
  teardown: (exit, end) => end(exitCode(exit)),
})
