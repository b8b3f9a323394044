/** Imported before every lane: adds the stations of `STATIONS_FILE` to the registry. A file with a fault stops the program. */
import { readFileSync } from "node:fs"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import type { Station } from "../core/lanes/weather/Station.ts"
import { addStations } from "../core/lanes/weather/Station.ts"
import { hour } from "../core/time.ts"
import { findZone, offsetAt } from "../core/zones.ts"

const text = (form: RegExp, rule: string) => Schema.String.pipe(Schema.pattern(form, { message: () => rule }))
const name = text(/^[\p{L}\p{N}][\p{L}\p{N} .'/-]{0,63}$/u, "a name of at most 64 letters")
const series = Schema.optionalWith(text(/^KX[A-Z0-9]{2,30}$/, "a series such as KXHIGHTATL"), { exact: true })

/** A station as an operator's file has it. */
const AddedStation = Schema.Struct({
  id: text(/^[A-Z][A-Z0-9]{3}$/, "an ICAO id such as KATL"),
  name,
  city: name,
  state: text(/^[A-Z]{2}$/, "a state such as GA"),
  /** IANA. */
  tz: Schema.String,
  cli_product: text(/^CLI[A-Z0-9]{3}$/, "the AWIPS id of its climate report, such as CLIATL"),
  /** Part of the headline of its section; the city if it is absent. */
  headline: Schema.optionalWith(text(/^[A-Z][A-Z /.-]{2,63}$/, "part of its headline, in capitals"), { exact: true }),
  lat: Schema.Number.pipe(Schema.between(13, 72, { message: () => "a latitude in the United States" })),
  lon: Schema.Number.pipe(Schema.between(-180, 180, { message: () => "a longitude" })),
  venue_high_series: series,
  venue_low_series: series,
})
type AddedStation = typeof AddedStation.Type

/** Hours from UTC of a zone's standard time, the lesser one of winter and summer; undefined without such a zone of whole hours. */
const winterOffset = (tz: string): number | undefined => {
  const zone = findZone(tz)
  if (zone === undefined) return undefined
  const offset = Math.min(...[Date.UTC(2026, 0, 15), Date.UTC(2026, 6, 15)].map((at) => offsetAt(zone, at))) / hour
  return Number.isInteger(offset) ? offset : undefined
}

const toStation = (given: AddedStation, standardOffset: number): Station => ({
  id: given.id,
  name: given.name,
  city: given.city,
  state: given.state,
  tz: given.tz,
  standardOffset,
  cliProduct: given.cli_product,
  headline: given.headline ?? given.city.toUpperCase(),
  settles: {
    venue_high_series: given.venue_high_series ?? null,
    venue_low_series: given.venue_low_series ?? null,
    polymarket: null,
  },
  coordinates: { lat: given.lat, lon: given.lon },
})

const parse = Schema.decodeUnknownEither(Schema.Array(AddedStation), { onExcessProperty: "error", errors: "all" })

/** Reads the stations of a file's JSON; a failure names the first fault of each of them. */
const readStations = (json: unknown): Either.Either<ReadonlyArray<Station>, string> =>
  Either.flatMap(
    Either.mapLeft(parse(json), (error) =>
      ParseResult.ArrayFormatter.formatErrorSync(error)
        .map(({ path, message }) => `${path.length === 0 ? "" : `${path.join(".")}: `}${message}`)
        .join("; "),
    ),
    (all) => {
      const stations: Array<Station> = []
      const seen = new Set<string>()
      for (const given of all) {
        const offset = winterOffset(given.tz)
        if (offset === undefined) return Either.left(`${given.id}: ${given.tz} is no IANA time zone of whole hours`)
        if (seen.has(given.id)) return Either.left(`${given.id} is there twice`)
        seen.add(given.id)
        stations.push(toStation(given, offset))
      }
      return Either.right(stations)
    },
  )

const file = process.env["STATIONS_FILE"]

const stop = (reason: string): never => {
  process.stderr.write(`STATIONS_FILE: ${file}: ${reason}.\n`)
  process.exit(2)
}

const read = (path: string): unknown => {
  try {
    return JSON.parse(readFileSync(path, "utf8"))
  } catch (error) {
    return stop(error instanceof Error ? error.message : String(error))
  }
}

if (file !== undefined && file !== "") addStations(Either.getOrElse(readStations(read(file)), stop))
