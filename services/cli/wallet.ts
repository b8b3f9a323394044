import * as Command from "@effect/cli/Command"
import { command } from "./command.ts"
import { usd, verbs } from "./shared.ts"

export const wallet = Command.make("wallet").pipe(
  Command.withDescription("Prepaid wallets."),
  Command.withSubcommands([
    command(
      "credit",
      verbs.walletCredit,
      ({ credited_micros, balance_micros }, { account }) =>
        `credited ${usd(credited_micros)} to ${account}: balance ${usd(balance_micros)}`,
    ),
    command("show", verbs.walletShow, ({ account: id, name, balance_micros, postings }) =>
      [
        `${name} (${id}): balance ${usd(balance_micros)}`,
        ...postings.map(
          ({ at, micros, kind, endpoint, id }) =>
            `${at}  ${(micros / 1e6).toFixed(6).padStart(14)}  ${endpoint ?? kind}  ${id}`,
        ),
      ].join("\n"),
    ),
  ]),
)
