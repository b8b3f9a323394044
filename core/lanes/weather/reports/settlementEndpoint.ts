import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type Failure, fail } from "../../../Failure.ts"
import { addDays, hour, iso } from "../../../time.ts"
import type { WeatherMethods } from "../endpoints.ts"
import type { ClimateReports, Issuance } from "../ports.ts"
import { byId, climateDay, climateDayStart, type Station } from "../stations.ts"
import { alternativeOf, citationsOf, confidenceOf, dayOf, isOfRecord, linksOf, summaryOf } from "./climateDayRow.ts"

/** A final report is out within two hours of the end of its climate day. */
const issuedBy = (station: Station, day: string): number => climateDayStart(station, addDays(day, 1)) + 2 * hour

/** @param unfinished a preliminary report of the day, which is over */
const missing = (station: Station, day: string | undefined, now: number, unfinished?: Issuance): Failure => {
  if (day === undefined) {
    return fail("not_found", {
      detail: `No final report of ${station.id} is stored.`,
      hints: [
        {
          field: "day",
          action: "wait",
          suggestion: "A final report is issued in the night after its climate day.",
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
        : {
            field: "day",
            action: "change",
            suggestion: `The report of ${day} was expected by ${due}; choose another day or leave day out.`,
          },
    ],
  })
}

/** The settlement endpoint over the archive. */
export const settle = (reports: ClimateReports["Type"]): WeatherMethods["settlement"] =>
  Effect.fnUntraced(function* ({ station: id, day }) {
    const station = byId.get(id)!
    const now = yield* Clock.currentTimeMillis
    const today = climateDay(station, now)
    const wanted = day ?? (yield* reports.latestFinalDay(id, today))
    const versions = wanted === undefined ? [] : yield* reports.versions(id, wanted)
    const [newest, ...older] = versions
    if (newest === undefined) return yield* missing(station, day, now)
    if (!isOfRecord(today)([newest, ...older])) return yield* missing(station, day, now, newest)
    return {
      results: { station: summaryOf(station), settlement: dayOf([newest, ...older]) },
      reasoning: [
        day === undefined
          ? `Took the latest climate day of ${id} with a final report: ${newest.report.day}.`
          : `Took the climate day ${day} of ${id} from the archive.`,
        `Read the values verbatim from the ${newest.report.status} report, version ${versions.length} of that day.`,
      ],
      citations: citationsOf(newest),
      confidence: confidenceOf(newest),
      links: linksOf(id, newest.report.day),
      freshness: reports.freshness,
      extras: {
        alternatives: Effect.sync(() => older.map(alternativeOf)),
        suggestions: [
          {
            endpoint: "weather_signal",
            params: { station: id },
            why: "The distribution of today's official high and low.",
          },
          {
            endpoint: "weather_history",
            params: { station: id, start: addDays(newest.report.day, -29), end: newest.report.day },
            why: "The thirty days up to this one.",
          },
        ],
      },
    }
  })
