import * as Schema from "effect/Schema"
import * as Field from "../../endpoint/Field.ts"
import * as Param from "../../endpoint/Param.ts"
import type { Hint } from "../../Failure.ts"
import { addDays } from "../../time.ts"
import { change } from "../answers.ts"
import { estimateFields, settlementBasisField } from "../fields.ts"
import { vocabulary } from "./forecast/riskFlags.ts"
import { byId, climateDay, daysBetween, stations as registry } from "./stations.ts"

const SettlementAgreement = Schema.Struct({
  venue_source: Field.text("The venue's settlement source."),
  compared: Field.integer(
    "Highs and lows that both have: the source's first official values and those of the first final report.",
  ),
  equal: Field.integer(),
  within_one: Field.integer("Equal or one degree apart."),
  missing: Field.integer("Days with a final report but without an official value of the source."),
  equal_share: Field.optional(
    Schema.Struct(estimateFields("`equal` / `compared`, with its Wilson interval; omitted if nothing was compared.")),
  ),
  differences: Schema.Array(
    Schema.Struct({
      day: Field.day(),
      extreme: Schema.Literal("high", "low"),
      report_f: Field.integer("Degrees Fahrenheit."),
      venue_f: Field.integer("Degrees Fahrenheit."),
    }).annotations({ identifier: "SettlementDifference" }),
  ),
}).annotations({
  identifier: "SettlementAgreement",
  description: "Counted over stored values; omitted while no value of the venue's source is stored.",
})

/** Checks that a range of days is in order and has at most 400 days. */
export const checkRange = (start: string | undefined, end: string | undefined): ReadonlyArray<Hint> => {
  if (start === undefined || end === undefined) return []
  if (start > end) return [change("end", "end must not be before start.")]
  return daysBetween(start, end) >= 400
    ? [change("end", "end must be at most 399 days after start (400 days, inclusive).")]
    : []
}

/** Checks that days, by parameter name, have begun as the station's climate days. */
export const checkBegun = (
  station: string | undefined,
  days: Readonly<Record<string, string | undefined>>,
  now: number,
): ReadonlyArray<Hint> => {
  if (station === undefined) return []
  const today = climateDay(byId.get(station)!, now)
  return Object.entries(days).flatMap(([field, day]) =>
    day === undefined || day <= today
      ? []
      : [change(field, `${field} must not be in the future; the climate day at ${station} is ${today}.`)],
  )
}

/** Forecasts reach this many days ahead. */
const maxDaysAhead = 6

/** Checks that a day can be forecast: the station's current climate day or one of the next six. */
export const checkForecastDay = (
  station: string | undefined,
  target: string | undefined,
  now: number,
): ReadonlyArray<Hint> => {
  if (station === undefined || target === undefined) return []
  const today = climateDay(byId.get(station)!, now)
  const last = addDays(today, maxDaysAhead)
  return target >= today && target <= last
    ? []
    : [change("target", `target must be from ${today}, the climate day at ${station}, to ${last}.`)]
}

type Id = (typeof registry)[number]["id"]
const ids = registry.map((station) => station.id) as unknown as readonly [Id, ...ReadonlyArray<Id>]

export const stationParam = Param.oneOfAnyCase(
  ids,
  "Registry station id, as listed by `/v1/weather/stations`.",
  Object.fromEntries(registry.map(({ id, city, name }) => [id, `${city}, ${name}`])),
)

const summaryFields = {
  id: Field.text("Registry id (ICAO)."),
  name: Field.text(),
  city: Field.text(),
  state: Field.text("Two letters."),
  tz: Field.text("IANA time zone."),
  cli_product: Field.text("AWIPS id of the official report product."),
}

const StationSummary = Schema.Struct(summaryFields).annotations({ identifier: "StationSummary" })

const Station = Schema.Struct({
  ...summaryFields,
  settles: Schema.Struct({
    venue_high_series: Schema.NullOr(Schema.String),
    venue_low_series: Schema.NullOr(Schema.String),
    polymarket: Schema.NullOr(Schema.String).annotations({
      description:
        "Prefix of the slugs of Polymarket's contracts on the high at this station; null if there are none or they use another station.",
    }),
    agreement: Field.verbose(SettlementAgreement),
  }).annotations({
    description: "Where the station's values are traded, and how the venue's source agrees with these reports.",
  }),
  coordinates: Schema.Struct({ lat: Field.number(), lon: Field.number() }),
}).annotations({ identifier: "Station" })

