import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import { Accounts } from "../../core/account/Accounts.ts"
import { json, print, readable, store } from "./shared.ts"

const create = Command.make("create", { name: Options.text("name"), json }, (options) =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const { id, name } = yield* readable(accounts.create(options.name))
    yield* print(options.json, { id, name }, `account ${id} (${name})`)
  }).pipe(Effect.provide(store)),
).pipe(Command.withDescription("Make an account with an empty wallet."))

const list = Command.make("list", { json }, (options) =>
  Effect.gen(function* () {
    const accounts = yield* (yield* Accounts).list
    yield* print(
      options.json,
      {
        accounts: accounts.map(({ id, name, createdAt }) => ({
          id,
          name,
          created_at: new Date(createdAt).toISOString(),
        })),
      },
      accounts.map(({ id, name }) => `${id}  ${name}`).join("\n"),
    )
  }).pipe(Effect.provide(store)),
).pipe(Command.withDescription("List the accounts."))

export const account = Command.make("account").pipe(
  Command.withDescription("Accounts."),
  Command.withSubcommands([create, list]),
)
