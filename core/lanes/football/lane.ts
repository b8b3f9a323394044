import * as Effect from "effect/Effect"
import type { PlatformCrypto } from "../../account/PlatformCrypto.ts"
import * as Watch from "../../alerts/Watch.ts"
import type { Feeds } from "../../feeds/Feeds.ts"
import type { Recompute } from "../../record/captures/recompute.ts"
import { yieldToEventLoop } from "../../yieldToEventLoop.ts"
import type { Definition } from "../Lane.ts"
import { pricing } from "./contracts.ts"
import { teamWeeks } from "./data/TeamWeek.ts"
import { endpoints } from "./endpoints.ts"
import { Football, type FootballPorts } from "./Football.ts"
import { read } from "./model/inputs.ts"
import { learn, predict, start } from "./model/Model.ts"
import { outputOf } from "./model/output.ts"
import type { Games, RatingStates } from "./ports.ts"

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
    return outputOf(predict(state, game), game.season)
  })

export const football: Definition<
  typeof Football.lane,
  Feeds | FootballPorts | PlatformCrypto | RatingStates,
  Football,
  Games
> = {
  lane: Football.lane,
  layer: Football.layer,
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
}
