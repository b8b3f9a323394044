import { Games, Injuries, type League, Quarterbacks, type Season, Top100 } from "../../../core/lanes/football/ports.ts"
import { plural } from "../../../core/text.ts"
import { compared, oneSided } from "../LaneModule.ts"

const countFinals = ({ records }: Season): number => records.filter(({ game }) => game.score !== undefined).length

/** Finals of the last days may be missing on one side. */
const maxLate = 32

const seasonsDiffer = (mock: Season | undefined, live: Season | undefined): string | undefined => {
  if (mock === undefined || live === undefined) return oneSided(mock, live, "the season")
  const behind = countFinals(mock) - countFinals(live)
  return Math.abs(behind) <= maxLate
    ? undefined
    : `live is ${plural(Math.abs(behind), "final")} ${behind > 0 ? "behind" : "ahead"} in ${mock.season}`
}

const leaguesDiffer = (mock: League, live: League): string | undefined => {
  const liveSeasons = new Map(live.seasons.map((season) => [season.season, season]))
  const lacking = mock.seasons.filter(({ season }) => !liveSeasons.has(season)).map(({ season }) => season)
  // The schedule of the next season is published in spring, not right after the last game.
  const missing = lacking.filter((season) => season !== mock.seasons.at(-1)?.season)
  if (missing.length > 0) return `live lacks ${plural(missing.length, "season")}, ${missing[0]} first`
  for (const season of mock.seasons.slice(-2)) {
    const other = liveSeasons.get(season.season)
    const difference = other === undefined ? undefined : seasonsDiffer(season, other)
    if (difference !== undefined) return difference
  }
  return undefined
}

/** Mock and live players never agree: compares only whether both answer. */
const answersDiffer = (mock: unknown, live: unknown): string | undefined => oneSided(mock, live, "an answer")

/** Mock and live results never agree: compares only their numbers. */
const games = compared(Games, { season: seasonsDiffer, league: leaguesDiffer })

export const shadowed = [
  games,
  compared(Quarterbacks, { seasons: answersDiffer, careers: answersDiffer, weeks: answersDiffer }),
  compared(Injuries, { reported: answersDiffer, rostered: answersDiffer, reserved: answersDiffer }),
  compared(Top100, { seasons: answersDiffer, list: answersDiffer }),
]
