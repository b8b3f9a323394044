import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as secretBox from "../../adapters/runtime/node/secretBox.ts"
import * as secrets from "../../adapters/runtime/node/secrets.ts"
import * as guard from "../../adapters/server/webhooks/guard.ts"
import type { Transactions } from "../../adapters/store/engine/Transactions.ts"
import * as deliveryQueue from "../../adapters/store/events/DeliveryQueue.ts"
import * as webhookStore from "../../adapters/store/events/WebhookStore.ts"
import { Accounts } from "../../core/account/Accounts.ts"
import type { SecretBox } from "../../core/account/SecretBox.ts"
import * as Event from "../../core/events/Event.ts"
import { Webhooks } from "../../core/events/Webhooks.ts"
import { resolve } from "./webhooks.ts"

/** Webhooks and their queue over a store of either kind, whose accounts and events are rows that a test writes. */
export const webhooksOn = <E>(
  store: Layer.Layer<SqlClient.SqlClient | Transactions, E>,
  box: Layer.Layer<SecretBox> = secretBox.layerMemory,
) =>
  Layer.mergeAll(
    Webhooks.layer.pipe(
      Layer.provide([
        guard.layerDestinations({ resolve }),
        Layer.mock(Accounts, {
          get: (account) => Effect.succeed({ id: account, name: account, tier: "indie", perMinute: 60, createdAt: 0 }),
        }),
      ]),
    ),
    deliveryQueue.layer,
  ).pipe(Layer.provideMerge(webhookStore.layer), Layer.provideMerge(Layer.mergeAll(store, secrets.layer, box)))

/** An account's row. */
export const account = (id: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`INSERT INTO accounts ${sql.insert({ id, name: `account ${id}`, created_at: 0 })}`,
  )

/** An account with a webhook for each URL. */
export const owner = (urls: ReadonlyArray<string>, events: ReadonlyArray<string> = budgetTypes, accountId = "acc_1") =>
  Effect.gen(function* () {
    yield* account(accountId)
    const service = yield* Webhooks
    const webhooks = yield* Effect.forEach(urls, (url) =>
      Effect.map(service.create(accountId, url, events), ({ webhook, secret }) => ({
        ...webhook,
        secret: Redacted.value(secret),
      })),
    )
    return { accountId, agentId: "agt_1", webhooks }
  })

/** The events of an agent's cap. */
const budgetTypes = ["agent.budget_warning", "agent.budget_exceeded"] as const

let written = 0

/** Writes both events of so many months, as a charge that takes an agent to its cap does: in one transaction. */
export const cross = (who: { readonly accountId: string; readonly agentId: string }, months: number, before = 0) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.forEach(
      Array.from({ length: months }, (_, month) => Date.UTC(1700, before + month, 1)),
      (at) =>
        sql.withTransaction(
          Effect.forEach(
            budgetTypes,
            (type) => sql`
              INSERT INTO outbox ${sql.insert({
                id: `event-${String(++written).padStart(9, "0")}`,
                at,
                account_id: who.accountId,
                type,
                livemode: 1,
                data: JSON.stringify({ ...Event.makeTestEvent(type, "", at).data, agent_id: who.agentId }),
              })}`,
          ),
        ),
      { discard: true },
    ),
  )

/** The ids of all events, in the order in which they were written. */
export const eventIds = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(sql<{ id: string }>`SELECT id FROM outbox ORDER BY id`, (rows) => rows.map(({ id }) => id)),
)
