import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { ifDefined } from "../../../../core/ifDefined.ts"
import { maxIssueLag } from "../../../../core/lanes/weather/reports/ingest.ts"
import { climateDayStart, stations } from "../../../../core/lanes/weather/stations.ts"
import { type VenueReading, venueStatuses } from "../../../../core/lanes/weather/venue/reading.ts"
import { type Identity, identityDoubt, toInstant } from "../../../../core/sources/identity.ts"
import { any, type Rows, rows } from "../../../../core/sources/rows.ts"
import { addDays } from "../../../../core/time.ts"

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { nullable: true })

/** Whole degrees Fahrenheit. */
const degrees = Schema.Int.pipe(Schema.between(-80, 140))

const Row = Schema.Struct({
  station: Schema.Struct({ icao: Schema.String }),
  data: optional(
    Schema.Struct({
      maxTemp: optional(degrees),
      minTemp: optional(degrees),
      issueTime: optional(Schema.String),
      reportDate: optional(Schema.String),
      isOfficial: optional(Schema.Boolean),
    }),
  ),
  status: Schema.Literal(...venueStatuses),
})
type Row = typeof Row.Type

/**
 * All stations' values of a climate day. No payload of this service is recorded in public: the shape is that of
 * published clients of 2026 (`date`, `station.icao`, `status`, and of `data` `reportDate`, `isOfficial`, `maxTemp`,
 * `minTemp`, `issueTime`). Rows of another shape are refused one by one.
 */
export const Day = Schema.Struct({ date: optional(Schema.String), results: Schema.Array(Schema.Unknown) })

interface Asked {
  readonly day: string
  /** Of the whole payload. */
  readonly date: string | undefined
  /** Number of rows by station. */
  readonly counts: ReadonlyMap<string, number>
}

const ours = new Map<string, (typeof stations)[number]>(stations.map((station) => [station.id, station]))
const hasStation = Schema.is(Schema.Struct({ station: Schema.Struct({ icao: Schema.String }) }))
const isForeign = (row: unknown): boolean => hasStation(row) && !ours.has(row.station.icao)

/** A row is of its station's day if this agrees; the day is stated by the payload, by the row, or by both. */
const identity: Identity<Asked, Row> = {
  name: ({ day }, { station, status }) => `${station.icao} of ${day}, ${status}`,
  says: {
    "number of rows": ({ station }, { counts }) => [counts.get(station.icao), 1],
    date: ({ data }, { date, day }) => [date ?? data?.reportDate, day],
    reportDate: ({ data }, { date, day }) => [data?.reportDate ?? date, day],
    isOfficial: ({ data, status }) => [status !== "official" || (data?.isOfficial ?? true), true],
  },
  issued: ({ station, data, status }, { day }) => {
    // A report of a whole day is issued after the day.
    const from = climateDayStart(ours.get(station.icao)!, status === "preliminary" ? day : addDays(day, 1))
    return status === "no_report"
      ? undefined
      : { time: data?.issueTime, from, lagMs: maxIssueLag, isCorrection: status === "revised" }
  },
}

/** Why a row contradicts itself; undefined if it does not. */
const findContradiction = ({ station, status, data: { maxTemp, minTemp } = {} }: Row): string | undefined => {
  if (status === "official" && maxTemp === undefined) return `${station.icao} is official without a maxTemp`
  return maxTemp !== undefined && minTemp !== undefined && minTemp > maxTemp
    ? `${station.icao} has minTemp ${minTemp} above maxTemp ${maxTemp}`
    : undefined
}

const readRows = rows(Row, any)

/** The readings of our stations for the day, and why others are refused; left if nothing can be used. */
export const readReadings = (
  { date, results }: typeof Day.Type,
  day: string,
  now: number,
): Either.Either<Rows<VenueReading>, string> => {
  const list = results.filter((row) => !isForeign(row))
  const counts = new Map<string, number>()
  for (const row of list.filter(hasStation)) counts.set(row.station.icao, (counts.get(row.station.icao) ?? 0) + 1)
  return Either.map(
    readRows(list, (row) => identityDoubt(identity, { day, date, counts }, row, now) ?? findContradiction(row)),
    ({ good, refused }) => ({
      refused,
      good: good.map(({ station, data, status }) => ({
        ...{ station: station.icao, day, status },
        issuedAt: status === "no_report" ? now : toInstant(data?.issueTime)!,
        ...ifDefined("highF", data?.maxTemp),
        ...ifDefined("lowF", data?.minTemp),
      })),
    }),
  )
}
