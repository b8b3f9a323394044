import * as Effect from "effect/Effect"
import type * as Catalogue from "../../../core/endpoint/Catalogue.ts"
import type * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import { Gateway } from "../../../core/gateway/Gateway.ts"
import { performance } from "../../../core/lanes/markets/endpoints.ts"

/** What the service holds, counted. A figure whose source is absent is left out. */
export interface Figures {
  /** Climate days with an official report, over all stations. */
  readonly station_days?: number
  readonly settled_head_to_heads?: number
  readonly open_contracts?: number
}

/** The figures of the public scoreboard, read as anyone reads them. */
export const scoreboard = (catalogue: Catalogue.Any): Effect.Effect<Figures, never, Gateway> => {
  const entry = catalogue.byId.get(performance.id)
  if (entry === undefined) return Effect.succeed({})
  return Effect.flatMap(Gateway, ({ serve }) =>
    Effect.map(serve(entry, { _tag: "Text", entries: [] }, { authorization: undefined }), ({ status, body }) => {
      if (status !== 200) return {}
      const { overall, live } = JSON.parse(body) as Endpoint.Results<typeof performance>
      return { settled_head_to_heads: overall.markets_scored, open_contracts: live.open_tracked }
    }),
  )
}

const words: ReadonlyArray<readonly [keyof Figures, string]> = [
  ["station_days", "station-days of official climate reports"],
  ["settled_head_to_heads", "settled head-to-heads of model and market"],
  ["open_contracts", "open contracts tracked"],
]

/** The figures that there are, in words. */
export const sentences = (figures: Figures): ReadonlyArray<string> =>
  words.flatMap(([key, text]) => {
    const count = figures[key]
    return count === undefined ? [] : [`${count.toLocaleString("en-US")} ${text}`]
  })
