import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { notPriced } from "../../contracts/notPriced.ts"
import type { Answer, Freshness } from "../../endpoint/Answer.ts"
import type * as Endpoint from "../../endpoint/Endpoint.ts"
import * as Lane from "../../endpoint/Lane.ts"
import * as Rounding from "../../endpoint/Rounding.ts"
import { Feeds } from "../../feeds/Feeds.ts"
import { ifDefined } from "../../ifDefined.ts"
import * as Step from "../../Step.ts"
import { suggest } from "../answers.ts"
import { recorded } from "../confidence.ts"
import { endpoints, type WeatherMethods } from "./endpoints.ts"
import { forecastOver } from "./forecast/forecast.ts"
import { SecondForecasts } from "./guidance/Guidance.ts"
import { ClimateReports, Forecasts, Observations } from "./ports.ts"
import { summaryOf } from "./reports/climateDayRow.ts"
import { historyOver } from "./reports/history.ts"
import { settlementOver } from "./reports/settlementEndpoint.ts"
import { Calibrations } from "./signal/Calibrations.ts"
import { signalOver } from "./signal/signal.ts"
import { stations } from "./stations.ts"
import { type Agreement, equalInterval } from "./venue/agreement.ts"
import { venueSource } from "./venue/reading.ts"
import { VenueSettlement } from "./venue/VenueSettlement.ts"

type Listed = Endpoint.Results<typeof endpoints.stations>["stations"][number]

/** The lane's ports. */
export type WeatherPorts = Calibrations | ClimateReports | Forecasts | Observations | SecondForecasts | VenueSettlement

export class Weather extends Context.Tag("market-signals/core/lanes/Weather")<Weather, WeatherMethods>() {
  static readonly lane: Lane.Lane<"weather", typeof endpoints, Weather> = Lane.make(
    "weather",
    endpoints,
    Weather,
    "Official daily climate reports, forecasts and temperature distributions.",
  )

  static readonly layer: Layer.Layer<Weather, never, Feeds | WeatherPorts> = Layer.suspend(() => layer)
}

const registry: Omit<Answer<never>, "results" | "record" | "freshness"> = {
  reasoning: ["Listed the station registry."],
  citations: [{ step: 1, source: "station registry", locator: endpoints.stations.path }],
  confidence: recorded(1, "fixed registry"),
  links: stations.map((station) => ({ id: station.id, endpoints: [`/v1/weather/settlement?station=${station.id}`] })),
  extras: {
    suggestions: [suggest("weather_settlement", { station: "KNYC" }, "Latest official report of a station.")],
  },
}

const agreementFields = (agreement: Agreement): NonNullable<Listed["settles"]["agreement"]> => {
  const { compared, equal, oneBelow, oneAbove, missing, differences } = agreement
  const { low, high } = equalInterval(agreement)
  return {
    ...{ source: venueSource, compared, equal, within_one: equal + oneBelow + oneAbove, missing },
    ...(compared === 0 ? {} : { equal_low: low, equal_high: high }),
    differences: differences.map(({ day, extreme, report, venue }) => ({ day, extreme, report, venue })),
  }
}

/** The registry, with how the venue's source agrees with the reports of each station. */
const stationsOver = ({ agreement }: VenueSettlement["Type"], freshness: Freshness): WeatherMethods["stations"] =>
  Step.method(function* () {
    const listed: Array<Listed> = []
    for (const station of stations) {
      const measured = yield* agreement(station.id)
      listed.push({
        ...summaryOf(station),
        settles: { ...station.settles, ...ifDefined("agreement", measured && agreementFields(measured)) },
        coordinates: station.coordinates,
      })
    }
    return { ...registry, results: { stations: listed, count: listed.length, not_priced: notPriced }, freshness }
  })

const layer = Layer.effect(
  Weather,
  Effect.gen(function* () {
    const reports = yield* ClimateReports
    const forecasts = yield* Forecasts
    const observations = yield* Observations
    const calibrations = yield* Calibrations
    const seconds = yield* SecondForecasts
    const venue = yield* VenueSettlement
    const feeds = yield* Feeds
    return Weather.of(
      Rounding.methods(endpoints, {
        stations: stationsOver(venue, reports.freshness),
        settlement: settlementOver(reports, feeds),
        history: historyOver(reports, feeds),
        forecast: forecastOver(forecasts),
        signal: signalOver({ reports, forecasts, observations, calibrations, seconds, venue, feeds }),
      }),
    )
  }),
)
