import { day, hour, minute } from "../../../../core/time.ts"
import { memoize } from "../../mock/draws.ts"
import { hashSeed, normalAt, uniform } from "../../mock/hash.ts"
import {
  findPitcher,
  hittingFactor,
  type MockPitcher,
  type MockTeam,
  pitchingFactor,
  rotationSize,
  spotStarter,
  teams,
} from "./teams.ts"

/** Time before the first pitch at which changes are announced. */
const notice = 3 * hour

export type Fate = "played" | "postponed" | "cancelled" | "delayed" | "suspended"

export interface MockSide {
  readonly team: MockTeam
  readonly starter: MockPitcher
  readonly runs: number
  /** The starter's outs and earned runs. */
  readonly outs: number
  readonly earnedRuns: number
}

export interface MockGame {
  readonly gamePk: number
  readonly season: number
  readonly fate: Fate
  /** UTC midnights of the day of its first listing, and of the day of play. */
  readonly listedOn: number
  readonly playedOn: number
  /** Epoch milliseconds: as first listed, and as played. */
  readonly firstListed: number
  readonly firstPitch: number
  /** Time of the last out; never for a cancelled game. */
  readonly endsAt: number
  /** When a change becomes known: a postponement, a cancellation, or a second game on its day. */
  readonly announcedAt: number
  readonly gameNumber: number
  readonly doubleHeader: "N" | "S" | "Y"
  readonly home: MockSide
  readonly away: MockSide
}

export const seasons = { first: 2000, last: 2099 }

/** Opening day: the last Thursday of March. */
export const openingDay = (season: number): number => {
  const end = Date.UTC(season, 2, 31)
  return end - ((new Date(end).getUTCDay() + 3) % 7) * day
}

/** 26 weeks from a Thursday to a Sunday. */
const seasonDays = 179
export const closingDay = (season: number): number => openingDay(season) + (seasonDays - 1) * day

const perDay = 16
const perSeason = 4_000
const origin = { gamePk: 777_001, season: 2026 }

const toGamePk = (season: number, at: number, pair: number): number =>
  origin.gamePk + (season - origin.season) * perSeason + at * perDay + pair

export const gameSeason = (gamePk: number): number => origin.season + Math.floor((gamePk - origin.gamePk) / perSeason)

const pairs = teams.length / 2

/** Series run from Tuesday to Thursday and from Friday to Sunday; day 0 is a Thursday. */
const seriesNumber = (at: number): number => {
  const [week, weekday] = [Math.floor(at / 7), at % 7]
  return 2 * week + (weekday === 0 ? 0 : weekday <= 3 ? 1 : 2)
}

/** A third of the pairs begin their series on a Monday; the others rest. */
const isListed = (at: number, pair: number): boolean => at % 7 !== 4 || (pair + seriesNumber(at)) % 3 === 0

/** The pairings of a series, home team first: the circle method, with sides swapped in the next round. */
const drawPair = (series: number, pair: number): readonly [home: number, away: number] => {
  const around = teams.length - 1
  const turn = (place: number): number => (place === 0 ? around : (place - 1 + series) % around)
  const [a, b] = [turn(pair), turn(teams.length - 1 - pair)]
  return (series + pair + Math.floor(series / around)) % 2 === 0 ? [a, b] : [b, a]
}

/** Local hour of the first pitch: evenings on weekdays, afternoons on Sundays. */
const firstPitchHour = (at: number, chance: number): number => {
  const weekday = at % 7
  if (weekday === 3) return 13 + 35 / 60
  return weekday === 2 && chance < 0.5 ? 16 + 5 / 60 : chance > 0.93 ? 12 + 35 / 60 : 19 + 5 / 60
}

const drawFate = (season: number, at: number, pair: number): Fate => {
  if (!isListed(at, pair)) return "played"
  const chance = uniform("baseball/fate", season, at, pair)
  const hasTomorrow = at + 1 < seasonDays && seriesNumber(at + 1) === seriesNumber(at)
  if (chance < 0.02) return hasTomorrow ? "postponed" : chance < 0.004 ? "cancelled" : "played"
  return chance < 0.035 ? "delayed" : chance < 0.037 ? "suspended" : "played"
}

const runsSeed = hashSeed("baseball/runs")

/** Random runs around a mean: the square root of a count is nearly normal. */
const drawRuns = (mean: number, z: number): number => Math.floor(Math.max(0, Math.sqrt(mean) + 0.08 + 0.68 * z) ** 2)

const drawStrengths = (season: number) => ({
  hitting: teams.map(({ index }) => hittingFactor(index, season)),
  pitching: memoize(pitchingFactor),
})
type Strengths = ReturnType<typeof drawStrengths>

