import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { Order } from "../../../adapters/admin/orderVerbs.ts"
import { webhookPath } from "../../../adapters/server/http/payments.ts"
import type { Posting } from "../../../core/account/AccountStore.ts"
import { Accounts } from "../../../core/account/Accounts.ts"
import { commandLine } from "../commandLine.ts"
import { freePort } from "../freePort.ts"
import { type Running, start } from "../running.ts"
import { makeFolder, removeFolder } from "../store.ts"
import { type StripeHost, stripeHost } from "./host.ts"
import { secret, settingsOf } from "./provider.ts"

/** An order as the command line lists it. */
export type Listed = typeof Order.Type

/** A server that takes payments by card, and the double of Stripe that it asks. */
export interface TakingPayments {
  readonly running: Running
  readonly host: StripeHost
  /** A line of the command line over the same store, whose result is JSON. */
  readonly parsed: ReturnType<typeof commandLine>["parsed"]
  /** The newest orders of an account as the command line lists them. */
  readonly listed: (account?: string) => Promise<ReadonlyArray<Listed>>
  readonly journal: (account?: string) => Promise<ReadonlyArray<Posting>>
  readonly stop: () => Promise<void>
}

/** The account `tester` has no money unless said otherwise. */
export const takingPayments = async (options: Parameters<typeof start>[1] = {}): Promise<TakingPayments> => {
  const host = await stripeHost()
  const folder = makeFolder()
  const file = join(folder, "store.db")
  const port = await freePort()
  const stripe = settingsOf(host)
  const running = await start(
    {
      sqliteFile: file,
      http: { host: "127.0.0.1", port, baseUrl: Option.none() },
      payments: { stripe: Option.some(stripe), x402: Option.none() },
    },
    { balance: 0, ...options, port },
  )
  host.endpoint({ url: running.url + webhookPath("stripe"), secret })
  const { parsed } = commandLine(file, {
    STRIPE_SECRET_KEY: Redacted.value(stripe.secretKey),
    STRIPE_WEBHOOK_SECRET: secret,
    STRIPE_API_URL: host.url,
    LOG_LEVEL: "none",
  })
  return {
    running,
    host,
    parsed,
    listed: async (account = "tester") => (await parsed(`orders list --account ${account}`)).orders,
    journal: (account = "tester") => running.run(Effect.flatMap(Accounts, (all) => all.journal(account, 100))),
    stop: async () => {
      host.stop()
      await running.stop()
      removeFolder(folder)
    },
  }
}
