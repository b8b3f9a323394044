import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { modules } from "../../adapters/lanes/all.ts"
import { register } from "../../adapters/lanes/feeds.ts"
import type { Mode } from "../../adapters/lanes/LaneModule.ts"
import type { Transactions } from "../../adapters/store/engine/Transactions.ts"
import { Feeds } from "../../core/feeds/Feeds.ts"

/** The register of a lane's feeds in a mode, over the store. */
export const registerOf = (lane: string, mode: Mode): Layer.Layer<Feeds, never, Transactions> =>
  Layer.effect(
    Feeds,
    Effect.suspend(() => {
      const module = modules.find(({ definition }) => definition.lane.name === lane)!
      const context = { mode, modes: { [lane]: mode }, settings: { userAgent: "tests" } }
      return Effect.flatMap(module.feeds(context as never), (feeds) => register([[lane, feeds]]))
    }),
  )
