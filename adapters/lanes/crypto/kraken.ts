import type * as HttpClient from "@effect/platform/HttpClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type { ReceivedCandle } from "../../../core/lanes/crypto/candles.ts"
import type { Asset } from "../../../core/lanes/crypto/fields.ts"
import type { CandleSource } from "../../../core/lanes/crypto/ports.ts"
import { makeIdentityCheck } from "../../../core/sources/identity.ts"
import * as Upstream from "../../runtime/upstream/Definition.ts"
import { callBudget, type RequestPolicy } from "../../runtime/upstream/upstream.ts"
import { type Asked, candleSource, checkCandles, lastMinutes } from "./minutes.ts"

const pairs: Readonly<Record<Asset, string>> = { BTC: "XBTUSD", ETH: "ETHUSD" }

const price = Schema.NumberFromString.pipe(Schema.finite())

/** Kraken, `GET /0/public/OHLC`: [time, open, high, low, close, vwap, volume, count] under the pair's own name. */
const Row = Schema.Tuple(Schema.Finite, price, price, price, price, price, price, Schema.Finite)

const Wire = Schema.Struct({
  error: Schema.Array(Schema.String),
  result: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.Union(Schema.Array(Row), Schema.Number) })),
})

const printed = (rows: ReadonlyArray<typeof Row.Type>): ReadonlyArray<ReceivedCandle> =>
  rows.map(([time, _open, high, low, close, _vwap, volume]) => ({ minute: time / 60, high, low, close, volume }))

/** The rows, with the name of their pair: `XXBTZUSD`, or as requested. */
const namedRows = ({ result = {} }: typeof Wire.Type) =>
  Object.entries(result).flatMap(([name, rows]) => (typeof rows === "number" ? [] : [{ name, rows }]))[0]

/** Errors have status 200; a warning (`W…`) may come with good rows. */
const checkIdentity = makeIdentityCheck<Asked, typeof Wire.Type>({
  name: ({ asset }) => `The answer on ${asset}`,
  says: {
    error: ({ error }) => [error.filter((text) => !text.startsWith("W")).join("; "), ""],
    pair: (wire, { asset }) => [
      namedRows(wire)
        ?.name.replace(/^X(?=XBTZUSD$|ETHZUSD$)/, "")
        .replace(/ZUSD$/, "USD"),
      pairs[asset],
    ],
  },
})

const candles = Upstream.question(Upstream.readJson(Wire), {
  path: () => "/0/public/OHLC",
  query: ({ asset, from }: Asked) => ({ pair: pairs[asset], interval: "1", since: String((from - 1) * 60) }),
  identity: (wire, asked, now) =>
    Either.flatMap(checkIdentity(wire, asked, now), () => checkCandles(printed(namedRows(wire)!.rows), asked, now)),
})

/** One-minute candles of the USD pairs: always the last 720 minutes; the last row is unfinished. */
export const kraken = Upstream.define({
  ...{ name: "kraken", title: "Kraken", url: "https://api.kraken.com", redirects: false, ...callBudget },
  terms: "Kraken's terms ask for its prior permission to redistribute market data.",
  questions: { candles },
  probe: ({ ask }) => Effect.flatMap(Clock.currentTimeMillis, (now) => ask(candles, lastMinutes(now))),
})

export const make = (client: HttpClient.HttpClient, baseUrl: string, policy: RequestPolicy = {}): CandleSource =>
  candleSource(Upstream.openAt(kraken, client, baseUrl, policy), candles, { span: 720, reach: 720 })
