import type { Game } from "../data/Game.ts"
import type { Hyperparameters } from "./parameters.ts"

/** Days of rest from which a team has had a bye week: 11 before a Thursday game. */
const minByeRest = 11

export const toEloHome = (game: Game, { elo }: Hyperparameters): number => (game.neutral ? 0 : elo.home)

export const toEloRest = (game: Game, { elo }: Hyperparameters): number => {
  const bye = (rest: number) => (rest >= minByeRest ? elo.bye : 0)
  return game.week === 1 ? 0 : bye(game.home.rest) - bye(game.away.rest)
}

/**
 * The home team's gain, and the visitor's loss, from a final score: K · (outcome − expected outcome) times the margin
 * multiplier ln(|margin| + 1) · 2.2 / (0.001 · edge + 2.2), edge being the winner's Elo lead before the game. Source:
 * N. Silver's football Elo (FiveThirtyEight, 2014), with its constants. A tie changes nothing.
 *
 * @param lead the home team's lead in Elo points, home edge and rest included
 * @param margin home minus away, points
 */
export const computeEloGain = (lead: number, margin: number, { elo }: Hyperparameters): number => {
  const expected = toEloWin(lead)
  const outcome = margin > 0 ? 1 : margin < 0 ? 0 : 0.5
  const edge = margin > 0 ? lead : -lead
  return (elo.k * (outcome - expected) * Math.log(Math.abs(margin) + 1) * 2.2) / (0.001 * edge + 2.2)
}

export const toEloWin = (lead: number): number => 1 / (1 + 10 ** (-lead / 400))
