import * as Layer from "effect/Layer"
import type { BaseballPorts } from "../../../../core/lanes/baseball/Baseball.ts"
import { addLines, noInnings, type PitcherLine, type TeamLine } from "../../../../core/lanes/baseball/lines.ts"
import {
  type PitchedGames,
  PitchingLines,
  SeasonLines,
  Slates,
  type Sourced,
} from "../../../../core/lanes/baseball/ports.ts"
import { countNames, type PitchingCounts, sumCounts, toRates } from "../../../../core/lanes/baseball/skill/rates.ts"
import type { PitchedGame } from "../../../../core/lanes/baseball/skill/states.ts"
import * as Step from "../../../../core/Step.ts"
import { day, dayOf } from "../../../../core/time.ts"
import { memoize } from "../../mock/draws.ts"
import { hashSeed, normalAt } from "../../mock/hash.ts"
import { drawBatting, drawLineUp, isPosted } from "./batters.ts"
import { type Finished, listGames } from "./listings.ts"
import { closingDay, gameSeason, type MockGame, type MockSide, openingDay, seasonGames } from "./season.ts"
import { findPitcher, pitcherSlot, pitchingFactor } from "./teams.ts"

const seed = hashSeed("baseball/lines")

/** Batters faced by a side and their outcomes, by the runs that it allowed; good starters strike out more. */
const drawCounts = ({ gamePk, home, away }: MockGame, side: "home" | "away"): PitchingCounts => {
  const [own, other] = side === "home" ? [home, away] : [away, home]
  const drawn = (which: number, mean: number, spread: number) =>
    Math.max(0, Math.round(mean + spread * normalAt(seed, 2 * gamePk + (side === "home" ? 1 : 0), which)))
  const homers = Math.min(other.runs, drawn(0, 0.25 * other.runs, 0.8))
  const doubles = drawn(1, 0.35 * other.runs, 0.9)
  const triples = drawn(2, 0.1, 0.3)
  const hits = homers + doubles + triples + drawn(3, 3.5 + 0.4 * other.runs, 1.2)
  const walks = drawn(4, 1.8 + 0.3 * other.runs, 1.2)
  const hitBatsmen = drawn(5, 0.3, 0.5)
  const strikeouts = Math.min(27, drawn(6, 8.6 / pitchingFactor(own.starter.id), 2.4))
  return {
    faced: 27 + hits + walks + hitBatsmen,
    ...{ strikeouts, walks, intentional: Math.min(walks, drawn(7, 0, 0.3)), hitBatsmen },
    ...{ hits, doubles, triples, homers },
  }
}

const pitchedGame = (game: MockGame): PitchedGame => {
  const side = (which: "home" | "away") => ({
    team: String(game[which].team.id),
    starter: String(game[which].starter.id),
    counts: drawCounts(game, which),
    lineUp: drawLineUp(game, game[which]),
  })
  return {
    id: String(game.gamePk),
    season: game.season,
    day: dayOf(game.playedOn),
    home: side("home"),
    away: side("away"),
  }
}

const starterShare = 0.62

const starterCounts = (counts: PitchingCounts): PitchingCounts =>
  Object.fromEntries(
    countNames.map((name) => [name, Math.round(starterShare * counts[name])]),
  ) as unknown as PitchingCounts

/** Whole seasons of starters, and the league's rates, by the season's games. */
const sumCareers = (games: ReadonlyArray<PitchedGame>) => {
  const byPitcher = new Map<string, Array<PitchingCounts>>()
  const all: Array<PitchingCounts> = []
  for (const { home, away } of games) {
    for (const { starter, counts } of [home, away]) {
      all.push(counts)
      byPitcher.set(starter!, [...(byPitcher.get(starter!) ?? []), starterCounts(counts)])
    }
  }
  const totals = memoize((pitcher: string) => sumCounts(byPitcher.get(pitcher) ?? []))
  return {
    rates: all.length === 0 ? undefined : toRates(sumCounts(all)),
    of: (pitcher: string) => (byPitcher.has(pitcher) ? totals(pitcher) : undefined),
  }
}

interface Start extends Pick<MockGame, "playedOn" | "endsAt"> {
  readonly line: PitcherLine
}

