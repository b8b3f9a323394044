import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Freshness } from "../../../../core/endpoint/Answer.ts"
import type { Failure } from "../../../../core/Failure.ts"
import { Feeds } from "../../../../core/feeds/Feeds.ts"
import { type Guidance, SecondForecasts } from "../../../../core/lanes/weather/guidance/Guidance.ts"
import {
  ClimateReports,
  Forecasts,
  type GridForecast,
  type Issuance,
  type Observation,
  Observations,
  WeatherLaws,
} from "../../../../core/lanes/weather/ports.ts"
import type { ClimateReport } from "../../../../core/lanes/weather/reports/ClimateReport.ts"
import { Calibrations, EarlierForecasts, type ForecastKey } from "../../../../core/lanes/weather/signal/Calibrations.ts"
import { initialStation, type StationStates } from "../../../../core/lanes/weather/signal/calibration.ts"
import { byId, climateDayStart, type Station } from "../../../../core/lanes/weather/stations.ts"
import { VenueSettlement } from "../../../../core/lanes/weather/venue/VenueSettlement.ts"
import { Weather } from "../../../../core/lanes/weather/Weather.ts"
import { addDays } from "../../../../core/time.ts"

export const hour = 3_600_000
export const nyc = byId.get("KNYC")!
export const day = "2026-07-09"
export const start = climateDayStart(nyc, day)

/** Warmest at 15, coldest at 5 local standard time: the same every day. */
export const usualAt = (hourOfDay: number): number => {
  const share = hourOfDay < 5 ? (hourOfDay + 9) / 14 : hourOfDay < 15 ? (hourOfDay - 5) / 10 : (hourOfDay - 15) / 14
  const rising = hourOfDay >= 5 && hourOfDay < 15
  return 75 + (rising ? -10 : 10) * Math.cos(Math.PI * share)
}

/** Hours of `usualAt` from an hour of the day on, counted past 24. */
export const hourly = (from: number, to: number, warmer = 0, zero = start): GridForecast["hourly"] =>
  Array.from({ length: to - from }, (_, at) => ({
    at: zero + (from + at) * hour,
    tempF: usualAt((((from + at) % 24) + 24) % 24) + warmer,
  }))

export const grid = (changes: Partial<GridForecast> = {}): GridForecast => ({
  updatedAt: start - hour,
  hourly: hourly(0, 7 * 24),
  maxima: [],
  minima: [],
  source: "test grid",
  locator: "grid/1,2",
  ...changes,
})

/** A reading at 51 minutes past each hour that is over by `now`, from three hours before the day on. */
export const readings = (now: number, warmer = 0, zero = start): ReadonlyArray<Observation> =>
  Array.from({ length: 27 }, (_, at) => at - 3)
    .map((at) => ({ at: zero + at * hour + 51 * 60_000, tempF: usualAt(((at + 24) % 24) + 0.85) + warmer }))
    .filter(({ at }) => at <= now)

export const issuance = (changes: Partial<ClimateReport> = {}, issuedAt = start): Issuance => ({
  station: "KNYC",
  productId: `${issuedAt}-KOKX-CDUS41-CLINYC`,
  issuedAt,
  source: "test reports",
  report: {
    station: "CENTRAL PARK NY",
    day,
    status: "final",
    correction: false,
    highF: 86,
    lowF: 65,
    flags: [],
    ...changes,
  },
})

export interface World {
  readonly venue: Layer.Layer<VenueSettlement>
  readonly grid: Effect.Effect<GridForecast, Failure>
  readonly readings: Effect.Effect<ReadonlyArray<Observation>, Failure>
  readonly versions: Effect.Effect<ReadonlyArray<Issuance>, Failure>
  readonly states: Effect.Effect<StationStates, Failure>
  readonly feeds: Layer.Layer<Feeds>
  readonly dayBefore: (key: ForecastKey) => number | undefined
  readonly seconds: ReadonlyArray<Guidance>
  readonly freshness: Readonly<Record<"forecasts" | "observations" | "reports", Freshness>>
}

/** The lane over stubs that say what they are told to. */
export const weatherOver = (world: Partial<World>): Layer.Layer<Weather> => {
  const { freshness = { forecasts: "live", observations: "live", reports: "live" } } = world
  const ports = Layer.mergeAll(
    Layer.succeed(Forecasts, {
      freshness: freshness.forecasts,
      grid: () => world.grid ?? Effect.succeed(grid()),
      point: () => Effect.dieMessage("not asked for"),
    }),
    Layer.succeed(Observations, {
      freshness: freshness.observations,
      since: (_: Station, from: number) =>
        Effect.map(world.readings ?? Effect.succeed([]), (all) => all.filter(({ at }) => at >= from)),
    }),
    Layer.succeed(ClimateReports, {
      freshness: freshness.reports,
      versions: () => world.versions ?? Effect.succeed([]),
      latestFinalDay: () => Effect.succeed(addDays(day, -1)),
      range: () => Effect.succeed([]),
      coverage: () => Effect.succeed(undefined),
    }),
    world.venue ?? VenueSettlement.layerNone,
    Layer.succeed(SecondForecasts, {
      freshness: freshness.forecasts,
      current: (station, of, now) =>
        Effect.succeed(
          world.seconds ??
            (["nbm", "gfs_mos"] as const).map((source) => ({
              ...{ station, source, day: of, variable: "high", issuedAt: now - hour, tempF: 85 },
            })),
        ),
    }),
    Layer.succeed(Calibrations, { current: () => world.states ?? Effect.succeed(initialStation) }),
    Layer.succeed(EarlierForecasts, { of: (key) => Effect.sync(() => world.dayBefore?.(key)) }),
  )
  return Weather.layer.pipe(Layer.provide([ports, WeatherLaws.layerNone, world.feeds ?? Feeds.layerNone]))
}
