import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Confidence } from "../../../endpoint/Answer.ts"
import * as Cursor from "../../../endpoint/Cursor.ts"
import * as Endpoint from "../../../endpoint/Endpoint.ts"
import { cite, explain, type Source, step, when } from "../../../endpoint/explain.ts"
import * as Param from "../../../endpoint/Param.ts"
import { type Failure, fail, invalid } from "../../../Failure.ts"
import { behind, type Coverage } from "../../../feeds/Due.ts"
import { Feeds } from "../../../feeds/Feeds.ts"
import { perObject } from "../../../perObject.ts"
import * as Step from "../../../Step.ts"
import { enumeration, plural } from "../../../text.ts"
import { addDays, hour, isDay, iso } from "../../../time.ts"
import { change, suggest } from "../../answers.ts"
import { recorded } from "../../confidence.ts"
import { dataTerms } from "../../fields.ts"
import { lastDueDay, reportFeeds } from "../due.ts"
import { checkBegun, checkRange, Settlement, SettlementHistory, stationParam } from "../fields.ts"
import { ClimateReports, type Issuance, type Versions } from "../ports.ts"
import { byId, climateDay, climateDayStart, daysBetween, listDays, type Station } from "../stations.ts"
import {
  filterPenaltyFlags,
  historyPath,
  isServed,
  scoreConfidence,
  settlementPath,
  toAlternative,
  toDay,
  toDayLinks,
  toSummary,
} from "./climateDayRow.ts"

/** When the final report of a day is expected: offices issue it within 2 h after the climate day ends. */
const expectedIssue = (station: Station, day: string): number => climateDayStart(station, addDays(day, 1)) + 2 * hour

/**
 * @param day undefined for the newest report
 * @param unfinished a preliminary report of the past day
 */
const failMissing = (station: Station, day: string | undefined, now: number, unfinished?: Issuance): Failure => {
  if (day === undefined) {
    return fail("not_found", {
      detail: `No final report of ${station.id} is stored.`,
      hints: [
        { field: "day", action: "wait", suggestion: "Final reports are issued within 2 h after the climate day ends." },
      ],
    })
  }
  const expected = expectedIssue(station, day)
  const due = iso(expected)
  return fail("not_found", {
    detail:
      unfinished === undefined
        ? `No report of ${station.id} for ${day} is stored.`
        : `No final report of ${station.id} for ${day} is stored, only a preliminary one.`,
    hints: [
      expected > now
        ? { field: "day", action: "wait", suggestion: `The final report of ${day} is expected by ${due}.` }
        : change("day", `The report of ${day} was expected by ${due}; choose another day or leave day out.`),
    ],
  })
}

/**
 * The failure for a report that the source owes; undefined if it owes none.
 *
 * @param day undefined for the newest report
 * @param newest the day of the newest stored report
 */
const failLate = Step.fn(function* (
  { coverage }: Feeds["Type"],
  station: string,
  day: string | undefined,
  newest: string | undefined,
  now: number,
) {
  const feed = reportFeeds.get(station)!
  const covered = yield* coverage(feed)
  const isLate = covered?.missing.some(({ name }) => (day === undefined ? name > (newest ?? "") : name === day))
  if (covered === undefined || !isLate) return undefined
  const end = covered.newest?.name
  const hints = end === undefined ? [] : [change("day", `Choose a day with a stored report: the newest is ${end}.`)]
  return behind(feed, covered, now, ...hints)
})

