import * as Effect from "effect/Effect"
import { type Findable, type Finds, ready } from "../../find/Findable.ts"
import { signal, spot } from "./endpoints.ts"
import { type Asset, assets } from "./fields.ts"

const names: Readonly<Record<Asset, string>> = { BTC: "Bitcoin", ETH: "Ether" }
const others: Readonly<Record<Asset, string>> = { BTC: "xbt btcusd", ETH: "ethereum ethusd" }

/** A day has this many minutes, the longest horizon. */
const dayMinutes = 1_440

const assetOf = (asset: Asset): Findable => ({
  kind: "asset",
  name: names[asset],
  words: `${asset} ${others[asset]} usd crypto`,
  ids: { asset },
  calls: [
    ready(spot, "price now spot quote cost worth current volatility", ({ day, today, numbers, minutes }) =>
      minutes === undefined && numbers.length === 0 && (day ?? today) === today ? { asset } : undefined,
    ),
    ready(
      signal,
      "probability chance odds distribution above below over under price ahead later hour end",
      ({ day, today, numbers, minutes }) => {
        if (day !== undefined && day < today) return undefined
        const horizon = minutes ?? (day === undefined || day === today ? undefined : dayMinutes)
        return {
          asset,
          ...(horizon === undefined ? {} : { horizon_minutes: horizon }),
          ...(numbers.length === 0 ? {} : { strikes: numbers }),
        }
      },
    ),
  ],
})

/** The assets. */
export const finds: Finds = () => [{ what: "assets", read: Effect.succeed(assets.map(assetOf)) }]
