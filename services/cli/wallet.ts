import * as Command from "@effect/cli/Command"
import { account, json, run, usd, usdOption, verbs } from "./shared.ts"

const credit = Command.make("credit", { account, usd: usdOption("usd"), json }, (options) =>
  run(
    verbs.walletCredit,
    { account: options.account, micros: options.usd },
    options.json,
    ({ credited_micros, balance_micros }) =>
      `credited ${usd(credited_micros)} to ${options.account}: the wallet holds ${usd(balance_micros)}`,
  ),
).pipe(Command.withDescription("Add money to a wallet."))

const show = Command.make("show", { account, json }, (options) =>
  run(verbs.walletShow, { account: options.account }, options.json, ({ account: id, name, balance_micros, postings }) =>
    [
      `${name} (${id}) holds ${usd(balance_micros)}`,
      ...postings.map(
        ({ at, micros, kind, endpoint, id }) =>
          `${at}  ${(micros / 1e6).toFixed(6).padStart(14)}  ${endpoint ?? kind}  ${id}`,
      ),
    ].join("\n"),
  ),
).pipe(Command.withDescription("Show a wallet and its last ten postings."))

export const wallet = Command.make("wallet").pipe(
  Command.withDescription("Prepaid wallets."),
  Command.withSubcommands([credit, show]),
)
