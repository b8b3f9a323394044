import * as Layer from "effect/Layer"
import {
  type Guidance,
  guidanceSources,
  minLead,
  SecondForecasts,
} from "../../../../core/lanes/weather/guidance/Guidance.ts"
import { runsDue } from "../../../../core/lanes/weather/guidance/syncGuidance.ts"
import { leadDays, variables } from "../../../../core/lanes/weather/signal/temperature.ts"
import { byId, climateDayStart } from "../../../../core/lanes/weather/stations.ts"
import * as Step from "../../../../core/Step.ts"
import { hour } from "../../../../core/time.ts"
import { dailyExtremes } from "./climate.ts"
import { errorOf } from "./forecastError.ts"

/** Local standard hours at which the extremes are expected. */
const turns = { high: 15, low: 6 } as const
/** Part of the grid's error that a source repeats, and its own bias, degrees Fahrenheit. */
const laws = { nbm: { shared: 0.7, biasF: 0.6 }, gfs_mos: { shared: 0.4, biasF: -0.8 } } as const

/** Second forecasts of the generated climate: their errors are partly those of the grid, partly their own. */
export const layerGuidance: Layer.Layer<SecondForecasts> = Layer.succeed(SecondForecasts, {
  freshness: "mock",
  current: Step.methodSync((id: string, day: string, now: number) => {
    const station = byId.get(id)!
    const extremes = dailyExtremes(station, day)
    return guidanceSources.flatMap((source) =>
      variables.flatMap((variable): ReadonlyArray<Guidance> => {
        const runs = runsDue(source, now, 4)
        const issuedAt = runs.find((run) => leadDays(station, variable, day, run) >= minLead)
        if (issuedAt === undefined) return []
        const turnAt = climateDayStart(station, day) + turns[variable] * hour
        const { shared, biasF } = laws[source]
        const own = errorOf(`${id}/${source}`, turnAt, variable, issuedAt)
        const error = shared * errorOf(id, turnAt, variable, issuedAt) + Math.sqrt(1 - shared ** 2) * own + biasF
        const officialF = variable === "high" ? extremes.highF : extremes.lowF
        return [{ station: id, source, variable, day, issuedAt, tempF: Math.round(officialF + error) }]
      }),
    )
  }),
})
