import { type Coverage, type Due, type Period, toCoverage } from "../../feeds/Due.ts"
import { addDays, day as dayLength, hour } from "../../time.ts"
import { type GuidanceSource, guidanceSources, sourceTitles } from "./guidance/Guidance.ts"
import { climateDay, listDays, type Station, stations } from "./stations.ts"

/** One feed per station, by station id. */
export type StationFeeds = ReadonlyMap<string, Due>

const makeStationFeeds = (name: string, { title, ...rest }: Omit<Due, "name">): StationFeeds =>
  new Map(stations.map(({ id }) => [id, { name: `${name}_${id.toLowerCase()}`, title: `${title} of ${id}`, ...rest }]))

/** Hours after the end of a climate day by which its final report is due; offices usually take 2. */
export const reportDueHours = 10

/** The final climate reports, from the weather service or an archive. */
export const reportFeeds = makeStationFeeds("weather_reports", {
  title: "Final climate reports",
  due: `By ${reportDueHours}:00 local standard time of the next day.`,
  absence: "Settlements and histories of the missing days are refused.",
})

export const gridFeeds = makeStationFeeds("weather_grids", {
  title: "Forecast grids",
  due: "Every hour, updated within the last 12 hours.",
  absence:
    "Signals are flagged, less confident and not recorded; without a grid of the last 12 hours they are refused.",
})

export const observationFeeds = makeStationFeeds("weather_observations", {
  title: "Observations",
  due: "With each call, the last one at most 3 hours old.",
  absence: "Signals of the same day are refused; if hours are missing, they are flagged and not recorded.",
})

export const guidanceFeeds = Object.fromEntries(
  guidanceSources.map((source) => [
    source,
    {
      name: `weather_guidance_${source}`,
      title: `Forecasts of the ${sourceTitles[source]}`,
      due: "A run every 6 hours, read within a few hours.",
      absence:
        source === "nbp"
          ? "Verbose signals lack the blend's percentiles."
          : "Signals are a little less confident; none is refused.",
    },
  ]),
) as Readonly<Record<GuidanceSource, Due>>

export const weatherFeeds = {
  points: {
    name: "weather_points",
    title: "Forecast cells of points",
    due: "With each call for a new point.",
    absence: "Forecasts and signals of the point are refused.",
  },
  forecasts: {
    name: "weather_forecasts",
    title: "Point forecasts",
    due: "With each call, updated within the last 12 hours.",
    absence: "Forecasts are refused once the last good one is 12 hours old.",
  },
  hourly: {
    name: "weather_hourly_forecasts",
    title: "Hourly point forecasts",
    due: "With each call for hours, updated within the last 12 hours.",
    absence: "Hourly forecasts are refused once the last good one is 12 hours old.",
  },
  alerts: {
    name: "weather_alerts",
    title: "Active alerts",
    due: "With each call.",
    absence: "Forecasts are refused, since a missing list does not mean that there are no alerts.",
  },
  archive: {
    name: "weather_archive",
    title: "Archived climate reports",
    due: "With each call for days that are not stored.",
    absence: "Settlements and histories of these days are refused.",
  },
  venue: {
    name: "weather_venue",
    title: "The venue's settlement values",
    due: "Every hour, if an operator has configured the source.",
    absence: "Contracts settle on our own first official report, and the two are not compared.",
  },
  calibration: {
    name: "weather_calibration",
    title: "Counted forecast errors",
    due: "Within 3 days of each day that was forecast.",
    absence: "Signals are flagged, less confident and not recorded.",
  },
} as const satisfies Readonly<Record<string, Due>>

const toDayPeriod = (day: string): Period => ({ order: Date.parse(`${day}T00:00:00Z`) / dayLength, name: day })

export const lastDueDay = (station: Pick<Station, "standardOffset">, now: number): string =>
  addDays(climateDay(station, now - reportDueHours * hour), -1)

/** The source is late if a report of these last days is missing: the weather service lists about a week of products. */
const lateDays = 7
/** A report that is missing in the days before those is a gap; for older days the archive is responsible. */
const holeDays = 30

/** The first day that counts for the coverage of a station's reports. */
export const firstCoveredDay = (station: Pick<Station, "standardOffset">, now: number): string =>
  addDays(lastDueDay(station, now), 1 - lateDays - holeDays)

/**
 * @param finals the days from `firstCoveredDay` on with a final report, in order
 * @param newest the newest day with a final report
 */
export const reportCoverage = (
  station: Pick<Station, "standardOffset">,
  finals: ReadonlyArray<string>,
  newest: string | undefined,
  now: number,
): Coverage => {
  const last = lastDueDay(station, now)
  const firstLate = addDays(last, 1 - lateDays)
  // Days before the first stored report are not missing: the store may be new.
  const first = finals[0] !== undefined && finals[0] < firstLate ? finals[0] : firstLate
  const reported = new Set(finals)
  return toCoverage(
    listDays(first, last).map(toDayPeriod),
    ({ name }) => reported.has(name),
    newest === undefined ? undefined : toDayPeriod(newest),
    toDayPeriod(firstLate).order,
  )
}

/** Forecast errors are counted within this many days: a report may be late, and the job runs once a day. */
const countedWithinDays = 3

/**
 * @param forecastDays days with archived forecasts and final reports, in order
 * @param countedDays those of them whose errors are counted
 */
export const calibrationCoverage = (
  forecastDays: ReadonlyArray<string>,
  countedDays: ReadonlySet<string>,
  today: string,
): Coverage => {
  const due = forecastDays.filter((day) => day <= addDays(today, -countedWithinDays))
  const newest = forecastDays.filter((day) => countedDays.has(day)).at(-1)
  return toCoverage(
    due.map(toDayPeriod),
    ({ name }) => countedDays.has(name),
    newest === undefined ? undefined : toDayPeriod(newest),
    Number.NEGATIVE_INFINITY,
  )
}
