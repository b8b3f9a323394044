import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Endpoint from "../../../endpoint/Endpoint.ts"
import { cite, explain, step } from "../../../endpoint/explain.ts"
import * as Param from "../../../endpoint/Param.ts"
import { type Failure, fail } from "../../../Failure.ts"
import { behind } from "../../../feeds/Due.ts"
import { Feeds } from "../../../feeds/Feeds.ts"
import * as Step from "../../../Step.ts"
import { addDays, hour, iso } from "../../../time.ts"
import { change, suggest } from "../../answers.ts"
import { data } from "../../fields.ts"
import { reportFeeds } from "../due.ts"
import { begun, Settlement, station as stationParam } from "../fields.ts"
import { ClimateReports, type Issuance } from "../ports.ts"
import { byId, climateDay, climateDayStart, type Station } from "../stations.ts"
import {
  alternativeOf,
  dayOf,
  isOfRecord,
  linksOf,
  scoreConfidence,
  settlementPath,
  summaryOf,
} from "./climateDayRow.ts"

/** Final reports are issued within 2 h after the climate day ends. */
const issuedBy = (station: Station, day: string): number => climateDayStart(station, addDays(day, 1)) + 2 * hour

/** @param unfinished a preliminary report of the past day */
const missing = (station: Station, day: string | undefined, now: number, unfinished?: Issuance): Failure => {
  if (day === undefined) {
    return fail("not_found", {
      detail: `No final report of ${station.id} is stored.`,
      hints: [
        {
          field: "day",
          action: "wait",
          suggestion: "Final reports are issued within 2 h after the climate day ends.",
        },
      ],
    })
  }
  const expected = issuedBy(station, day)
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

/** The failure for a due report that is not there; `day` undefined: the newest one is wanted, and there is `newest`. */
const late = Step.fn(function* (
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
  const hints = end === undefined ? [] : [change("day", `Send a day whose report is there: the newest is ${end}.`)]
  return behind(feed, covered, now, ...hints)
})

/** The official high, low and precipitation of one climate day. A report that is due and not there is refused, not absent. */
export const settlement = Endpoint.make("/v1/weather/settlement", {
  ...data(1_000),
  summary: "Official daily climate report of a station, verbatim",
  use: "How hot, cold or wet a day was; coming days: `weather_signal`. Stations: `weather_stations`.",
  example: { station: "KNYC" },
  params: Schema.Struct({
    station: stationParam,
    day: Param.optional(Param.day("Climate day; omitted: the latest official (final) report.")),
  }),
  check: ({ station, day }, _, now) => begun(station, { day }, now),
  results: Settlement,
  ports: { reports: ClimateReports, feeds: Feeds },
  answer: function* ({ station: id, day }, { reports, feeds }, give) {
    const station = byId.get(id)!
    const now = yield* Step.now
    const today = climateDay(station, now)
    const wanted = day ?? (yield* reports.latestFinalDay(id, today))
    const versions = wanted === undefined ? [] : yield* reports.versions(id, wanted)
    const [newest, ...older] = versions
    const isThere = newest !== undefined && isOfRecord(today)([newest, ...older])
    const refusal = day === undefined || !isThere ? yield* late(feeds, id, day, wanted, now) : undefined
    if (refusal !== undefined) return yield* refusal
    if (newest === undefined) return yield* missing(station, day, now)
    if (!isThere) return yield* missing(station, day, now, newest)
    return give({
      results: { station: summaryOf(station), settlement: dayOf([newest, ...older]) },
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
      links: linksOf(id, newest.report.day),
      extras: {
        alternatives: Effect.sync(() => older.map(alternativeOf)),
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
