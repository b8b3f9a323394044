import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import { Accounts } from "../../core/account/Accounts.ts"
import { display, parseUsd } from "../../core/account/Money.ts"
import { account, json, print, readable, store } from "./shared.ts"

const usd = (micros: number): string => (micros === 0 ? "0 USD" : display(micros))

const credit = Command.make(
  "credit",
  { account, usd: Options.text("usd").pipe(Options.withDescription("Dollars, with at most six decimals.")), json },
  (options) =>
    Effect.gen(function* () {
      const micros = parseUsd(options.usd)
      if (micros === undefined)
        return yield* Effect.fail(new Error("usd must be dollars such as 5 or 0.25, with at most six decimals."))
      const accounts = yield* Accounts
      const { account: owner, balance } = yield* readable(accounts.credit(options.account, micros))
      yield* print(
        options.json,
        { account: owner.id, credited_micros: micros, balance_micros: balance },
        `credited ${usd(micros)} to ${owner.name}: the wallet holds ${usd(balance)}`,
      )
    }).pipe(Effect.provide(store)),
).pipe(Command.withDescription("Add money to a wallet."))

const show = Command.make("show", { account, json }, (options) =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const { account: owner, balance } = yield* readable(accounts.balance(options.account))
    const postings = yield* readable(accounts.journal(options.account, 10))
    yield* print(
      options.json,
      { account: owner.id, name: owner.name, balance_micros: balance },
      [
        `${owner.name} (${owner.id}) holds ${usd(balance)}`,
        ...postings.map(
          ({ at, micros, kind, endpoint, id }) =>
            `${new Date(at).toISOString()}  ${(micros / 1e6).toFixed(6).padStart(14)}  ${endpoint ?? kind}  ${id}`,
        ),
      ].join("\n"),
    )
  }).pipe(Effect.provide(store)),
).pipe(Command.withDescription("Show a wallet and its last ten postings."))

export const wallet = Command.make("wallet").pipe(
  Command.withDescription("Prepaid wallets."),
  Command.withSubcommands([credit, show]),
)
