import type { Known } from "../../../../core/History.ts"
import { ifDefined } from "../../../../core/ifDefined.ts"
import { leadDays } from "../../../../core/lanes/weather/signal/temperature.ts"
import { climateDayStart, stations } from "../../../../core/lanes/weather/stations.ts"
import { pit } from "../../../../core/math/pit.ts"
import { brier, logScore } from "../../../../core/math/score.ts"
import { weatherWeek } from "../../../../core/record/scoreboard/cluster.ts"
import { between } from "../../../../core/record/scoreboard/divisions.ts"
import { plural } from "../../../../core/text.ts"
import { addDays, hour } from "../../../../core/time.ts"
import type { Case, Division, Entrant, Fields, Measure, Occurrence, Task } from "../../compare/Task.ts"
import { idOf, type WeatherData, type WeatherRow } from "./data.ts"
import { atLeast, exactly, lawOf, medianOf, rankedScore, WeatherForecast } from "./laws.ts"
import {
  changing,
  climatology,
  lastErrors,
  prior,
  recalibrated,
  type WeatherFact,
  type WeatherModel,
  type WeatherQuestion,
} from "./models.ts"

export type WeatherTask = Task<WeatherQuestion, WeatherFact, WeatherForecast, number>

/** The first days of a station calibrate and are not asked. */
export const learntFrom = 30

/**
 * Time from the end of a climate day to its official value: offices issue the final report in the early morning. At
 * 12:00 UTC, east of the mountains, the report of the day before is there and no later one.
 */
const reportDelay = 6 * hour

/** Degrees around the forecast at which "at least k" is asked. */
const reach = 6
/** The probability of a degree is cut off here before its logarithm. */
const clip = 1e-6

type Scoring = Measure<WeatherQuestion, WeatherForecast, number>

const occurrences = (
  forecast: WeatherForecast,
  actual: number,
  { forecastF }: WeatherQuestion,
): ReadonlyArray<Occurrence> => {
  const { degrees } = lawOf(forecast)
  const middle = Math.round(forecastF)
  return Array.from({ length: 2 * reach + 1 }, (_, at) => {
    const k = middle - reach + at
    return { p: atLeast(degrees, k), happened: actual >= k }
  })
}

const measures: ReadonlyArray<Scoring> = [
  // A law by whole degrees has none: its steps would be worth about a hundredth of the score.
  { name: "CRPS", unit: "°F", better: "lower", score: (forecast, actual) => lawOf(forecast).crps?.(actual) },
  {
    name: "RPS of the whole degree",
    unit: "°F",
    better: "lower",
    score: (forecast, actual) => rankedScore(lawOf(forecast).degrees, actual),
  },
  {
    name: "log score of the whole degree",
    unit: "nats",
    better: "lower",
    score: (forecast, actual) => logScore(exactly(lawOf(forecast).degrees, actual), true, clip),
  },
  {
    name: "Brier of “at least k”",
    unit: "",
    better: "lower",
    score: (forecast, actual, question) => {
      const all = occurrences(forecast, actual, question)
      return all.reduce((sum, { p, happened }) => sum + brier(p, happened), 0) / all.length
    },
  },
  {
    name: "MAE of the median",
    unit: "°F",
    better: "lower",
    score: (forecast, actual) => Math.abs(actual - medianOf(lawOf(forecast).degrees)),
  },
]

/** The rows' facts, each with the forecast of the day before at the same lead, in whole days. */
const factsOf = (rows: ReadonlyArray<WeatherRow>): ReadonlyArray<WeatherFact> => {
  const timed = rows.map((row) => ({
    ...row,
    leadDays: leadDays({ id: row.station, standardOffset: row.utcOffset }, row.variable, row.day, row.issuedAt),
  }))
  const key = ({ station, variable, source, leadDays: lead }: WeatherFact, day: string) =>
    `${station} ${variable} ${source} ${day} ${Math.round(lead)}`
  const forecasts = new Map(timed.map((row) => [key(row, row.day), row.forecastF]))
  return timed.map((row) => ({ ...row, ...ifDefined("dayBeforeF", forecasts.get(key(row, addDays(row.day, -1)))) }))
}

type WeatherDivision = Division<WeatherQuestion, WeatherForecast, number>

/** By lead, whole days. */
const byLead: WeatherDivision =
  () =>
  ({ question }) => {
    const days = Math.round(question.leadDays)
    return [days, plural(days, "day")]
  }

