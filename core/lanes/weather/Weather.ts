import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Answer } from "../../endpoint/Answer.ts"
import type * as Endpoint from "../../endpoint/Endpoint.ts"
import * as Lane from "../../endpoint/Lane.ts"
import * as Rounding from "../../endpoint/Rounding.ts"
import { Feeds } from "../../feeds/Feeds.ts"
import * as Step from "../../Step.ts"
import { suggest } from "../answers.ts"
import { recordedConfidence } from "../confidence.ts"
import { endpoints, type WeatherMethods } from "./endpoints.ts"
import { forecastOver } from "./forecast/forecast.ts"
import { ClimateReports, Forecasts, Observations } from "./ports.ts"
import { summaryOf } from "./reports/climateDayRow.ts"
import { historyOver } from "./reports/history.ts"
import { settlementOver } from "./reports/settlementEndpoint.ts"
import { Calibrations } from "./signal/Calibrations.ts"
import { signalOver } from "./signal/signal.ts"
import { stations } from "./stations.ts"

/** The lane's ports. */
export type WeatherPorts = Calibrations | ClimateReports | Forecasts | Observations

export class Weather extends Context.Tag("core/lanes/Weather")<Weather, WeatherMethods>() {
  static readonly lane: Lane.Lane<"weather", typeof endpoints, Weather> = Lane.make(
    "weather",
    endpoints,
    Weather,
    "Official daily climate reports, forecasts and temperature distributions.",
  )

  static readonly layer: Layer.Layer<Weather, never, Feeds | WeatherPorts> = Layer.suspend(() => layer)
}

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
  citations: [{ step: 1, source: "station registry", locator: endpoints.stations.path }],
  confidence: recordedConfidence(1, "fixed registry"),
  links: stations.map((station) => ({ id: station.id, endpoints: [`/v1/weather/settlement?station=${station.id}`] })),
  freshness: "live",
  extras: {
    suggestions: [suggest("weather_settlement", { station: "KNYC" }, "Latest official report of a station.")],
  },
}

const layer = Layer.effect(
  Weather,
  Effect.gen(function* () {
    const reports = yield* ClimateReports
    const forecasts = yield* Forecasts
    const observations = yield* Observations
    const calibrations = yield* Calibrations
    const feeds = yield* Feeds
    return Weather.of(
      Rounding.methods(endpoints, {
        stations: Step.methodSync(() => ({ ...registry, freshness: reports.freshness })),
        settlement: settlementOver(reports, feeds),
        history: historyOver(reports, feeds),
        forecast: forecastOver(forecasts),
        signal: signalOver({ reports, forecasts, observations, calibrations, feeds }),
      }),
    )
  }),
)
