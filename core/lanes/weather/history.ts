import * as Effect from "effect/Effect"
import { fail } from "../../endpoint/Failure.ts"
import type { ClimateReports } from "./providers.ts"
import type { WeatherMethods } from "./Weather.ts"

export const historyOver =
  (_reports: ClimateReports["Type"]): WeatherMethods["history"] =>
  () =>
    Effect.fail(fail("data_provider_unavailable"))
