import type * as SqlClient from "@effect/sql/SqlClient"
import * as Layer from "effect/Layer"
import type { Freshness } from "../../core/endpoint/Answer.ts"
import { Tape, type Window } from "../../core/lanes/crypto/providers.ts"
import { ClimateReports, Forecasts, Observations } from "../../core/lanes/weather/providers.ts"
import type { WeatherPorts } from "../../core/lanes/weather/Weather.ts"
import * as sqlCandles from "../sql/Candles.ts"
import * as sqlReports from "../sql/ClimateReports.ts"
import * as shadowLog from "../sql/ShadowLog.ts"
import * as mockCrypto from "./mock/crypto.ts"
import * as mockWeather from "./mock/weather.ts"
import * as shadow from "./shadow.ts"

/** Where a lane reads: generated data, what ingest has stored, or the one with the other asked beside it. */
export type Mode = Freshness

const reports = (mode: Mode): Layer.Layer<ClimateReports, never, SqlClient.SqlClient> => {
  switch (mode) {
    case "mock":
      return mockWeather.layerReports
    case "shadow":
      return shadow
        .layer(ClimateReports, { mock: mockWeather.layerReports, live: sqlReports.layerReports })
        .pipe(Layer.provide(shadowLog.layer()))
    case "live":
      return sqlReports.layerReports
  }
}

/** The layers behind the weather lane's read ports. */
export const weather = (mode: Mode): Layer.Layer<WeatherPorts, never, SqlClient.SqlClient> =>
  Layer.mergeAll(reports(mode), Forecasts.layerUnavailable, Observations.layerUnavailable)

/** Tapes of different worlds never agree in price: what is compared is whether both have one, and how old it is. */
const tapesDiffer = (mock: unknown, live: unknown): string | undefined => {
  const [expected, found] = [mock, live] as [Window | undefined, Window | undefined]
  if (expected === undefined || found === undefined) return expected === found ? undefined : "only one has a tape"
  const late = expected.lastMinute - found.lastMinute
  return Math.abs(late) <= 2 ? undefined : `the live tape is ${late} minutes behind`
}

/** The layer behind the crypto lane's read port. */
export const crypto = (mode: Mode): Layer.Layer<Tape, never, SqlClient.SqlClient> => {
  switch (mode) {
    case "mock":
      return mockCrypto.layer
    case "shadow":
      return shadow
        .layer(Tape, { mock: mockCrypto.layer, live: sqlCandles.layerTape }, { differs: tapesDiffer })
        .pipe(Layer.provide(shadowLog.layer()))
    case "live":
      return sqlCandles.layerTape
  }
}
