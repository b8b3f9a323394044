import * as Schema from "effect/Schema"
import * as Param from "../../endpoint/Param.ts"
import type { Hint } from "../../Failure.ts"
import { change } from "../answers.ts"
import { findFranchise } from "./data/teams.ts"
import { teamParam } from "./fields.ts"

/** The parameters that choose a game: by its id, or as a team's next one. */
export const GameChoice = Schema.Struct({
  game_id: Param.optional(
    Param.upperCasePattern(
      /^\d{4}_\d{2}_[A-Z]{2,3}_[A-Z]{2,3}$/,
      "a game id <season>_<week 2 digits>_<away>_<home>, such as 2025_11_KC_DEN",
      "League-data game id as returned by `/v1/nfl/games`. This or `team` is required.",
    ),
  ),
  team: Param.optional(teamParam("Team code: its next unplayed game. This or `game_id` is required.")),
  opponent: Param.optional(teamParam("Team code: the next unplayed game of `team` against this opponent.")),
})
export type GameChoice = typeof GameChoice.Type

/** Checks that a game is chosen by its id or by a team, and that the parameters agree. */
export const checkGameChoice = (
  { game_id, team, opponent }: Partial<GameChoice>,
  bad: ReadonlySet<string>,
): ReadonlyArray<Hint> => {
  const hints: Array<Hint> = []
  const unread = bad.has("game_id") || bad.has("team")
  if (game_id === undefined && team === undefined && !unread) {
    hints.push(
      { field: "game_id", action: "add", suggestion: "Add game_id, as returned by /v1/nfl/games, or team." },
      { field: "team", action: "add", suggestion: "Add team (its next unplayed game is used) or game_id." },
    )
  }
  if (opponent !== undefined && team === undefined && !bad.has("team")) {
    hints.push({ field: "opponent", action: "remove", suggestion: "opponent needs team. Send both, or neither." })
  }
  if (opponent !== undefined && opponent === team) {
    hints.push(change("opponent", "opponent must differ from team."))
  }
  if (game_id !== undefined) {
    const playing = game_id.split("_").slice(2).map(findFranchise)
    for (const [field, code] of Object.entries({ team, opponent })) {
      if (code !== undefined && !playing.includes(code)) {
        hints.push(change(field, `${code} does not play in ${game_id}. Use one of its teams.`))
      }
    }
  }
  return hints
}
