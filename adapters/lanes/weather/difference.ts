import {
  ClimateReports,
  Forecasts,
  type GridForecast,
  type Issuance,
  Observations,
  type PointForecast,
  type Versions,
} from "../../../core/lanes/weather/ports.ts"
import { daysBetween } from "../../../core/lanes/weather/stations.ts"
import { VenueSettlement } from "../../../core/lanes/weather/venue/VenueSettlement.ts"
import { plural } from "../../../core/text.ts"
import { day, hour } from "../../../core/time.ts"
import { compared, oneSided } from "../LaneModule.ts"

/** Greatest difference of issue times, hours. */
const maxHours = 12

interface Issued {
  readonly issuedAt: number
}

const issueTimesDiffer = (mock: Issued, live: Issued): string | undefined => {
  const hours = Math.round((live.issuedAt - mock.issuedAt) / hour)
  if (Math.abs(hours) <= maxHours) return undefined
  return `the live report was issued ${plural(Math.abs(hours), "hour")} ${hours > 0 ? "later" : "earlier"}`
}

const versionsDiffer = ([mock]: ReadonlyArray<Issuance>, [live]: ReadonlyArray<Issuance>): string | undefined => {
  if (mock === undefined || live === undefined) return oneSided(mock, live, "a report of the day")
  const status = [mock.report.status, live.report.status]
  if (status[0] !== status[1]) return `mock: ${status[0]}; live: ${status[1]}`
  // Corrections have no schedule.
  if (mock.report.correction || live.report.correction) return undefined
  return issueTimesDiffer(mock, live)
}

const lastDaysDiffer = (mock: string | undefined, live: string | undefined): string | undefined => {
  if (mock === undefined || live === undefined) return oneSided(mock, live, "a report")
  const behind = daysBetween(live, mock)
  // Around midnight one side may be a day ahead.
  return Math.abs(behind) <= 1
    ? undefined
    : `live is ${plural(Math.abs(behind), "day")} ${behind > 0 ? "behind" : "ahead"}`
}

const finalDays = (days: ReadonlyArray<Versions>): ReadonlyArray<string> =>
  days.filter(([{ report }]) => report.status === "final").map(([{ report }]) => report.day)

const rangesDiffer = (mock: ReadonlyArray<Versions>, live: ReadonlyArray<Versions>): string | undefined => {
  const present = new Set(finalDays(live))
  // The newest report may be missing on one side.
  const expected = finalDays(mock).slice(0, -1)
  const lacking = expected.filter((day) => !present.has(day))
  return lacking.length === 0
    ? undefined
    : `live lacks ${lacking.length} of ${plural(expected.length, "day")}, ${lacking[0]} first`
}

/**
 * Differences of live reports from mock ones. Their values never agree: compares the days, their status and their issue
 * times.
 */
export const reports = compared(ClimateReports, {
  versions: versionsDiffer,
  range: rangesDiffer,
  coverage: (mock, live) => lastDaysDiffer(mock?.last, live?.last),
  latestFinalDay: lastDaysDiffer,
})

/** Greatest lag of a live grid: mock grids are updated hourly, offices update less often; at 12 h a grid is stale. */
const late = 6 * hour

/** Mock and live weather never agree: compares presence, age and range of forecasts. */
const differenceText = (...differences: ReadonlyArray<string | false>): string | undefined => {
  const texts = differences.filter((each) => each !== false)
  return texts.length === 0 ? undefined : texts.join("; ")
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
export const forecasts = compared(Forecasts, { point: pointsDiffer, grid: gridsDiffer })

/** Differences of live observations from mock ones: their age. */
export const observations = compared(Observations, {
  since: (mock, live) => {
    const silent = end(mock, ({ at }) => at) - end(live, ({ at }) => at)
    if (live.length === 0) return mock.length === 0 ? undefined : "no live observation"
    return silent > 2 * hour ? `the last live observation is ${Math.round(silent / hour)} h older` : undefined
  },
})

/**
 * Differences of the venue's live readings from mock ones: the times of issue. A reading that is not there is no difference:
 * the source may be off, and its feed names the days that it lacks.
 */
export const venue = compared(VenueSettlement, {
  firstOfficial: (mock, live) => (mock === undefined || live === undefined ? undefined : issueTimesDiffer(mock, live)),
  agreement: undefined,
  pairs: undefined,
})
