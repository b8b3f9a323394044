/** The work of the program `demonstration`. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { baseball } from "../adapters/lanes/baseball/module.ts"
import { crypto } from "../adapters/lanes/crypto/module.ts"
import { football } from "../adapters/lanes/football/module.ts"
import * as markets from "../adapters/lanes/markets/mock/markets.ts"
import { weather } from "../adapters/lanes/weather/module.ts"
import * as secrets from "../adapters/runtime/node/secrets.ts"
import { Feeds } from "../core/feeds/Feeds.ts"
import { Baseball } from "../core/lanes/baseball/Baseball.ts"
import { Crypto } from "../core/lanes/crypto/Crypto.ts"
import { Football } from "../core/lanes/football/Football.ts"
import { Scoreboard } from "../core/lanes/markets/ports.ts"
import { Weather } from "../core/lanes/weather/Weather.ts"
import * as rowFiles from "./rowFiles.ts"

const [, , folder = ""] = process.argv

const lanes = Layer.mergeAll(Weather.layer, Crypto.layer, Football.layer, Baseball.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(weather.mock, crypto.mock, football.mock, baseball.mock)),
  Layer.provide([secrets.layer, Feeds.layerNone]),
)

await Effect.flatMap(Scoreboard, ({ current }) => current).pipe(
  Effect.provide(markets.layer.pipe(Layer.provide(lanes))),
  Effect.provide(rowFiles.layer(folder)),
  Effect.zipRight(rowFiles.markMade(folder)),
  Effect.runPromise,
)
