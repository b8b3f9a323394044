import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Accounts } from "../../core/account/Accounts.ts"
import { MicroUsd } from "../../core/account/Money.ts"
import * as Tier from "../../core/account/Tier.ts"
import * as Param from "../../core/endpoint/Param.ts"
import { ifDefined } from "../../core/ifDefined.ts"
import * as AdminOperation from "./AdminOperation.ts"
import { accountParam, rpm } from "./inputs.ts"
import { list, nextField, pageLimits, paging, readPage } from "./list.ts"
import * as shapes from "./shapes.ts"
import { makeStateVerb } from "./stateVerb.ts"

const accountService = Effect.serviceFunctions(Accounts)

/** A field of a wallet, absent if none is set. */
const threshold = {
  threshold_micros: Param.optional(
    shapes.micros.annotations({ description: "Balance below which a charge sends wallet.low, micro-dollars." }),
  ),
}

const stateVerb = makeStateVerb({ params: accountParam, results: shapes.Account, show: shapes.account })

/** Verbs for accounts and their wallets. */
export const accountVerbs = {
  accountsCreate: AdminOperation.make("accounts_create", "POST accounts", {
    summary: "Create an account with an empty wallet",
    success: 201,
    params: Schema.Struct({
      name: Param.text(64, "Unique name of the account."),
      tier: Param.optional(Param.oneOf(Tier.names, "Tier of the keys that its owners make (default indie).")),
      rpm: Param.optional(rpm),
    }),
    results: shapes.Account,
    run: ({ name, tier = "indie", rpm }) => Effect.map(accountService.create(name, { tier, rpm }), shapes.account),
  }),

  accountsTier: AdminOperation.make("accounts_tier", "PATCH accounts/:account/tier", {
    summary: "Change the tier of the keys that an account's owners make from now on",
    params: Schema.Struct({
      ...accountParam,
      tier: Param.oneOf(Tier.names, "Sets the calls per minute."),
      rpm: Param.optional(rpm),
    }),
    results: shapes.Account,
    run: ({ account, tier, rpm }) => Effect.map(accountService.setTier(account, { tier, rpm }), shapes.account),
  }),

  accountsSuspend: stateVerb(
    "suspend",
    "Suspend an account: calls of all its keys answer 403 within a second",
    accountService.suspend,
  ),
  accountsResume: stateVerb("resume", "Resume a suspended account", accountService.resume),

  accountsList: list("accounts_list", "accounts", {
    summary: "List accounts, newest first",
    params: {},
    rows: ["accounts", shapes.Account],
    key: ({ id }) => id,
    read: (_, page) => accountService.list(page),
    show: shapes.account,
  }),

  walletCredit: AdminOperation.make("wallet_credit", "POST accounts/:account/credits", {
    summary: "Credit a wallet",
    success: 201,
    params: Schema.Struct({
      ...accountParam,
      micros: Param.integer(1, Number.MAX_SAFE_INTEGER, "Amount, micro-dollars."),
    }),
    results: Schema.Struct({ account: Schema.String, credited_micros: shapes.micros, balance_micros: shapes.micros }),
    run: Effect.fnUntraced(function* ({ account, micros }) {
      const { account: owner, balance } = yield* accountService.credit(account, MicroUsd(micros))
      return { account: owner.id, credited_micros: micros, balance_micros: balance }
    }),
  }),

  walletReverse: AdminOperation.make("wallet_reverse", "POST accounts/:account/reversals", {
    summary: "Take a credit back, as far as the balance goes",
    success: 201,
    params: Schema.Struct({
      ...accountParam,
      credit: Param.text(64, "Id of a credit among the wallet's postings."),
      micros: Param.optional(
        Param.integer(
          1,
          Number.MAX_SAFE_INTEGER,
          "At most this, micro-dollars (default: all that is left of the credit).",
        ),
      ),
    }),
    results: Schema.Struct({
      account: Schema.String,
      credit: Schema.String,
      reversed_micros: shapes.micros,
      left_micros: shapes.micros.annotations({
        description: "What is not yet taken back of the credit, micro-dollars.",
      }),
      balance_micros: shapes.micros,
    }),
    run: Effect.fnUntraced(function* ({ account, credit, micros }) {
      const limit = micros === undefined ? undefined : MicroUsd(micros)
      const { account: owner, taken, left, balance } = yield* accountService.reverse(account, credit, limit)
      return { account: owner.id, credit, reversed_micros: taken, left_micros: left, balance_micros: balance }
    }),
  }),

  walletThreshold: AdminOperation.make("wallet_threshold", "PATCH accounts/:account/wallet", {
    leastRole: "owner",
    summary: "Set or remove the balance below which a charge sends the event wallet.low, once",
    params: Schema.Struct({
      ...accountParam,
      threshold_micros: Schema.NullOr(Param.integer(1, Number.MAX_SAFE_INTEGER, "")).annotations({
        description: "Send wallet.low when the balance falls below this, micro-dollars.",
        [Param.RuleAnnotation]: `a whole number of micro-dollars from 1 to ${Number.MAX_SAFE_INTEGER}, or null for none`,
      }),
    }),
    results: Schema.Struct({ account: Schema.String, balance_micros: shapes.micros, ...threshold }),
    run: Effect.fnUntraced(function* ({ account, threshold_micros: micros }) {
      const low = micros === null ? undefined : MicroUsd(micros)
      const { id } = yield* accountService.setLowBalance(account, low)
      const { balance } = yield* accountService.balance(id)
      return { account: id, balance_micros: balance, ...ifDefined("threshold_micros", low) }
    }),
  }),

  walletShow: AdminOperation.make("wallet_show", "GET accounts/:account/wallet", {
    leastRole: "viewer",
    summary: "Show a wallet and its latest postings, newest first",
    params: Schema.Struct({
      ...accountParam,
      ...paging,
      limit: Param.optional(Param.integer(0, pageLimits.max, "Number of postings (default 10).")),
    }),
    results: Schema.Struct({
      account: Schema.String,
      name: Schema.String,
      balance_micros: shapes.micros,
      ...threshold,
      postings: Schema.Array(shapes.Posting),
      ...nextField,
    }),
    run: Effect.fnUntraced(function* (given) {
      const { account: owner, balance } = yield* accountService.balance(given.account)
      const { rows, next } = yield* readPage(
        "wallet_show",
        given,
        10,
        ({ limit, cursor }) => accountService.journal(owner.id, limit, cursor),
        ({ id }) => id,
      )
      return {
        account: owner.id,
        name: owner.name,
        balance_micros: balance,
        ...ifDefined("threshold_micros", yield* accountService.lowBalance(owner.id)),
        postings: rows.map(shapes.posting),
        ...ifDefined("next", next),
      }
    }),
  }),
}
