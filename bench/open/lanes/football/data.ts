import type { Game, MarketLines, Score, TeamWeeks } from "../../../../core/lanes/football/data/Game.ts"
import type { Input } from "../../compare/Task.ts"

/** A game with its result. */
export type Played = Game & { readonly score: Score }

/** Finished games, and the market's lines for comparison. */
export interface FootballData {
  /** In the order of the file. */
  readonly games: ReadonlyArray<Played>
  /** Closing lines by game id. */
  readonly lines: ReadonlyMap<string, MarketLines>
  readonly weeks: TeamWeeks
  readonly inputs: ReadonlyArray<Input>
}
