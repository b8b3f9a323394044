import * as Arr from "effect/Array"
import type * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ifDefined } from "../../../../core/ifDefined.ts"
import { keepByVersion } from "../../../../core/kept.ts"
import { findGamesSeason, findOpeningDay, findRosterSeason } from "../../../../core/lanes/football/data/calendar.ts"
import { listCareers } from "../../../../core/lanes/football/data/fileRows.ts"
import type { Game, Side } from "../../../../core/lanes/football/data/Game.ts"
import { indexTeamWeeks } from "../../../../core/lanes/football/data/Game.ts"
import {
  type Career,
  type GameRecord,
  Games,
  Injuries,
  Quarterbacks,
  type QuarterbackWeek,
  type Season,
  Top100,
} from "../../../../core/lanes/football/ports.ts"
import { perObject } from "../../../../core/perObject.ts"
import * as Step from "../../../../core/Step.ts"
import { day, hour } from "../../../../core/time.ts"
import { yieldToEventLoop } from "../../../../core/yieldToEventLoop.ts"
import { memoize } from "../../mock/draws.ts"
import { isCalledOff, type Played } from "./game.ts"
import type { Player } from "./players.ts"
import { drawTop100, firstList, injuryRows, newestList, reserveRows, rosterWeek } from "./reports.ts"
import { playedSeason } from "./season.ts"
import { drawStatLine, drawTeamWeeks } from "./stats.ts"
import { firstSeason } from "./teams.ts"

const source = "mock football league"

/** Length of a game; its statistics are published with its final. */
const gameDurationMs = 3.25 * hour
/** Times before kickoff at which lines are posted, starters are announced, and starters change. */
const [posted, named, news] = [9 * day, 6 * day, 2 * day]

const isFinal = ({ game, kickoffAt }: Played, now: number): boolean =>
  kickoffAt + gameDurationMs <= now && !isCalledOff(game)

// Assigned, not spread: V8 gives an object that begins with a spread a hidden class of its own, of 400 bytes.
const toSide = ({ quarterback: _id, quarterbackName: _name, ...side }: Side, starter: Player | undefined): Side =>
  Object.assign(side, starter && { quarterback: starter.id, quarterbackName: starter.name })

const toRecord = (played: Played, now: number): GameRecord => {
  const { kickoffAt, lines, expected, offenses } = played
  const { score, temperature, wind, home, away, ...rest } = played.game
  const final = isFinal(played, now)
  const starter = (side: "home" | "away"): Player | undefined =>
    now >= kickoffAt - news ? offenses[side].quarterback : now >= kickoffAt - named ? expected[side] : undefined
  const game: Game = Object.assign(
    rest,
    { home: toSide(home, starter("home")), away: toSide(away, starter("away")) },
    final && { ...ifDefined("score", score), ...ifDefined("temperature", temperature), ...ifDefined("wind", wind) },
  )
  const seen = [kickoffAt + gameDurationMs, kickoffAt - news, kickoffAt - named, kickoffAt - posted].find(
    (at) => at <= now,
  )
  return {
    game,
    lines: now >= kickoffAt - posted ? lines : {},
    kickoffAt,
    source,
    // A schedule is published at the start of the previous season.
    fetchedAt: seen ?? Date.parse(findOpeningDay(game.season - 1)),
  }
}

/** The scheduled games: a playoff round is scheduled once the previous one is over. */
const listScheduled = (games: ReadonlyArray<Played>, now: number): ReadonlyArray<Played> => {
  const open = games.find(({ kickoffAt }) => kickoffAt + gameDurationMs > now)
  const round = open?.game.type
  return games.filter(
    ({ game: { type, week } }) => type === "REG" || open === undefined || week < open.game.week || type === round,
  )
}

const cache = new Map<number, { readonly key: string; readonly season: Season }>()

const listScheduleChanges = memoize((season: number) =>
  Float64Array.from(
    playedSeason(season).flatMap(({ kickoffAt }) => [
      kickoffAt - posted,
      kickoffAt - named,
      kickoffAt - news,
      kickoffAt + gameDurationMs,
    ]),
  ).sort(),
)

const makeSeason = (season: number, now: number): Season => {
  const key = String(listScheduleChanges(season).findLastIndex((at) => at <= now))
  const cached = cache.get(season)
  if (cached?.key === key) return cached.season
  const games = listScheduled(playedSeason(season), now)
  const next: Season = {
    season,
    records: games.map((played) => toRecord(played, now)),
    weeks: indexTeamWeeks(games.filter((played) => isFinal(played, now)).flatMap(drawTeamWeeks)),
  }
  cache.set(season, { key, season: next })
  return next
}

const seasonsBetween = (first: number, last: number): ReadonlyArray<number> =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at)

