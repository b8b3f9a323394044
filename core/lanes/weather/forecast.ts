import * as Effect from "effect/Effect"
import { fail } from "../../endpoint/Failure.ts"
import type { Forecasts } from "./providers.ts"
import type { WeatherMethods } from "./Weather.ts"

export const forecastOver =
  (_forecasts: Forecasts["Type"]): WeatherMethods["forecast"] =>
  () =>
    Effect.fail(fail("data_provider_unavailable"))