const drawResult = (
  strengths: Strengths,
  gamePk: number,
  [home, away]: readonly [MockTeam, MockTeam],
  [homeStarter, awayStarter]: readonly [MockPitcher, MockPitcher],
): readonly [MockSide, MockSide] => {
  const draw = (which: number) => normalAt(runsSeed, gamePk, which)
  const mean = (own: MockTeam, starter: MockPitcher) =>
    4.5 * strengths.hitting[own.index]! * strengths.pitching(starter.id)
  const homeRuns = drawRuns(1.035 * mean(home, awayStarter), draw(0))
  const awayRuns = drawRuns(mean(away, homeStarter) / 1.035, draw(1))
  const extra = homeRuns === awayRuns ? (draw(2) > 0 ? 1 : -1) : 0
  const side = (team: MockTeam, starter: MockPitcher, runs: number, allowed: number, which: number): MockSide => {
    const outs = Math.round(Math.min(27, Math.max(3, 16.5 + 3.5 * draw(which) - (allowed - 4.5))))
    return { team, starter, runs, outs, earnedRuns: Math.min(allowed, Math.round((0.94 * allowed * outs) / 27)) }
  }
  const [scored, conceded] = [homeRuns + (extra > 0 ? 1 : 0), awayRuns + (extra < 0 ? 1 : 0)]
  return [side(home, homeStarter, scored, conceded, 3), side(away, awayStarter, conceded, scored, 4)]
}

const drawGame = (season: number, at: number, pair: number, strengths: Strengths): MockGame => {
  const gamePk = toGamePk(season, at, pair)
  const [home, away] = drawPair(seriesNumber(at), pair).map((index) => teams[index]!) as [MockTeam, MockTeam]
  const followsPostponed = at > 0 && isMadeUp(season, at - 1, pair) && seriesNumber(at - 1) === seriesNumber(at)
  // The second game of a day cannot be postponed to a third.
  const drawn = drawFate(season, at, pair)
  const fate = followsPostponed && drawn !== "delayed" ? "played" : drawn
  const isPostponed = fate === "postponed"
  const listedOn = openingDay(season) + at * day
  const playedOn = isPostponed ? listedOn + day : listedOn
  const night = (on: number) =>
    openingDay(season) +
    on * day +
    Math.round((firstPitchHour(on, uniform("baseball/start", season, on, pair)) + home.toUtc) * 60) * minute
  const afternoon = playedOn + Math.round((13 + home.toUtc) * 60 + 5) * minute
  // Whether both games of the day need one ticket, or the second has an evening of its own.
  const header = uniform("baseball/header", season, isPostponed ? at + 1 : at, pair) < 0.5 ? "S" : "Y"
  const firstListed = followsPostponed ? afternoon : night(at)
  const firstPitch = isPostponed ? afternoon + (header === "S" ? 6 : 4) * hour : firstListed
  const endsAt = {
    played: firstPitch,
    postponed: firstPitch,
    delayed: firstPitch + 50 * minute,
    suspended: playedOn + day + 17 * hour,
    cancelled: Number.POSITIVE_INFINITY,
  }[fate]
  const pickStarter = (team: MockTeam) =>
    findPitcher(team.index, isPostponed ? spotStarter : (at + team.index) % rotationSize, season)
  const [homeSide, awaySide] = drawResult(strengths, gamePk, [home, away], [pickStarter(home), pickStarter(away)])
  return {
    gamePk,
    season,
    fate,
    listedOn,
    playedOn,
    firstListed,
    firstPitch,
    endsAt: endsAt + Math.round(150 + 50 * uniform("baseball/length", gamePk)) * minute,
    announcedAt: (followsPostponed ? night(at - 1) : firstListed) - notice,
    gameNumber: isPostponed ? 2 : 1,
    doubleHeader: isPostponed || followsPostponed ? header : "N",
    home: homeSide,
    away: awaySide,
  }
}

/** Whether a game is postponed to the next day; never when its day already has a postponed game. */
const isMadeUp = (season: number, at: number, pair: number): boolean =>
  drawFate(season, at, pair) === "postponed" &&
  !(at > 0 && seriesNumber(at - 1) === seriesNumber(at) && isMadeUp(season, at - 1, pair))

export const seasonGames = (season: number): ReadonlyArray<MockGame> => {
  if (season < seasons.first || season > seasons.last) return []
  const strengths = drawStrengths(season)
  return Array.from({ length: seasonDays }, (_, at) =>
    Array.from({ length: pairs }, (_, pair) => pair)
      .filter((pair) => isListed(at, pair))
      .map((pair) => drawGame(season, at, pair, strengths)),
  ).flat()
}
