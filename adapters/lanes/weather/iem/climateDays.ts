import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { type ArchivedDay, ClimateDays } from "../../../../core/lanes/weather/reports/climateSources.ts"
import { isDay } from "../../../../core/time.ts"
import { misshapen, toFailure } from "../../../runtime/upstream/upstream.ts"
import { productText } from "./afos.ts"
import { type Api, Iem } from "./api.ts"

/** A number, `M` for missing or `T` for a trace; `judge` rejects any other text. */
const Value = Schema.NullOr(Schema.Union(Schema.Finite, Schema.String))

/** `GET /json/cli.py?station=KNYC&year=2024`: the values of each climate day's newest report. */
const Row = Schema.Struct({
  station: Schema.String,
  valid: Schema.String.pipe(Schema.filter(isDay)),
  product: Schema.NullOr(Schema.String),
  name: Schema.NonEmptyString,
  high: Value,
  high_time: Schema.NullOr(Schema.String),
  low: Value,
  low_time: Schema.NullOr(Schema.String),
  precip: Value,
  snow: Value,
})

/** Rows have four times as many fields; all are stored for audits. */
const Wire = Schema.Struct({
  results: Schema.Array(Schema.extend(Row, Schema.Record({ key: Schema.String, value: Schema.Unknown }))),
})

const dayOf = (row: (typeof Wire.Type)["results"][number]): ArchivedDay => ({
  day: row.valid,
  productId: row.product,
  name: row.name,
  high: row.high,
  highTime: row.high_time,
  low: row.low,
  lowTime: row.low_time,
  precip: row.precip,
  snow: row.snow,
  text: JSON.stringify(row),
})

/** Whether all rows are of the requested station and year. */
const areOf = (rows: (typeof Wire.Type)["results"], station: string, year: number): boolean =>
  rows.every((row) => row.station === station && row.valid.startsWith(`${year}-`))

/** The archive's values; `text` is for the rows that need the report itself. */
export const make = (api: Api): ClimateDays["Type"] => {
  return {
    name: "Iowa Environmental Mesonet, archive of daily climate reports",
    year: ({ id }, year) =>
      api.json(Wire, "/json/cli.py", { station: id, year: String(year) }).pipe(
        Effect.filterOrFail(
          ({ results }) => areOf(results, id, year),
          () => misshapen(api.upstream, "The rows are not of the requested station and year."),
        ),
        Effect.mapBoth({ onSuccess: ({ results }) => results.map(dayOf), onFailure: toFailure }),
      ),
    text: (id) => Effect.mapError(productText(api, id), toFailure),
  }
}

export const layer: Layer.Layer<ClimateDays, never, Iem> = Layer.effect(ClimateDays, Effect.map(Iem, make))
