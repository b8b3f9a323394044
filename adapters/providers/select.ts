import type * as SqlClient from "@effect/sql/SqlClient"
import type * as Layer from "effect/Layer"
import type { ClimateReports } from "../../core/lanes/weather/providers.ts"
import * as sqlReports from "../sql/ClimateReports.ts"
import * as mockWeather from "./mock/weather.ts"

/** Where a lane reads: generated data, or what ingest has stored. */
export type Mode = "mock" | "live"

/** The layer behind the weather lane's read ports. */
export const weather = (mode: Mode): Layer.Layer<ClimateReports, never, SqlClient.SqlClient> =>
  mode === "mock" ? mockWeather.layer : sqlReports.layerReports
