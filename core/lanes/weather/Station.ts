/** A station whose official daily climate report the service covers. */
export interface Station {
  /** ICAO id. */
  readonly id: string
  readonly name: string
  readonly city: string
  readonly state: string
  /** IANA time zone. */
  readonly tz: string
  /** Offset of local *standard* time from UTC, hours; the climate day runs by it all year. */
  readonly standardOffset: number
  /** AWIPS id of the text product that carries the report. */
  readonly cliProduct: string
  /** Words in the headline of the station's section, which tell it apart in products with several stations. */
  readonly headline: string
  readonly settles: {
    readonly venue_high_series: string | null
    readonly venue_low_series: string | null
    readonly polymarket: string | null
  }
  readonly coordinates: { readonly lat: number; readonly lon: number }
}

/*
 * Station ids are part of the parameters' schemas, which are built when the lane is loaded. So stations have to be added
 * before that: by a program's first import, or by an embedder before it first imports the lane.
 */

const registry = Symbol.for("market-signals/stations")

type StationRegistry = { [registry]?: ReadonlyArray<Station> }

/** Adds stations to the registry of this process; it is read once, when the weather lane is loaded. */
export const addStations = (stations: ReadonlyArray<Station>): void => {
  ;(globalThis as StationRegistry)[registry] = stations
}

export const addedStations = (): ReadonlyArray<Station> => (globalThis as StationRegistry)[registry] ?? []
