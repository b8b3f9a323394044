import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as mock from "../../adapters/lanes/crypto/mock/tape.ts"
import * as candles from "../../adapters/lanes/crypto/store/Candles.ts"
import * as sqlite from "../../adapters/store/engine/sqlite/open.ts"
import { type Asset, assets } from "../../core/lanes/crypto/fields.ts"
import { CandleStore } from "../../core/lanes/crypto/ports.ts"
import { json, type Replay, replay } from "./replay.ts"

const minute = 60_000
/** A week: a signal over less is not recorded. */
const kept = 7 * 1_440

/** Candles of an exchange that trades in every minute, newest first, as Coinbase prints them. */
const printed = (asset: Asset, from: number, to: number) =>
  Array.from(mock.closes(asset, from, to), (close, at) => [(from + at) * 60, close, close, close, close, 1]).reverse()

/** An exchange on this machine that has candles up to the running minute; `stop` ends it. */
export const exchange = async (): Promise<Replay & { readonly stop: () => Promise<void> }> => {
  const scope = await Effect.runPromise(Scope.make())
  const upstream = await Effect.runPromise(
    Scope.extend(
      replay([
        {
          path: /^\/products\/(BTC|ETH)-USD\/candles$/,
          reply: ({ path, query }) => {
            const [from, to] = ["start", "end"].map((name) => Math.floor(Date.parse(query.get(name)!) / minute))
            const running = Math.floor(Date.now() / minute)
            return json(printed(path.includes("ETH") ? "ETH" : "BTC", from!, Math.min(to!, running) + 1))
          },
        },
        {
          // The second exchange, which is asked for what the first one lacks.
          path: "/0/public/OHLC",
          reply: ({ query }) => {
            const running = Math.floor(Date.now() / minute)
            const rows = printed(query.get("pair")!.includes("ETH") ? "ETH" : "BTC", running - 719, running + 1)
            const texts = rows
              .reverse()
              .map(([time, low, high, open, close, volume]) => [
                time,
                ...[open, high, low, close, close, volume].map(String),
                1,
              ])
            return json({ error: [], result: { [query.get("pair")!]: texts, last: (running - 1) * 60 } })
          },
        },
      ]),
      scope,
    ),
  )
  return { ...upstream, stop: () => Effect.runPromise(Scope.close(scope, Exit.void)) }
}

/** Puts the last hours on the tape, so that the first call finds them: the job that fetches them begins with a minute. */
export const seedTape = (file: string): Promise<void> =>
  Effect.gen(function* () {
    const store = yield* CandleStore
    const until = Math.floor(Date.now() / minute)
    for (const asset of assets) {
      const closes = mock.closes(asset, until - kept, until)
      const tape = Array.from(closes, (close, at) => ({
        ...{ high: close, low: close, close, volume: 1 },
        minute: until - kept + at,
      }))
      yield* store.append(asset, "coinbase", tape)
    }
  }).pipe(Effect.provide(candles.layerStore.pipe(Layer.provide(sqlite.layer(file)))), Effect.runPromise)
