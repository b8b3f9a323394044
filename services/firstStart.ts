import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { perform } from "../adapters/admin/AdminOperation.ts"
import { peopleVerbs } from "../adapters/admin/peopleVerbs.ts"
import { Accounts } from "../core/account/Accounts.ts"
import { MicroUsd } from "../core/account/Money.ts"
import { Installation } from "../core/operation/Installation.ts"
import { program } from "./programName.ts"

const gift = MicroUsd(10_000_000)

/** In a named store without accounts: says how to make one. */
export const nextSteps = Effect.gen(function* () {
  const { accounts } = yield* Installation
  // A store that does not answer just now has the server's own messages.
  const found = yield* Effect.option(accounts("", 1))
  if (Option.isNone(found) || found.value.length > 0) return
  yield* Console.log(`No account yet. With the same environment: ${program} account create --name me`)
  yield* Console.log(`Then ${program} keys create --account me --env live, and ${program} dashboard link --account me`)
})

/** In a store without accounts: creates one with 10 USD and prints its two keys, once. */
export const firstStart = (url: string) =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    if ((yield* accounts.list({ limit: 1 })).length > 0) return
    const account = yield* accounts.create("local")
    yield* accounts.credit(account.id, gift)
    for (const environment of ["test", "live"] as const) {
      const { plaintext } = yield* accounts.issueKey({ account: account.id, environment, tier: "indie" })
      yield* Console.log(`${environment} key  ${Redacted.value(plaintext)}`)
    }
    yield* Console.log("The account `local` has 10 USD. Save its keys now. Only their hashes are stored.\n")
    const { path } = yield* perform(peopleVerbs.dashboardLink, { account: account.id })
    yield* Console.log(`Dashboard, signed in once within 10 minutes: ${url}${path}\n`)
  })
