import { type Coverage, type Due, type Period, toCoverage } from "../../feeds/Due.ts"
import { addDays, day as dayLength, hour } from "../../time.ts"
import { type GuidanceSource, guidanceSources, sourceTitles } from "./guidance/Guidance.ts"
import { climateDay, daysFrom, type Station, stations } from "./stations.ts"

/** A feed of each station, by the station's id. */
export type StationFeeds = ReadonlyMap<string, Due>

const ofStations = (name: string, { title, ...rest }: Omit<Due, "name">): StationFeeds =>
  new Map(stations.map(({ id }) => [id, { name: `${name}_${id.toLowerCase()}`, title: `${title} of ${id}`, ...rest }]))

/** Hours after the end of a climate day by which its final report is due; offices usually take 2. */
export const reportHours = 10

/** The final reports of the weather service, or of the archive's copy. */
export const reportFeeds = ofStations("weather_reports", {
  title: "Final climate reports",
  due: `By ${reportHours}:00 local standard time of the next day.`,
  absence: "Settlements and histories of the missing days are refused.",
})

/** The raw forecast grids of the stations. */
export const gridFeeds = ofStations("weather_grids", {
  title: "Forecast grids",
  due: "Every hour, updated within the last 12 hours.",
  absence:
    "Signals are flagged, less confident and not recorded; without a grid of the last 12 hours they are refused.",
})

/** The observations of the day so far. */
export const observationFeeds = ofStations("weather_observations", {
  title: "Observations",
  due: "With each call, the last one within 3 hours.",
  absence: "Signals of the same day are refused; with hours missing they are flagged and not recorded.",
})

/** The second forecasts. */
export const guidanceFeeds = Object.fromEntries(
  guidanceSources.map((source) => [
    source,
    {
      name: `weather_guidance_${source}`,
      title: `Forecasts of the ${sourceTitles[source]}`,
      due: "A run every 6 hours, read within the hours after it.",
      absence:
        source === "nbp"
          ? "Verbose signals lack the blend's percentiles."
          : "Signals are a little less confident; none is refused.",
    },
  ]),
) as Readonly<Record<GuidanceSource, Due>>

/** The feeds that are not of a station. */
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
    absence: "Forecasts are refused: no list is not a list without alerts.",
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
    due: "Each hour, where an operator has set the source.",
    absence: "Contracts settle on our own first official report; nothing is compared.",
  },
  calibration: {
    name: "weather_calibration",
    title: "Counted forecast errors",
    due: "Within 3 days of each day that was forecast.",
    absence: "Signals are flagged, less confident and not recorded.",
  },
} as const satisfies Readonly<Record<string, Due>>

/** A climate day as a period. */
const dayPeriod = (day: string): Period => ({ order: Date.parse(`${day}T00:00:00Z`) / dayLength, name: day })

/** The newest climate day whose final report is due. */
export const lastDue = (station: Pick<Station, "standardOffset">, now: number): string =>
  addDays(climateDay(station, now - reportHours * hour), -1)

/** Due days whose absence makes the source late: the weather service lists the products of about a week. */
const campaignDays = 7
/** Days before these in which a missing report is a hole; older ones are the archive's. */
const holeDays = 30

/** The first day that the coverage of a station's reports looks at. */
export const firstCovered = (station: Pick<Station, "standardOffset">, now: number): string =>
  addDays(lastDue(station, now), 1 - campaignDays - holeDays)

/**
 * The coverage of a station's final reports.
 *
 * @param finals the days from `firstCovered` on that have one, in order
 * @param newest the newest day that has one
 */
export const reportCoverage = (
  station: Pick<Station, "standardOffset">,
  finals: ReadonlyArray<string>,
  newest: string | undefined,
  now: number,
): Coverage => {
  const last = lastDue(station, now)
  const campaign = addDays(last, 1 - campaignDays)
  // A store is not older than its first report.
  const first = finals[0] !== undefined && finals[0] < campaign ? finals[0] : campaign
  const there = new Set(finals)
  return toCoverage(
    daysFrom(first, last).map(dayPeriod),
    ({ name }) => there.has(name),
    newest === undefined ? undefined : dayPeriod(newest),
    dayPeriod(campaign).order,
  )
}

/** Errors are counted within so many days: a report may be late, and the job runs once a day. */
const countedWithin = 3

/**
 * The coverage of the counted forecast errors.
 *
 * @param forecast days with archived forecasts and final reports, in order
 * @param counted those of them whose errors are counted
 */
export const calibrationCoverage = (
  forecast: ReadonlyArray<string>,
  counted: ReadonlySet<string>,
  today: string,
): Coverage => {
  const due = forecast.filter((day) => day <= addDays(today, -countedWithin))
  const newest = forecast.filter((day) => counted.has(day)).at(-1)
  return toCoverage(
    due.map(dayPeriod),
    ({ name }) => counted.has(name),
    newest === undefined ? undefined : dayPeriod(newest),
    Number.NEGATIVE_INFINITY,
  )
}
