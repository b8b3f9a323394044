import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { ArchivedDay, ClimateDays } from "../../../../core/lanes/weather/ports.ts"
import { makeIdentityCheck, sharedValue } from "../../../../core/sources/identity.ts"
import { isDay } from "../../../../core/time.ts"
import * as Upstream from "../../../runtime/upstream/Definition.ts"
import { toFailure } from "../../../runtime/upstream/upstream.ts"
import { fetchText } from "./afos.ts"

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

const readDay = (row: (typeof Wire.Type)["results"][number]): ArchivedDay => ({
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

interface Asked {
  readonly station: string
  readonly year: number
}

export const climateYear = Upstream.question(Upstream.readJson(Wire), {
  path: () => "/json/cli.py",
  query: ({ station, year }: Asked) => ({ station, year: String(year) }),
  identity: makeIdentityCheck({
    name: ({ station, year }) => `The reports of ${station} in ${year}`,
    says: {
      station: ({ results }, { station }) => [sharedValue(results.map((row) => row.station)) ?? station, station],
      year: ({ results }, { year }) => [
        sharedValue(results.map(({ valid }) => valid.slice(0, 4))) ?? `${year}`,
        `${year}`,
      ],
    },
  }),
})

/** The archive's values; `text` reads the report of a row that needs it. */
export const make = (source: Upstream.Source): typeof ClimateDays.Service => ({
  name: "Iowa Environmental Mesonet, archive of daily climate reports",
  year: ({ id }, year) =>
    Effect.mapBoth(source.ask(climateYear, { station: id, year }), {
      onSuccess: ({ results }) => results.map(readDay),
      onFailure: toFailure,
    }),
  text: (id) => fetchText(source, id),
})
