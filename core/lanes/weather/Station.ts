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
