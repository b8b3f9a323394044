import type { QuarterbackLine } from "../../../../core/lanes/football/data/fileRows.ts"
import type { TeamWeek } from "../../../../core/lanes/football/data/Game.ts"
import { draws } from "../../mock/draws.ts"
import type { Played } from "./game.ts"
import { isCalledOff } from "./game.ts"
import { playerQuality } from "./players.ts"

type Side = "home" | "away"
const other = { home: "away", away: "home" } as const

const firstTeamWeeks = 2016

const getScore = ({ game }: Played, side: Side): number => game.score![side]

/** The stat line of one starter, consistent with the score. */
export const drawStatLine = (played: Played, side: Side): QuarterbackLine => {
  const { game, offenses } = played
  const { quarterback, touchdowns } = offenses[side]
  const { uniform, normal, below } = draws("football", "stats", game.id, side)
  const quality = playerQuality(quarterback)
  const attempts = Math.max(12, Math.round(33 + 6 * normal()))
  const rate = Math.min(0.85, Math.max(0.4, 0.64 + 0.008 * quality + 0.07 * normal()))
  const completions = Math.round(attempts * rate)
  const passes = Math.max(0, touchdowns - below(3))
  const worth = 0.5 * (getScore(played, side) - 22) + 4 * normal()
  const cpoe = 0.8 * quality + 6 * normal()
  return {
    playerId: quarterback.id,
    player: quarterback.name,
    position: quarterback.position,
    season: game.season,
    week: game.week,
    code: game[side].code,
    opponentCode: game[other[side]].code,
    completions,
    attempts,
    passingYards: Math.round(completions * (11 + 1.6 * normal())),
    passingTds: Math.min(passes, completions),
    interceptions: Math.min(4, Math.floor(-0.9 * Math.log(1 - uniform()))),
    sacksSuffered: below(5),
    passingEpa: worth,
    cpoe,
    rushingYards: Math.round(Math.max(-6, 14 + 14 * normal())),
    rushingTds: touchdowns > passes && uniform() < 0.3 ? 1 : 0,
  }
}

/** Both offenses' expected points; none before `firstTeamWeeks`. */
export const drawTeamWeeks = (played: Played): ReadonlyArray<TeamWeek> => {
  const { game } = played
  if (game.season < firstTeamWeeks || isCalledOff(game)) return []
  return (["home", "away"] as const).map((side) => {
    const { normal, below } = draws("football", "offense", game.id, side)
    return {
      season: game.season,
      week: game.week,
      team: game[side].team,
      epa: 0.8 * (getScore(played, side) - 22.3) + 5 * normal(),
      turnovers: drawStatLine(played, side).interceptions + below(2),
    }
  })
}
