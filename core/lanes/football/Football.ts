import * as Effect from "effect/Effect"
import * as Watch from "../../alerts/Watch.ts"
import type { TrackRecord } from "../../record/captures/Outcomes.ts"
import type { Recompute } from "../../record/captures/recompute.ts"
import { yieldToEventLoop } from "../../yieldToEventLoop.ts"
import * as Lane from "../Lane.ts"
import { pricing } from "./contracts.ts"
import { teamWeeks } from "./data/Game.ts"
import { endpoints } from "./endpoints.ts"
import { finds } from "./finds.ts"
import { read } from "./model/inputs.ts"
import { learn, predict, start } from "./model/Model.ts"
import { toOutput } from "./model/output.ts"
import { ServedRatings } from "./model/Ratings.ts"
import type { Games, Injuries, Quarterbacks, Top100 } from "./ports.ts"

/** Gamedays between two yields to other fibers. */
const stretch = 8

/** Recomputes a recorded line from its stored gamedays, from the first on. */
const recompute: Recompute = (_, kept) =>
  Effect.gen(function* () {
    const { game, days } = yield* read(kept)
    let state = start
    for (const [at, { games, weeks }] of days.entries()) {
      state = learn(state, games, teamWeeks(weeks))
      if (at % stretch === stretch - 1) yield* yieldToEventLoop
    }
    return toOutput(predict(state, game), game.season)
  })

/** The lane's ports. */
export type FootballPorts = Games | Injuries | Quarterbacks | Top100 | TrackRecord

export type Football = Lane.Id<"football">
export const Football = Lane.define("football", {
  description: "Games, stat lines, injuries and the model's line.",
  endpoints,
  finds,
  inside: ServedRatings.layer,
  recomputations: { [endpoints.fairLine.id]: recompute },
  pricing,
  watches: [
    Watch.make(endpoints.fairLine, "move", {
      unit: "points of the fair margin or total",
      read: ({ game, prediction, retrospective }) =>
        retrospective
          ? undefined
          : {
              subject: game.game_id,
              levels: { home_margin: prediction.fair_line.home_margin, total: prediction.fair_line.total },
            },
    }),
  ],
})