interface MockSeason {
  /** In order of their first listing. */
  readonly games: ReadonlyArray<MockGame>
  /** Played games in order of their end, each with the records of both teams after it. */
  readonly finished: ReadonlyArray<Finished>
  readonly starts: ReadonlyMap<number, ReadonlyArray<Start>>
}

const listFinished = (games: ReadonlyArray<MockGame>): ReadonlyArray<Finished> => {
  const records = new Map<number, { readonly wins: number; readonly losses: number }>()
  const after = ({ team }: MockSide, isWinner: boolean) => {
    const { wins, losses } = records.get(team.id) ?? { wins: 0, losses: 0 }
    const record = { wins: wins + (isWinner ? 1 : 0), losses: losses + (isWinner ? 0 : 1) }
    records.set(team.id, record)
    return record
  }
  return games
    .filter(({ endsAt }) => Number.isFinite(endsAt))
    .sort((a, b) => a.endsAt - b.endsAt)
    .map((game) => {
      const isHome = game.home.runs > game.away.runs
      return { game, home: after(game.home, isHome), away: after(game.away, !isHome) }
    })
}

const seasonFrom = (games: ReadonlyArray<MockGame>): MockSeason => {
  const finished = listFinished(games)
  const starts = new Map<number, Array<Start>>()
  for (const { game } of finished) {
    for (const { starter, outs, earnedRuns } of [game.home, game.away]) {
      const start = { playedOn: game.playedOn, endsAt: game.endsAt, line: { innings: outs / 3, earnedRuns } }
      const previous = starts.get(starter.id)
      if (previous === undefined) starts.set(starter.id, [start])
      else previous.push(start)
    }
  }
  return { games, finished, starts }
}

/** Cached seasons: a starter's career and the current one. */
const maxSeasons = 8

/** Generated once while it is in use. */
export const season = memoize((year: number): MockSeason => seasonFrom(seasonGames(year)), maxSeasons)

const slatePath = (date: string): string => `/v1/mlb/games?date=${date}`

/** @param locator the call that shows the data */
const sourced = (locator: string, now: number): Sourced => ({
  source: "mock baseball league",
  locator,
  fetchedAt: now,
  stale: false,
})

/** The schedule of an invented league: thirty teams, a game nearly every day from the end of March to September. */
const layerSlates: Layer.Layer<Slates> = Layer.succeed(Slates, {
  freshness: "mock",
  around: (date) =>
    Step.map(Step.now, (now) => {
      const midnight = Date.parse(date)
      const year = new Date(midnight).getUTCFullYear()
      const { games, finished } = season(year)
      const isNear = ({ listedOn, playedOn }: MockGame) => playedOn >= midnight - day && listedOn <= midnight
      return {
        ...sourced(slatePath(date), now),
        games:
          midnight < openingDay(year) || midnight > closingDay(year) + day
            ? []
            : listGames(games.filter(isNear), finished, now),
        unreadable: 0,
      }
    }),
  of: (gamePk) =>
    Step.map(Step.now, (now) => {
      const { games, finished } = season(gameSeason(gamePk))
      const matching = games.filter((game) => game.gamePk === gamePk)
      return {
        ...sourced(`/v1/mlb/fair-odds?game_pk=${gamePk}`, now),
        games: listGames(matching, finished, now),
        unreadable: 0,
      }
    }),
  lineUps: (gamePk) =>
    Step.map(Step.now, (now) => {
      const game = season(gameSeason(gamePk)).games.find((each) => each.gamePk === gamePk)
      const posted = (side: MockSide) => (isPosted(game!, side, now) ? drawLineUp(game!, side) : [])
      return {
        ...sourced(`/v1/mlb/fair-odds?game_pk=${gamePk}`, now),
        home: game === undefined ? [] : posted(game.home),
        away: game === undefined ? [] : posted(game.away),
      }
    }),
})

const cutoffTime = (before: string | undefined): number =>
  before === undefined ? Number.POSITIVE_INFINITY : Date.parse(before)

const countOver = (finished: ReadonlyArray<Finished>, now: number): number => {
  let [low, high] = [0, finished.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (finished[middle]!.game.endsAt <= now) low = middle + 1
    else high = middle
  }
  return low
}

