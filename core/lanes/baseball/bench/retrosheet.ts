import { type GameLog, inningsOf } from "./gameLog.ts"
import { earlyLine, starterKey } from "./starters.ts"
import type { Played, PlayedSide } from "./walk.ts"

/** Team codes that differ between logs and odds. */
const codes: Readonly<Record<string, string>> = {
  ANA: "LAA",
  CHA: "CWS",
  CHN: "CHC",
  KCA: "KAN",
  LAN: "LAD",
  NYA: "NYY",
  NYN: "NYM",
  SDN: "SDG",
  SFN: "SFG",
  SLN: "STL",
  TBA: "TAM",
}

/** A park with this many games of a team in a season is its home park, temporary ones included. */
const homely = 10

const homeOf = ({ season, home, park }: GameLog): string => `${season}/${home.team}/${park}`

const homes = (logs: ReadonlyArray<GameLog>): ReadonlySet<string> => {
  const counts = new Map<string, number>()
  for (const log of logs) counts.set(homeOf(log), (counts.get(homeOf(log)) ?? 0) + 1)
  return new Set([...counts].filter(([, count]) => count >= homely).map(([key]) => key))
}

/** Training games from logs. */
export const loggedGames = (logs: ReadonlyArray<GameLog>): ReadonlyArray<Played> => {
  const known = homes(logs)
  return logs.map((log) => {
    const side = (own: "home" | "away", other: "home" | "away"): PlayedSide => ({
      team: codes[log[own].team] ?? log[own].team,
      runs: log[own].runs,
      starter: starterKey(log[own].starter ?? ""),
      pitched: earlyLine(inningsOf(log[other].innings ?? "")),
    })
    const { id, season, day } = log
    return { id, season, day, home: side("home", "away"), away: side("away", "home"), neutral: !known.has(homeOf(log)) }
  })
}

/** Earned runs as a share of all runs allowed, up to a season; undefined without logs. */
export const earnedShare = (logs: ReadonlyArray<GameLog>, to: number): number | undefined => {
  let earned = 0
  let all = 0
  for (const { season, home, away } of logs) {
    if (season > to || home.earnedAllowed === undefined || away.earnedAllowed === undefined) continue
    earned += home.earnedAllowed + away.earnedAllowed
    all += home.runs + away.runs
  }
  return all === 0 ? undefined : earned / all
}
