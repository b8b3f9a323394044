import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Failure } from "../../../Failure.ts"
import { addDays } from "../../../time.ts"
import { climateDay, daysFrom, stations } from "../stations.ts"
import { VenueReadings, VenueSource } from "./VenueSettlement.ts"

/** Days back whose official reading is waited for. */
const campaignDays = 3

/**
 * Reads the last days of which some station has no official reading, and today's. Where a reading is refused the others are
 * stored.
 *
 * @returns number of new readings, why others are refused, and stations whose yesterday lacks an official one
 */
export const syncVenue: Effect.Effect<
  { readonly stored: number; readonly refusals: ReadonlyArray<string>; readonly lacking: ReadonlyArray<string> },
  Failure,
  VenueReadings | VenueSource
> = Effect.gen(function* () {
  const { append, officialDays } = yield* VenueReadings
  const source = yield* VenueSource
  const now = yield* Clock.currentTimeMillis
  const missing = (station: (typeof stations)[number]) => {
    const today = climateDay(station, now)
    const start = addDays(today, -campaignDays)
    return Effect.map(officialDays(station.id, start, today), (official) =>
      daysFrom(start, today).filter((day) => !official.has(day)),
    )
  }
  const wanted = new Set((yield* Effect.forEach(stations, missing)).flat())
  let stored = 0
  const refusals: Array<string> = []
  for (const day of [...wanted].sort()) {
    const { good, refused } = yield* source.day(day)
    refusals.push(...refused)
    stored += yield* append(good, now)
  }
  const lacking = yield* Effect.filter(stations, (station) =>
    Effect.map(missing(station), (days) => days.includes(addDays(climateDay(station, now), -1))),
  )
  return { stored, refusals, lacking: lacking.map(({ id }) => id) }
})
