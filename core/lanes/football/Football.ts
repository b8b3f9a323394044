import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { PlatformCrypto } from "../../account/PlatformCrypto.ts"
import * as Lane from "../../endpoint/Lane.ts"
import * as Rounding from "../../endpoint/Rounding.ts"
import { Feeds } from "../../feeds/Feeds.ts"
import { TrackRecord } from "../../record/captures/Outcomes.ts"
import { warmUp } from "../WarmUp.ts"
import { endpoints, type FootballMethods } from "./endpoints.ts"
import { fairLineOver } from "./fairLineCall.ts"
import { injuriesOver } from "./injuryReport.ts"
import * as Ratings from "./model/Ratings.ts"
import { Games, Injuries, Quarterbacks, RatingStates, Top100 } from "./ports.ts"
import { quarterbackOver } from "./quarterback.ts"
import { gamesOver } from "./schedule.ts"
import { top100Over } from "./top100.ts"
import { performanceOver } from "./trackRecord.ts"

/** The lane's ports. */
export type FootballPorts = Games | Injuries | Quarterbacks | Top100 | TrackRecord

export class Football extends Context.Tag("market-signals/core/lanes/Football")<Football, FootballMethods>() {
  static readonly lane: Lane.Lane<"football", typeof endpoints, Football> = Lane.make(
    "football",
    endpoints,
    Football,
    "Games, stat lines, injuries and the model's line.",
  )

  /** Answers from the served model. */
  static readonly layer: Layer.Layer<Football, never, Feeds | FootballPorts | PlatformCrypto | RatingStates> =
    Layer.suspend(() => layer)
}

const layer = Layer.scoped(
  Football,
  Effect.gen(function* () {
    const games = yield* Games
    const feeds = yield* Feeds
    const secrets = yield* PlatformCrypto
    const ratings = Ratings.over(games, secrets, yield* RatingStates)
    // After a failure the first call reads the league again and reports the error.
    yield* warmUp(Effect.ignore(Effect.flatMap(games.league, ratings.catchUp)))
    return Football.of(
      Rounding.methods(endpoints, {
        games: gamesOver(games, feeds),
        qb: quarterbackOver(yield* Quarterbacks, feeds),
        injuries: injuriesOver(yield* Injuries, feeds),
        top100: top100Over(yield* Top100),
        fairLine: fairLineOver(games, ratings, feeds),
        performance: performanceOver(games, yield* TrackRecord),
      }),
    )
  }),
)
