import type { Input } from "../../../bench/Task.ts"
import type { Game, Score } from "../data/Game.ts"
import type { MarketLines } from "../data/lines.ts"
import type { TeamWeeks } from "../data/TeamWeek.ts"

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