const listSeasons = (now: number): ReadonlyArray<number> =>
  seasonsBetween(firstSeason, Math.max(firstSeason, findGamesSeason(now) + 1))

/** Every season at an instant; generating a new one takes a while. */
const readSeasons: (now: number) => Effect.Effect<ReadonlyArray<Season>> = Step.method(function* (now: number) {
  const seasons: Array<Season> = []
  for (const season of listSeasons(now)) {
    if (!cache.has(season)) yield* yieldToEventLoop
    seasons.push(makeSeason(season, now))
  }
  return seasons
})

const games: typeof Games.Service = {
  freshness: "mock",
  season: (season) =>
    Step.map(Step.now, (now) => (listSeasons(now).includes(season) ? makeSeason(season, now) : undefined)),
  league: Step.gen(function* () {
    const now = yield* Step.now
    const seasons = yield* readSeasons(now)
    return { seasons, checkedAt: new Map(seasons.map(({ season }) => [season, now])) }
  }),
}

/** One shared league, so that its games are generated and rated once. */
export const layerGames: Layer.Layer<Games> = Layer.succeed(Games, games)

const firstLines = 2002

const listLines = perObject(({ season, records }: Season): ReadonlyArray<QuarterbackWeek> => {
  const finals = new Set(records.flatMap(({ game }) => (game.score === undefined ? [] : [game.id])))
  return playedSeason(season)
    .filter(({ game }) => finals.has(game.id))
    .flatMap((played) =>
      (["home", "away"] as const).map((side) => ({
        ...drawStatLine(played, side),
        source,
        fetchedAt: played.kickoffAt + gameDurationMs,
      })),
    )
})

interface Lines {
  readonly careers: ReadonlyArray<Career>
  /** By player, most recent first. */
  readonly weeks: ReadonlyMap<string, ReadonlyArray<QuarterbackWeek>>
}

const lines = keepByVersion<Lines>()

const readLines = Step.method(function* (now: number) {
  const seasons = (yield* readSeasons(now)).filter(({ season }) => season >= firstLines)
  const version = seasons.map(({ season }) => cache.get(season)!.key).join()
  return yield* lines("", version, () =>
    Step.gen(function* () {
      const all: Array<QuarterbackWeek> = []
      for (const season of seasons) {
        yield* yieldToEventLoop
        all.push(...listLines(season))
      }
      const weeks = new Map(Object.entries(Arr.groupBy(all.toReversed(), ({ playerId }) => playerId)))
      return { careers: listCareers(all), weeks }
    }),
  )
})

export const layerQuarterbacks: Layer.Layer<Quarterbacks> = Layer.succeed(Quarterbacks, {
  freshness: "mock",
  seasons: Step.map(Step.now, (now) => seasonsBetween(firstLines, findGamesSeason(now))),
  careers: Step.gen(function* () {
    return (yield* readLines(yield* Step.now)).careers
  }),
  weeks: (playerId, { season, last }) =>
    Step.gen(function* () {
      const { weeks } = yield* readLines(yield* Step.now)
      const lines = weeks.get(playerId) ?? []
      return lines.filter((week) => season === undefined || week.season === season).slice(0, last)
    }),
})

export const layerInjuries: Layer.Layer<Injuries> = Layer.succeed(Injuries, {
  freshness: "mock",
  reported: (season, team) =>
    Step.map(Step.now, (now) =>
      season < firstSeason
        ? undefined
        : injuryRows(season, team, now).map((row) => ({ ...row, source, fetchedAt: now - (now % day) })),
    ),
  rostered: Step.map(Step.now, (now) => seasonsBetween(firstSeason, findRosterSeason(now))),
  reserved: (season, team, week) =>
    Step.map(Step.now, (now) => {
      const newest = season < firstSeason ? undefined : rosterWeek(season, now)
      if (newest === undefined) return undefined
      const asOf = Math.min(week ?? newest, newest)
      const sourced = { source, fetchedAt: now - (now % day) }
      return { ...sourced, week: asOf, players: reserveRows(season, team, asOf).map((row) => ({ ...row, ...sourced })) }
    }),
})

export const layerTop100: Layer.Layer<Top100> = Layer.succeed(Top100, {
  freshness: "mock",
  seasons: Step.map(Step.now, (now) => seasonsBetween(firstList, newestList(now))),
  list: (season) =>
    Step.map(Step.now, (now) =>
      season < firstList || season > newestList(now)
        ? undefined
        : { season, players: drawTop100(season), source, fetchedAt: Date.UTC(season, 7, 15) },
    ),
})

/** An invented league since 1999, for any time, offline: all numbers are invented, and most names. */
export const layer: Layer.Layer<Games | Injuries | Quarterbacks | Top100> = Layer.mergeAll(
  layerGames,
  layerInjuries,
  layerQuarterbacks,
  layerTop100,
)
