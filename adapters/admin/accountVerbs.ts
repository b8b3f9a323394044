import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Accounts } from "../../core/account/Accounts.ts"
import { MicroUsd } from "../../core/account/Money.ts"
import * as Param from "../../core/endpoint/Param.ts"
import * as AdminOperation from "./AdminOperation.ts"
import { account, optional } from "./inputs.ts"
import * as shapes from "./shapes.ts"

const accounts = Effect.serviceFunctions(Accounts)

/** Accounts and their wallets. */
export const accountVerbs = {
  accountsCreate: AdminOperation.make({
    id: "accounts_create",
    method: "POST",
    path: "/admin/v1/accounts",
    summary: "Create an account with an empty wallet",
    success: 201,
    params: Schema.Struct({ name: Param.text(64, "Unique name of the account.") }),
    results: shapes.Account,
    run: ({ name }) => Effect.map(accounts.create(name), shapes.account),
  }),

  accountsList: AdminOperation.make({
    id: "accounts_list",
    path: "/admin/v1/accounts",
    summary: "List accounts",
    params: Schema.Struct({}),
    results: Schema.Struct({ accounts: Schema.Array(shapes.Account) }),
    run: () =>
      Effect.flatMap(Accounts, ({ list }) => Effect.map(list, (all) => ({ accounts: all.map(shapes.account) }))),
  }),

  walletCredit: AdminOperation.make({
    id: "wallet_credit",
    method: "POST",
    path: "/admin/v1/accounts/:account/credits",
    summary: "Credit a wallet",
    success: 201,
    params: Schema.Struct({
      ...account,
      micros: Param.integer(1, Number.MAX_SAFE_INTEGER, "Amount, micro-dollars."),
    }),
    results: Schema.Struct({ account: Schema.String, credited_micros: shapes.micros, balance_micros: shapes.micros }),
    run: Effect.fnUntraced(function* ({ account, micros }) {
      const { account: owner, balance } = yield* accounts.credit(account, MicroUsd(micros))
      return { account: owner.id, credited_micros: micros, balance_micros: balance }
    }),
  }),

  walletShow: AdminOperation.make({
    id: "wallet_show",
    path: "/admin/v1/accounts/:account/wallet",
    summary: "Show a wallet and its latest postings, newest first",
    params: Schema.Struct({ ...account, limit: optional(Param.integer(0, 1_000, "Number of postings (default 10).")) }),
    results: Schema.Struct({
      account: Schema.String,
      name: Schema.String,
      balance_micros: shapes.micros,
      postings: Schema.Array(shapes.Posting),
    }),
    run: Effect.fnUntraced(function* ({ account, limit = 10 }) {
      const { account: owner, balance } = yield* accounts.balance(account)
      const postings = yield* accounts.journal(owner.id, limit)
      return { account: owner.id, name: owner.name, balance_micros: balance, postings: postings.map(shapes.posting) }
    }),
  }),
}
