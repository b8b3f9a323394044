import { seasonOpens } from "../../../../core/lanes/football/data/calendar.ts"
import type { Team } from "../../../../core/lanes/football/data/teams.ts"
import { addDays } from "../../../../core/time.ts"
import { draws } from "../../mock/draws.ts"
import { divisions, regularWeeks, weekBegins } from "./teams.ts"

export interface Pairing {
  readonly home: Team
  readonly away: Team
}

/** A pairing with its place in the calendar. */
export interface Fixture extends Pairing {
  readonly week: number
  readonly gameday: string
  /** HH:MM, US Eastern; the first season has none. */
  readonly kickoff?: string
  readonly neutral: boolean
}

/** The three ways in which four can be paired. */
const ofFour = [
  [0, 1, 2, 3],
  [0, 2, 1, 3],
  [0, 3, 1, 2],
] as const

/** Every team against another of its division; six of these rounds make home and away against all three. */
const divisionRound = (division: number, round: number): ReadonlyArray<Pairing> => {
  const team = (at: number) => divisions[division]![at]!
  const [a, b, c, d] = ofFour[round % 3]!
  const swap = round >= 3
  return [
    swap ? { home: team(b), away: team(a) } : { home: team(a), away: team(b) },
    swap ? { home: team(c), away: team(d) } : { home: team(d), away: team(c) },
  ]
}

/** Every team against one of another division, by the season's pairs of divisions: four rounds for each way to pair. */
const crossRounds = (season: number): ReadonlyArray<ReadonlyArray<Pairing>> => {
  const within = (way: number) => {
    const [a, b, c, d] = ofFour[way % 3]!
    return [0, 4].flatMap((from) => [[from + a, from + b] as const, [from + c, from + d] as const])
  }
  const ways = [
    [0, 1, 2, 3].map((division) => [division, 4 + ((division + season) % 4)] as const),
    within(season),
    within(season + 1),
  ]
  return ways.flatMap((pairs, way) =>
    [0, 1, 2, 3].map((turn) =>
      pairs.flatMap(([one, other]) =>
        [0, 1, 2, 3].map((at): Pairing => {
          const [a, b] = [divisions[one]![at]!, divisions[other]![(at + turn) % 4]!]
          return ((at >> 1) + turn + way + season) % 2 === 0 ? { home: a, away: b } : { home: b, away: a }
        }),
      ),
    ),
  )
}

/** Which rounds of the season are played within divisions. */
const divisionRounds = [4, 5, 7, 9, 10, 12]

const shuffled = <A>(values: ReadonlyArray<A>, ...name: ReadonlyArray<string | number>): ReadonlyArray<A> => {
  const { uniform } = draws(...name)
  return values
    .map((value) => [uniform(), value] as const)
    .sort(([a], [b]) => a - b)
    .map(([, value]) => value)
}

/**
 * The pairings of a regular season by week: as many rounds as a team has games, in one of which each division rests and
 * makes up for it in the last week.
 */
export const pairingsOf = (season: number): ReadonlyArray<ReadonlyArray<Pairing>> => {
  const rounds = regularWeeks(season) - 1
  const cross = shuffled(crossRounds(season), "football", season, "rounds").slice(0, rounds - divisionRounds.length)
  const last: Array<Pairing> = []
  let crossed = 0
  const weeks = Array.from({ length: rounds }, (_, at): ReadonlyArray<Pairing> => {
    const round = divisionRounds.indexOf(at)
    if (round === -1) return cross[crossed++]!
    return divisions.flatMap((_, division) => {
      const games = divisionRound(division, round)
      if ((division + season) % divisionRounds.length !== round) return games
      last.push(...games)
      return []
    })
  })
  return [...weeks, last]
}

/** How far Sunday and Monday are from the Thursday on which a week begins. */
const [sunday, monday] = [3, 4]

const slotOf = (at: number): readonly [days: number, kickoff: string] => {
  if (at === 0) return [0, "20:15"]
  if (at === 1) return [monday, "20:15"]
  if (at === 2) return [sunday, "20:20"]
  return [sunday, at === 3 ? "16:05" : at === 4 ? "16:25" : "13:00"]
}

/** Games abroad, in the morning and on neutral ground. */
const abroad = (season: number, week: number): boolean => season >= 2007 && week >= 4 && week <= 7

/** A season's kickoffs by the clock are on record from 2000 on. */
export const timed = (season: number, kickoff: string) => (season < 2000 ? {} : { kickoff })

/** The regular season with its days and hours. */
export const fixturesOf = (season: number): ReadonlyArray<Fixture> => {
  const opening = seasonOpens(season)
  return pairingsOf(season).flatMap((pairings, index) => {
    const week = index + 1
    const order = shuffled(pairings, "football", season, week, "slots")
    return order.map((pairing, at): Fixture => {
      const neutral = abroad(season, week) && at === order.length - 1
      const [days, kickoff] = neutral ? ([sunday, "09:30"] as const) : slotOf(at)
      return {
        ...pairing,
        week,
        gameday: addDays(weekBegins(opening, week), days),
        ...timed(season, kickoff),
        neutral,
      }
    })
  })
}
