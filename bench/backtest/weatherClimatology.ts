import { type Climatology, fitClimatology, usual } from "../../core/lanes/weather/signal/climatology.ts"
import * as normal from "../../core/math/normal.ts"
import { crpsNormal, shareWithin } from "../../core/math/score.ts"
import type { DailyRow } from "./weatherData.ts"

/** Sites of the archive; Chicago's and Houston's differ from the service's stations. */
export const sites = [
  { site: "NYC", ghcn: "USW00094728", station: "KNYC" },
  { site: "MIA", ghcn: "USW00012839", station: "KMIA" },
  { site: "ORD", ghcn: "USW00094846", station: undefined },
  { site: "IAH", ghcn: "USW00012960", station: undefined },
] as const

/** Earlier days are fitted on, later ones are scored. */
const cut = "2023-01-01"

export interface ClimatologyScores {
  readonly site: string
  readonly fittedDays: number
  readonly days: number
  readonly crps: number
  /** Mean of actual − mean. */
  readonly bias: number
  readonly c90: number
  readonly climatology: Climatology
}

/** Fits each site on the years before 2023 and scores the normal distribution on later days. */
export const climatology = (rows: ReadonlyArray<DailyRow>): ReadonlyArray<ClimatologyScores> =>
  sites.map(({ site, ghcn }) => {
    const own = rows.filter(({ station }) => station === ghcn)
    const known = own.filter(({ day }) => day < cut)
    const model = fitClimatology(known)
    const scored = own
      .filter(({ day }) => day >= cut)
      .map(({ day, tempF }) => {
        const { mean, sd } = usual(model, day)
        const z = (tempF - mean) / sd
        return { crps: sd * crpsNormal(z), error: tempF - mean, transform: normal.cdf(z) }
      })
    const average = (pick: (one: (typeof scored)[number]) => number): number =>
      scored.reduce((sum, one) => sum + pick(one), 0) / scored.length
    return {
      site,
      fittedDays: known.length,
      days: scored.length,
      crps: average(({ crps }) => crps),
      bias: average(({ error }) => error),
      c90: shareWithin(
        scored.map(({ transform }) => transform),
        0.05,
        0.95,
      ),
      climatology: model,
    }
  })
