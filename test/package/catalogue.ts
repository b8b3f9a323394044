// Every endpoint of the catalogue in memory, called with its own example and charged from a wallet.
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { Accounts, catalogue, Gateway, Money } from "market-signals"
import { layerPlatformCrypto, layerSecretBoxMemory, layerSyncSha256 } from "market-signals/node"
import { modules, World } from "market-signals/providers"
import {
  layerAccountStore,
  layerAgentStore,
  layerEntityTags,
  layerKeyring,
  layerLedger,
  layerSealedSecrets,
  layerSqlite,
} from "market-signals/sql"

const store = layerSealedSecrets.pipe(
  Layer.provideMerge(
    Layer.mergeAll(layerSqlite(":memory:"), layerPlatformCrypto, layerSecretBoxMemory, layerSyncSha256),
  ),
)
const world = World.layer(catalogue, modules).pipe(Layer.provide(FetchHttpClient.layer))
const service = Gateway.layer(catalogue).pipe(
  Layer.provide([world, layerEntityTags, layerKeyring]),
  Layer.provideMerge(
    Accounts.layer.pipe(Layer.provideMerge(Layer.mergeAll(layerAccountStore, layerAgentStore, layerLedger))),
  ),
  Layer.provide(Gateway.layerDefaults),
  Layer.provide(store),
)

const program = Effect.gen(function* () {
  const accounts = yield* Accounts
  const gateway = yield* Gateway
  const { id } = yield* accounts.create("agent")
  yield* accounts.credit(id, Money.MicroUsd(1_000_000))
  const { plaintext } = yield* accounts.issueKey({ account: id, environment: "live", tier: "pro" })
  const authorization = `Bearer ${Redacted.value(plaintext)}`
  let charged = 0
  for (const { endpoint } of catalogue.entries) {
    charged += (yield* gateway.call(endpoint, endpoint.example, { authorization })).charged
  }
  yield* Console.log(`${catalogue.entries.length} endpoints answered, ${charged > 0 ? "charged" : "free"}`)
})
await Effect.runPromise(program.pipe(Effect.provide(service)))
