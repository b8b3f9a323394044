// A lane of one's own beside a lane of the library at another price.
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import {
  ApiKey,
  Catalogue,
  cite,
  Endpoint,
  explain,
  Feeds,
  Field,
  Gateway,
  Keyring,
  Lane,
  LaneSets,
  Ledger,
  Param,
  step,
} from "market-signals"
import { Crypto } from "market-signals/lanes/crypto"
import { layerPlatformCrypto } from "market-signals/node"
import { mock } from "market-signals/providers/crypto"

const tides = Endpoint.make("/v1/tides/next", {
  kind: "Data",
  priceMicros: 2_000,
  auth: "key",
  summary: "The next high tide of a harbour",
  example: { harbour: "The Battery" },
  params: Schema.Struct({ harbour: Param.text(80, "Name of the harbour.") }),
  results: Schema.Struct({ harbour: Field.text(), height_ft: Field.number() }),
  ports: { table: Effect.succeed(5.2) },
  answer: function* ({ harbour }, { table }, give) {
    return give({
      results: { harbour, height_ft: yield* Effect.succeed(table) },
      explained: explain(step("Read the table.", cite("table", harbour))),
      confidence: { score: 1, label: "settlement", factors: ["table"] },
    })
  },
})
const Tides = Lane.define("tides", { description: "Tides of harbours.", endpoints: { next: tides } })

const cheap = {
  ...Crypto.lane,
  endpoints: { ...Crypto.lane.endpoints, spot: Endpoint.withPrice(Crypto.lane.endpoints.spot, 500) },
}
const catalogue = Catalogue.make(cheap, Tides.lane)
const lanes = Layer.merge(Crypto.layer.pipe(Layer.provide([Feeds.layerNone, mock])), Tides.layer)

const token = ApiKey.fromBytes("live", new Uint8Array(32).fill(7))
const caller = { accountId: "account", keyId: "key", livemode: true, perMinute: 600 }

const service = Gateway.layer(catalogue).pipe(
  Layer.provide([
    LaneSets.layer(catalogue, { test: lanes, live: lanes }),
    Keyring.layerMemory([[token, caller]]),
    Ledger.layerMemory([["account", 10_000]]),
  ]),
  Layer.provide(Gateway.layerDefaults),
  Layer.provide(layerPlatformCrypto),
)

const program = Effect.gen(function* () {
  const gateway = yield* Gateway
  const authorization = `Bearer ${token}`
  const tide = yield* gateway.call(tides, { harbour: "The Battery" }, { authorization })
  const spot = yield* gateway.call(catalogue.get("crypto_spot"), { asset: "BTC" }, { authorization })
  yield* Console.log(`tide ${tide.answer.results.height_ft} ft for ${tide.charged}, spot for ${spot.charged}`)
})
await Effect.runPromise(program.pipe(Effect.provide(service)))
