// A live lane over a database client of one's own: its job fills the store, the lane answers from it, the record keeps the signal.
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { catalogue, RecordLog } from "market-signals"
import { Crypto } from "market-signals/lanes/crypto"
import { layerPlatformCrypto, layerSyncSha256 } from "market-signals/node"
import { World } from "market-signals/providers"
import { module } from "market-signals/providers/crypto"
import { Slot } from "market-signals/scheduler"
import { DiskSpace, layerCaptures, layerClient, layerRecordInputs, layerRecordLog } from "market-signals/sql"

/** The exchange, here without a network: `FetchHttpClient.layer` asks the real one. A candle of each minute, newest first. */
const exchange = HttpClient.make((request, { searchParams }) => {
  const [start = 0, end = 0] = ["start", "end"].map((name) => Date.parse(searchParams.get(name) ?? "") / 60_000)
  const candle = (minute: number) => {
    const close = 60_000 + 100 * Math.sin(minute)
    return [minute * 60, close - 1, close + 1, close, close, 2]
  }
  const candles = Array.from({ length: end - start + 1 }, (_, age) => candle(end - age))
  return Effect.succeed(HttpClientResponse.fromWeb(request, Response.json(candles)))
})

const modules = [module]
const config: World.WorldConfig = {
  modes: { crypto: "live" },
  settings: () => ({ coinbase: "https://api.exchange.coinbase.com", userAgent: "agent (me@example.com)" }),
}

const store = layerClient.pipe(Layer.provideMerge(SqliteClient.layer({ filename: "own.db" })))
const lane = World.layer(catalogue, modules, config).pipe(
  Layer.provideMerge(Layer.mergeAll(layerCaptures, layerRecordInputs, layerRecordLog)),
  Layer.provideMerge(Layer.mergeAll(store, layerPlatformCrypto, layerSyncSha256)),
  Layer.provideMerge(Layer.mergeAll(Layer.succeed(HttpClient.HttpClient, exchange), DiskSpace.layerNone)),
)

const program = Effect.gen(function* () {
  // Once here; `market-signals/scheduler` runs them at their times.
  for (const { name, run } of yield* World.jobs(modules, config)) {
    yield* Console.log(name, yield* Effect.provideService(run, Slot, Math.floor(Date.now() / 60_000) * 60_000))
  }
  const { results, freshness } = yield* (yield* Crypto).spot({ asset: "BTC" })
  yield* Console.log(`${freshness} ${Math.round(results.spot / 1_000)}, ${yield* (yield* RecordLog).size} on record`)
})
await Effect.runPromise(program.pipe(Effect.provide(lane)))
