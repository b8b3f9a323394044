import { findOpeningDay } from "../../../../core/lanes/football/data/calendar.ts"
import type { GameType } from "../../../../core/lanes/football/data/Game.ts"
import { type Team, teams } from "../../../../core/lanes/football/data/teams.ts"
import { compare } from "../../../../core/text.ts"
import { addDays, day } from "../../../../core/time.ts"
import { memoize } from "../../mock/draws.ts"
import { getHomeEdge, isCalledOff, type Played, play } from "./game.ts"
import { type Fixture, listFixtures, type Pairing } from "./schedule.ts"
import { carryStrength, conferences, countRegularWeeks, divisions, toWeekStart } from "./teams.ts"

interface Standing {
  readonly team: Team
  readonly won: number
  readonly points: number
}

/** The share of an unexpected margin that is taken for strength; the rest is luck. */
const learnedShare = 0.06

/**
 * Plays one round after the other; rest counts from each team's previous game. The bookmaker begins with what remains
 * of last season and learns from each final.
 */
const makePlayer = (season: number) => {
  const lastGame = new Map<Team, string>()
  const ratings = new Map<Team, number>(teams.map((team) => [team, carryStrength(team, season)]))
  const rest = (team: Team, gameday: string): number => {
    const last = lastGame.get(team)
    return last === undefined ? 7 : Math.round((Date.parse(gameday) - Date.parse(last)) / day)
  }
  return (fixture: Fixture, type: GameType): Played => {
    const { home, away, gameday } = fixture
    const days = { home: rest(home, gameday), away: rest(away, gameday) }
    for (const team of [home, away]) lastGame.set(team, gameday)
    const [ours, theirs] = [ratings.get(home)!, ratings.get(away)!]
    const played = play(fixture, season, type, days, divisions, ours - theirs)
    const { score } = played.game
    const surprise = learnedShare * (score!.home - score!.away - (ours - theirs + getHomeEdge(fixture)))
    ratings.set(home, ours + surprise).set(away, theirs - surprise)
    return played
  }
}

const computeStandings = (games: ReadonlyArray<Played>): ReadonlyMap<Team, Standing> => {
  const table = new Map<Team, Standing>(teams.map((team) => [team, { team, won: 0, points: 0 }]))
  for (const { game } of games) {
    if (game.score === undefined || isCalledOff(game)) continue
    const margin = game.score.home - game.score.away
    for (const [{ team }, lead] of [
      [game.home, margin],
      [game.away, -margin],
    ] as const) {
      const { won, points } = table.get(team)!
      table.set(team, { team, won: won + (lead > 0 ? 1 : lead === 0 ? 0.5 : 0), points: points + lead })
    }
  }
  return table
}

const better = (a: Standing, b: Standing): number => b.won - a.won || b.points - a.points || compare(a.team, b.team)

const playoffPlaces = 7

/** Seeds of a conference: the winners of its divisions, then the best of the others. */
const rankSeeds = (conference: ReadonlyArray<ReadonlyArray<Team>>, table: ReadonlyMap<Team, Standing>) => {
  const ranked = conference.map((division) => division.map((team) => table.get(team)!).sort(better))
  const winners = ranked.map(([first]) => first!).sort(better)
  const others = ranked.flatMap(([, ...rest]) => rest).sort(better)
  return [...winners, ...others].slice(0, playoffPlaces).map(({ team }) => team)
}

/** When the games of a round begin: days after the Thursday of its week, and hours. */
const playoffSlot = (type: Exclude<GameType, "REG">, at: number): readonly [days: number, kickoff: string] => {
  // The weekend before the last game is free.
  if (type === "SB") return [10, "18:30"]
  const kickoff = ["15:00", "18:40", "20:15"][type === "CON" ? at : at >> 1]!
  return [type !== "CON" && at % 2 === 0 ? 2 : 3, kickoff]
}

/** The playoffs: seeds meet highest against lowest until one of each conference is left. */
const playPlayoffs = (season: number, regular: ReadonlyArray<Played>, playing: ReturnType<typeof makePlayer>) => {
  const table = computeStandings(regular)
  const games: Array<Played> = []
  let alive = conferences.map((conference) => rankSeeds(conference, table))
  const round = (
    type: Exclude<GameType, "REG">,
    number: number,
    pairings: ReadonlyArray<Pairing>,
  ): ReadonlyArray<Team> => {
    const week = countRegularWeeks(season) + number
    const begins = toWeekStart(findOpeningDay(season), week)
    return pairings.map((pairing, at) => {
      const [days, kickoff] = playoffSlot(type, at)
      const played = playing(
        { ...pairing, week, gameday: addDays(begins, days), kickoff, neutral: type === "SB" },
        type,
      )
      games.push(played)
      const { home, away } = played.game.score!
      return home > away ? pairing.home : pairing.away
    })
  }
  for (const [number, type] of [
    [1, "WC"],
    [2, "DIV"],
    [3, "CON"],
  ] as const) {
    // The best team of a conference has a bye in the first round.
    const byes = type === "WC" ? 1 : 0
    const pairings = alive.map((seeds) => {
      const playing = seeds.slice(byes)
      return Array.from(
        { length: playing.length / 2 },
        (_, at): Pairing => ({ home: playing[at]!, away: playing[playing.length - 1 - at]! }),
      )
    })
    const won = new Set(round(type, number, pairings.flat()))
    alive = alive.map((seeds) => seeds.filter((team, at) => at < byes || won.has(team)))
  }
  const [american, national] = [alive[0]![0]!, alive[1]![0]!]
  round("SB", 4, [season % 2 === 0 ? { home: national, away: american } : { home: american, away: national }])
  return games
}

/** A whole season from the first Thursday to the Super Bowl, in order of kickoff; played once per process. */
export const playedSeason = memoize((season: number): ReadonlyArray<Played> => {
  const playing = makePlayer(season)
  const order = (a: Played, b: Played) => a.kickoffAt - b.kickoffAt || compare(a.game.id, b.game.id)
  const regular = [...listFixtures(season)]
    .sort((a, b) => compare(a.gameday, b.gameday))
    .map((fixture) => playing(fixture, "REG"))
  return [...regular, ...playPlayoffs(season, regular, playing)].sort(order)
})
