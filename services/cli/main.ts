import * as Command from "@effect/cli/Command"
import { isValidationError } from "@effect/cli/ValidationError"
import * as Effect from "effect/Effect"
import * as Release from "../../core/release.ts"
import { exitWith } from "../exit.ts"
import * as Logging from "../logging.ts"
import { account, wallet } from "./account.ts"
import { agents } from "./agents.ts"
import { audit } from "./auditMonths.ts"
import { call } from "./call.ts"
import { dashboard } from "./dashboard.ts"
import { doctor } from "./doctor.ts"
import { ingest } from "./ingest.ts"
import { jobs } from "./jobs.ts"
import { keys } from "./keys.ts"
import { record, replay, verify } from "./record.ts"
import { scoreboard } from "./scoreboard.ts"
import { shadow } from "./shadow.ts"
import { store } from "./store.ts"
import { webhooks } from "./webhooks.ts"

const root = Command.make("market-signals").pipe(
  Command.withDescription("Market data and model signals for software agents."),
  Command.withSubcommands([
    account,
    wallet,
    keys,
    agents,
    audit,
    webhooks,
    dashboard,
    ingest,
    jobs,
    scoreboard,
    shadow,
    store,
    doctor,
    record,
    store,
    verify,
    replay,
    call,
  ]),
)

const run = Command.run(root, { name: Release.name, version: Release.version })

/**
 * Runs one command line and prints its failure to standard error.
 *
 * @param argv with the process's first two words
 */
export const main = (argv: ReadonlyArray<string>) =>
  exitWith(
    Effect.provide(
      Effect.suspend(() => run(argv)),
      Logging.layer(process.stderr.isTTY),
    ),
    // The parser has already explained a bad command line.
    isValidationError,
  )
