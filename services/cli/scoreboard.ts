import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as settled from "../../adapters/store/record/Settled.ts"
import { SettledStore } from "../../core/record/scoreboard/SettledStore.ts"
import { family } from "./family.ts"
import { json, print, readable, store } from "./shared.ts"

const rebuild = Command.make("rebuild", { json }, (options) =>
  Effect.gen(function* () {
    const rows = yield* readable(Effect.flatMap(SettledStore, (rows) => rows.rebuild))
    yield* print(options.json, { rows }, `Rebuilt the scoreboard from ${rows} settled rows.`)
  }).pipe(Effect.provide(settled.layerStore.pipe(Layer.provide(store)))),
).pipe(Command.withDescription("Rebuild the scoreboard from all settled rows."))

export const scoreboard = family("scoreboard", "The public scoreboard of model against market.", [rebuild])
