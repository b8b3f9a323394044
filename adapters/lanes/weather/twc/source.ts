import * as HttpClient from "@effect/platform/HttpClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { fail } from "../../../../core/Failure.ts"
import { ifDefined } from "../../../../core/ifDefined.ts"
import { climateDayStart, stations } from "../../../../core/lanes/weather/stations.ts"
import { type VenueReading, venueSource, venueStatuses } from "../../../../core/lanes/weather/venue/reading.ts"
import { VenueSource } from "../../../../core/lanes/weather/venue/VenueSettlement.ts"
import { addDays, minute } from "../../../../core/time.ts"
import * as Breaker from "../../../runtime/upstream/breaker.ts"
import {
  callBudget,
  getJson,
  implausible,
  type RequestPolicy,
  toFailure,
  type Upstream,
} from "../../../runtime/upstream/upstream.ts"

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
const Day = Schema.Struct({ results: Schema.Array(Row) })

/** A reading may be issued so long after it was read, by the clock's error. */
const mostAhead = 5 * minute

const byIcao = new Map<string, (typeof stations)[number]>(stations.map((station) => [station.id, station]))

/** The readings of our stations, or what of them cannot be true. */
const readingsOf = (
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

/** Address of the service, empty where it is off, and our user agent. */
export interface Settings {
  readonly twc: string
  readonly userAgent: string
}

/** The service's public address. */
export const publicUrl = "https://weather.com"

/** The values of The Weather Company's page for the venue, without a key. Off without an address. */
export const layer = (
  { twc, userAgent }: Settings,
  policy: RequestPolicy = {},
): Layer.Layer<VenueSource, never, HttpClient.HttpClient> =>
  Layer.effect(
    VenueSource,
    Effect.map(HttpClient.HttpClient, (client) => {
      if (twc === "") return { day: () => Effect.fail(fail("data_provider_unavailable")) }
      const upstream: Upstream = {
        ...Breaker.breakerNamed("twc", venueSource),
        baseUrl: twc,
        ...callBudget,
        ...policy,
        headers: { "user-agent": userAgent, ...policy.headers },
      }
      return {
        day: (day) =>
          Effect.gen(function* () {
            const answer = yield* getJson(client, upstream, Day, "/kalshi/api/climate/primary", { date: day })
            const readings = readingsOf(answer, day, yield* Clock.currentTimeMillis)
            return yield* Either.mapLeft(readings, (reason) => implausible(upstream, reason))
          }).pipe(Effect.mapError(toFailure)),
      }
    }),
  )
