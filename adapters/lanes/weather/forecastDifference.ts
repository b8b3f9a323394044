import type { GridForecast, Observation, PointForecast } from "../../../core/lanes/weather/ports.ts"
import { day, hour } from "../../../core/time.ts"

/** Greatest lag of a live grid: mock grids are updated hourly, offices update less often; at 12 h a grid is stale. */
const late = 6 * hour

/** Mock and live weather never agree: compares presence, age and range of forecasts. */
const differenceText = (...differences: ReadonlyArray<string | false>): string | undefined => {
  const found = differences.filter((each) => each !== false)
  return found.length === 0 ? undefined : found.join("; ")
}

const behind = (mock: number, live: number): string | false =>
  mock - live > late && `the live grid was updated ${Math.round((mock - live) / hour)} h earlier`

const shorter = (mock: number, live: number): string | false =>
  mock - live > day && `the live forecast ends ${Math.round((mock - live) / hour)} h earlier`

const end = <A>(list: ReadonlyArray<A>, at: (each: A) => number): number =>
  list.reduce((latest, each) => Math.max(latest, at(each)), Number.NEGATIVE_INFINITY)

const pointsDiffer = (mock: PointForecast, live: PointForecast): string | undefined =>
  differenceText(
    mock.location.timezone !== live.location.timezone &&
      `timezone: ${mock.location.timezone} | ${live.location.timezone}`,
    behind(mock.updatedAt, live.updatedAt),
    shorter(
      end(mock.periods, ({ endsAt }) => endsAt),
      end(live.periods, ({ endsAt }) => endsAt),
    ),
    live.flags.length > 0 && `the live forecast has the flags ${live.flags.join(", ")}`,
  )

const gridsDiffer = (mock: GridForecast, live: GridForecast): string | undefined =>
  differenceText(
    behind(mock.updatedAt, live.updatedAt),
    shorter(
      end(mock.hourly, ({ at }) => at),
      end(live.hourly, ({ at }) => at),
    ),
  )

/** Differences of live forecasts from mock ones. */
export const forecastsDiffer = (mock: unknown, live: unknown, method: string): string | undefined =>
  method === "point"
    ? pointsDiffer(mock as PointForecast, live as PointForecast)
    : gridsDiffer(mock as GridForecast, live as GridForecast)

/** Differences of live observations from mock ones: their age. */
export const observationsDiffer = (mock: unknown, live: unknown): string | undefined => {
  const [expected, found] = [mock, live] as [ReadonlyArray<Observation>, ReadonlyArray<Observation>]
  const silent = end(expected, ({ at }) => at) - end(found, ({ at }) => at)
  if (found.length === 0) return expected.length === 0 ? undefined : "no live observation"
  return silent > 2 * hour ? `the last live observation is ${Math.round(silent / hour)} h older` : undefined
}
