import * as Layer from "effect/Layer"
import { type Guidance, runsDue, SecondForecasts } from "../../../../core/lanes/weather/guidance/Guidance.ts"
import { leadDays, minLead, variables } from "../../../../core/lanes/weather/signal/temperature.ts"
import { byId, climateDayStart } from "../../../../core/lanes/weather/stations.ts"
import * as Step from "../../../../core/Step.ts"
import { hour } from "../../../../core/time.ts"
import { memoize } from "../../mock/draws.ts"
import { dailyExtremes } from "./climate.ts"
import { drawError, expectedHours } from "./forecastError.ts"

/** The part of the grid's error that a source repeats, and its own bias, °F. No source states percentiles. */
const laws = { nbm: { shared: 0.7, biasF: 0.6 }, gfs_mos: { shared: 0.4, biasF: -0.8 } } as const

const guidanceAt = (id: string, day: string, now: number): ReadonlyArray<Guidance> => {
  const station = byId.get(id)!
  const { highF, lowF } = dailyExtremes(station, day)
  return (["nbm", "gfs_mos"] as const).flatMap((source) =>
    variables.flatMap((variable): ReadonlyArray<Guidance> => {
      const runs = runsDue(source, now, 4)
      const issuedAt = runs.find((run) => leadDays(station, variable, day, run) >= minLead)
      if (issuedAt === undefined) return []
      const turnAt = climateDayStart(station, day) + expectedHours[variable] * hour
      const { shared, biasF } = laws[source]
      const sourceError = drawError(`${id}/${source}`, turnAt, variable, issuedAt)
      const error =
        shared * drawError(id, turnAt, variable, issuedAt) + Math.sqrt(1 - shared ** 2) * sourceError + biasF
      const officialF = variable === "high" ? highF : lowF
      return [{ station: id, source, variable, day, issuedAt, tempF: Math.round(officialF + error) }]
    }),
  )
}

const made = memoize(guidanceAt, 256)

/** Second forecasts of the generated climate: their errors are partly those of the grid, partly their own. */
export const layerGuidance: Layer.Layer<SecondForecasts> = Layer.succeed(SecondForecasts, {
  freshness: "mock",
  // Runs come out on the hour.
  current: Step.methodSync((id: string, day: string, now: number) => made(id, day, Math.floor(now / hour) * hour)),
})
