import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { added, noInnings, type PitcherLine } from "../../../../core/lanes/baseball/lines.ts"
import { parameters } from "../../../../core/lanes/baseball/parameters.ts"
import { implausibleLog } from "../../../../core/lanes/baseball/plausible.ts"
import type { PitcherLines } from "../../../../core/lanes/baseball/ports.ts"
import { implausibleCounts, mostOfSeason, summed } from "../../../../core/lanes/baseball/skill/rates.ts"
import { dayOf, isDay } from "../../../../core/time.ts"
import { implausible, type UpstreamError } from "../../../runtime/upstream/upstream.ts"
import type { Api } from "./api.ts"
import { countsOf, WireCounts } from "./counts.ts"

/** `349.2` is 349 innings and two outs: the digit after the point counts thirds. */
export const inningsOf = (text: string): number => {
  const [whole, outs] = text.split(".")
  return Number(whole) + Number(outs) / 3
}

const Stat = Schema.Struct({
  inningsPitched: Schema.String.pipe(Schema.pattern(/^\d{1,5}\.[012]$/)),
  earnedRuns: Schema.Int.pipe(Schema.nonNegative()),
})

const YearStat = Schema.extend(Stat, WireCounts)

/** League and game type; absent fields are as requested: major league, regular season. */
const Origin = {
  sport: Schema.optional(Schema.Struct({ id: Schema.Int })),
  gameType: Schema.optional(Schema.String),
}

const Game = Schema.Struct({ ...Origin, date: Schema.String.pipe(Schema.filter(isDay)), stat: Stat })

const Year = Schema.Struct({
  ...Origin,
  season: Schema.String.pipe(Schema.pattern(/^\d{4}$/)),
  stat: YearStat,
  /** Absent in the total row of a year with two teams, which is listed with its parts. */
  team: Schema.optional(Schema.Struct({ id: Schema.Int })),
})

/** Parsed as a whole: a skipped row would change the pitcher's line. Kinds without rows are absent. */
const kind = <A, I>(name: string, row: Schema.Schema<A, I>) =>
  Schema.Struct({
    type: Schema.Struct({ displayName: Schema.Literal(name) }),
    group: Schema.Struct({ displayName: Schema.Literal("pitching") }),
    splits: Schema.Array(row),
  })

const GameLog = kind("gameLog", Game)
const YearByYear = kind("yearByYear", Year)
const Other = Schema.Struct({
  type: Schema.Struct({
    displayName: Schema.String.pipe(Schema.filter((name) => !/^(gameLog|yearByYear)$/.test(name))),
  }),
})

const Wire = Schema.Struct({ stats: Schema.Array(Schema.Union(GameLog, YearByYear, Other)) })

const counts = ({ sport, gameType }: Pick<typeof Year.Type, "sport" | "gameType">): boolean =>
  (sport?.id ?? 1) === 1 && (gameType ?? "R") === "R"

const lineOf = ({ inningsPitched, earnedRuns }: typeof Stat.Type): PitcherLine => ({
  innings: inningsOf(inningsPitched),
  earnedRuns,
})

const sum = (rows: ReadonlyArray<{ readonly stat: typeof Stat.Type }>): PitcherLine =>
  rows.reduce((line, { stat }) => added(line, lineOf(stat)), noInnings)

/** The total of a year, or its parts where it has none. */
const partsOf = (rows: ReadonlyArray<typeof Year.Type>): ReadonlyArray<typeof Year.Type> => {
  const total = rows.find(({ team }) => team === undefined)
  return total === undefined ? rows : [total]
}

/** A pitcher's games of a season, and his earlier seasons. */
export interface PitcherLog extends Omit<PitcherLines, "season"> {
  readonly games: ReadonlyArray<{ readonly day: string; readonly line: PitcherLine }>
}

/** His line of the season before a day. */
export const seasonBefore = ({ games }: PitcherLog, before: string): PitcherLine =>
  games.filter(({ day }) => day < before).reduce((line, game) => added(line, game.line), noInnings)

export const pitcherLog = (api: Api, id: number, season: number): Effect.Effect<PitcherLog, UpstreamError> =>
  Effect.gen(function* () {
    const query = { stats: "gameLog,yearByYear", group: "pitching", season: String(season), gameType: "R" }
    const path = `/api/v1/people/${id}/stats`
    const { stats } = yield* api.get(Wire, path, query)
    const logs = stats.filter(Schema.is(Schema.typeSchema(GameLog))).flatMap(({ splits }) => splits)
    const years = stats.filter(Schema.is(Schema.typeSchema(YearByYear))).flatMap(({ splits }) => splits)
    const byYear = new Map<string, Array<typeof Year.Type>>()
    for (const year of years.filter(counts)) byYear.set(year.season, [...(byYear.get(year.season) ?? []), year])
    const games = logs.filter(counts).map(({ date, stat }) => ({ day: date, line: lineOf(stat) }))
    const own = byYear.get(String(season))
    const counted = [...byYear].flatMap(([year, rows]) =>
      Number(year) < season && Number(year) >= season - parameters.skill.seasons.length
        ? [[Number(year), summed(partsOf(rows).map(({ stat }) => countsOf(stat)))] as const]
        : [],
    )
    const odd = counted.flatMap(([year, line]) => {
      const why = implausibleCounts(line, mostOfSeason)
      return why === undefined ? [] : [`${why} in ${year}`]
    })[0]
    const reason = odd ?? implausibleLog(games, dayOf(yield* Clock.currentTimeMillis), own && sum(partsOf(own)))
    if (reason !== undefined) return yield* implausible(api.upstream, reason)
    return {
      games,
      earlier: [...byYear]
        .filter(([year]) => Number(year) < season)
        .map(([year, rows]) => [Number(year), sum(partsOf(rows))] as const),
      counts: new Map(counted),
      ...(yield* api.cite("pitching", path, query)),
    }
  })
