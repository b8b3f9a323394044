import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { ifDefined } from "../../../../core/ifDefined.ts"
import type { ListedGame, RefusedGame } from "../../../../core/lanes/baseball/ports.ts"
import { implausibleCounts } from "../../../../core/lanes/baseball/skill/rates.ts"
import type { PitchedGame, PitchedSide } from "../../../../core/lanes/baseball/skill/states.ts"
import type { UpstreamError } from "../../../runtime/upstream/upstream.ts"
import { type Api, publicUrl } from "./api.ts"
import { countsOf, WireCounts } from "./counts.ts"

const pathOf = (gamePk: number | string): string => `/api/v1/game/${gamePk}/boxscore`

/** All box scores together in citations. */
export const source = { source: "MLB StatsAPI box scores", locator: `${publicUrl}${pathOf("{gamePk}")}` }

const Id = Schema.Int.pipe(Schema.positive())

const Side = Schema.Struct({
  team: Schema.Struct({ id: Id }),
  teamStats: Schema.Struct({ pitching: WireCounts }),
  /** In the order of their appearance. */
  pitchers: Schema.Array(Id),
})

const Wire = Schema.Struct({ teams: Schema.Struct({ home: Side, away: Side }) })

const fields = [
  ...["teams", "home", "away", "team", "id", "teamStats", "pitching", "pitchers"],
  ...Object.keys(WireCounts.fields),
].join(",")

const sideOf = ({ team, pitchers, teamStats: { pitching } }: typeof Side.Type): PitchedSide => ({
  team: String(team.id),
  ...ifDefined("starter", pitchers[0]?.toString()),
  counts: countsOf(pitching),
})

/** Why a box score teaches nothing; undefined: it is learned from. */
const refusalOf = (listed: ListedGame, home: PitchedSide, away: PitchedSide): string | undefined => {
  if (listed.suspended) return "It was suspended: its pitching is of two days"
  if (home.team !== String(listed.home.teamId) || away.team !== String(listed.away.teamId)) {
    return `Its teams are ${away.team} at ${home.team}, and ${listed.away.teamId} at ${listed.home.teamId} were listed`
  }
  if (home.starter === undefined || away.starter === undefined) return "It has a team without a pitcher"
  if (home.starter === away.starter) return `Pitcher ${home.starter} started for both teams`
  const odd = [home, away].flatMap(({ team, counts }) => {
    const reason = implausibleCounts(counts)
    return reason === undefined ? [] : [`Pitching of team ${team}: ${reason}`]
  })
  return odd[0]
}

/** The pitching of a finished game, or why it is refused. */
export const boxScore = (api: Api, listed: ListedGame): Effect.Effect<PitchedGame | RefusedGame, UpstreamError> =>
  Effect.map(api.get(Wire, pathOf(listed.gamePk), { fields }), ({ teams }) => {
    const game = { id: String(listed.gamePk), season: listed.season, day: listed.officialDate }
    const [home, away] = [sideOf(teams.home), sideOf(teams.away)]
    const refusal = refusalOf(listed, home, away)
    return refusal === undefined ? { ...game, home, away } : { ...game, refusal }
  })