/** By the forecast less that of the day before, at the same lead. */
const byChange: WeatherDivision =
  () =>
  ({ question: { forecastF, dayBeforeF } }) =>
    dayBeforeF === undefined ? undefined : between(forecastF - dayBeforeF, [-8, -4, 4, 8], " °F")

/** When the official value of a fact's day is known, epoch milliseconds. */
const knownAt = ({ day, utcOffset }: WeatherFact): number =>
  climateDayStart({ standardOffset: utcOffset }, addDays(day, 1)) + reportDelay

/** The part of a result that a row counts in. */
const groupOf = ({ station, variable }: Pick<WeatherRow, "station" | "variable">): string =>
  variable === "high" ? station : `${station} ${variable}`

/** The first day that is asked, by part: the one after the first 30 with a row. */
const begins = (rows: ReadonlyArray<WeatherRow>): ReadonlyMap<string, string | undefined> => {
  const days = new Map<string, Set<string>>()
  for (const row of rows) {
    const group = groupOf(row)
    days.set(group, (days.get(group) ?? new Set()).add(row.day))
  }
  return new Map([...days].map(([group, all]) => [group, [...all].sort()[learntFrom]]))
}

/** The service's stations in their order, then others by name; all of them first, where there are several. */
const groupsOf = (rows: ReadonlyArray<WeatherRow>): ReadonlyArray<string> => {
  const order = new Map(stations.map(({ id }, at) => [id as string, at]))
  const place = (group: string) => order.get(group.split(" ")[0]!) ?? order.size
  const groups = [...new Set(rows.map(groupOf))].sort((a, b) => place(a) - place(b) || (a < b ? -1 : 1))
  return groups.length > 1 ? [all, ...groups] : groups
}

const all = "all stations"

const entrant = (kind: "served" | "baseline") => (model: WeatherModel) => ({ kind, model })

const entrants: ReadonlyArray<Entrant<WeatherQuestion, WeatherFact, WeatherForecast>> = [
  entrant("served")(changing),
  ...[recalibrated, prior, lastErrors, climatology].map(entrant("baseline")),
]

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

export const weatherQuestion: Fields<WeatherQuestion> = {
  station: true,
  day: true,
  variable: true,
  issuedAt: true,
  forecastF: true,
  source: true,
  lat: true,
  lon: true,
  utcOffset: true,
  leadDays: true,
  dayBeforeF: false,
}

/**
 * The official high or low of a day, given a forecast of it: the served law, the previous one, the previous one without what
 * it learns, a normal law of the last errors, and the climatology. A question is asked when its forecast was issued, and
 * knows the official values of the days that had a final report by then, each with its forecasts.
 */
export const weatherTask = ({ rows: given, inputs }: WeatherData): WeatherTask => {
  const rows = [...given].sort((a, b) => a.issuedAt - b.issuedAt || byText(idOf(a), idOf(b)))
  const first = begins(rows)
  const groups = groupsOf(rows)
  const timed = factsOf(rows)
  const facts = timed
    .map((fact): Known<WeatherFact> => ({ at: knownAt(fact), fact }))
    // A day's facts stay in the order of their issue.
    .sort((a, b) => a.at - b.at)
  const cases = timed.flatMap((row): ReadonlyArray<Case<WeatherQuestion, number>> => {
    const group = groupOf(row)
    const begin = first.get(group)
    if (begin === undefined || row.day < begin) return []
    const { actualF, ...question } = row
    return [
      {
        id: idOf(row),
        at: row.issuedAt,
        cluster: weatherWeek(Date.parse(`${row.day}T00:00:00Z`)),
        groups: groups.includes(all) ? [all, group] : [group],
        question,
        outcome: actualF,
      },
    ]
  })
  return {
    lane: "weather",
    event:
      "the official value is at least k °F, for the 13 k from 6 °F below to 6 °F above the forecast, rounded to whole degrees",
    inputs,
    facts,
    cases,
    groups,
    entrants,
    measures,
    occurrences,
    pit: (law, actual) => pit(lawOf(law).degrees, actual),
    divisions: { lead: byLead, change: byChange },
    bins: 20,
    forecast: WeatherForecast,
    question: weatherQuestion,
    columns: ["mean", "sd", "scale", "nu", "sigma", "skew"],
  }
}
