/** A station whose official daily climate report the service covers. */
export interface Station {
  /** ICAO id. */
  readonly id: string
  readonly name: string
  readonly city: string
  readonly state: string
  /** IANA time zone. */
  readonly tz: string
  /** Hours from UTC of local *standard* time, which bounds the climate day all year. */
  readonly standardOffset: number
  /** AWIPS id of the text product that carries the report. */
  readonly cliProduct: string
  /** Part of the headline of the station's section; selects it in products with several stations. */
  readonly headline: string
  readonly settles: {
    readonly venue_high_series: string | null
    readonly venue_low_series: string | null
    readonly polymarket: string | null
  }
  readonly coordinates: { readonly lat: number; readonly lon: number }
}

/*
 * The registry's stations are values of the parameters' schemas, so those that an operator adds are given before the lane is
 * loaded: by a program's first import, or by an embedder before the first import of the lane.
 */

const registry = Symbol.for("market-signals/stations")

type Place = { [registry]?: ReadonlyArray<Station> }

/** Adds stations to the registry of this process; it is read once, when the weather lane is loaded. */
export const addStations = (stations: ReadonlyArray<Station>): void => {
  ;(globalThis as Place)[registry] = stations
}

/** Those that were added. */
export const addedStations = (): ReadonlyArray<Station> => (globalThis as Place)[registry] ?? []
