import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Feeds } from "../../../core/feeds/Feeds.ts"
import { onCalls } from "../../../core/feeds/onCalls.ts"
import { weatherFeeds } from "../../../core/lanes/weather/due.ts"
import { ClimateArchive, ClimateDays, ClimateReports } from "../../../core/lanes/weather/ports.ts"
import { fillYear } from "../../../core/lanes/weather/reports/backfill.ts"
import { onDemand } from "../../../core/lanes/weather/reports/syncReports.ts"
import { byId } from "../../../core/lanes/weather/stations.ts"
import { cacheUpstream } from "../../runtime/upstream/cacheUpstream.ts"
import type { Transactions } from "../../store/engine/Transactions.ts"
import { Iem, iem } from "./iem/api.ts"
import * as climateDays from "./iem/climateDays.ts"
import * as sqlReports from "./store/ClimateReports.ts"

/** A fetched year is not fetched again for this long, milliseconds. */
const ttlMs = 600_000

/** The stored reports; days that were never looked for are fetched from the archive on demand. */
export const layer: Layer.Layer<ClimateReports, never, Feeds | Iem | Transactions | SqlClient.SqlClient> = Layer.effect(
  ClimateReports,
  Effect.gen(function* () {
    const stored = yield* ClimateReports
    const archive = yield* ClimateArchive
    const days = climateDays.make(yield* Iem)
    const report = yield* onCalls
    const years = yield* cacheUpstream(
      (key) => {
        const [id, year] = key.split("/")
        const filled = fillYear(byId.get(id!)!, Number(year)).pipe(
          Effect.provideService(ClimateArchive, archive),
          Effect.provideService(ClimateDays, days),
        )
        return report(weatherFeeds.archive, filled)
      },
      { source: iem.title, ttlMs, capacity: 512 },
    )
    return onDemand(stored, archive, (id, year) => years(`${id}/${year}`))
  }),
).pipe(Layer.provide([sqlReports.layerReports, sqlReports.layerArchive]))
