import { teamNames as baseball, inventedNames } from "../../../core/lanes/baseball/teams.ts"
import { findFranchise, teamNames as football } from "../../../core/lanes/football/data/teams.ts"

const byKind = {
  nfl: (code: string) => football[findFranchise(code)!],
  mlb: (code: string) => baseball[code] ?? inventedNames[code],
} satisfies Readonly<Record<string, (code: string) => string | undefined>>

/** A team's name by its code; any other text is returned unchanged. */
export const teamName = (kind: keyof typeof byKind, code: string): string => byKind[kind](code) ?? code

/** The part of a team's name that fits into narrow places: `Packers`, `Red Sox`. */
export const nickname = (name: string): string => /(?:(?:Red|White) Sox|Blue Jays|\S+)$/.exec(name)![0]

const readColours = (table: string): ReadonlyMap<string, string> =>
  new Map([...table.matchAll(/(\w[\w ]*?) (#\w{6})/g)].map(([, name, colour]) => [name!, colour!]))

/** The main colour of each team, after the name that narrow places have. */
const colours = {
  nfl: readColours(`Cardinals #97233f Falcons #a71930 Ravens #241773 Bills #00338d Panthers #0085ca Bears #0b162a
    Bengals #fb4f14 Browns #311d00 Cowboys #041e42 Broncos #fb4f14 Lions #0076b6 Packers #203731 Texans #03202f
    Colts #002c5f Jaguars #006778 Chiefs #e31837 Rams #003594 Chargers #0080c6 Raiders #000000 Dolphins #008e97
    Vikings #4f2683 Patriots #002244 Saints #d3bc8d Giants #0b2265 Jets #125740 Eagles #004c54 Steelers #ffb612
    Seahawks #002244 49ers #aa0000 Buccaneers #d50a0a Titans #4b92db Commanders #5a1414`),
  mlb: readColours(`Angels #ba0021 Diamondbacks #a71930 Orioles #df4601 Red Sox #bd3039 Cubs #0e3386 Reds #c6011f
    Guardians #00385d Rockies #333366 Tigers #0c2340 Astros #002d62 Royals #004687 Dodgers #005a9c Nationals #ab0003
    Mets #002d72 Athletics #003831 Pirates #fdb827 Padres #2f241d Mariners #0c2c56 Giants #fd5a1e Cardinals #c41e3a
    Rays #092c5c Rangers #003278 Blue Jays #134a8e Twins #002b5c Phillies #e81828 Braves #ce1141 White Sox #27251f
    Marlins #00a3e0 Yankees #003087 Brewers #12284b`),
}

/**
 * The colour of a team, a hue of its letters where the team is invented; undefined: the page is of no game.
 *
 * @param path of the page of its game or contract
 */
export const teamColour = (name: string, path: string): string | undefined => {
  const league = /nfl|mlb/.exec(path.toLowerCase())?.[0] as keyof typeof colours | undefined
  const hue = [...name].reduce((sum, letter) => sum + 29 * letter.charCodeAt(0), 0) % 360
  return league && (colours[league].get(name) ?? `hsl(${hue} 55% 42%)`)
}

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
    .replace("home field team", `${home}' own home field`)
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
