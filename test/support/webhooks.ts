import * as SqlClient from "@effect/sql/SqlClient"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as secretBox from "../../adapters/runtime/node/secretBox.ts"
import { type DeliveryError, type HttpReply, WebhookClient } from "../../adapters/server/webhooks/client.ts"
import * as guard from "../../adapters/server/webhooks/guard.ts"
import type { Transactions } from "../../adapters/store/engine/Transactions.ts"
import * as alertStore from "../../adapters/store/events/AlertStore.ts"
import * as deliveryQueue from "../../adapters/store/events/DeliveryQueue.ts"
import * as webhookStore from "../../adapters/store/events/WebhookStore.ts"
import type { Accounts } from "../../core/account/Accounts.ts"
import type { PlatformCrypto } from "../../core/account/PlatformCrypto.ts"
import { SecretBox } from "../../core/account/SecretBox.ts"
import { Alerts } from "../../core/alerts/Alerts.ts"
import { types } from "../../core/events/Event.ts"
import { Webhooks } from "../../core/events/Webhooks.ts"
import { catalogue, watches } from "../../core/lanes/all.ts"
import { type Spender, spend, spender, writingOrder } from "./spender.ts"
import { accountsOver } from "./store.ts"

/** The public internet of these tests. */
export const resolve = (host: string) => Promise.resolve(host.endsWith(".example") ? ["93.184.215.14"] : [])

/** The box of a store: its key is a file beside it, with which every process opens the same secrets. */
export const boxOf = (filename: string) => {
  const box = filename === ":memory:" ? secretBox.layerMemory : secretBox.layerFile(`${filename}.secrets-key`)
  return Layer.tap(box, (context) => Effect.orDie(Context.get(context, SecretBox).ready(false)))
}

/** Webhooks and their queue over a store, in addition to everything that causes events. */
export const webhooksOn = <A, E>(
  accounts: Layer.Layer<A | PlatformCrypto | Accounts | SqlClient.SqlClient | Transactions, E>,
  allowHosts: ReadonlyArray<string> = [],
  box: Layer.Layer<SecretBox> = secretBox.layerMemory,
) =>
  Layer.merge(
    Layer.merge(Webhooks.layer, Alerts.layer(catalogue, watches)).pipe(
      Layer.provide([guard.layerDestinations({ allowHosts, resolve }), webhookStore.layer]),
    ),
    deliveryQueue.layer,
  ).pipe(Layer.provideMerge(alertStore.layer), Layer.provideMerge(Layer.merge(accounts, box)))

/** The same over a file of SQLite. */
export const webhooksOver = (filename: string, allowHosts: ReadonlyArray<string> = [], box = boxOf(filename)) =>
  webhooksOn(accountsOver(filename), allowHosts, box)

/** What one charge takes to its cap: both events at once. */
const cap = 1_000

/** An account with an agent that one charge a month takes to its cap, and a webhook for each URL. */
export const owner = (urls: ReadonlyArray<string>, events: ReadonlyArray<string> = types) =>
  Effect.gen(function* () {
    const who = yield* spender("bot", { monthlyCap: cap })
    const webhooks = yield* Webhooks
    const made = yield* Effect.forEach(urls, (url) =>
      Effect.map(webhooks.create(who.accountId, url, events), ({ webhook, secret }) => ({
        ...webhook,
        secret: Redacted.value(secret),
      })),
    )
    return { ...who, webhooks: made }
  })

export type Owner = Effect.Effect.Success<ReturnType<typeof owner>>

/** Charges the agent once in each of so many months of the past, beginning with the one after `before`. */
export const cross = (who: Pick<Spender, "accountId" | "keyId" | "agentId">, months: number, before = 0) =>
  Effect.forEach(
    Array.from({ length: months }, (_, month) => Date.UTC(1700, before + month, 1)),
    (at) => spend(who, cap, { at }),
    { discard: true },
  )

export interface Attempted {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly id: string
  readonly at: number
}

/** A client that answers as a test says and remembers what it was asked to send. */
export const scripted = (answer: (attempted: Attempted) => Effect.Effect<HttpReply, DeliveryError>) => {
  const attempts: Array<Attempted> = []
  const layer = Layer.succeed(WebhookClient, {
    post: (url, headers, body) =>
      Effect.flatMap(Clock.currentTimeMillis, (at) => {
        const one = { url, headers, body, at, id: headers["webhook-id"]! }
        attempts.push(one)
        return answer(one)
      }),
  })
  return { attempts, layer }
}

export const says = (status: number, rest: Partial<HttpReply> = {}): Effect.Effect<HttpReply> =>
  Effect.succeed({ status, phrase: "", response: "", ...rest })

/** The ids of all events, in the order in which they were written. */
export const eventIds: Effect.Effect<ReadonlyArray<string>, unknown, SqlClient.SqlClient> = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) =>
    Effect.map(sql<{ id: string }>`SELECT id FROM outbox ORDER BY ${sql.literal(writingOrder(sql))}`, (rows) =>
      rows.map(({ id }) => id),
    ),
)
