import { teamNames as baseball } from "../../../core/lanes/baseball/teams.ts"
import { findFranchise, teamNames as football } from "../../../core/lanes/football/data/teams.ts"

const byKind = {
  nfl: (code: string) => football[findFranchise(code)!],
  mlb: (code: string) => baseball[code],
} satisfies Readonly<Record<string, (code: string) => string | undefined>>

/** A team's name by its code; what is no code stays as it is. */
export const teamName = (kind: keyof typeof byKind, code: string): string => byKind[kind](code) ?? code

/** The part of a team's name that fits into narrow places: `Packers`, `Red Sox`. */
export const nickname = (name: string): string => /(?:(?:Red|White) Sox|Blue Jays|\S+)$/.exec(name)![0]

/**
 * The title of a game's contract with the names of its teams; other titles stay as they are.
 *
 * @param write what is written of a name
 */
export const gameTitle = (title: string, ticker: string, write: (name: string) => string = nickname): string => {
  const [, away, home, winner] = /^(.+) at (.+): (.+) wins$/.exec(title) ?? []
  if (winner === undefined) return title
  const kind = ticker.startsWith("KXNFL") ? "nfl" : "mlb"
  const name = (code: string) => write(teamName(kind, code))
  return `${name(away!)} at ${name(home!)}: ${nickname(name(winner))} win`
}

/** A feature's name in words, of its team where it is one's. */
export const featureName = (name: string, home: string, away: string): string =>
  name
    .replaceAll("_", " ")
    .replace(/^away /, `${away} `)
    .replace(/^home (?!field)/, `${home} `)
    .replace("elo gap", "Elo ratings")
    .replace(/\bqb\b/, "quarterback")
    .replace("prime hfa", "home field, evening")
    .replace(/\bdiff\b/, "difference")

/** A margin of the home team as a line is spoken: `Chiefs by 2.5`. */
export const lineWords = (margin: number, home: string, away: string): string => {
  const points = Math.abs(margin).toFixed(1)
  return points === "0.0" ? "even" : `${margin > 0 ? home : away} by ${points}`
}