const SettlementDay = Schema.Struct({
  day: Field.day("The climate day: local standard midnight to midnight, also in summer."),
  high_f: Field.optional(Field.integer("Degrees Fahrenheit, verbatim. Omitted when missing in the report.")),
  low_f: Field.optional(Field.integer("Degrees Fahrenheit, verbatim. Omitted when missing in the report.")),
  high_time_local: Field.optional(Field.text("Local standard time, as printed in the report.")),
  low_time_local: Field.optional(Field.text("Local standard time, as printed in the report.")),
  precip_in: Field.optional(Field.number("Inches; a trace is 0 with the flag `precip_trace`.")),
  snow_in: Field.optional(Field.number("Inches; a trace is 0 with the flag `snow_trace`.")),
  source: Field.text("Archive or feed of the report."),
  weather_service_product_id: Field.text("Id of the text product: issue time, office, heading, AWIPS id."),
  status: Field.verbose(Field.text("`final` once the climate day is over, else `preliminary`.")),
  issued_at: Field.verbose(Field.instant("When the office issued the product.")),
  revision: Field.verbose(Field.integer("1 for the day's first version, 2 for the second, and so on.")),
  corrects: Field.verbose(Field.text("Product id of the previous version.")),
  first_official: Field.verbose(
    Schema.Struct({
      weather_service_product_id: Field.text(),
      issued_at: Field.instant(),
      high_f: Field.optional(Field.integer()),
      low_f: Field.optional(Field.integer()),
    }).annotations({
      identifier: "FirstOfficial",
      description:
        "The day's first final report. Contracts that settle on the first official, non-preliminary report settle on it, even if a later version corrects it. Omitted until there is one.",
    }),
  ),
  quality_flags: Field.verbose(Schema.Array(Schema.String)),
}).annotations({ identifier: "SettlementDay" })

export const StationList = Schema.Struct({
  stations: Schema.Array(Station),
  count: Field.integer(),
  not_priced: Field.verbose(
    Schema.Array(Schema.Struct({ series: Field.text("`*` stands for letters."), pays_on: Field.text() })).annotations({
      description: "Kalshi's weather series that no model prices; they are on no board.",
    }),
  ),
}).annotations({ identifier: "WeatherStations" })
export type StationList = typeof StationList.Encoded

export const Settlement = Schema.Struct({ station: StationSummary, settlement: SettlementDay }).annotations({
  identifier: "WeatherSettlement",
})
export type Settlement = typeof Settlement.Encoded

export const SettlementHistory = Schema.Struct({
  station: StationSummary,
  start: Field.day(),
  end: Field.day(),
  count: Field.integer("Rows on this page."),
  days: Schema.Array(SettlementDay),
  coverage: Schema.Struct({ first: Schema.NullOr(Field.day()), last: Schema.NullOr(Field.day()) }).annotations({
    description: "First and last stored day of this station.",
  }),
  missing_days: Field.verbose(Schema.Array(Schema.String)),
}).annotations({ identifier: "WeatherSettlementHistory" })
export type SettlementHistory = typeof SettlementHistory.Encoded

const isWithin = (box: readonly [number, number, number, number], lat: number, lon: number): boolean =>
  lat >= box[0] && lat <= box[1] && lon >= box[2] && lon <= box[3]

/** South, north, west, east of the contiguous states, Alaska (its two sides of 180°), Hawaii, Puerto Rico with the Virgin Islands, and Guam. */
const unitedStates = [
  [24.4, 49.4, -125, -66.9],
  [51.2, 71.5, -180, -129.9],
  [51.2, 53.1, 172.3, 180],
  [18.8, 22.3, -160.4, -154.7],
  [17.6, 18.6, -67.4, -64.5],
  [13.2, 13.7, 144.6, 145],
] as const

export const checkInUnitedStates = (lat: number | undefined, lon: number | undefined): ReadonlyArray<Hint> =>
  lat === undefined || lon === undefined || unitedStates.some((box) => isWithin(box, lat, lon))
    ? []
    : ["lat", "lon"].map((field) =>
        change(field, "lat and lon must be a point in the United States (50 states, PR, GU, VI)."),
      )

const Alert = Schema.Struct({
  id: Field.text(),
  event: Field.text(),
  severity: Field.text("CAP vocabulary."),
  certainty: Field.text("CAP vocabulary."),
  urgency: Field.text("CAP vocabulary."),
  headline: Field.optional(Field.text()),
  area_desc: Field.text(),
  effective: Field.instant(),
  onset: Field.optional(Field.instant()),
  expires: Field.instant(),
  ends: Field.optional(Field.instant()),
  sender_name: Field.text(),
  description: Field.verbose(Field.text()),
  instruction: Field.verbose(Field.text()),
  status: Field.verbose(Field.text()),
  message_type: Field.verbose(Field.text()),
}).annotations({ identifier: "WeatherAlert" })

