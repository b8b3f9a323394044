import type { ListedGame, PitcherLines, TeamLines } from "./ports.ts"

/** Everything that was read for one game. */
export interface FairOddsData {
  readonly game: ListedGame
  /** Lines are of the games before this day. */
  readonly before: string
  readonly teams: TeamLines
  readonly last: TeamLines
  readonly home: PitcherLines | undefined
  readonly away: PitcherLines | undefined
}
