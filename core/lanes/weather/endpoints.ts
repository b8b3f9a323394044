import * as Schema from "effect/Schema"
import { notPriced } from "../../contracts/notPriced.ts"
import * as Endpoint from "../../endpoint/Endpoint.ts"
import { cite, explain, step } from "../../endpoint/explain.ts"
import { ifDefined } from "../../ifDefined.ts"
import { intervalCoverage } from "../../record/scoreboard/scores.ts"
import { suggest } from "../answers.ts"
import { recorded } from "../confidence.ts"
import { dataTerms } from "../fields.ts"
import { StationList } from "./fields.ts"
import { forecast } from "./forecast/forecast.ts"
import { performance } from "./performance.ts"
import { ClimateReports } from "./ports.ts"
import { toSummary } from "./reports/climateDayRow.ts"
import { history, settlement } from "./reports/settlement.ts"
import { signal } from "./signal/signal.ts"
import { stations as registry } from "./stations.ts"
import { type Agreement, toEqualInterval } from "./venue/agreement.ts"
import { venueSource } from "./venue/reading.ts"
import { VenueSettlement } from "./venue/VenueSettlement.ts"

export { forecast, history, performance, settlement, signal }

type ListedStation = StationList["stations"][number]

const agreementFields = (agreement: Agreement): NonNullable<ListedStation["settles"]["agreement"]> => {
  const { compared, equal, oneBelow, oneAbove, missing, differences } = agreement
  return {
    venue_source: venueSource,
    compared,
    equal,
    within_one: equal + oneBelow + oneAbove,
    missing,
    ...(compared === 0
      ? {}
      : { equal_share: { estimate: equal / compared, ...toEqualInterval(agreement), level: intervalCoverage } }),
    differences: differences.map(({ day, extreme, report, venue }) => ({
      day,
      extreme,
      report_f: report,
      venue_f: venue,
    })),
  }
}

export const stations = Endpoint.make("/v1/weather/stations", {
  rows: "stations",
  ...dataTerms(0),
  summary: "Stations covered, with report product and venue series",
  use: "The station id of a city, for the other weather tools.",
  example: {},
  params: Schema.Struct({}),
  results: StationList,
  ports: { reports: ClimateReports, venue: VenueSettlement },
  answer: function* (_, { reports, venue }, give) {
    const listed: Array<ListedStation> = []
    for (const station of registry) {
      const measured = yield* venue.agreement(station.id)
      listed.push({
        ...toSummary(station),
        settles: { ...station.settles, ...ifDefined("agreement", measured && agreementFields(measured)) },
        coordinates: station.coordinates,
      })
    }
    return give({
      results: { stations: listed, count: listed.length, not_priced: notPriced },
      explained: explain(step("Listed the station registry.", cite("station registry", "/v1/weather/stations"))),
      confidence: recorded(1, "fixed registry"),
      links: registry.map(({ id }) => ({ id, endpoints: [`/v1/weather/settlement?station=${id}`] })),
      freshness: reports.freshness,
      extras: {
        suggestions: [suggest("weather_settlement", { station: "KNYC" }, "Latest official report of a station.")],
      },
    })
  },
})

/** A named type, which keeps the generated .d.ts short. */
export type WeatherEndpoints = {
  readonly stations: typeof stations
  readonly settlement: typeof settlement
  readonly history: typeof history
  readonly forecast: typeof forecast
  readonly signal: typeof signal
  readonly performance: typeof performance
}
export const endpoints: WeatherEndpoints = { stations, settlement, history, forecast, signal, performance }