const Period = Schema.Struct({
  name: Field.text(),
  start: Field.text("Local timestamp."),
  end: Field.text("Local timestamp."),
  is_day: Field.boolean(),
  temp_f: Field.integer(),
  precip_pct: Field.optional(Field.integer("Probability of precipitation, percent.")),
  wind_mph_max: Field.optional(Field.integer()),
  wind_dir: Field.optional(Field.text()),
  summary: Field.text(),
}).annotations({ identifier: "ForecastPeriod" })

export const Forecast = Schema.Struct({
  location: Schema.Struct({
    lat: Field.number(),
    lon: Field.number(),
    name: Field.text(),
    grid: Schema.Struct({ office: Field.text(), x: Field.integer(), y: Field.integer() }),
    timezone: Field.text(),
  }),
  generated_at: Field.text("When the office last updated its grid: local timestamp without offset."),
  granularity: Field.text("`12h` or `1h`."),
  periods: Schema.Array(Period),
  alerts: Schema.Array(Alert),
  risk_flags: Schema.Array(Schema.String).annotations({ description: `Sorted, open vocabulary: ${vocabulary}.` }),
}).annotations({ identifier: "WeatherForecast" })
export type Forecast = typeof Forecast.Encoded

const probabilityByDegree = Schema.Record({ key: Schema.String, value: Field.probability() })

export const Signal = Schema.Struct({
  target_day: Field.day(),
  projection: Schema.Struct({
    high_f: Field.quantity("degrees", "Centre of the distribution, after bias correction."),
    low_f: Field.quantity("degrees", "Centre of the distribution, after bias correction."),
    peak_time_utc: Field.instant(),
    hours_covered: Field.integer("Hours of the climate day backed by a forecast or an observation."),
  }),
  uncertainty: Schema.Struct({
    sigma_f: Field.quantity("degrees", "Widens with lead_days."),
    lead_days: Field.quantity("days"),
    calibration: Field.text("The forecast errors that sigma was fitted on: their number, leads and days."),
  }),
  probabilities: Schema.Struct({
    pmf: probabilityByDegree.annotations({
      description: "Probability that the official high is exactly this integer degree.",
    }),
    ge: probabilityByDegree.annotations({ description: "Probability that the official high is at least this degree." }),
    low: Schema.Struct({ pmf: probabilityByDegree, ge: probabilityByDegree, le: probabilityByDegree }).annotations({
      description: "The same for the official low.",
    }),
  }),
  market_note: Field.text("Which report the probabilities refer to, and on which source the venue settles."),
  second_forecasts: Field.verbose(
    Schema.Array(
      Schema.Struct({
        source: Field.text(),
        issued_at: Field.instant("The model's run."),
        high_f: Field.optional(Field.quantity("degrees")),
        low_f: Field.optional(Field.quantity("degrees")),
        weight: Field.quantity(
          "ratio",
          "Its weight in the high, beside the grid's forecast; 0 until the archive shows that it helps.",
        ),
      }).annotations({ identifier: "SecondForecast" }),
    ),
  ),
  percentiles: Field.verbose(
    Schema.Array(
      Schema.Struct({
        variable: Schema.Literal("high", "low"),
        source: Field.text(),
        issued_at: Field.optional(Field.instant("The model's run.")),
        mean_f: Field.quantity("degrees"),
        sigma_f: Field.optional(Field.quantity("degrees", "Standard deviation.")),
        p10_f: Field.integer("The official value is at most this with a probability of 10 %."),
        p25_f: Field.integer(),
        p50_f: Field.integer(),
        p75_f: Field.integer(),
        p90_f: Field.integer(),
        crps: Field.optional(
          Field.quantity(
            "degrees",
            "Mean continuous ranked probability score of archived distributions for this station and lead, on the same days for both sources; omitted below 20 days. Those of this model are without second forecasts and observations.",
          ),
        ),
      }).annotations({ identifier: "TemperaturePercentiles" }),
    ).annotations({
      description:
        "This model's distributions beside those of the National Blend of Models; omitted without its bulletin.",
    }),
  ),
  model_version: Field.verbose(Field.text()),
  settlement_basis: Field.verbose(settlementBasisField),
}).annotations({ identifier: "WeatherSignal" })
export type Signal = typeof Signal.Encoded
