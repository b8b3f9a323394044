import { toKickoffAt } from "../../../../core/lanes/football/data/calendar.ts"
import type { Game, GameType, MarketLines, Score } from "../../../../core/lanes/football/data/Game.ts"
import { type Team, toSeasonCode } from "../../../../core/lanes/football/data/teams.ts"
import { cdf } from "../../../../core/math/normal.ts"
import { draws } from "../../mock/draws.ts"
import { headCoach, type Player, playerQuality, startingQuarterback } from "./players.ts"
import type { Fixture } from "./schedule.ts"
import { drawStrength, homeVenue } from "./teams.ts"

interface Offense {
  readonly quarterback: Player
  readonly touchdowns: number
}

/** A complete game, including its future result. */
export interface Played {
  readonly game: Game
  readonly lines: MarketLines
  readonly kickoffAt: number
  /** The expected starter before a late change. */
  readonly expected: { readonly home: Player; readonly away: Player }
  readonly offenses: { readonly home: Offense; readonly away: Offense }
}

const homeEdge = 2.2
const drives = 11
const fieldGoals = 0.17
const perTeam = 22.3

const teamRating = (team: Team, season: number, quarterback: Player): number => {
  const { offense, defense } = drawStrength(team, season)
  return offense + defense + playerQuality(quarterback)
}

/** Eleven drives, each a touchdown, a field goal or nothing: on average a team scores its expected points. */
const drive = (expected: number, { uniform }: ReturnType<typeof draws>): { points: number; touchdowns: number } => {
  const touchdown = Math.min(0.5, Math.max(0.06, (expected / drives - 3 * fieldGoals) / 7))
  let [points, touchdowns] = [0, 0]
  for (let at = 0; at < drives; at++) {
    const luck = uniform()
    if (luck < touchdown) {
      touchdowns += 1
      points += luck < 0.05 * touchdown ? 6 : luck > 0.95 * touchdown ? 8 : 7
    } else if (luck < touchdown + fieldGoals) points += 3
  }
  return { points, touchdowns }
}

/** American odds of a probability, including the bookmaker's margin. */
const toMoneyline = (probability: number): number => {
  const taken = Math.min(0.97, probability * 1.045)
  return taken >= 0.5 ? -Math.round((100 * taken) / (1 - taken)) : Math.round((100 * (1 - taken)) / taken)
}

const toHalf = (points: number): number => Math.round(2 * points) / 2

/**
 * The bookmaker's share of what results do not tell. With it a model that knows only results is about 2.3 points from
 * the line on average, as with real lines, and the line's Brier score is better than the model's.
 */
const informedShare = 0.55

/** Posted lines: near the bookmaker's belief, in half points. */
const drawLines = (margin: number, total: number, random: ReturnType<typeof draws>): MarketLines => {
  const spread = toHalf(margin + 1.3 * random.normal())
  const posted = { spread, total: toHalf(total + 2 * random.normal()) }
  // In a game without a favourite the two markets may lean to different sides.
  const lean = Math.abs(spread) <= 1 && random.uniform() < 0.1 ? -spread : spread
  const home = cdf(lean / 13)
  return { ...posted, homeMoneyline: toMoneyline(home), awayMoneyline: toMoneyline(1 - home) }
}

const decided = (
  home: number,
  away: number,
  margin: number,
  type: GameType,
  random: ReturnType<typeof draws>,
): Score => {
  const isTie = type === "REG" && random.uniform() < 0.06
  const gain = random.uniform() < 0.6 ? 3 : 6
  const homeWins = random.uniform() < cdf(margin / 13)
  if (home !== away || isTie) return { home, away }
  return homeWins ? { home: home + gain, away } : { home, away: away + gain }
}

/** One Monday night game of 2022 was called off and never replayed. */
export const isCalledOff = ({ season, week, gameday }: Game): boolean =>
  season === 2022 && week === 17 && new Date(`${gameday}T00:00:00Z`).getUTCDay() === 1

const division = (rounds: ReadonlyArray<ReadonlyArray<Team>>, a: Team, b: Team): boolean =>
  rounds.some((teams) => teams.includes(a) && teams.includes(b))

export const getHomeEdge = ({ neutral }: Pick<Fixture, "neutral">): number => (neutral ? 0 : homeEdge)

/** @param rated the home team's strength minus the away team's, as far as their results show, points */
export const play = (
  fixture: Fixture,
  season: number,
  type: GameType,
  rest: { readonly home: number; readonly away: number },
  divisions: ReadonlyArray<ReadonlyArray<Team>>,
  rated: number,
): Played => {
  const { home, away, week, gameday, kickoff, neutral } = fixture
  const id = `${season}_${String(week).padStart(2, "0")}_${toSeasonCode(away, season)}_${toSeasonCode(home, season)}`
  const random = draws("football", "game", id)
  const [ours, theirs] = [startingQuarterback(home, season, week), startingQuarterback(away, season, week)]
  const edge = getHomeEdge(fixture)
  const margin = teamRating(home, season, ours) - teamRating(away, season, theirs) + edge
  const { uniform, normal } = random
  const [scored, allowed] = [drive(perTeam + margin / 2, random), drive(perTeam - margin / 2, random)]
  const venue = neutral ? { roof: "outdoors" as const, surface: "grass", stadium: "Harbour Ground" } : homeVenue(home)
  const side = (team: Team, { id: quarterback, name }: Player, days: number) => ({
    team,
    code: toSeasonCode(team, season),
    rest: days,
    quarterback,
    quarterbackName: name,
    coach: headCoach(team, season),
  })
  const game: Game = {
    id,
    season,
    type,
    week,
    gameday,
    kickoff,
    home: side(home, ours, rest.home),
    away: side(away, theirs, rest.away),
    score: decided(scored.points, allowed.points, margin, type, random),
    neutral,
    division: division(divisions, home, away),
    ...venue,
    ...(venue.roof === "outdoors" && {
      temperature: Math.round(62 - 1.8 * week + 9 * normal()),
      wind: Math.round(16 * uniform()),
    }),
  }
  return {
    game,
    lines: drawLines(informedShare * margin + (1 - informedShare) * (rated + edge), 2 * perTeam, random),
    kickoffAt: toKickoffAt(game),
    expected: {
      home: startingQuarterback(home, season, week, true),
      away: startingQuarterback(away, season, week, true),
    },
    offenses: {
      home: { quarterback: ours, touchdowns: scored.touchdowns },
      away: { quarterback: theirs, touchdowns: allowed.touchdowns },
    },
  }
}
