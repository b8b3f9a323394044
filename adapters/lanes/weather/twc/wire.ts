import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { ifDefined } from "../../../../core/ifDefined.ts"
import { climateDayStart, stations } from "../../../../core/lanes/weather/stations.ts"
import { type VenueReading, venueStatuses } from "../../../../core/lanes/weather/venue/reading.ts"
import { addDays, minute } from "../../../../core/time.ts"

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { nullable: true })

/** Whole degrees Fahrenheit. */
const degrees = Schema.Int.pipe(Schema.between(-80, 140))

const Row = Schema.Struct({
  station: Schema.Struct({ icao: Schema.String, cliId: optional(Schema.String) }),
  data: optional(
    Schema.Struct({ maxTemp: optional(degrees), minTemp: optional(degrees), issueTime: optional(Schema.String) }),
  ),
  status: Schema.Literal(...venueStatuses),
})

/**
 * All stations' values of a climate day. No payload of this service is recorded in public: the shape is that of published
 * clients of 2026 (`station.icao`, `data.maxTemp`, `data.issueTime`, `status`), of which the low's name is a guess. What does
 * not fit is refused whole.
 */
export const Day = Schema.Struct({ results: Schema.Array(Row) })

/** A reading may be issued so long after it was read, by the clock's error. */
const mostAhead = 5 * minute

const byIcao = new Map<string, (typeof stations)[number]>(stations.map((station) => [station.id, station]))

/** The readings of our stations, or what of them cannot be true. */
export const readingsOf = (
  { results }: typeof Day.Type,
  day: string,
  now: number,
): Either.Either<ReadonlyArray<VenueReading>, string> => {
  const readings: Array<VenueReading> = []
  for (const { station, data, status } of results) {
    const ours = byIcao.get(station.icao)
    if (ours === undefined) continue
    const name = `${station.icao} of ${day}`
    if (readings.some((one) => one.station === ours.id)) return Either.left(`${name} is listed twice`)
    if (status === "no_report") {
      readings.push({ station: ours.id, day, status, issuedAt: now })
      continue
    }
    const { maxTemp, minTemp, issueTime = "" } = data ?? {}
    const issuedAt = Date.parse(issueTime)
    if (Number.isNaN(issuedAt)) return Either.left(`${name} is ${status} without an issueTime`)
    if (issuedAt > now + mostAhead) return Either.left(`${name} is issued in the future, ${issueTime}`)
    // A report of a whole day is issued after it; the answer does not repeat the day that was asked for.
    const isOver = issuedAt >= climateDayStart(ours, addDays(day, 1))
    if (status !== "preliminary" && !isOver)
      return Either.left(`${name} is ${status} before the day is over, ${issueTime}`)
    if (status === "official" && maxTemp === undefined) return Either.left(`${name} is official without a maxTemp`)
    if (maxTemp !== undefined && minTemp !== undefined && minTemp > maxTemp) {
      return Either.left(`${name} has minTemp ${minTemp} above maxTemp ${maxTemp}`)
    }
    readings.push({
      ...{ station: ours.id, day, status, issuedAt },
      ...ifDefined("highF", maxTemp),
      ...ifDefined("lowF", minTemp),
    })
  }
  return Either.right(readings)
}
