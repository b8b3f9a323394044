/** The source on which the venue's daily temperature series have settled since 2026-08-14, as their rules name it. */
export const venueSource = "The Weather Company"

/** As the source states them. `revised` is a correction of an `official` value; it does not change a settled contract. */
export const venueStatuses = ["official", "preliminary", "revised", "no_report"] as const

/** What the venue's source states for a station's climate day. Whole degrees Fahrenheit; absent if it has no value. */
export interface VenueReading {
  /** Registry id. */
  readonly station: string
  readonly day: string
  readonly status: (typeof venueStatuses)[number]
  /** Epoch milliseconds. */
  readonly issuedAt: number
  readonly highF?: number
  readonly lowF?: number
}
