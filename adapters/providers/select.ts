import * as HttpClient from "@effect/platform/HttpClient"
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Freshness } from "../../core/endpoint/Answer.ts"
import { SeasonLines, Slates } from "../../core/lanes/baseball/ports.ts"
import { Tape, type Window } from "../../core/lanes/crypto/ports.ts"
import type { FootballPorts } from "../../core/lanes/football/Football.ts"
import { Games, Injuries, Quarterbacks, Top100 } from "../../core/lanes/football/ports.ts"
import type { MarketsPorts } from "../../core/lanes/markets/Markets.ts"
import { type Open, OpenContracts, Venues } from "../../core/lanes/markets/ports.ts"
import { ClimateReports, Forecasts, Observations } from "../../core/lanes/weather/ports.ts"
import { Calibrations } from "../../core/lanes/weather/signal/Calibrations.ts"
import type { WeatherPorts } from "../../core/lanes/weather/Weather.ts"
import { TrackRecord } from "../../core/record/captures/Outcomes.ts"
import type { Domain } from "../../core/record/scoreboard/Settled.ts"
import { linesDiffer, slatesDiffer } from "../lanes/baseball/difference.ts"
import * as mlb from "../lanes/baseball/mlb/layer.ts"
import * as mockBaseball from "../lanes/baseball/mock/baseball.ts"
import * as mockCrypto from "../lanes/crypto/mock/tape.ts"
import * as sqlCandles from "../lanes/crypto/store/Candles.ts"
import { answersDiffer, gamesDiffer } from "../lanes/football/difference.ts"
import * as mockFootball from "../lanes/football/mock/football.ts"
import * as sqlFootballGames from "../lanes/football/store/Games.ts"
import * as sqlQuarterbacks from "../lanes/football/store/Quarterbacks.ts"
import * as sqlFootballReports from "../lanes/football/store/Reports.ts"
import * as kalshi from "../lanes/markets/kalshi/venue.ts"
import * as mockMarkets from "../lanes/markets/mock/markets.ts"
import * as polymarket from "../lanes/markets/polymarket/venue.ts"
import * as sqlContracts from "../lanes/markets/store/Contracts.ts"
import * as sqlSettled from "../lanes/markets/store/Settled.ts"
import { forecastsDiffer, observationsDiffer } from "../lanes/weather/forecastDifference.ts"
import * as liveReports from "../lanes/weather/liveReports.ts"
import * as mockForecast from "../lanes/weather/mock/forecast.ts"
import * as mockWeather from "../lanes/weather/mock/reports.ts"
import * as nwsForecasts from "../lanes/weather/nws/forecasts.ts"
import * as nwsObservations from "../lanes/weather/nws/observations.ts"
import { reportsDiffer } from "../lanes/weather/reportDifference.ts"
import * as sqlCalibrations from "../lanes/weather/store/Calibrations.ts"
import * as hasher from "../node/hasher.ts"
import * as shadow from "../shadow/shadow.ts"
import type { Sqlite } from "../sql/client.sqlite.ts"
import * as sqlOutcomes from "../sql/Outcomes.ts"
import * as shadowLog from "../sql/ShadowLog.ts"

/** Where a lane reads: generated data, what ingest has stored, or the one with the other asked beside it. */
export type Mode = Freshness

/** Where the weather lane's upstreams live, and the name we go by there. */
export interface WeatherUpstreams {
  readonly nws: string
  readonly iem: string
  readonly userAgent: string
}

const reports = (
  mode: Mode,
  upstreams: WeatherUpstreams,
): Layer.Layer<ClimateReports, never, HttpClient.HttpClient | SqlClient.SqlClient> => {
  const [mock, live] = [mockWeather.layerReports, liveReports.layer(upstreams)]
  switch (mode) {
    case "mock":
      return mock
    case "shadow":
      return shadow
        .layer(ClimateReports, { mock, live }, { differs: reportsDiffer })
        .pipe(Layer.provide(shadowLog.layer()))
    case "live":
      return live
  }
}

const forecasts = (
  mode: Mode,
  upstreams: WeatherUpstreams,
): Layer.Layer<Forecasts, never, HttpClient.HttpClient | SqlClient.SqlClient> => {
  const [mock, live] = [mockForecast.layerForecasts, nwsForecasts.layer(upstreams)]
  switch (mode) {
    case "mock":
      return mock
    case "shadow":
      return shadow
        .layer(Forecasts, { mock, live }, { differs: forecastsDiffer })
        .pipe(Layer.provide(shadowLog.layer()))
    case "live":
      return live
  }
}

const observations = (
  mode: Mode,
  upstreams: WeatherUpstreams,
): Layer.Layer<Observations, never, HttpClient.HttpClient | SqlClient.SqlClient> => {
  const [mock, live] = [mockForecast.layerObservations, nwsObservations.layer(upstreams)]
  switch (mode) {
    case "mock":
      return mock
    case "shadow":
      return shadow
        .layer(Observations, { mock, live }, { differs: observationsDiffer })
        .pipe(Layer.provide(shadowLog.layer()))
    case "live":
      return live
  }
}

