import * as Effect from "effect/Effect"
import type { Recompute } from "../../../record/captures/recompute.ts"
import { yieldToEventLoop } from "../../../yieldToEventLoop.ts"
import { teamWeeks } from "../data/TeamWeek.ts"
import { read } from "./inputs.ts"
import { learn, predict, start } from "./Model.ts"
import { outputOf } from "./output.ts"

/** Gamedays between two yields to other fibers. */
const stretch = 8

/** Recomputes a recorded line from its stored gamedays, from the first on. */
export const recompute: Recompute = (_, kept) =>
  Effect.gen(function* () {
    const { game, days } = yield* read(kept)
    let state = start
    for (const [at, { games, weeks }] of days.entries()) {
      state = learn(state, games, teamWeeks(weeks))
      if (at % stretch === stretch - 1) yield* yieldToEventLoop
    }
    return outputOf(predict(state, game), game.season)
  })
