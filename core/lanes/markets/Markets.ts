import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Lane from "../../endpoint/Lane.ts"
import * as Rounding from "../../endpoint/Rounding.ts"
import { Feeds } from "../../feeds/Feeds.ts"
import { Challenge } from "./challenge/Challenge.ts"
import { modelsOver } from "./challenge/models.ts"
import { contractsOver, opinionsOver, withdrawOver } from "./challenge/opinions.ts"
import { edgeOver } from "./edge.ts"
import { endpoints, type MarketsMethods } from "./endpoints.ts"
import { historyOver } from "./history.ts"
import { performanceOver } from "./performance.ts"
import { MarketHistory, OpenContracts, Scoreboard, SettledRows, SignalCalls } from "./ports.ts"
import { settledOver } from "./settled.ts"

/** The lane's ports. */
export type MarketsPorts = Challenge | MarketHistory | OpenContracts | Scoreboard | SettledRows | SignalCalls

export class Markets extends Context.Tag("market-signals/core/lanes/Markets")<Markets, MarketsMethods>() {
  static readonly lane: Lane.Lane<"markets", typeof endpoints, Markets, MarketsMethods> = {
    name: "markets",
    endpoints,
    tag: Markets,
    description: "Model against market: the edge board, the public record of both, and challengers of both.",
    about: "market",
  }

  static readonly layer: Layer.Layer<Markets, never, Feeds | MarketsPorts> = Layer.suspend(() => layer)
}

const layer = Layer.effect(
  Markets,
  Effect.gen(function* () {
    const contracts = yield* OpenContracts
    const rows = yield* SettledRows
    const scoreboard = yield* Scoreboard
    const calls = yield* SignalCalls
    const challenge = yield* Challenge
    return Markets.of(
      Rounding.methods(endpoints, {
        edge: edgeOver(yield* Feeds, contracts, scoreboard, calls),
        settled: settledOver(rows, scoreboard),
        history: historyOver(yield* MarketHistory),
        performance: performanceOver(scoreboard, contracts, rows),
        benchContracts: contractsOver(contracts, challenge),
        benchModels: modelsOver(challenge),
        benchOpinions: opinionsOver(contracts, challenge),
        benchWithdraw: withdrawOver(challenge),
      }),
    )
  }),
)