const sumLines = (finished: ReadonlyArray<Finished>, until: number): ReadonlyMap<number, TeamLine> => {
  const lines = new Map<number, { games: number; scored: number; allowed: number }>()
  const count = (own: MockSide, other: MockSide): void => {
    const line = lines.get(own.team.id) ?? { games: 0, scored: 0, allowed: 0 }
    line.games += 1
    line.scored += own.runs
    line.allowed += other.runs
    lines.set(own.team.id, line)
  }
  for (const { game } of finished) {
    if (game.playedOn >= until) continue
    count(game.home, game.away)
    count(game.away, game.home)
  }
  return lines
}

/** The runs of a season's first `over` games, of those played before the day `before`; summed up once a game. */
const teamLines = memoize(
  (year: number, before: string | undefined, over: number) =>
    sumLines(season(year).finished.slice(0, over), cutoffTime(before)),
  64,
)

const pitcherLine = (id: number, year: number, before: string | undefined, now: number): PitcherLine => {
  const until = cutoffTime(before)
  return (season(year).starts.get(id) ?? [])
    .filter(({ playedOn, endsAt }) => playedOn < until && endsAt <= now)
    .reduce((sum, { line }) => addLines(sum, line), noInnings)
}

export const layerLines: Layer.Layer<SeasonLines> = Layer.succeed(SeasonLines, {
  freshness: "mock",
  teams: (year, before) =>
    Step.map(Step.now, (now) => ({
      ...sourced(slatePath(before ?? dayOf(closingDay(year))), now),
      lines: teamLines(year, before, countOver(season(year).finished, now)),
    })),
  pitcher: (id, year, before) =>
    Step.map(Step.now, (now) => {
      const slot = pitcherSlot(id)
      const pitcher = slot && findPitcher(slot.team, slot.slot, year)
      const isHis = pitcher?.id === id
      const earlier = isHis ? Array.from({ length: year - pitcher.since }, (_, at) => pitcher.since + at) : []
      return {
        ...sourced(slatePath(before), now),
        season: isHis ? pitcherLine(id, year, before, now) : noInnings,
        earlier: earlier.map((at) => [at, pitcherLine(id, at, undefined, now)] as const),
        counts: new Map(
          earlier.flatMap((at) => {
            const counts = careers(at).of(String(id))
            return counts === undefined ? [] : [[at, counts] as const]
          }),
        ),
      }
    }),
  batters: (_, year) =>
    Step.map(Step.now, (now) => ({ ...sourced(slatePath(dayOf(openingDay(year))), now), of: drawBatting })),
})

/** The pitching of a suspended game does not count, since it is of two days. */
const counts = ({ game: { fate } }: Finished): boolean => fate !== "suspended"

/** A season's games with their pitching, in order of their end. */
const pitchedInSeason = memoize(
  (year: number) =>
    season(year)
      .finished.filter(counts)
      .map(({ game }) => pitchedGame(game)),
  maxSeasons,
)
const careers = memoize((year: number) => sumCareers(pitchedInSeason(year)), maxSeasons)

/** The pitching of last season, and of this season's first `over` games that were played before `before`. */
const pitchedUntil = memoize(
  (year: number, before: string, over: number): PitchedGames => ({
    ...sourced(slatePath(before), Date.parse(before)),
    games: [
      ...pitchedInSeason(year - 1),
      ...pitchedInSeason(year)
        .filter((game) => game.day < before)
        .slice(0, over),
    ],
    careers: { of: (pitcher, at) => careers(at).of(pitcher), league: (at) => careers(at).rates },
  }),
  16,
)

const layerPitching: Layer.Layer<PitchingLines> = Layer.succeed(PitchingLines, {
  freshness: "mock",
  until: (year, before) =>
    Step.map(Step.now, (now) => {
      const { finished } = season(year)
      const until = cutoffTime(before)
      const over = finished.slice(0, countOver(finished, now)).filter(counts)
      return pitchedUntil(year, before, over.filter(({ game }) => game.playedOn < until).length)
    }),
})

export const layer: Layer.Layer<BaseballPorts> = Layer.mergeAll(layerSlates, layerLines, layerPitching)
