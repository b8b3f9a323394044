import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { baseball } from "../../adapters/lanes/baseball/module.ts"
import { crypto } from "../../adapters/lanes/crypto/module.ts"
import { football } from "../../adapters/lanes/football/module.ts"
import * as mock from "../../adapters/lanes/markets/mock/markets.ts"
import { weather } from "../../adapters/lanes/weather/module.ts"
import * as secrets from "../../adapters/runtime/node/secrets.ts"
import type { Priced } from "../../core/contracts/Contract.ts"
import { Feeds } from "../../core/feeds/Feeds.ts"
import { Baseball } from "../../core/lanes/baseball/Baseball.ts"
import { Crypto } from "../../core/lanes/crypto/Crypto.ts"
import { Football } from "../../core/lanes/football/Football.ts"
import { OpenContracts, SettledRows } from "../../core/lanes/markets/ports.ts"
import { Weather } from "../../core/lanes/weather/Weather.ts"
import { domains, type SettledMarket } from "../../core/record/scoreboard/Settled.ts"

/** The generated venue over the generated lanes. */
const venue = mock.layer.pipe(
  Layer.provide(
    Layer.mergeAll(Weather.layer, Crypto.layer, Football.layer, Baseball.layer).pipe(
      Layer.provideMerge(Layer.mergeAll(weather.mock, crypto.mock, football.mock, baseball.mock)),
      Layer.provide([secrets.layer]),
      Layer.provideMerge(Feeds.layerNone),
    ),
  ),
)

/** What the generated venue lists, and the rows of its record. */
const generated = Effect.all({
  once: Effect.map(
    Effect.flatMap(OpenContracts, ({ open }) => open),
    ({ contracts }) => contracts,
  ),
  settled: Effect.flatMap(SettledRows, ({ after }) =>
    Effect.map(
      Effect.forEach(domains, (domain) => after(domain, undefined, 10_000)),
      (rows) => rows.flat(),
    ),
  ),
}).pipe(Effect.provide(venue))

let made: Promise<Effect.Effect.Success<typeof generated>> | undefined

/** So many open contracts that close at a time, some more than once under other names. */
export const openContracts = async (count: number, closeTime: number): Promise<ReadonlyArray<Priced>> => {
  made ??= Effect.runPromise(generated)
  const { once } = await made
  return Array.from({ length: count }, (_, at) => {
    const [copy, one] = [Math.floor(at / once.length), once[at % once.length]!]
    return { ...one, ticker: `${one.ticker}/${copy}`, subject: `${one.subject}/${copy}`, closeTime }
  })
}

/** So many rows of settled contracts, likewise. */
export const settledRows = async (count: number): Promise<ReadonlyArray<SettledMarket>> => {
  made ??= Effect.runPromise(generated)
  const { settled } = await made
  return Array.from({ length: count }, (_, at) => {
    const [copy, { earlier: _earlier, ...row }] = [Math.floor(at / settled.length), settled[at % settled.length]!]
    const of = (text: string) => `${text}/${copy}`
    return { ...row, ticker: of(row.ticker), event: of(row.event), captureId: of(row.captureId) }
  })
}
