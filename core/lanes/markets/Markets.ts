import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Lane from "../../endpoint/Lane.ts"
import { edgeOver } from "./edge.ts"
import { endpoints, type MarketsMethods } from "./endpoints.ts"
import { performanceOver } from "./performance.ts"
import { OpenContracts, Scoreboard, SettledRows, SignalCalls } from "./ports.ts"
import { settledOver } from "./settled.ts"

/** The lane's ports. */
export type MarketsPorts = OpenContracts | Scoreboard | SettledRows | SignalCalls

export class Markets extends Context.Tag("core/lanes/Markets")<Markets, MarketsMethods>() {
  static readonly lane: Lane.Lane<"markets", typeof endpoints, Markets> = Lane.make(
    "markets",
    endpoints,
    Markets,
    "Model against market: the edge board and the public record of both.",
  )

  static readonly layer: Layer.Layer<Markets, never, MarketsPorts> = Layer.suspend(() => layer)
}

const layer = Layer.effect(
  Markets,
  Effect.gen(function* () {
    const contracts = yield* OpenContracts
    const rows = yield* SettledRows
    const scoreboard = yield* Scoreboard
    const calls = yield* SignalCalls
    return Markets.of({
      edge: edgeOver(contracts, scoreboard, calls),
      settled: settledOver(rows, scoreboard),
      performance: performanceOver(scoreboard, contracts, rows),
    })
  }),
)
