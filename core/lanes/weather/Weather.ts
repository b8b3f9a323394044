import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Answer } from "../../endpoint/Answer.ts"
import type * as Endpoint from "../../endpoint/Endpoint.ts"
import { type Failure, fail, invalid } from "../../endpoint/Failure.ts"
import * as Lane from "../../endpoint/Lane.ts"
import { endpoints } from "./endpoints.ts"
import { ClimateReports, type Issuance } from "./providers.ts"
import { citationsOf, confidenceOf, dayOf, linksOf, summaryOf } from "./settlement.ts"
import { addDays, byId, climateDay, climateDayStart, type Station, stations } from "./stations.ts"

/** One method per endpoint of the lane. */
export interface WeatherMethods extends Lane.Methods<typeof endpoints> {}

export class Weather extends Context.Tag("core/lanes/Weather")<Weather, WeatherMethods>() {
  static readonly lane: Lane.Lane<"weather", typeof endpoints, Weather> = Lane.make("weather", endpoints, Weather)

  static readonly layer: Layer.Layer<Weather, never, ClimateReports> = Layer.suspend(() => layer)
}

/** A final report is out within two hours of the end of its climate day. */
const issuedBy = (station: Station, day: string): number => climateDayStart(station, addDays(day, 1)) + 2 * 3_600_000

const registry: Answer<Endpoint.Results<typeof endpoints.stations>> = {
  results: {
    stations: stations.map((station) => ({
      ...summaryOf(station),
      settles: station.settles,
      coordinates: station.coordinates,
    })),
    count: stations.length,
  },
  reasoning: ["Listed the station registry."],
  citations: [{ step: 1, source: "station registry", locator: "weather/stations" }],
  confidence: { score: 1, label: "settlement", factors: ["fixed registry"] },
  links: stations.map((station) => ({ id: station.id, endpoints: [`/v1/weather/settlement?station=${station.id}`] })),
  freshness: "live",
  extras: {
    suggestions: [
      { endpoint: "weather_settlement", params: { station: "KNYC" }, why: "The latest official report of a station." },
    ],
  },
}

const layer = Layer.effect(
  Weather,
  Effect.map(ClimateReports, (reports) => {
    const missing = (station: Station, day: string | undefined, now: number): Failure => {
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
      const due = new Date(expected).toISOString()
      return fail("not_found", {
        detail: `No report of ${station.id} for ${day} is stored.`,
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

    const settlement: WeatherMethods["settlement"] = Effect.fnUntraced(function* ({ station: id, day }) {
      const station = byId.get(id)!
      const now = yield* Clock.currentTimeMillis
      const today = climateDay(station, now)
      if (day !== undefined && day > today) {
        return yield* invalid("day", `day must not be in the future; the climate day at ${id} is ${today}.`)
      }
      const wanted = day ?? (yield* reports.latestFinalDay(id, today))
      const versions = wanted === undefined ? [] : yield* reports.versions(id, wanted)
      const [newest, ...older] = versions
      if (newest === undefined) return yield* missing(station, day, now)
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
          alternatives: Effect.sync(() => older.map(alternative)),
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

    const unavailable = () => Effect.fail(fail("data_provider_unavailable"))
    return Weather.of({
      stations: () => Effect.succeed({ ...registry, freshness: reports.freshness }),
      settlement,
      history: unavailable,
      forecast: unavailable,
      signal: unavailable,
    })
  }),
)

const alternative = ({ productId, report }: Issuance) => ({
  id: productId,
  label: `${report.status} report, high ${report.highF ?? "missing"}, low ${report.lowF ?? "missing"}`,
  score: 0,
  why: "An earlier version of the same climate day, superseded by the one served.",
})
