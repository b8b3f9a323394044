// Runs core without a permission: a read of the environment, a file or the network anywhere in it would end this.
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import { ClimateReport, ClimateReports, Forecasts, Observations, Weather } from "../../../core/mod.ts"

const text = `000
CDUS41 KOKX 040626
CLINYC

CLIMATE REPORT
NATIONAL WEATHER SERVICE NEW YORK, NY
126 AM EST WED FEB 04 2026

...THE CENTRAL PARK NY CLIMATE SUMMARY FOR FEBRUARY 3 2026...

WEATHER ITEM   OBSERVED TIME   RECORD YEAR NORMAL DEPARTURE LAST
                VALUE   (LST)  VALUE       VALUE  FROM      YEAR
                                                  NORMAL
...................................................................
TEMPERATURE (F)
 YESTERDAY
  MAXIMUM         41    217 PM
  MINIMUM         -3    605 AM

PRECIPITATION (IN)
  YESTERDAY        T
$$
`

const expect = (what: string, actual: unknown, expected: unknown): void => {
  if (JSON.stringify(actual) !== JSON.stringify(expected)) {
    throw new Error(`${what}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`)
  }
}

const { productId, issuedAt, reports } = Either.getOrThrow(ClimateReport.parse(text))
const report = reports[0]!
expect("product id", productId, "202602040626-KOKX-CDUS41-CLINYC")
expect("high and low", [report.highF, report.lowF, report.precipIn], [41, -3, 0])

const archive = Layer.succeed(ClimateReports, {
  freshness: "live",
  versions: () => Effect.succeed([{ station: "KNYC", productId, issuedAt, source: "smoke", report }]),
  latestFinalDay: () => Effect.succeed(report.day),
})
const ports = Layer.mergeAll(archive, Forecasts.layerUnavailable, Observations.layerUnavailable)
const answer = await Effect.flatMap(Weather, (weather) => weather.settlement({ station: "KNYC" })).pipe(
  Effect.provide(Weather.layer.pipe(Layer.provide(ports))),
  Effect.runPromise,
)
expect("settlement", answer.results.settlement.high_f, 41)
console.log(
  `core under Deno: ${answer.results.station.id} ${answer.results.settlement.day} ${answer.results.settlement.high_f} F`,
)
