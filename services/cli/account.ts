import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { json, run, table, verbs } from "./shared.ts"

const create = Command.make("create", { name: Options.text("name"), json }, (options) =>
  run(verbs.accountsCreate, { name: options.name }, options.json, ({ id, name }) => `account ${id} (${name})`),
).pipe(Command.withDescription("Make an account with an empty wallet."))

const list = Command.make("list", { json }, (options) =>
  run(verbs.accountsList, {}, options.json, ({ accounts }) => table(accounts.map(({ id, name }) => [id, name]))),
).pipe(Command.withDescription("List the accounts."))

export const account = Command.make("account").pipe(
  Command.withDescription("Accounts."),
  Command.withSubcommands([create, list]),
)
