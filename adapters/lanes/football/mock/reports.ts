import { ifDefined } from "../../../../core/ifDefined.ts"
import { findOpeningDay, toEasternDay } from "../../../../core/lanes/football/data/calendar.ts"
import { type Team, teams, toSeasonCode } from "../../../../core/lanes/football/data/teams.ts"
import type { InjuryRow, ReserveRow, Top100Player } from "../../../../core/lanes/football/ports.ts"
import { addDays, day } from "../../../../core/time.ts"
import { draws } from "../../mock/draws.ts"
import { normal } from "../../mock/hash.ts"
import { drawAbsence, listRoster, type Player, playerQuality, startingQuarterback } from "./players.ts"
import { playedSeason } from "./season.ts"

type Unsourced<A> = Omit<A, "source" | "fetchedAt">

const firstReported = 2009

const injuries = ["Ankle", "Back", "Calf", "Concussion", "Foot", "Groin", "Hamstring", "Hip", "Knee", "Shoulder", "Toe"]
const practices = [
  "Did Not Participate In Practice",
  "Limited Participation in Practice",
  "Full Participation in Practice",
] as const

const statuses = [
  ["Out", practices[0]],
  ["Doubtful", practices[0]],
  ["Questionable", practices[1]],
  [undefined, practices[1]],
  [undefined, practices[2]],
] as const

const reportLeadDays = 2

const playerColumns = ({ id: gsisId, name: player, position }: Player, season: number, week: number, team: Team) => ({
  season,
  week,
  team,
  code: toSeasonCode(team, season),
  player,
  gsisId,
  position,
})

const drawRows = (team: Team, season: number, week: number): ReadonlyArray<Unsourced<InjuryRow>> => {
  const { pick, uniform } = draws("football", "injuries", team, season, week)
  const toInjuryRow = (player: Player, status: string | undefined, practice: string | undefined, injury: string) => ({
    ...playerColumns(player, season, week, team),
    ...ifDefined("reportStatus", status),
    ...ifDefined("practiceStatus", practice),
    injury,
  })
  const out = drawAbsence(team, season)
  const absent = out !== undefined && week >= out.from && week <= out.until
  const quarterback = startingQuarterback(team, season, out === undefined ? week : out.from - 1)
  const listed = listRoster(team, season).filter(() => uniform() < 0.22)
  return [
    ...(absent ? [toInjuryRow(quarterback, "Out", practices[0], "Shoulder")] : []),
    ...listed.map((player) => {
      const [status, practice] = pick(statuses)
      return toInjuryRow(player, status, practice, pick(injuries))
    }),
  ]
}

/** The reports of a season by `now`: one per team in every week with a game. */
export const injuryRows = (season: number, team: Team, now: number): ReadonlyArray<Unsourced<InjuryRow>> => {
  if (season < firstReported) return []
  const today = toEasternDay(now)
  return playedSeason(season)
    .filter(
      ({ game }) =>
        (game.home.team === team || game.away.team === team) && addDays(game.gameday, -reportLeadDays) <= today,
    )
    .flatMap(({ game }) => drawRows(team, season, game.week))
}

const reserves = [
  ["RES", "Injured reserve"],
  ["RES", "Injured reserve"],
  ["RES", "Injured reserve; designated for return"],
  ["PUP", "Physically unable to perform"],
  ["SUS", "Suspended"],
] as const

/** The list grows by the week; week 0 is the roster from 15 March to the start of the season. */
export const rosterWeek = (season: number, now: number): number | undefined => {
  const today = toEasternDay(now)
  if (today < `${season}-03-15`) return undefined
  const opening = findOpeningDay(season)
  if (today < opening) return 0
  const passed = Math.floor((Date.parse(today) - Date.parse(opening)) / (7 * day))
  return Math.min(1 + passed, playedSeason(season).at(-1)!.game.week)
}

export const reserveRows = (season: number, team: Team, week: number): ReadonlyArray<Unsourced<ReserveRow>> =>
  listRoster(team, season).flatMap((player, place) => {
    const { uniform, below, pick } = draws("football", "reserve", team, season, place)
    const isReserved = uniform() < 0.3
    const from = below(16) - 2
    const [status, designation] = pick(reserves)
    return isReserved && week >= from ? [{ ...playerColumns(player, season, week, team), status, designation }] : []
  })

export const firstList = 2011

/** Lists are published in the middle of August. */
export const newestList = (now: number): number => {
  const today = toEasternDay(now)
  const year = Number(today.slice(0, 4))
  return today >= `${year}-08-15` ? year : year - 1
}

const listSize = 100

/** The hundred players with the most votes, on the previous season. */
export const drawTop100 = (season: number): ReadonlyArray<Top100Player> => {
  const played = season - 1
  const votes = (player: Player): number =>
    (player.position === "QB" ? playerQuality(player) : 0) + 1.5 * normal("football", "votes", player.seed, played)
  return teams
    .flatMap((team) =>
      [startingQuarterback(team, played, 1), ...listRoster(team, played)].map((player) => ({
        team,
        player,
        votes: votes(player),
      })),
    )
    .sort((a, b) => b.votes - a.votes || (a.player.seed < b.player.seed ? -1 : 1))
    .slice(0, listSize)
    .map(({ team, player }, at) => ({
      rank: at + 1,
      player: player.name,
      code: toSeasonCode(team, played),
      position: player.position,
    }))
}
