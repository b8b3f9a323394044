import { correlation } from "../../math/correlation.ts"
import { plural } from "../../text.ts"
import { addDays, day, hour } from "../../time.ts"
import type { PitcherLine, TeamLine } from "./lines.ts"
import type { ListedGame } from "./ports.ts"

/** Most games begin in these hours after midnight UTC of the league's date: 11:00 in the East to 22:30 in the West. */
const usualHours = { first: 15, last: 29.5 }
const minUsualShare = 0.8
/** Fewer games do not reveal a wrong time zone. */
const minGames = 8

/** Bounds of the mean hour of a slate, which was 18.5 to 24.1 in May 2019. */
const usualMean = { first: 16.5, last: 25.5 }

/** Why listings cannot be a schedule, such as times in a wrong zone; undefined if they can. */
export const whyImplausibleSlate = (games: ReadonlyArray<ListedGame>): string | undefined => {
  const played = games.filter(({ phase }) => phase !== "off")
  if (played.length < minGames) return undefined
  const hours = played.map(({ firstPitch, officialDate }) => (firstPitch - Date.parse(officialDate)) / hour)
  const odd = hours.filter((each) => each < usualHours.first || each > usualHours.last).length
  if (odd > (1 - minUsualShare) * played.length) {
    return `${odd} of ${plural(played.length, "game")} begin at an unusual hour`
  }
  const mean = hours.reduce((total, each) => total + each, 0) / hours.length
  return mean < usualMean.first || mean > usualMean.last
    ? `${plural(played.length, "game")} begin ${mean.toFixed(1)} hours after midnight UTC on average`
    : undefined
}

/** The league has had this many teams since 1998. */
const teamCount = 30
/** A bound above the 162 games of a regular season and up to three more to break a tie. */
const maxGames = 170
/** Seasons begin between these days of a year. */
const [earliestStart, latestStart] = ["03-15", "08-01"]
const countDays = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / day
/** Bounds of a team's runs per game from some number of games on; since 1900 they have been 2.4 to 7. */
const runLimits = { least: 1.5, most: 9, games: 20 }
/**
 * Least correlation of run differences and wins per game from some number of games on. It was .97 in 2025, and .55 with the
 * runs shifted by a row.
 */
const minCorrelations = [
  { games: 60, least: 0.75 },
  { games: 20, least: 0.4 },
]

/** A team's line with its record. */
export interface StandingLine extends TeamLine {
  readonly id: number
  readonly wins?: number | undefined
}

/**
 * Why lines cannot be those of a season's teams; undefined if they can. Before opening day there may be none.
 *
 * @param before the lines count games before this day; absent for a whole season
 */
export const whyImplausibleStandings = (lines: ReadonlyArray<StandingLine>, before?: string): string | undefined => {
  if (lines.length === 0 && before !== undefined && before.slice(5) < latestStart) return undefined
  const ids = new Set(lines.map(({ id }) => id))
  if (ids.size < teamCount) return `It has ${ids.size} of ${teamCount} teams`
  if (lines.length > ids.size) return "It has a team twice"
  const days = before === undefined ? maxGames : countDays(`${before.slice(0, 4)}-${earliestStart}`, before)
  const many = lines.find(({ games }) => games > Math.max(0, Math.min(maxGames, days)))
  if (many !== undefined) return `gamesPlayed of team ${many.id} is ${many.games}`
  const sum = (of: (line: StandingLine) => number) => lines.reduce((total, line) => total + of(line), 0)
  const [scored, allowed] = [sum((line) => line.scored), sum((line) => line.allowed)]
  // Standings that are read during an update may be off by a game.
  if (Math.abs(scored - allowed) > runLimits.games) return `${scored} runs were scored and ${allowed} allowed`
  const full = lines.filter(({ games }) => games >= runLimits.games)
  const odd = full.find(
    ({ games, scored: made, allowed: given }) =>
      Math.min(made, given) < runLimits.least * games || Math.max(made, given) > runLimits.most * games,
  )
  if (odd !== undefined) return `Team ${odd.id} has ${odd.scored} and ${odd.allowed} runs in ${odd.games} games`
  const fewest = Math.min(...lines.map(({ games }) => games))
  const least = minCorrelations.find(({ games }) => fewest >= games)?.least
  const pairs = lines.flatMap(({ games, wins, scored: made, allowed: given }) =>
    wins === undefined ? [] : [[(made - given) / games, wins / games] as const],
  )
  if (least === undefined || pairs.length < teamCount) return undefined
  const coefficient = correlation(pairs)
  return coefficient < least
    ? `Run differences and wins have a correlation of ${coefficient.toFixed(2)}; at least ${least} is normal`
    : undefined
}

/** Bounds of a pitcher's innings and earned runs in one game. */
const gameLimits = { innings: 20, earnedRuns: 20 }

/** Why games cannot be a pitcher's season, with `total` its line if the source states it; undefined if they can. */
export const whyImplausibleLog = (
  games: ReadonlyArray<{ readonly day: string; readonly line: PitcherLine }>,
  today: string,
  total?: PitcherLine,
): string | undefined => {
  const innings = games.reduce((all, { line }) => all + line.innings, 0)
  // The total may be a game behind or ahead.
  if (total !== undefined && Math.abs(total.innings - innings) > gameLimits.innings / 2) {
    return `${total.innings.toFixed(1)} innings in the season, and ${innings.toFixed(1)} in its games`
  }
  const odd = games.find(({ line }) => line.innings > gameLimits.innings || line.earnedRuns > gameLimits.earnedRuns)
  if (odd !== undefined) return `${odd.line.earnedRuns} earned runs in ${odd.line.innings} innings on ${odd.day}`
  const later = games.find(({ day }) => day > addDays(today, 1))
  return later === undefined ? undefined : `A game of ${later.day} is in the future`
}
