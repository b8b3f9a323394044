import * as Effect from "effect/Effect"
import { fail } from "../../../core/Failure.ts"
import { type Job, makeJob } from "../../../core/jobs/Job.ts"
import { hourly } from "../../../core/jobs/schedule.ts"
import type { ClimateArchive, ClimateReports } from "../../../core/lanes/weather/ports.ts"
import type { Ingested } from "../../../core/lanes/weather/reports/ingest.ts"
import { type Synced, syncReports } from "../../../core/lanes/weather/reports/syncReports.ts"
import { stations } from "../../../core/lanes/weather/stations.ts"
import * as afos from "./iem/afos.ts"
import { Iem } from "./iem/api.ts"
import { Nws } from "./nws/api.ts"
import * as products from "./nws/products.ts"

const count = (synced: ReadonlyArray<Synced>, tag: Ingested["_tag"]): number =>
  synced.flatMap(({ outcomes }) => outcomes).filter(({ _tag }) => _tag === tag).length

const refusals = (synced: ReadonlyArray<Synced>): ReadonlyArray<string> =>
  synced.flatMap(({ outcomes }) =>
    outcomes.flatMap((outcome) =>
      outcome._tag === "Refused" ? [`${outcome.what.trim().slice(0, 60)}: ${outcome.reason}`] : [],
    ),
  )

/**
 * Every hour: fetches every station's products of today and yesterday, from the weather service first and the archive's
 * copy second.
 */
export const weatherReportsJob: Effect.Effect<Job, never, ClimateArchive | ClimateReports | Iem | Nws> = Effect.gen(
  function* () {
    const feeds = [products.make(yield* Nws), afos.make(yield* Iem)]
    return yield* makeJob({
      name: "weather-reports",
      description: "Fetch the daily climate reports issued since yesterday.",
      // Most offices issue in the half hour before.
      schedule: hourly(45),
      catchUp: "latest",
      run: Effect.gen(function* () {
        // One station's outage must not affect the others.
        const results = yield* Effect.forEach(stations, (station) => Effect.either(syncReports(station, feeds)))
        const synced = results.flatMap((result) => (result._tag === "Right" ? [result.right] : []))
        const said = [
          `${count(synced, "Stored")} new, ${count(synced, "Known")} known, ${count(synced, "Refused")} refused`,
          ...synced.flatMap(({ station, failures }) => failures.map((failure) => `${station} ${failure}`)),
          ...results.flatMap((result, at) =>
            result._tag === "Left" ? [`${stations[at]!.id} failed: ${result.left.message}`] : [],
          ),
          ...refusals(synced),
        ].join("; ")
        const [first] = results
        return synced.length === 0 && first?._tag === "Left" ? yield* fail(first.left.code, { detail: said }) : said
      }),
    })
  },
)
