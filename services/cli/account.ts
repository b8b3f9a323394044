import * as Command from "@effect/cli/Command"
import { command } from "./command.ts"
import { table, verbs } from "./shared.ts"

export const account = Command.make("account").pipe(
  Command.withDescription("Accounts."),
  Command.withSubcommands([
    command("create", verbs.accountsCreate, ({ id, name }) => `account ${id} (${name})`),
    command("list", verbs.accountsList, ({ accounts }) => table(accounts.map(({ id, name }) => [id, name]))),
  ]),
)