export const settlement = Endpoint.make("/v1/weather/settlement", {
  ...dataTerms(1_000),
  summary: "Official daily climate report of a station, verbatim",
  use: "How hot, cold or wet a day was; coming days: `weather_signal`. Stations: `weather_stations`.",
  example: { station: "KNYC" },
  params: Schema.Struct({
    station: stationParam,
    day: Param.optional(Param.day("Climate day; omitted: the latest official (final) report.")),
  }),
  check: ({ station, day }, _, now) => checkBegun(station, { day }, now),
  results: Settlement,
  ports: { reports: ClimateReports, feeds: Feeds },
  answer: function* ({ station: id, day }, { reports, feeds }, give) {
    const station = byId.get(id)!
    const now = yield* Step.now
    const today = climateDay(station, now)
    const wanted = day ?? (yield* reports.latestFinalDay(id, today))
    const versions = wanted === undefined ? [] : yield* reports.versions(id, wanted)
    const [newest, ...older] = versions
    const isThere = newest !== undefined && isServed(today)([newest, ...older])
    const refusal = day === undefined || !isThere ? yield* failLate(feeds, id, day, wanted, now) : undefined
    if (refusal !== undefined) return yield* refusal
    if (newest === undefined) return yield* failMissing(station, day, now)
    if (!isThere) return yield* failMissing(station, day, now, newest)
    return give({
      results: { station: toSummary(station), settlement: toDay([newest, ...older]) },
      explained: explain(
        step(
          day === undefined
            ? `Latest climate day of ${id} with a final report: ${newest.report.day}.`
            : `Read climate day ${day} of ${id} from the archive.`,
          cite("climate report archive", settlementPath(id, newest.report.day)),
        ),
        step(
          `Values are verbatim from the ${newest.report.status} report, revision ${versions.length} of ${newest.report.day}.`,
          cite(newest.source, newest.productId),
        ),
      ),
      confidence: scoreConfidence(newest, versions.length),
      links: toDayLinks(id, newest.report.day),
      extras: {
        alternatives: Effect.sync(() => older.map(toAlternative)),
        suggestions: [
          suggest("weather_signal", { station: id }, "Distribution of today's official high and low."),
          suggest(
            "weather_settlement_history",
            { station: id, start: addDays(newest.report.day, -29), end: newest.report.day },
            "The thirty days ending with this one.",
          ),
        ],
      },
    })
  },
})

/** A day as sent, made once per stored day. */
const toDayOnce = perObject(toDay)

const findMissingDays = (rows: ReadonlyArray<Versions>, first: string, last: string): ReadonlyArray<string> => {
  if (rows.length > daysBetween(first, last)) return []
  const reported = new Set(rows.map(([{ report }]) => report.day))
  return listDays(first, last).filter((day) => !reported.has(day))
}

/** The sources of a page, each cited with its first and last product. */
const listSources = (rows: ReadonlyArray<Versions>): ReadonlyArray<Source> => {
  const sources = new Map<string, { readonly first: string; last: string }>()
  for (const [{ source, productId }] of rows) {
    const listed = sources.get(source)
    if (listed === undefined) sources.set(source, { first: productId, last: productId })
    else listed.last = productId
  }
  return Array.from(sources).flatMap(([source, { first, last }]) =>
    [...new Set([first, last])].map((locator) => cite(source, locator)),
  )
}

/**
 * Recorded values score 1, flagged ones 0.9. If days lack a report that is due, the score is at most 0.9 times the share of
 * the other days, but not below 0.5, the score of a page without a report.
 */
const scorePage = (rows: ReadonlyArray<Versions>, days: number, lacking: ReadonlyArray<string>): Confidence => {
  if (rows.length === 0) {
    return recorded(0.5, `0 of ${plural(days, "day")} ${haveVerb(days)} a report`)
  }
  const finals = rows.filter(([{ report }]) => report.status === "final").length
  const counts = new Map<string, number>()
  for (const [{ report }] of rows)
    for (const flag of filterPenaltyFlags(report.flags)) counts.set(flag, (counts.get(flag) ?? 0) + 1)
  const best = counts.size === 0 ? 1 : 0.9
  const share = lacking.length === 0 ? 1 : Math.max(0.5, 0.9 * (1 - lacking.length / days))
  return recorded(
    Math.round(100 * Math.min(best, share)) / 100,
    `${finals} of ${plural(days, "day")} ${haveVerb(days)} a final report`,
    ...Array.from(counts, ([flag, n]) => `quality flag ${flag} on ${plural(n, "day")}`),
    ...(lacking.length === 0 ? [] : [`no report of ${joinDays(lacking)}`]),
  )
}

/** At most this many days are named one by one. */
const maxNamedDays = 10

/** `2026-01-03, 2026-01-05 and 2 more`. */
const joinDays = (days: ReadonlyArray<string>): string =>
  days.length <= maxNamedDays
    ? enumeration(days, "and")
    : `${days.slice(0, maxNamedDays).join(", ")} and ${days.length - maxNamedDays} more`

