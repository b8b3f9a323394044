import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { addLines, noInnings, type PitcherLine } from "../../../../core/lanes/baseball/lines.ts"
import { parameters } from "../../../../core/lanes/baseball/parameters.ts"
import { whyImplausibleLog } from "../../../../core/lanes/baseball/plausible.ts"
import type { PitcherLines, Sourced } from "../../../../core/lanes/baseball/ports.ts"
import { maxFacedPerSeason, sumCounts, whyImplausibleCounts } from "../../../../core/lanes/baseball/skill/rates.ts"
import { makeIdentityCheck, sharedValue } from "../../../../core/sources/identity.ts"
import { dayOf, isDay } from "../../../../core/time.ts"
import * as Upstream from "../../../runtime/upstream/Definition.ts"
import type { UpstreamError } from "../../../runtime/upstream/upstream.ts"
import { cite } from "./cite.ts"
import { byYear, isCounted, kind, Origin, readCounts, WireCounts, Year } from "./counts.ts"

/** `349.2` is 349 innings and two outs: the digit after the point counts thirds. */
export const parseInnings = (text: string): number => {
  const [full, outs] = text.split(".")
  return Number(full) + Number(outs) / 3
}

const Stat = Schema.Struct({
  inningsPitched: Schema.String.pipe(Schema.pattern(/^\d{1,5}\.[012]$/)),
  earnedRuns: Schema.Int.pipe(Schema.nonNegative()),
})

const PitchedGame = Schema.Struct({ ...Origin, date: Schema.String.pipe(Schema.filter(isDay)), stat: Stat })
const PitchedYear = Schema.Struct({ ...Year, stat: Schema.extend(Stat, WireCounts) })

const GameLog = kind("gameLog", "pitching", PitchedGame)
const YearByYear = kind("yearByYear", "pitching", PitchedYear)
const IgnoredStats = Schema.Struct({
  type: Schema.Struct({
    displayName: Schema.String.pipe(Schema.filter((name) => !/^(gameLog|yearByYear)$/.test(name))),
  }),
})

const StatsResponse = Schema.Struct({ stats: Schema.Array(Schema.Union(GameLog, YearByYear, IgnoredStats)) })

const readLine = ({ inningsPitched, earnedRuns }: typeof Stat.Type): PitcherLine => ({
  innings: parseInnings(inningsPitched),
  earnedRuns,
})

const sum = (rows: ReadonlyArray<{ readonly stat: typeof Stat.Type }>): PitcherLine =>
  rows.reduce((line, { stat }) => addLines(line, readLine(stat)), noInnings)

/** A pitcher's games of a season, and his earlier seasons. */
interface PitcherLog extends Omit<PitcherLines, "season"> {
  readonly games: ReadonlyArray<{ readonly day: string; readonly line: PitcherLine }>
}

/** The pitcher's season before a day. */
export const seasonLineUntil = ({ games }: PitcherLog, until: string): PitcherLine =>
  games.filter(({ day }) => day < until).reduce((line, game) => addLines(line, game.line), noInnings)

interface PitcherQuery {
  readonly id: number
  readonly season: number
}

const statsPath = ({ id }: PitcherQuery): string => `/api/v1/people/${id}/stats`
const toQuery = ({ season }: PitcherQuery) => ({
  stats: "gameLog,yearByYear",
  group: "pitching",
  season: String(season),
  gameType: "R",
})

const listGameLogs = ({ stats }: typeof StatsResponse.Type) =>
  stats.filter(Schema.is(Schema.typeSchema(GameLog))).flatMap(({ splits }) => splits)
const listYears = ({ stats }: typeof StatsResponse.Type) =>
  stats.filter(Schema.is(Schema.typeSchema(YearByYear))).flatMap(({ splits }) => splits)

const checkIdentity = makeIdentityCheck({
  name: ({ id, season }: PitcherQuery) => `The pitching of ${id} in ${season}`,
  says: {
    player: (wire: typeof StatsResponse.Type, { id }) => {
      const rows = [...listGameLogs(wire), ...listYears(wire)]
      return [rows.length === 0 ? `${id}` : sharedValue(rows.flatMap(({ player }) => player?.id ?? [])), `${id}`]
    },
    season: (wire, { season }) => [
      sharedValue(listGameLogs(wire).map(({ date }) => date.slice(0, 4))) ?? `${season}`,
      `${season}`,
    ],
  },
})

/** Reads games and seasons; left with the reason if they are implausible. */
const readLog = (
  wire: typeof StatsResponse.Type,
  { season }: PitcherQuery,
  now: number,
): Either.Either<Omit<PitcherLog, keyof Sourced>, string> => {
  const [logs, years] = [listGameLogs(wire), byYear(listYears(wire))]
  const games = logs.filter(isCounted).map(({ date, stat }) => ({ day: date, line: readLine(stat) }))
  const current = years.find(([year]) => year === season)?.[1]
  const recentCounts = years.flatMap(([year, rows]) =>
    year < season && year >= season - parameters.skill.seasons.length
      ? [[year, sumCounts(rows.map(({ stat }) => readCounts(stat)))] as const]
      : [],
  )
  const implausibleYear = recentCounts.flatMap(([year, line]) => {
    const why = whyImplausibleCounts(line, maxFacedPerSeason)
    return why === undefined ? [] : [`${why} in ${year}`]
  })[0]
  const reason = implausibleYear ?? whyImplausibleLog(games, dayOf(now), current && sum(current))
  if (reason !== undefined) return Either.left(reason)
  const earlier = years.flatMap(([year, rows]) => (year < season ? [[year, sum(rows)] as const] : []))
  return Either.right({ games, earlier, counts: new Map(recentCounts) })
}

export const pitcherStats = Upstream.question(Upstream.readJson(StatsResponse), {
  path: statsPath,
  query: toQuery,
  identity: (wire, query: PitcherQuery, now) =>
    Either.flatMap(checkIdentity(wire, query, now), (response) => readLog(response, query, now)),
})

export const pitcherLog = (
  { ask }: Upstream.Source,
  id: number,
  season: number,
): Effect.Effect<PitcherLog, UpstreamError> => {
  const query = { id, season }
  return Effect.zipWith(ask(pitcherStats, query), cite("pitching", statsPath(query), toQuery(query)), (log, cited) => ({
    ...log,
    ...cited,
  }))
}
