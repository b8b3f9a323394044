import * as Effect from "effect/Effect"
import * as Port from "../../../endpoint/Port.ts"
import type { Failure } from "../../../Failure.ts"
import type { IssuedLaws } from "../guidance/stack.ts"
import { initialStation, type StationStates } from "./calibration.ts"
import type { Variable } from "./temperature.ts"

/** Read port: the calibration states learned from forecast errors. */
export const Calibrations = Port.plain("weather/Calibrations")<{
  /** The newest published states of a station. */
  readonly current: (station: string) => Effect.Effect<StationStates, Failure>
}>(
  /** The published priors alone: for generated data, and without an archive of forecasts. */
  { current: () => Effect.succeed(initialStation) },
)
export type Calibrations = typeof Calibrations.Identifier

export interface ForecastKey {
  /** Registry id. */
  readonly station: string
  /** The climate day that was forecast. */
  readonly day: string
  readonly variable: Variable
  /** Lead bucket, from 0. */
  readonly bucket: number
}

/** The forecast of an official extreme that was taken first in its lead bucket. */
export interface ArchivedForecast extends ForecastKey {
  /** Epoch milliseconds. */
  readonly takenAt: number
  /** Degrees Fahrenheit, as published, without bias correction. */
  readonly forecastF: number
  readonly source: string
  /** The distributions as issued. */
  readonly issued?: IssuedLaws
}

/** Store of forecasts: append-only. */
export const ForecastArchive = Port.plain("weather/ForecastArchive")<{
  /** Stores the forecasts whose key is new; returns their number. */
  readonly append: (snapshots: ReadonlyArray<ArchivedForecast>) => Effect.Effect<number, Failure>
  /** Snapshots of the days from `first` to `last`, both included, by day. */
  readonly between: (first: string, last: string) => Effect.Effect<ReadonlyArray<ArchivedForecast>, Failure>
}>()
export type ForecastArchive = typeof ForecastArchive.Identifier

/** Read port: archived forecasts of earlier days. */
export const EarlierForecasts = Port.plain("weather/EarlierForecasts")<{
  /** The archived forecast of a key, degrees Fahrenheit; undefined if this source has none. */
  readonly of: (key: ForecastKey, source: string) => Effect.Effect<number | undefined, Failure>
}>(
  /** Without an archive of forecasts. */
  { of: () => Effect.succeed(undefined) },
)
export type EarlierForecasts = typeof EarlierForecasts.Identifier

/** The error of one archived forecast against one final report. */
export interface Residual extends ForecastKey {
  readonly productId: string
  /** Whole degrees Fahrenheit, as printed. */
  readonly officialF: number
  /** Official − forecast. */
  readonly residualF: number
  /** True for the error against the first final report; false for a later correction's, which is stored but never learned. */
  readonly counted: boolean
}

export interface ForecastOutcome {
  readonly snapshot: Pick<ArchivedForecast, "bucket" | "day" | "issued" | "source" | "takenAt">
  readonly residual: Pick<Residual, "residualF">
}

export interface NewState extends Pick<ForecastKey, "station" | "variable" | "bucket"> {
  readonly state: StationStates["high"][number]["state"]
}

/** Store of residuals and states: append-only. */
export const CalibrationStore = Port.plain("weather/CalibrationStore")<{
  /** The number of the newest publication, 0 before the first. */
  readonly revision: Effect.Effect<number, Failure>
  readonly residuals: (first: string, last: string) => Effect.Effect<ReadonlyArray<Residual>, Failure>
  /** Stations whose newest states have learned from a report that has been voided since. */
  readonly voided: Effect.Effect<ReadonlyArray<string>, Failure>
  /** The counted errors of a station with their forecasts, without those of voided reports. */
  readonly lessons: (
    station: string,
  ) => Effect.Effect<ReadonlyArray<ForecastOutcome & { readonly variable: Variable }>, Failure>
  /**
   * Writes residuals and the resulting states as publication `revision` + 1, all or nothing.
   *
   * @returns false if another publication came first; then nothing is written
   */
  readonly publish: (
    revision: number,
    residuals: ReadonlyArray<Residual>,
    states: ReadonlyArray<NewState>,
    at: number,
  ) => Effect.Effect<boolean, Failure>
}>()
export type CalibrationStore = typeof CalibrationStore.Identifier
