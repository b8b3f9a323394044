import type * as HttpClient from "@effect/platform/HttpClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { ReceivedCandle } from "../../../core/lanes/crypto/candles.ts"
import type { CandleSource } from "../../../core/lanes/crypto/ports.ts"
import { iso, minute } from "../../../core/time.ts"
import * as Upstream from "../../runtime/upstream/Definition.ts"
import { callBudget, type RequestPolicy } from "../../runtime/upstream/upstream.ts"
import { type Asked, candleSource, checkCandles, lastMinutes } from "./minutes.ts"

/** Coinbase Exchange, `GET /products/{pair}/candles`: [time, low, high, open, close, volume], newest first. */
const Wire = Schema.Array(
  Schema.Tuple(Schema.Finite, Schema.Finite, Schema.Finite, Schema.Finite, Schema.Finite, Schema.Finite),
)

const printed = (rows: typeof Wire.Type): ReadonlyArray<ReceivedCandle> =>
  rows.map(([time, low, high, _open, close, volume]) => ({ minute: time / 60, high, low, close, volume }))

const candles = Upstream.question(Upstream.readJson(Wire), {
  path: ({ asset }: Asked) => `/products/${asset}-USD/candles`,
  // `end` is inclusive; rows before `start` may be included.
  query: ({ from, to }) => ({ granularity: "60", start: iso(from * minute), end: iso((to - 1) * minute) }),
  unstated:
    "The pair: the closes of the tape that the candles continue; of a new tape the prices of the other exchange, if it is read.",
  identity: (rows, asked, now) => checkCandles(printed(rows), asked, now),
})

/** One-minute candles of the USD pairs, at most 300 per request. */
export const coinbase = Upstream.define({
  ...{ name: "coinbase", title: "Coinbase", url: "https://api.exchange.coinbase.com", redirects: false, ...callBudget },
  terms:
    "Coinbase's Market Data Terms allow personal, research and internal use, and forbid giving the data or works derived from them to others.",
  questions: { candles },
  probe: ({ ask }) => Effect.flatMap(Clock.currentTimeMillis, (now) => ask(candles, lastMinutes(now))),
})

export const make = (client: HttpClient.HttpClient, baseUrl: string, policy: RequestPolicy = {}): CandleSource =>
  candleSource(Upstream.openAt(coinbase, client, baseUrl, policy), candles, { span: 300 })