/** Only the days whose report the source owes now. */
const filterOwed = (covered: Coverage | undefined, days: ReadonlyArray<string>): ReadonlyArray<string> => {
  const missing = new Set(covered?.missing.map(({ name }) => name))
  return days.filter((day) => missing.has(day))
}

const haveVerb = (count: number): string => (count === 1 ? "has" : "have")

/** The cursor is the last day of the previous page. */
export const history = Endpoint.make("/v1/weather/settlement/history", {
  rows: "days",
  ...dataTerms(5_000),
  summary: "A station's official daily climate reports, up to 400 days per call",
  use: "Many past days at once; a single day: `weather_settlement`.",
  example: { station: "KNYC", start: "2026-01-01", end: "2026-01-31" },
  params: Schema.Struct({
    station: stationParam,
    start: Param.day("First climate day."),
    end: Param.day("Last climate day, included; at most 400 days per call."),
    ...Param.paging,
  }),
  check: ({ station, start, end }, _, now) => [...checkRange(start, end), ...checkBegun(station, { start, end }, now)],
  results: SettlementHistory,
  ports: { reports: ClimateReports, feeds: Feeds },
  answer: function* ({ station: id, start, end, cursor, limit }, { reports, feeds }, give) {
    const station = byId.get(id)!
    const now = yield* Step.now
    const today = climateDay(station, now)
    // A valid cursor is a day of the range, but not the last.
    if (cursor !== undefined && !(isDay(cursor) && start <= cursor && cursor < end)) return yield* Cursor.badCursor
    const first = cursor === undefined ? start : addDays(cursor, 1)
    const served = (yield* reports.range(id, first, end)).filter(isServed(today))
    const coverage = yield* reports.coverage(id, today)
    if (coverage !== undefined && end < coverage.first) {
      return yield* invalid("end", `Reports of ${id} are stored from ${coverage.first} to ${coverage.last}.`)
    }
    const isLastPage = limit === undefined || served.length <= limit
    const rows = isLastPage ? served : served.slice(0, limit)
    const last = isLastPage ? end : rows.at(-1)![0].report.day
    const days = daysBetween(first, last) + 1
    const missing = findMissingDays(rows, first, last)
    const feed = reportFeeds.get(id)!
    const covered = missing.length === 0 ? undefined : yield* feeds.coverage(feed)
    const [late] = filterOwed(covered, missing)
    if (covered !== undefined && late !== undefined) {
      const hint = change("end", `Reports from ${late} on are late; send an earlier end.`)
      return yield* behind(feed, covered, now, hint)
    }
    const lacking = missing.filter((day) => day <= lastDueDay(station, now))
    const lastReport = rows.at(-1)?.[0].report
    return give({
      results: {
        station: toSummary(station),
        start,
        end,
        count: rows.length,
        days: rows.map((versions) => toDayOnce(versions)),
        coverage: { first: coverage?.first ?? null, last: coverage?.last ?? null },
        missing_days: missing,
      },
      explained: explain(
        step(
          `Read the newest final report of each climate day from ${first} to ${last} of ${id} from the archive.`,
          cite("climate report archive", historyPath(id, first, last)),
          ...listSources(rows),
        ),
        when(
          lastReport?.status === "preliminary" && lastReport,
          ({ day }) => `${day} is not over: used its newest preliminary report, whose values may change.`,
        ),
        missing.length === 0
          ? `All ${plural(days, "day")} ${haveVerb(days)} a report.`
          : `${missing.length} of ${plural(days, "day")} ${haveVerb(missing.length)} no report: ${joinDays(missing)}.`,
      ),
      confidence: scorePage(rows, days, lacking),
      links: toDayLinks(id, last),
      ...(isLastPage ? {} : { next: last }),
      extras: {
        alternatives: Effect.sync(() =>
          rows
            .flatMap(([, ...older]) => older.filter(({ report }) => report.status === "final"))
            .slice(-10)
            .map(toAlternative),
        ),
        suggestions: [
          suggest("weather_settlement", { station: id }, "Latest official report of the station."),
          suggest("weather_signal", { station: id }, "Distribution of today's official high and low."),
        ],
      },
    })
  },
})
