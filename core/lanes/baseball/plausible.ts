import { correlation } from "../../math/correlation.ts"
import { plural } from "../../text.ts"
import { addDays, day, hour } from "../../time.ts"
import type { PitcherLine, TeamLine } from "./lines.ts"
import type { ListedGame } from "./ports.ts"

/** Hours after midnight UTC of the league's date in which most games begin: from 11 in the East to half past 10 in the West. */
const usualHours = { first: 15, last: 29.5 }
const leastUsual = 0.8
/** Fewer games say nothing of a time zone. */
const leastGames = 8

/** Their mean over a slate: 18.5 to 24.1 in May 2019. */
const usualMean = { first: 16.5, last: 25.5 }

/** Why listings cannot be a schedule, such as times of another zone; undefined: they can. */
export const implausibleSlate = (games: ReadonlyArray<ListedGame>): string | undefined => {
  const played = games.filter(({ phase }) => phase !== "off")
  if (played.length < leastGames) return undefined
  const hours = played.map(({ firstPitch, officialDate }) => (firstPitch - Date.parse(officialDate)) / hour)
  const odd = hours.filter((each) => each < usualHours.first || each > usualHours.last).length
  if (odd > (1 - leastUsual) * played.length) {
    return `${odd} of ${plural(played.length, "game")} begin at an hour at which none does`
  }
  const mean = hours.reduce((total, each) => total + each, 0) / hours.length
  return mean < usualMean.first || mean > usualMean.last
    ? `${plural(played.length, "game")} begin ${mean.toFixed(1)} hours after midnight UTC in mean`
    : undefined
}

/** Teams of the league since 1998. */
const teams = 30
/** Regular seasons have 162 games, and up to three more to break a tie. */
const mostGames = 170
/** No season begins before this day of a year, and by the other every one has begun. A team plays a game a day at most. */
const [seasonBegins, seasonRuns] = ["03-15", "08-01"]
const daysIn = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / day
/** Runs a game, after so many games: 2.4 to 7 since 1900. */
const runs = { least: 1.5, most: 9, games: 20 }
/** Of run differences with wins a game, after so many games: .97 in 2025, and .55 with the runs shifted by a row. */
const correlations = [
  { games: 60, least: 0.75 },
  { games: 20, least: 0.4 },
]

/** A team's line with its record. */
export interface StandingLine extends TeamLine {
  readonly id: number
  readonly wins?: number | undefined
}

/**
 * Why runs cannot be those of a season's teams; undefined: they can.
 *
 * @param before the day after the last one that counts; absent: of a whole season. Before opening day there are none
 */
export const implausibleStandings = (lines: ReadonlyArray<StandingLine>, before?: string): string | undefined => {
  if (lines.length === 0 && before !== undefined && before.slice(5) < seasonRuns) return undefined
  const ids = new Set(lines.map(({ id }) => id))
  if (ids.size < teams) return `It has ${ids.size} of ${teams} teams`
  if (lines.length > ids.size) return "It has a team twice"
  const days = before === undefined ? mostGames : daysIn(`${before.slice(0, 4)}-${seasonBegins}`, before)
  const many = lines.find(({ games }) => games > Math.max(0, Math.min(mostGames, days)))
  if (many !== undefined) return `gamesPlayed of team ${many.id} is ${many.games}`
  const sum = (of: (line: StandingLine) => number) => lines.reduce((total, line) => total + of(line), 0)
  const [scored, allowed] = [sum((line) => line.scored), sum((line) => line.allowed)]
  // Standings of a moment between two ends of an update are apart by a game.
  if (Math.abs(scored - allowed) > runs.games) return `${scored} runs were scored and ${allowed} allowed`
  const full = lines.filter(({ games }) => games >= runs.games)
  const odd = full.find(
    ({ games, scored: made, allowed: given }) =>
      Math.min(made, given) < runs.least * games || Math.max(made, given) > runs.most * games,
  )
  if (odd !== undefined) return `Team ${odd.id} has ${odd.scored} and ${odd.allowed} runs in ${odd.games} games`
  const fewest = Math.min(...lines.map(({ games }) => games))
  const least = correlations.find(({ games }) => fewest >= games)?.least
  const pairs = lines.flatMap(({ games, wins, scored: made, allowed: given }) =>
    wins === undefined ? [] : [[(made - given) / games, wins / games] as const],
  )
  if (least === undefined || pairs.length < teams) return undefined
  const coefficient = correlation(pairs)
  return coefficient < least
    ? `Run differences and wins have a correlation of ${coefficient.toFixed(2)}; at least ${least} is normal`
    : undefined
}

/** Innings and earned runs of one game. */
const gameLimits = { innings: 20, earnedRuns: 20 }

/**
 * Why games cannot be a pitcher's of a season; undefined: they can.
 *
 * @param total the season's line as the source sums it up; undefined: it does not
 */
export const implausibleLog = (
  games: ReadonlyArray<{ readonly day: string; readonly line: PitcherLine }>,
  today: string,
  total?: PitcherLine,
): string | undefined => {
  const innings = games.reduce((all, { line }) => all + line.innings, 0)
  // The sum may be a game behind, or ahead.
  if (total !== undefined && Math.abs(total.innings - innings) > gameLimits.innings / 2) {
    return `${total.innings.toFixed(1)} innings in the season, and ${innings.toFixed(1)} in its games`
  }
  const odd = games.find(({ line }) => line.innings > gameLimits.innings || line.earnedRuns > gameLimits.earnedRuns)
  if (odd !== undefined) return `${odd.line.earnedRuns} earned runs in ${odd.line.innings} innings on ${odd.day}`
  const later = games.find(({ day }) => day > addDays(today, 1))
  return later === undefined ? undefined : `A game of ${later.day} is in the future`
}
