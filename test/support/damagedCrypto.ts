import type { DamagedLane } from "./damagedWorld.ts"
import type { Shape } from "./damages.ts"
import type { jsonRows, Row } from "./payloadRows.ts"
import { begin, changed, hour, rows, together, world } from "./worldSources.ts"

export const damagedCrypto = (): DamagedLane => {
  const { source } = world()
  const feeds = ["crypto_btc_candles", "crypto_eth_candles"]
  const candle = (pick: Parameters<typeof jsonRows>[0], close: string): Shape =>
    rows(pick, {
      ...{ needed: close, figures: ["1", "2", "3", "4"], prices: ["1", "2", "3", "4"] },
      // The newest half hour.
      periodOf: (row) => Math.floor(Number(row["0"]) / 1_800),
      move: (row, hours) => {
        row["0"] = Number(row["0"]) + hours * 3_600
      },
    })
  // Of prices that differ nobody knows whose are right: the answer tells, or there is none. Opens are not read.
  const silently = ["scaled", "shifted 3"]
  const coinbase = source("coinbase", "/products/BTC-USD/candles", {
    ...{ title: "Coinbase's candles", feeds: [], jobs: ["crypto-tape"], harmless: [...silently, "periodTwice"] },
    shape: candle((value) => value, "4"),
    others: {
      granularity: changed((value) =>
        value.splice(0, value.length, ...value.filter(([at]: ReadonlyArray<number>) => at! % 300 === 0)),
      ),
    },
  })
  const kraken = source("kraken", "/0/public/OHLC", {
    ...{ title: "Kraken's candles", feeds: [], jobs: [], harmless: ["periodTwice"] },
    others: { pair: (text) => text.replace(/"XBTUSD":|"ETHUSD":/g, '"XLTCZUSD":') },
    shape: candle((value) => Object.values(value.result).find(Array.isArray) as Array<Row>, "4"),
  })
  return {
    name: "crypto",
    settings: { crypto: "live" },
    sources: [
      coinbase,
      kraken,
      {
        ...together("candles of both", coinbase, kraken),
        feeds,
        unknowable: ["scaled"],
        harmless: ["shifted 3", "periodTwice"],
        holes: ["cutRows"],
        jobs: ["crypto-tape"],
      },
    ],
    jobs: ["crypto-tape", "crypto-capture"],
    // A tape that was filled a week back from another hour has one candle less: nothing in three digits.
    calls: ["spot?asset=BTC", "signal?asset=BTC&horizon_minutes=60", "signal?asset=ETH&horizon_minutes=1440"].map(
      (question) => ({
        path: `/v1/crypto/${question}`,
        figures: ({ spot, sigma_ln, realized_vol }) => [spot, (sigma_ln ?? realized_vol.sigma_1h).toPrecision(3)],
      }),
    ),
    ...{ begin, period: hour, times: 4 },
  }
}
