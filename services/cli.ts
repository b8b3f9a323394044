import * as Command from "@effect/cli/Command"
import { isValidationError } from "@effect/cli/ValidationError"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Effect from "effect/Effect"
import { account } from "./cli/account.ts"
import { call } from "./cli/call.ts"
import { ingest } from "./cli/ingest.ts"
import { jobs } from "./cli/jobs.ts"
import { keys } from "./cli/keys.ts"
import { shadow } from "./cli/shadow.ts"
import { wallet } from "./cli/wallet.ts"
import { exitWith } from "./exit.ts"

const root = Command.make("market-signals").pipe(
  Command.withDescription("Market data and model signals for software agents."),
  Command.withSubcommands([account, wallet, keys, ingest, jobs, shadow, call]),
)

const run = Command.run(root, { name: "market-signals", version: "0.1.0" })

const main = exitWith(
  Effect.suspend(() => run(process.argv)),
  // A bad command line, which the parser has explained.
  isValidationError,
)

NodeRuntime.runMain(main.pipe(Effect.provide(NodeContext.layer)), { disableErrorReporting: true })
