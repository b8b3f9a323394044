import * as Schema from "effect/Schema"
import * as Endpoint from "../../endpoint/Endpoint.ts"
import { cite, explain, step } from "../../endpoint/explain.ts"
import * as Field from "../../endpoint/Field.ts"
import { ifDefined } from "../../ifDefined.ts"
import { weatherWeek } from "../../record/scoreboard/cluster.ts"
import { plural } from "../../text.ts"
import { recorded } from "../confidence.ts"
import { proofTerms } from "../fields.ts"
import { makeLawFigures, makeLawResults, recordDays } from "../lawRecord.ts"
import { WeatherLaws } from "./ports.ts"
import { type Variable, variables } from "./signal/temperature.ts"
import { stations } from "./stations.ts"

const rowFields = {
  variable: Schema.Literal(...variables),
  lead_days: Field.integer("Climate days from the capture to the forecast day: 0 on the day itself."),
  station: Field.optional(Field.text("Omitted for all stations together.")),
}

const computeFigures = makeLawFigures(
  stations.map(({ id }) => id),
  (day) => weatherWeek(Date.parse(day)),
)

export const performance = Endpoint.make("/v1/weather/performance", {
  ...proofTerms,
  summary: "Track record of the temperature distributions as issued, misses included",
  use: "How well `weather_signal` has been calibrated, by lead and station.",
  example: {},
  params: Schema.Struct({}),
  results: makeLawResults("WeatherPerformance", rowFields, "ratio", "degrees Fahrenheit"),
  ports: { laws: WeatherLaws },
  answer: function* (_, { laws: record }, give) {
    const { laws, rows, results } = yield* computeFigures(record)
    return give({
      results: {
        ...results,
        rows: rows.map(({ part: { instrument, variable, lead }, figures }) => ({
          variable: variable as Variable,
          lead_days: lead,
          ...ifDefined("station", instrument),
          ...figures,
        })),
      },
      explained: explain(
        step(
          `Scored ${plural(laws, "law")} of the last ${recordDays} days as issued: for each station, day and lead, the first scheduled capture against the first final report.`,
          cite("captures", "/v1/weather/performance"),
        ),
      ),
      confidence: recorded(1, plural(laws, "scored law")),
    })
  },
})
