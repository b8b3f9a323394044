import * as Either from "effect/Either"
import type { FileFormat } from "../../../../core/csv/FileFormat.ts"
import {
  type Row,
  readDay,
  readNumber,
  readOption,
  readRequiredNumber,
  readRequiredText,
  readText,
  rowError,
} from "../../../../core/csv/row.ts"
import { type Variable, variables } from "../../../../core/lanes/weather/signal/temperature.ts"
import { byId, climateDayStart } from "../../../../core/lanes/weather/stations.ts"
import { addDays, day as dayMs, isDay, iso } from "../../../../core/time.ts"
import type { Input } from "../../compare/Task.ts"

/** Where a station is, and when its day begins. */
export interface Place {
  readonly lat: number
  readonly lon: number
  /** Hours from UTC of local standard time, which bounds the climate day all year. */
  readonly utcOffset: number
}

/** A forecast of the extreme of a station's day, with the official value. Degrees Fahrenheit. */
export interface WeatherRow extends Place {
  readonly station: string
  readonly day: string
  readonly variable: Variable
  /** Issue time, epoch milliseconds. */
  readonly issuedAt: number
  readonly forecastF: number
  /** Whole degrees. */
  readonly actualF: number
  readonly source: string
}

/** Forecasts with official values, unordered. */
export interface WeatherData {
  readonly rows: ReadonlyArray<WeatherRow>
  readonly inputs: ReadonlyArray<Input>
}

/** The columns of the documented form, each with the name that it has in archives of highs. */
const columns = {
  day: ["day", "target_date"],
  at: ["at", "asof_utc"],
  forecast: ["forecast", "forecast_high_f"],
  actual: ["actual", "actual_high_f"],
} as const

const named = (row: Row, names: readonly [string, string]): string => names.find((name) => name in row) ?? names[0]

/** Temperatures outside this range are sensor or archive errors. */
const plausible = { from: -80, to: 140 } as const

/** The longest lead of a row, days: a forecast from before that has another year or day than meant. */
const longest = 60

const zoned = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/
const plainUtc = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(:\d{2})?)Z?$/

const timeIn = (row: Row, field: string) =>
  Either.flatMap(readRequiredText(row, field), (text) => {
    // A column that says UTC in its name needs no zone.
    const written = field === "asof_utc" ? text.replace(plainUtc, "$1T$2Z") : text
    const millis = zoned.test(written) && isDay(written.slice(0, 10)) ? Date.parse(written) : Number.NaN
    return Number.isNaN(millis)
      ? rowError(field, `"${text}" is not a time in ISO 8601 with a zone (2026-07-08T12:00:00Z).`)
      : Either.right(millis)
  })

const within = (row: Row, field: string, low: number, high: number) =>
  Either.flatMap(readRequiredNumber(row, field), (value) =>
    value >= low && value <= high
      ? Either.right(value)
      : rowError(field, `${value} is not a number from ${low} to ${high}.`),
  )

/** Ids have capitals, as those of airports and of climate networks do. */
const idForm = /^[A-Z0-9][A-Z0-9_-]{0,15}$/

const stationIn = (row: Row) =>
  Either.flatMap(readRequiredText(row, "station"), (id) =>
    idForm.test(id)
      ? Either.right(id)
      : rowError("station", `"${id}" is not an id of 1 to 16 capitals and digits, such as KNYC.`),
  )

/** The place of one of the service's stations; of others, as their rows say. */
const placeIn = (row: Row, id: string) => {
  const covered = byId.get(id)
  if (covered !== undefined) return Either.right({ ...covered.coordinates, utcOffset: covered.standardOffset })
  const lacking = ["lat", "lon", "utc_offset"].find((field) => readText(row, field) === undefined)
  return lacking === undefined
    ? Either.all({
        lat: within(row, "lat", -90, 90),
        lon: within(row, "lon", -180, 180),
        utcOffset: within(row, "utc_offset", -12, 14),
      })
    : rowError(lacking, `Missing value: ${id} is not one of the service's stations, so its place must be given.`)
}

/** A row whose forecast or official value is missing or impossible. */
export interface LeftOut {
  readonly station: string
  readonly day: string
  readonly column: string
}

/** Reads the rows of one file; what is not used is reported to `leftOut`. */
const readRow = (leftOut: (row: LeftOut) => void) => {
  /** Columns in which rows of one station, and of one day, must agree. */
  const seen = new Map<string, unknown>()
  const agrees = (key: string, value: unknown): boolean => {
    const before = seen.get(key)
    seen.set(key, value)
    return before === undefined || before === value
  }
  return (row: Row) =>
    Either.gen(function* () {
      const station = yield* stationIn(row)
      const place = yield* placeIn(row, station)
      if (!agrees(station, JSON.stringify(place))) {
        return yield* rowError("lat", `${station} has another lat, lon or utc_offset in an earlier row.`)
      }
      const day = yield* readDay(row, named(row, columns.day))
      const variable = (yield* readOption(row, "variable", variables)) ?? "high"
      const at = named(row, columns.at)
      const issuedAt = yield* timeIn(row, at)
      const end = climateDayStart({ standardOffset: place.utcOffset }, addDays(day, 1))
      if (issuedAt >= end) {
        return yield* rowError(at, `${iso(issuedAt)} is not before the day's end, ${iso(end)}.`)
      }
      if (issuedAt < end - longest * dayMs) {
        return yield* rowError(at, `${iso(issuedAt)} is more than ${longest} days before the day's end, ${iso(end)}.`)
      }
      const [forecast, actual] = [named(row, columns.forecast), named(row, columns.actual)]
      const forecastF = yield* readNumber(row, forecast)
      const actualF = yield* readNumber(row, actual)
      for (const [column, value] of [
        [forecast, forecastF],
        [actual, actualF],
      ] as const) {
        if (value !== undefined && value >= plausible.from && value <= plausible.to) continue
        leftOut({ station, day, column })
        return undefined
      }
      if (!Number.isInteger(actualF)) return yield* rowError(actual, `${actualF} is not a whole degree.`)
      if (!agrees(`${station}/${variable}/${day}`, actualF)) {
        return yield* rowError(actual, `${actualF}, but an earlier row of ${station}, ${day}, ${variable} has another.`)
      }
      const read: WeatherRow = {
        station,
        ...place,
        day,
        variable,
        issuedAt,
        forecastF: forecastF!,
        actualF: actualF!,
        source: readText(row, "source") ?? "",
      }
      return read
    })
}

/** The id of a row's question. */
export const idOf = ({ station, variable, day, issuedAt }: WeatherRow): string =>
  `${station}/${variable}/${day}/${iso(issuedAt)}`

/**
 * A file of forecasts with official values: `station`, `day`, `variable` (high or low; absent: high), `at` (issue time, ISO
 * 8601 with a zone), `forecast` and `actual` in degrees Fahrenheit, `source` if there are several, and of stations that the
 * service does not cover `lat`, `lon` and `utc_offset` (hours of local standard time). A row without a forecast or an
 * official value from −80 to 140 °F is not used.
 *
 * @param leftOut receives each row that is not used
 */
export const weatherFeed = (leftOut: (row: LeftOut) => void): FileFormat<"forecasts", WeatherRow> => ({
  name: "forecasts",
  source: "archive of forecasts with official values",
  columns: ["station", ...Object.values(columns)],
  read: readRow(leftOut),
  seasonOf: ({ day }) => Number(day.slice(0, 4)),
  keyOf: idOf,
})
