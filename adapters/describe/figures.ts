import * as Effect from "effect/Effect"
import { display } from "../../core/account/Money.ts"
import type { Freshness } from "../../core/endpoint/Answer.ts"
import type * as Catalogue from "../../core/endpoint/Catalogue.ts"
import type * as Endpoint from "../../core/endpoint/Endpoint.ts"
import type { Failure } from "../../core/Failure.ts"
import { Gateway } from "../../core/gateway/Gateway.ts"
import { performance } from "../../core/lanes/markets/endpoints.ts"
import type { endpoints as weather } from "../../core/lanes/weather/endpoints.ts"

export type Results = Endpoint.Results<typeof performance>
export type Stations = Endpoint.Results<typeof weather.stations>["stations"]

/** The scoreboard of live keys, and whether its markets are real. */
export interface Board {
  readonly results: Results
  readonly freshness: Freshness
}

/** Counts for the documents. A count whose source is absent is omitted. */
export interface Figures {
  /** Climate days with an official report, over all stations. */
  readonly station_days?: number
  readonly settled_head_to_heads?: number
  readonly open_contracts?: number
}

/** The public scoreboard, read through the public endpoint; undefined: the catalogue has none. */
export const board = (catalogue: Catalogue.Any): Effect.Effect<Board | undefined, Failure, Gateway> =>
  catalogue.byId.has(performance.id)
    ? Effect.map(
        Effect.flatMap(Gateway, ({ call }) => call(performance, {}, { authorization: undefined })),
        ({ answer: { freshness, results } }) => ({ freshness, results }),
      )
    : Effect.succeed(undefined)

/** Counts from the public scoreboard. Generated data is not counted. */
export const scoreboard = (catalogue: Catalogue.Any): Effect.Effect<Figures, Failure, Gateway> =>
  Effect.map(board(catalogue), (found) =>
    found?.freshness === "live"
      ? { settled_head_to_heads: found.results.overall.markets_scored, open_contracts: found.results.live.open_tracked }
      : {},
  )

const words: ReadonlyArray<readonly [keyof Figures, string]> = [
  ["station_days", "station-days of official climate reports"],
  ["settled_head_to_heads", "settled head-to-heads of model and market"],
  ["open_contracts", "open contracts tracked"],
]

export const sentences = (figures: Figures): ReadonlyArray<string> =>
  words.flatMap(([key, text]) => {
    const count = figures[key]
    return count === undefined ? [] : [`${count.toLocaleString("en-US")} ${text}`]
  })

/** Prices in one expression, from the lowest to the highest. */
export const priceRange = (micros: ReadonlyArray<number>, none = "free"): string => {
  if (micros.length === 0) return none
  const [low, high] = [display(Math.min(...micros)), display(Math.max(...micros))]
  return low === high ? low : `${low} to ${high}`
}
