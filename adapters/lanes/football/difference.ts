import type { League, Season } from "../../../core/lanes/football/ports.ts"
import { plural } from "../../../core/text.ts"

const finalsOf = ({ records }: Season): number => records.filter(({ game }) => game.score !== undefined).length

/** Finals of the last days may be missing on one side. */
const maxLate = 32

const seasonsDiffer = (mock: Season | undefined, live: Season | undefined): string | undefined => {
  if (mock === undefined || live === undefined) {
    return mock === live ? undefined : `${mock === undefined ? "only live" : "only mock"} has the season`
  }
  const behind = finalsOf(mock) - finalsOf(live)
  return Math.abs(behind) <= maxLate
    ? undefined
    : `live is ${plural(Math.abs(behind), "final")} ${behind > 0 ? "behind" : "ahead"} in ${mock.season}`
}

const leaguesDiffer = (mock: League, live: League): string | undefined => {
  const found = new Map(live.seasons.map((season) => [season.season, season]))
  const lacking = mock.seasons.filter(({ season }) => !found.has(season)).map(({ season }) => season)
  // The schedule of the next season is published in spring, not right after the last game.
  const missing = lacking.filter((season) => season !== mock.seasons.at(-1)?.season)
  if (missing.length > 0) return `live lacks ${plural(missing.length, "season")}, ${missing[0]} first`
  for (const season of mock.seasons.slice(-2)) {
    const other = found.get(season.season)
    const difference = other === undefined ? undefined : seasonsDiffer(season, other)
    if (difference !== undefined) return difference
  }
  return undefined
}

/** Mock and live results never agree: compares only their numbers. */
export const gamesDiffer = (mock: unknown, live: unknown, method: string): string | undefined =>
  method === "season"
    ? seasonsDiffer(mock as Season | undefined, live as Season | undefined)
    : leaguesDiffer(mock as League, live as League)

/** Mock and live players never agree: compares only whether both answer. */
export const answersDiffer = (mock: unknown, live: unknown): string | undefined =>
  (mock === undefined) === (live === undefined)
    ? undefined
    : `${mock === undefined ? "only live" : "only mock"} has an answer`
