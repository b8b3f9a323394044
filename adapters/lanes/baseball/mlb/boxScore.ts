import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { ifDefined } from "../../../../core/ifDefined.ts"
import { parameters } from "../../../../core/lanes/baseball/parameters.ts"
import type { ListedGame, PostedLineUps, RefusedGame } from "../../../../core/lanes/baseball/ports.ts"
import { type LineUp, whyImplausibleLineUp } from "../../../../core/lanes/baseball/skill/lineUps.ts"
import { whyImplausibleCounts } from "../../../../core/lanes/baseball/skill/rates.ts"
import type { PitchedGame, PitchedSide } from "../../../../core/lanes/baseball/skill/states.ts"
import { compare } from "../../../../core/text.ts"
import * as Upstream from "../../../runtime/upstream/Definition.ts"
import type { UpstreamError } from "../../../runtime/upstream/upstream.ts"
import { cite, publicUrl } from "./cite.ts"
import { readCounts, WireCounts } from "./counts.ts"

const boxScorePath = (gamePk: number | string): string => `/api/v1/game/${gamePk}/boxscore`

/** For citations of all box scores together. */
export const source = { source: "MLB StatsAPI box scores", locator: `${publicUrl}${boxScorePath("{gamePk}")}` }

const Id = Schema.Int.pipe(Schema.positive())

/** Players by `ID` and number. */
const Batting = Schema.Struct({
  players: Schema.optional(
    Schema.Record({
      key: Schema.String,
      value: Schema.Struct({
        person: Schema.Struct({ id: Id }),
        battingOrder: Schema.optional(Schema.String.pipe(Schema.pattern(/^[1-9]\d{2}$/))),
      }),
    }),
  ),
})

const Side = Schema.Struct({
  team: Schema.Struct({ id: Id }),
  teamStats: Schema.Struct({ pitching: WireCounts }),
  /** In the order of their appearance. */
  pitchers: Schema.Array(Id),
  ...Batting.fields,
})

const Wire = Schema.Struct({ teams: Schema.Struct({ home: Side, away: Side }) })
const Batters = Schema.Struct({ team: Side.fields.team, ...Batting.fields })
const WireLineUps = Schema.Struct({ teams: Schema.Struct({ home: Batters, away: Batters }) })

const lineUpFields = ["teams", "home", "away", "team", "players", "person", "id", "battingOrder"]
const fields = [...[...lineUpFields, "teamStats", "pitching", "pitchers"], ...Object.keys(WireCounts.fields)].join(",")

/** The starting batters in order: `300` is the third, `301` his substitute. Left if a place is missing or double. */
const findStarters = ({ players = {} }: typeof Batting.Type): Either.Either<LineUp, string> => {
  const starters = Object.values(players)
    .flatMap(({ person, battingOrder }) =>
      battingOrder?.endsWith("00") ? [{ id: person.id, place: battingOrder }] : [],
    )
    .sort((a, b) => compare(a.place, b.place))
  const odd = starters.find(({ place }, at) => place !== `${at + 1}00`)
  return odd === undefined
    ? Either.right(starters.map(({ id }) => String(id)))
    : Either.left(`Batter ${odd.id} has the place ${odd.place}, which is missing before him or taken`)
}

const readSide = ({ team, pitchers, teamStats: { pitching } }: typeof Side.Type): PitchedSide => ({
  team: String(team.id),
  ...ifDefined("starter", pitchers[0]?.toString()),
  counts: readCounts(pitching),
})

/** A side's line-up, or why it is refused; the box scores of some games have no batters. */
const readLineUp = (side: typeof Batting.Type): Either.Either<LineUp | undefined, string> =>
  Either.flatMap(findStarters(side), (lineUp) => {
    const reason = lineUp.length === 0 ? undefined : whyImplausibleLineUp(lineUp, parameters)
    return reason === undefined ? Either.right(lineUp.length === 0 ? undefined : lineUp) : Either.left(reason)
  })

/** Why a box score is not learned from; undefined if it is. */
const checkBoxScore = (listed: ListedGame, home: PitchedSide, away: PitchedSide): string | undefined => {
  if (listed.suspended) return "It was suspended: its pitching is of two days"
  if (home.team !== String(listed.home.teamId) || away.team !== String(listed.away.teamId)) {
    return `Its teams are ${away.team} at ${home.team}, and ${listed.away.teamId} at ${listed.home.teamId} were listed`
  }
  if (home.starter === undefined || away.starter === undefined) return "It has a team without a pitcher"
  if (home.starter === away.starter) return `Pitcher ${home.starter} started for both teams`
  const odd = [home, away].flatMap(({ team, counts }) => {
    const reason = whyImplausibleCounts(counts)
    return reason === undefined ? [] : [`Pitching of team ${team}: ${reason}`]
  })
  return odd[0]
}

const unstated = "The game: its teams, which have to be those that are listed, and their players."

export const boxScoreQuestion = Upstream.question(Upstream.readJson(Wire), {
  path: ({ gamePk }: ListedGame) => boxScorePath(gamePk),
  query: () => ({ fields }),
  unstated,
  identity: Either.right,
})

export const lineUpsQuestion = Upstream.question(Upstream.readJson(WireLineUps), {
  path: (gamePk: string) => boxScorePath(gamePk),
  query: () => ({ fields: lineUpFields.join(",") }),
  unstated,
  identity: Either.right,
})

/** The pitching of a finished game, or why it is refused. */
export const boxScore = (
  { ask }: Upstream.Source,
  listed: ListedGame,
): Effect.Effect<PitchedGame | RefusedGame, UpstreamError> =>
  Effect.map(ask(boxScoreQuestion, listed), ({ teams }) => {
    const game = { id: String(listed.gamePk), season: listed.season, day: listed.officialDate }
    const lineUps = Either.all([readLineUp(teams.home), readLineUp(teams.away)])
    const [home, away] = [readSide(teams.home), readSide(teams.away)]
    const refusal = checkBoxScore(listed, home, away)
    if (refusal !== undefined) return { ...game, refusal }
    if (Either.isLeft(lineUps)) return { ...game, refusal: `A line-up: ${lineUps.left}` }
    const [ofHome, ofAway] = lineUps.right
    return {
      ...game,
      home: { ...home, ...ifDefined("lineUp", ofHome) },
      away: { ...away, ...ifDefined("lineUp", ofAway) },
    }
  })

/** The line-ups of a game as far as they are posted. */
export const lineUps = ({ ask }: Upstream.Source, gamePk: string): Effect.Effect<PostedLineUps, UpstreamError> =>
  Effect.gen(function* () {
    const { teams } = yield* ask(lineUpsQuestion, gamePk)
    const [home, away] = [findStarters(teams.home), findStarters(teams.away)]
    return {
      teams: { home: teams.home.team.id, away: teams.away.team.id },
      home: Either.getOrElse(home, () => []),
      away: Either.getOrElse(away, () => []),
      ...ifDefined("refusal", Option.getOrUndefined(Option.firstSomeOf([Either.getLeft(home), Either.getLeft(away)]))),
      ...(yield* cite("box score", boxScorePath(gamePk), {})),
    }
  })
