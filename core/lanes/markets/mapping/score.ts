/** How a game ended: points, or runs. */
export interface FinalScore {
  readonly home: number
  readonly away: number
}

/** Whether a side has won; undefined after a tie, which nobody has won. */
export const hasWon = (side: "away" | "home", { home, away }: FinalScore): boolean | undefined =>
  home === away ? undefined : home > away === (side === "home")