/** The layers behind the weather lane's read ports. */
export const weather = (
  mode: Mode,
  upstreams: WeatherUpstreams,
): Layer.Layer<WeatherPorts, never, HttpClient.HttpClient | SqlClient.SqlClient> =>
  Layer.mergeAll(
    reports(mode, upstreams),
    forecasts(mode, upstreams),
    observations(mode, upstreams),
    // Parameters, not data: what real errors have taught is no matter of a generated world.
    mode === "live" ? sqlCalibrations.layerCalibrations : Calibrations.layerPrior,
  )

/** Where the league's statistics service lives, and whether its terms are accepted: without that it is not asked. */
export interface BaseballUpstreams {
  readonly mlb: string
  readonly userAgent: string
}

/** The layers behind the baseball lane's read ports. */
export const baseball = (
  mode: Mode,
  upstreams: BaseballUpstreams,
  termsAccepted: boolean,
): Layer.Layer<SeasonLines | Slates, never, HttpClient.HttpClient | SqlClient.SqlClient> => {
  const [mock, live] = [mockBaseball.layer, termsAccepted ? mlb.layer(upstreams) : mlb.layerRefused]
  switch (mode) {
    case "mock":
      return mock
    case "shadow":
      return Layer.merge(
        shadow.layer(Slates, { mock, live }, { differs: slatesDiffer }),
        shadow.layer(SeasonLines, { mock, live }, { differs: linesDiffer }),
      ).pipe(Layer.provide(shadowLog.layer()))
    case "live":
      return live
  }
}

const liveFootball = Layer.mergeAll(
  sqlFootballGames.layer,
  sqlQuarterbacks.layer,
  sqlFootballReports.layerInjuries,
  sqlFootballReports.layerTop100,
)

/** The layers behind the football lane's ports. */
export const football = (mode: Mode): Layer.Layer<FootballPorts, never, SqlClient.SqlClient> => {
  switch (mode) {
    case "mock":
      return Layer.merge(mockFootball.layer, TrackRecord.layerNone)
    case "shadow": {
      const differs = { differs: answersDiffer }
      return Layer.mergeAll(
        shadow.layer(Games, { mock: mockFootball.layerGames, live: sqlFootballGames.layer }, { differs: gamesDiffer }),
        shadow.layer(Quarterbacks, { mock: mockFootball.layerQuarterbacks, live: sqlQuarterbacks.layer }, differs),
        shadow.layer(Injuries, { mock: mockFootball.layerInjuries, live: sqlFootballReports.layerInjuries }, differs),
        shadow.layer(Top100, { mock: mockFootball.layerTop100, live: sqlFootballReports.layerTop100 }, differs),
        TrackRecord.layerNone,
      ).pipe(Layer.provide(shadowLog.layer()))
    }
    case "live":
      return Layer.merge(liveFootball, sqlOutcomes.layerTrackRecord)
  }
}

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

/** Where the venues live, and the name we go by there. */
export interface VenueUpstreams {
  readonly kalshi: string
  readonly polymarket: string
  readonly userAgent: string
}

/** The venues, for the domains whose contracts are followed. */
export const venues = (
  domains: ReadonlyArray<Domain>,
  { userAgent, ...urls }: VenueUpstreams,
): Layer.Layer<Venues, never, HttpClient.HttpClient> =>
  Layer.effect(
    Venues,
    Effect.map(HttpClient.HttpClient, (client) => {
      const manners = { headers: { "user-agent": userAgent } }
      const all = [kalshi.make(client, urls.kalshi, manners), polymarket.make(client, urls.polymarket, manners)]
      return all.map((venue) => ({ ...venue, domains: venue.domains.filter((domain) => domains.includes(domain)) }))
    }),
  )

/** Books of different worlds never agree: what is compared is whether both have some. */
const openDiffer = (mock: unknown, live: unknown, method: string): string | undefined => {
  if (method !== "open") return undefined
  const [expected, found] = [mock, live] as [Open, Open]
  return expected.contracts.length > 0 === found.contracts.length > 0 ? undefined : "only one has open contracts"
}

/** The layers behind the markets lane's read ports. The record of a generated world and of a real one have no row in common. */
export const markets = (mode: Mode): Layer.Layer<MarketsPorts, never, SqlClient.SqlClient | Sqlite> => {
  const open = sqlContracts.layerOpen.pipe(Layer.provide(hasher.layer))
  switch (mode) {
    case "mock":
      return mockMarkets.layer
    case "shadow":
      return Layer.merge(
        mockMarkets.layer,
        shadow
          .layer(OpenContracts, { mock: mockMarkets.layer, live: open }, { differs: openDiffer })
          .pipe(Layer.provide(shadowLog.layer())),
      )
    case "live":
      return Layer.mergeAll(sqlSettled.layerRows, sqlSettled.layerScoreboard, open)
  }
}
