import * as HttpClient from "@effect/platform/HttpClient"
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { fillYear } from "../../../core/lanes/weather/backfill.ts"
import { ClimateDays } from "../../../core/lanes/weather/climateSources.ts"
import { onDemand } from "../../../core/lanes/weather/onDemand.ts"
import { ClimateArchive, ClimateReports } from "../../../core/lanes/weather/providers.ts"
import { byId } from "../../../core/lanes/weather/stations.ts"
import * as sqlReports from "../../sql/ClimateReports.ts"
import type { Patience, Settings } from "./iem/api.ts"
import * as climateDays from "./iem/climateDays.ts"
import { remember } from "./remember.ts"

/** How long a year of the archive is taken for what it has. */
const goodFor = 600_000

/** The stored reports; a stretch that nobody has asked for yet is fetched from the archive when it is wanted. */
export const layer = (
  settings: Settings,
  manners: Patience = {},
): Layer.Layer<ClimateReports, never, HttpClient.HttpClient | SqlClient.SqlClient> =>
  Layer.effect(
    ClimateReports,
    Effect.gen(function* () {
      const stored = yield* ClimateReports
      const archive = yield* ClimateArchive
      const days = climateDays.make(yield* HttpClient.HttpClient, settings, manners)
      const years = yield* remember(
        (key) => {
          const [id, year] = key.split("/")
          return fillYear(byId.get(id!)!, Number(year)).pipe(
            Effect.provideService(ClimateArchive, archive),
            Effect.provideService(ClimateDays, days),
          )
        },
        { goodFor, capacity: 512 },
      )
      return onDemand(stored, archive, (id, year) => years(`${id}/${year}`))
    }),
  ).pipe(Layer.provide([sqlReports.layerReports, sqlReports.layerArchive]))
