import { isDay } from "../time.ts"

export const months = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]

/**
 * The day in a venue's event ticker, `KXHIGHNY-26JUL12` or `KXMLBGAME-26SEP091905NYYBOS`, as YYYY-MM-DD, and the text
 * after it. Undefined without a day.
 */
export const parseTickerDay = (event: string): { readonly day: string; readonly rest: string } | undefined => {
  const match = /-(\d{2})([A-Z]{3})(\d{2})([A-Z0-9]*)$/.exec(event)
  const month = months.indexOf(match?.[2] ?? "") + 1
  if (match === null || month === 0) return undefined
  const day = `20${match[1]}-${String(month).padStart(2, "0")}-${match[3]}`
  return isDay(day) ? { day, rest: match[4]! } : undefined
}

/** A game as an event's ticker names it. */
export interface Fixture {
  readonly day: string
  readonly away: string
  readonly home: string
  /** Which game of the day, where the venue numbers them. */
  readonly game?: number
}

/** A game, and the side of it that a contract is on. */
export interface Sides extends Fixture {
  readonly side: "away" | "home"
}

/**
 * Visitors and home team of a game's event. Codes have no separator: there is one way of reading them as two teams', or the
 * game is not known. A time of day may precede the teams, and the game's number may follow them on a day with two:
 * `KXMLBTOTAL-26SEP041915DETCLEG2`.
 *
 * @param isTeam whether a code is a team's
 */
export const parseFixture = (event: string, isTeam: (code: string) => boolean): Fixture | undefined => {
  const dated = parseTickerDay(event)
  const [, teams, game] = /^(?:\d{4})?([A-Z]+)(?:G([12]))?$/.exec(dated?.rest ?? "") ?? []
  if (dated === undefined || teams === undefined) return undefined
  const readings = Array.from({ length: teams.length - 1 }, (_, at) => [teams.slice(0, at + 1), teams.slice(at + 1)])
  const [reading, ...more] = readings.filter((codes) => codes.every(isTeam))
  if (reading === undefined || more.length > 0) return undefined
  const [away, home] = reading as [string, string]
  return { day: dated.day, away, home, ...(game === undefined ? {} : { game: Number(game) }) }
}

/**
 * Visitors and home team of a game's event, and which of them a team is.
 *
 * @param team as the venue writes it behind the event: `NYY` of `KXMLBGAME-26SEP041915NYYBOS-NYY`
 */
export const parseSides = (event: string, team: string, isTeam: (code: string) => boolean): Sides | undefined => {
  const fixture = parseFixture(event, isTeam)
  if (fixture === undefined || fixture.away === fixture.home) return undefined
  return team === fixture.home
    ? { ...fixture, side: "home" }
    : team === fixture.away
      ? { ...fixture, side: "away" }
      : undefined
}
