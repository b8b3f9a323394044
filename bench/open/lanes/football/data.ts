import type { Game, Score } from "../../../../core/lanes/football/data/Game.ts"
import type { MarketLines } from "../../../../core/lanes/football/data/lines.ts"
import type { TeamWeeks } from "../../../../core/lanes/football/data/TeamWeek.ts"
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
