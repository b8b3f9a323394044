import * as Effect from "effect/Effect"
import { fail } from "../../endpoint/Failure.ts"
import type { ClimateReports, Forecasts, Observations } from "./providers.ts"
import type { WeatherMethods } from "./Weather.ts"

interface Ports {
  readonly reports: ClimateReports["Type"]
  readonly forecasts: Forecasts["Type"]
  readonly observations: Observations["Type"]
}

export const signalOver =
  (_ports: Ports): WeatherMethods["signal"] =>
  () =>
    Effect.fail(fail("data_provider_unavailable"))
