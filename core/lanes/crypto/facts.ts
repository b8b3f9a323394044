import type { Link } from "../../endpoint/Answer.ts"
import { cite, type Source } from "../../endpoint/explain.ts"
import { getOrMake } from "../../getOrMake.ts"
import { perObject } from "../../perObject.ts"
import { iso, minute } from "../../time.ts"
import type { Factor } from "../confidence.ts"
import { formatMinute, windowMinutes } from "./coverage.ts"
import type { Asset, Spot } from "./fields.ts"
import type { Window } from "./ports.ts"
import { countCloses, realizedVolatility } from "./volatility.ts"

/** Lengths of the windows, minutes: for the volatility of a spot answer, and for a signal. */
export const spotMinutes = 120
export const signalMinutes = windowMinutes + 5

type Volatility = Spot["realized_vol"]

/** Parts of answers that depend only on the window; cached with it. */
export interface WindowFacts {
  /** Undefined if the last two hours have too few closes. */
  readonly volatility: { readonly closes: number; readonly served: Volatility } | undefined
  /** The factors for the numbers of closes in the last two hours and in the last week. */
  readonly counts: ReadonlyArray<Factor>
  readonly spotText: string
  /** How the sources disagree, if they do. */
  readonly doubts: ReadonlyArray<string>
  readonly marketNote: string
  /** The exchange of the last close, and those of the other closes if they are different. */
  readonly sources: { readonly spot: Source; readonly others: ReadonlyArray<Source> }
  readonly links: ReadonlyArray<Link>
}

const computeVolatility = (window: Window, spot: number): WindowFacts["volatility"] => {
  const realized = realizedVolatility(window)
  if (realized === undefined) return undefined
  const { sigma1h, annualized, closes } = realized
  return {
    closes,
    served: {
      sigma_1h: sigma1h,
      expected_move_1h_usd: spot * sigma1h,
      annualized_est: annualized,
      window: `${closes} one-minute closes of the last ${spotMinutes} minutes`,
    },
  }
}

export const toCountFactors = ({ closes }: Window): ReadonlyArray<Factor> => {
  const [recent, week] = [countCloses(closes, spotMinutes), countCloses(closes, signalMinutes)]
  return [
    [`${recent} of the last ${spotMinutes} closes`, recent / spotMinutes],
    [`${(week / 1440).toFixed(1)} of 7 days of closes`, 0.7 + 0.3 * Math.min(1, week / windowMinutes)],
  ]
}

const indexNames: Record<Asset, string> = { BTC: "BRTI", ETH: "ERTI" }

/** The price that the venue's contracts on an asset settle on. */
export const describeVenueSource = (asset: Asset): string =>
  `CF Benchmarks ${indexNames[asset]}, averaged over the 60 s before the hour`

const computeFacts = (asset: Asset, window: Window): WindowFacts => {
  const { closes, lastMinute, source, lastSource = source, disagreement } = window
  const spot = closes.at(-1)!
  const [locator, ahead] = [`/v1/crypto/spot?asset=${asset}`, `/v1/crypto/signal?asset=${asset}`]
  return {
    volatility: computeVolatility(window, spot),
    counts: toCountFactors(window),
    spotText: `Spot: last close of the ${asset}-USD one-minute tape, ${spot} USD at ${iso((lastMinute + 1) * minute)}, by ${lastSource}.`,
    doubts:
      disagreement === undefined
        ? []
        : [
            `${disagreement.primary} and ${disagreement.secondary} differ by up to ${(100 * disagreement.gap).toFixed(2)} %, compared at ${formatMinute(disagreement.minute)}.`,
          ],
    marketNote: `Priced from the last close of ${lastSource}; the venue's hourly series settles on ${describeVenueSource(asset)}. For a 'greater' contract with strike S use p_above at S.`,
    sources: { spot: cite(lastSource, locator), others: lastSource === source ? [] : [cite(source, locator)] },
    links: [{ id: asset, endpoints: [locator, ahead] }],
  }
}

const factsCache = perObject((_: Float64Array) => new Map<string, WindowFacts>())

export const gatherFacts = (asset: Asset, window: Window): WindowFacts => {
  const { closes, lastMinute, source } = window
  return getOrMake(factsCache(closes), `${asset} ${lastMinute} ${source}`, () => computeFacts(asset, window))
}
