import { findOpeningDay } from "../../../../core/lanes/football/data/calendar.ts"
import type { Team } from "../../../../core/lanes/football/data/teams.ts"
import { addDays } from "../../../../core/time.ts"
import { draws } from "../../mock/draws.ts"
import { countRegularWeeks, divisions, toWeekStart } from "./teams.ts"

export interface Pairing {
  readonly home: Team
  readonly away: Team
}

export interface Fixture extends Pairing {
  readonly week: number
  readonly gameday: string
  /** HH:MM, US Eastern. */
  readonly kickoff: string
  readonly neutral: boolean
}

/** Four in a row are a division, so that the numbers of its teams differ in the lowest two bits alone. */
const numbered = divisions.flat()

/** Whether an odd number of bits is set. */
const isOdd = (bits: number): boolean => bits.toString(2).replaceAll("0", "").length % 2 === 1

/**
 * A round: every team meets the one whose number differs from its own in these bits. A team that is away in it is at
 * home in the swapped round with the same `other` bits.
 */
const pairRound = (bits: number, other: number, isSwapped: boolean): ReadonlyArray<Pairing> => {
  const by = numbered.findIndex((_, at) => isOdd(at & bits) && isOdd(at & other))
  return numbered.flatMap((home, at) => (isOdd(at & by) === isSwapped ? [{ home, away: numbered[at ^ bits]! }] : []))
}

/** The rounds between teams of different divisions. */
const crossings = Array.from({ length: 28 }, (_, at) => 4 + at)

const divisionByTeam = new Map(numbered.map((team, at) => [team, at >> 2]))

const divisionRounds = [4, 5, 7, 9, 10, 12]

const shuffled = <A>(values: ReadonlyArray<A>, ...name: ReadonlyArray<string | number>): ReadonlyArray<A> => {
  const { uniform } = draws(...name)
  return values
    .map((value) => [uniform(), value] as const)
    .sort(([a], [b]) => a - b)
    .map(([, value]) => value)
}

/**
 * The pairings of a regular season by week: as many rounds as a team has games. In one of them each division rests and
 * makes up for it in the last week.
 */
const drawPairings = (season: number): ReadonlyArray<ReadonlyArray<Pairing>> => {
  const rounds = countRegularWeeks(season) - 1
  const cross = shuffled(crossings, "football", season, "rounds")
  const last: Array<Pairing> = []
  let crossed = 0
  const weeks = Array.from({ length: rounds }, (_, at): ReadonlyArray<Pairing> => {
    const round = divisionRounds.indexOf(at)
    if (round === -1) {
      const next = crossed++
      return pairRound(cross[next]!, cross[next ^ 1]!, next % 2 === 0)
    }
    // Both at home and away.
    const games = pairRound(1 + (round % 3), 1 + (round % 3), round >= 3)
    const rests = ({ home }: Pairing) => (divisionByTeam.get(home)! + season) % divisionRounds.length === round
    last.push(...games.filter(rests))
    return games.filter((game) => !rests(game))
  })
  return [...weeks, last]
}

/** Days from the Thursday on which a week begins. */
const [sunday, monday] = [3, 4]

const kickoffSlot = (at: number): readonly [days: number, kickoff: string] => {
  if (at === 0) return [0, "20:15"]
  if (at === 1) return [monday, "20:15"]
  if (at === 2) return [sunday, "20:20"]
  return [sunday, at === 3 ? "16:05" : at === 4 ? "16:25" : "13:00"]
}

/** Games abroad, in the morning and on neutral ground. */
const isAbroad = (season: number, week: number): boolean => season >= 2007 && week >= 4 && week <= 7

/** The regular season with its days and hours. */
export const listFixtures = (season: number): ReadonlyArray<Fixture> => {
  const opening = findOpeningDay(season)
  return drawPairings(season).flatMap((pairings, index) => {
    const week = index + 1
    const order = shuffled(pairings, "football", season, week, "slots")
    return order.map((pairing, at): Fixture => {
      const neutral = isAbroad(season, week) && at === order.length - 1
      const [days, kickoff] = neutral ? ([sunday, "09:30"] as const) : kickoffSlot(at)
      return { ...pairing, week, gameday: addDays(toWeekStart(opening, week), days), kickoff, neutral }
    })
  })
}
