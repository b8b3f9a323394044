// Runs core; under Deno without a permission: a read of the environment, a file or the network in it would end this.
import { createHash } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import { Feeds } from "../../../core/feeds/Feeds.ts"
import {
  Calibrations,
  ClimateReport,
  ClimateReports,
  EarlierForecasts,
  Forecasts,
  Observations,
  SecondForecasts,
  VenueSettlement,
  Weather,
  WeatherLaws,
} from "../../../core/lanes/weather/mod.ts"
import { merkle, proofs, RecordLog, SyncSha256 } from "../../../core/mod.ts"

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

const version = { station: "KNYC", productId, issuedAt, source: "smoke", report }
const archive = Layer.succeed(ClimateReports, {
  freshness: "live",
  versions: () => Effect.succeed([version]),
  latestFinalDay: () => Effect.succeed(report.day),
  range: () => Effect.succeed([[version]]),
  coverage: () => Effect.succeed({ first: report.day, last: report.day }),
})
const hour = 3_600_000
const begun = Math.floor(Date.now() / hour) * hour
const forecasts = Layer.succeed(Forecasts, {
  freshness: "live",
  point: (lat, lon) =>
    Effect.succeed({
      location: { lat, lon, name: "Honolulu, HI", grid: { office: "HFO", x: 1, y: 1 }, timezone: "Pacific/Honolulu" },
      updatedAt: begun,
      periods: [
        {
          startsAt: begun,
          endsAt: begun + hour,
          name: "",
          is_day: true,
          temp_f: 100,
          wind_mph_max: 45,
          summary: "Sunny",
        },
      ],
      alerts: [],
      source: "smoke",
      locator: "smoke",
      alertSource: "smoke",
      alertLocator: "smoke",
      flags: [],
    }),
  grid: () => Effect.dieMessage("not asked for"),
})
const ports = Layer.mergeAll(
  archive,
  forecasts,
  Observations.layerNone,
  VenueSettlement.layerNone,
  SecondForecasts.layerNone,
  Calibrations.layerNone,
  EarlierForecasts.layerNone,
  WeatherLaws.layerNone,
  Feeds.layerNone,
)
const [answer, forecast, history] = await Effect.flatMap(Weather, (weather) =>
  Effect.all([
    weather.settlement({ station: "KNYC" }),
    weather.forecast({ lat: 21.3, lon: -157.9, hours: 12, hourly: true }),
    weather.history({ station: "KNYC", start: "2026-02-02", end: report.day }),
  ]),
).pipe(Effect.provide(Weather.layer.pipe(Layer.provide(ports))), Effect.runPromise)
expect("history", [history.results.count, history.results.missing_days], [1, ["2026-02-02"]])
expect("settlement", answer.results.settlement.high_f, 41)
// Honolulu never changes its clocks: ten hours behind all year.
const local = new Date(begun - 10 * hour).toISOString().slice(0, 19)
expect(
  "forecast",
  [forecast.results.periods[0]?.start, forecast.results.risk_flags],
  [local, ["extreme_heat", "high_wind"]],
)

// The record needs a SHA-256 from its platform and nothing else of it.
const sha256 = (bytes: Uint8Array): Uint8Array => new Uint8Array(createHash("sha256").update(bytes).digest())
const recorded = await Effect.gen(function* () {
  const log = yield* RecordLog
  const leaf = (n: number) =>
    ({ id: `leaf ${n}`, kind: "capture", at: n, lane: "smoke", subject: "smoke", body: { n } }) as const
  yield* log.append(Array.from({ length: 11 }, (_, n) => leaf(n)))
  const { hash, text } = (yield* log.leafAt(6))!
  const { root, hashes } = yield* proofs.inclusion(6, 11)
  return [text, merkle.verifyInclusion(sha256, hash, 6, 11, hashes, root)]
}).pipe(
  Effect.provide(RecordLog.layerMemory.pipe(Layer.provideMerge(Layer.succeed(SyncSha256, { sha256 })))),
  Effect.runPromise,
)
expect("record", recorded, [
  '{"at":6,"body":{"n":6},"id":"leaf 6","kind":"capture","lane":"smoke","subject":"smoke","v":1}',
  true,
])
console.log(`core: ${answer.results.station.id} ${answer.results.settlement.day} ${answer.results.settlement.high_f} F`)
