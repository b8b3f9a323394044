import { isDay } from "../time.ts"

/** Months in venue tickers. */
export const months = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]

/**
 * The day in a venue's event ticker, `KXHIGHNY-26JUL12` or `KXMLBGAME-26SEP091905NYYBOS`, as YYYY-MM-DD, and the text
 * after it. Undefined without a day.
 */
export const dayIn = (event: string): { readonly day: string; readonly rest: string } | undefined => {
  const match = /-(\d{2})([A-Z]{3})(\d{2})([A-Z0-9]*)$/.exec(event)
  const month = months.indexOf(match?.[2] ?? "") + 1
  if (match === null || month === 0) return undefined
  const day = `20${match[1]}-${String(month).padStart(2, "0")}-${match[3]}`
  return isDay(day) ? { day, rest: match[4]! } : undefined
}

/** The sides of a game, and the side of a contract. */
export interface Sides {
  readonly day: string
  readonly away: string
  readonly home: string
  readonly side: "away" | "home"
  /** The game's number on its day; absent where the venue does not number games. */
  readonly game?: number
}

/**
 * Visitors and home team of a game's event, and the team of the contract. Codes have no separator, so the contract's own
 * team must be the start or the end. A time of day may precede the teams, and the game's number may follow them on a day
 * with two games: `KXMLBGAME-26SEP041915DETCLEG2`.
 *
 * @param isTeam whether a code is a team's
 */
export const sidesIn = (event: string, ticker: string, isTeam: (code: string) => boolean): Sides | undefined => {
  const found = dayIn(event)
  const [, teams, game] = /^(?:\d{4})?([A-Z]+)(?:G([12]))?$/.exec(found?.rest ?? "") ?? []
  if (found === undefined || teams === undefined || !ticker.startsWith(`${event}-`)) return undefined
  const team = ticker.slice(event.length + 1)
  if (team === "" || !isTeam(team)) return undefined
  const isHome = teams.endsWith(team) && isTeam(teams.slice(0, -team.length))
  const isAway = teams.startsWith(team) && isTeam(teams.slice(team.length))
  if (isHome === isAway) return undefined
  return {
    day: found.day,
    away: isHome ? teams.slice(0, -team.length) : team,
    home: isHome ? team : teams.slice(team.length),
    side: isHome ? "home" : "away",
    ...(game === undefined ? {} : { game: Number(game) }),
  }
}
