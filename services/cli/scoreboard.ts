import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as settled from "../../adapters/store/record/Settled.ts"
import { SettledStore } from "../../core/record/scoreboard/SettledStore.ts"
import { family, make } from "./parser.ts"
import { json, print, readable, store } from "./shared.ts"

const rebuild = make("rebuild", "Rebuild the scoreboard from all settled rows.", { json }, (options) =>
  Effect.gen(function* () {
    const rows = yield* readable(Effect.flatMap(SettledStore, (rows) => rows.rebuild))
    yield* print(options.json, { rows }, `Rebuilt the scoreboard from ${rows} settled rows.`)
  }).pipe(Effect.provide(settled.layerStore.pipe(Layer.provide(store)))),
)

export const scoreboard = family("scoreboard", "The public scoreboard of model against market.", [rebuild])
