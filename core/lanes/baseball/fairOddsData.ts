import type { ListedGame, PitcherLines, TeamLines } from "./ports.ts"

/** The data of one game from the ports. */
export interface FairOddsData {
  readonly game: ListedGame
  /** Lines cover the games before this day. */
  readonly before: string
  readonly teams: TeamLines
  readonly last: TeamLines
  readonly home: PitcherLines | undefined
  readonly away: PitcherLines | undefined
}
