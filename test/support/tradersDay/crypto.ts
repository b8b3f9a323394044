import { join } from "node:path"
import { day, hour, minute } from "../../../core/time.ts"
import { clockAt } from "../clock.ts"
import { liveServer } from "../liveServer.ts"
import { json, type Route } from "../replay.ts"
import { settings } from "../running.ts"
import { answered, type Day, ran, rowsIn } from "./Day.ts"

/** The last whole day of the recorded minutes. */
const begin = Date.UTC(2025, 5, 30)
/** After the minute, as the exchange closes a candle with a delay. */
const delay = 10_000
const question = begin + 17 * hour

/** Minutes of the recorded exchange, in Coinbase's form. */
const coinbase = (root: string, now: () => number): ReadonlyArray<Route> =>
  (["BTC", "ETH"] as const).map((asset) => {
    const all = rowsIn(join(root, `crypto/binance_${asset}USDT_1m_20250601_20250701.csv.gz`)).map((row) => [
      Number(row["ts_ms"]),
      ...["low", "high", "open", "close", "volume"].map((name) => Number(row[name])),
    ])
    const first = all[0]![0]!
    return {
      path: `/products/${asset}-USD/candles`,
      reply: ({ query }) => {
        const [from, to] = ["start", "end"].map((name) => (Date.parse(query.get(name)!) - first) / minute) as [
          number,
          number,
        ]
        const rows = all.slice(Math.max(0, from), to + 1).filter(([at]) => at! + minute <= now())
        return json(rows.map(([at, ...rest]) => [at! / 1_000, ...rest]).reverse())
      },
    }
  })

interface Scores {
  readonly asset?: string
  readonly n: number
  readonly crps: number
  readonly coverage_80: number
}

export const cryptoDay = async (root: string): Promise<Day> => {
  const clock = clockAt(begin, 10)
  const now = () => clock.unsafeCurrentTimeMillis()
  const upstreams = { ...settings().upstreams, kraken: "" }
  const live = await liveServer({ crypto: "live", upstreams }, { coinbase: coinbase(root, now) }, clock)
  try {
    let asking: readonly [spot: number, expected: number, price: string] | undefined
    for (let at = begin; at < begin + day; at += hour) {
      clock.set(at + delay)
      await ran(live, ["crypto-tape", "crypto-capture"])
      if (at !== question) continue
      const { results, _meta } = await answered(live, "/v1/crypto/signal?asset=BTC&horizon_minutes=60")
      asking = [results.spot, results.expected_move_1sd_usd, _meta.price.display]
    }
    const [spot, expected, price] = asking!
    clock.set(question + hour + delay)
    const after = (await answered(live, "/v1/crypto/spot?asset=BTC")).results.spot
    clock.set(begin + day + 40 * minute)
    await ran(live, ["crypto-tape", "crypto-scores"])
    const scores: ReadonlyArray<Scores> = (await answered(live, "/v1/crypto/performance")).rows
    const [all] = scores
    return {
      heading: "Crypto: an hour of 30 June 2025",
      told: "Recorded: the minutes of an exchange, BTC and ETH against USDT, which stand for Coinbase's. No quotes of contracts are recorded, so that there is no pool and nothing to recommend: the day shows what the law said and how the laws of the day were scored.",
      rows: [],
      ended: [
        `At 17:00 UTC BTC stood at ${spot} USD, and the law of the next hour had a standard deviation of ${expected} USD. The call cost ${price}.`,
        `An hour later it stood at ${after} USD: ${(Math.abs(after - spot) / expected).toFixed(2)} standard deviations ${after < spot ? "lower" : "higher"}.`,
        `The service scored its ${all!.n} hourly captures of the day by itself: ${(100 * all!.coverage_80).toFixed(0)} % of the prices came within the central 80 % of their laws.`,
      ],
    }
  } finally {
    await live.stop()
  }
}
