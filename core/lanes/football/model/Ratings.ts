import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { PlatformCrypto } from "../../../account/PlatformCrypto.ts"
import { perObject } from "../../../perObject.ts"
import * as Step from "../../../Step.ts"
import { yieldToEventLoop } from "../../../yieldToEventLoop.ts"
import { type Game, groupByGameday, hideResult } from "../data/Game.ts"
import { type GameRecord, Games, type League, type Season } from "../ports.ts"
import type { FairLine } from "./fairLine.ts"
import { buildGameday, type Gameday, hashInputs, type LineInputs } from "./inputs.ts"
import { initialState, learn, predict } from "./Model.ts"
import type { RatingState } from "./State.ts"

export interface RatedLine {
  readonly line: Omit<FairLine, "margins">
  /** The last gameday in the state, YYYY-MM-DD; empty before the first. */
  readonly through: string
  readonly inputs: LineInputs
  /** The hash of the inputs, under which they are stored if the line is recorded. */
  readonly inputsHash: string
}

/** The served model over a league: keeps the state and updates it with new data. */
export interface Ratings {
  /** The line of a game from the finals before its gameday, even if it has been played. */
  readonly line: (league: League, record: GameRecord) => Effect.Effect<RatedLine>
  /** The state from which a game's line was predicted; for an old game it is computed again. */
  readonly stateBefore: (league: League, record: GameRecord) => Effect.Effect<RatingState>
}

/** A position in the walk: the last gameday of each season so far, and the state after it. */
interface Mark {
  readonly seasons: ReadonlyArray<Gameday>
  readonly state: RatingState
}

const beginning: Mark = { seasons: [], state: initialState }

const hasSameSeasons = (a: Mark, b: Mark | undefined): boolean =>
  a.seasons.length === b?.seasons.length && a.seasons.every(({ hash }, at) => hash === b.seasons[at]!.hash)

interface Day {
  readonly seen: Gameday
  /** The state after this day; undefined if it is computed again when needed. */
  state: RatingState | undefined
}

const toDate = ({ seen: { games } }: Day): string => games[0]!.gameday

interface WalkedSeason {
  readonly season: Season
  readonly before: Mark
  readonly days: ReadonlyArray<Day>
  readonly after: Mark
}

/** States of this many last gamedays of a season are kept: late and corrected finals are mostly that recent. */
const keptDays = 8
/** Gamedays that are processed between two yields to other fibers. */
const daysBetweenYields = 4

/** The gamedays of a season up to the last one with a final. */
const listWalkable = ({ records }: Season): ReadonlyArray<ReadonlyArray<Game>> => {
  const days = groupByGameday(records.map(({ game }) => game))
  return days.slice(0, days.findLastIndex((day) => day.some(({ score }) => score !== undefined)) + 1)
}

type UnhashedLine = Omit<RatedLine, "inputsHash">
type Hashing = Pick<PlatformCrypto["Type"], "sha256">

interface Walk {
  readonly seasons: Map<number, WalkedSeason>
  readonly lines: Map<string, UnhashedLine>
  /** The seasons of the league that was walked last. */
  last: ReadonlyArray<Season>
}

const rateGame = ({ state, seasons: seen }: Mark, game: Game): UnhashedLine => {
  const scheduled = hideResult(game)
  const { margins: _, ...line } = predict(state, scheduled)
  return { line, through: state.through, inputs: { game: scheduled, seasons: seen } }
}

/** Makes a function that walks one season from its first changed gameday. */
const makeSeasonWalker = (secrets: Hashing, { seasons, lines }: Walk) =>
  Effect.fnUntraced(function* (season: Season, before: Mark, isOld: boolean) {
    const walked = seasons.get(season.season)
    const old = hasSameSeasons(before, walked?.before) ? walked!.days : []
    const days: Array<Day> = []
    for (const [at, games] of listWalkable(season).entries()) {
      const seen = yield* buildGameday(secrets, days.at(-1)?.seen, games, season.weeks)
      days.push(old[at]?.seen.hash === seen.hash ? old[at] : { seen, state: undefined })
      if (at % daysBetweenYields === daysBetweenYields - 1) yield* yieldToEventLoop
    }
    const first = days.findIndex((day, at) => day !== old[at])
    const changed = first === -1 ? days.length : first
    const end = days.at(-1)
    if (end === undefined) {
      seasons.set(season.season, { season, before, days, after: before })
      return
    }
    const ends = [...before.seasons, end.seen]
    let from = changed
    while (from > 0 && days[from - 1]!.state === undefined) from--
    let state = from === 0 ? before.state : days[from - 1]!.state!
    for (let at = from; at < days.length; at++) {
      const { games } = days[at]!.seen
      if (at >= changed) {
        const mark = at === 0 ? before : { seasons: [...before.seasons, days[at - 1]!.seen], state }
        // Lines of an old season are computed on the first request for one.
        for (const game of games) isOld ? lines.delete(game.id) : lines.set(game.id, rateGame(mark, game))
      }
      state = learn(state, games, season.weeks)
      days[at]!.state = state
      if ((at - from) % daysBetweenYields === daysBetweenYields - 1) yield* yieldToEventLoop
    }
    for (let at = 0; at < days.length - keptDays; at++) days[at]!.state = undefined
    seasons.set(season.season, { season, before, days, after: { seasons: ends, state } })
  })

/** Computes the lines of a season whose walk did not. */
const rateSeason = Effect.fnUntraced(function* (lines: Walk["lines"], { season, before, days }: WalkedSeason) {
  let mark = before
  for (const [at, { seen, state }] of days.entries()) {
    for (const game of seen.games) if (!lines.has(game.id)) lines.set(game.id, rateGame(mark, game))
    const after = state ?? learn(mark.state, seen.games, season.weeks)
    mark = { seasons: [...before.seasons, seen], state: after }
    if (at % daysBetweenYields === daysBetweenYields - 1) yield* yieldToEventLoop
  }
})

/** Makes a function that walks those seasons of a league that have changed, in order. */
const makeCatchUp = (secrets: Hashing, walk: Walk) => {
  const through = makeSeasonWalker(secrets, walk)
  return (league: League) =>
    Effect.gen(function* () {
      let mark = beginning
      for (const [at, season] of league.seasons.entries()) {
        const previous = walk.seasons.get(season.season)
        const isOld = at < league.seasons.length - 2
        if (previous?.season !== season || !hasSameSeasons(mark, previous.before)) yield* through(season, mark, isOld)
        const walked = walk.seasons.get(season.season)!
        mark = walked.after
        // Of finished seasons only the last state is kept, from which the next season starts.
        if (isOld) for (const day of walked.days.slice(0, -1)) day.state = undefined
      }
      walk.last = league.seasons
    })
}

const isCurrent = (last: Walk["last"], { seasons: now }: League): boolean =>
  now === last || (now.length === last.length && now.every((season, at) => season === last[at]))

/** The walk's position before a day that it has not reached. */
const findMarkBefore = ({ seasons, last }: Walk, gameday: string): Mark => {
  let mark = beginning
  for (const { season } of last) {
    const { days, after } = seasons.get(season)!
    if (days.length > 0 && toDate(days[0]!) < gameday) mark = after
  }
  return mark
}

const isWalked = ({ seasons }: Walk, { gameday, season }: Game): boolean =>
  seasons.get(season)?.days.some((day) => toDate(day) === gameday) === true

/** The state from which a game's line was predicted. */
const stateBefore = (walk: Walk, game: Game): RatingState => {
  const walked = walk.seasons.get(game.season)
  if (walked === undefined || !isWalked(walk, game)) return findMarkBefore(walk, game.gameday).state
  let { state } = walked.before
  for (const day of walked.days) {
    if (toDate(day) >= game.gameday) break
    state = day.state ?? learn(state, day.seen.games, walked.season.weeks)
  }
  return state
}

/**
 * Ratings that keep the walk: the lines of played games, and the newest states. An unchanged league costs only a comparison; a
 * new final, the walk of its gameday; a corrected one, that of the gamedays since. Lines of old seasons are computed when one
 * of their games is asked for.
 */
export const make = (secrets: Hashing): Ratings => {
  const walk: Walk = { seasons: new Map(), lines: new Map(), last: [] }
  const { seasons, lines } = walk
  const turns = Effect.unsafeMakeSemaphore(1)
  const catchUp = makeCatchUp(secrets, walk)

  /** Brings the walk up to date with the league, one caller at a time. */
  const upToDate = (league: League): Effect.Effect<void> =>
    Step.suspend(() =>
      isCurrent(walk.last, league)
        ? Effect.void
        : turns.withPermits(1)(Effect.suspend(() => (isCurrent(walk.last, league) ? Effect.void : catchUp(league)))),
    )

  /** The line of a game whose day the walk has reached; undefined for any other. */
  const walkedLine = (game: Game): Effect.Effect<UnhashedLine | undefined> =>
    Step.gen(function* () {
      const line = lines.get(game.id)
      if (!isWalked(walk, game)) return undefined
      if (line !== undefined) return line
      const rated = Effect.suspend(() =>
        lines.has(game.id) ? Effect.void : rateSeason(lines, seasons.get(game.season)!),
      )
      yield* turns.withPermits(1)(rated)
      return lines.get(game.id)
    })

  return {
    line: Step.method(function* (league: League, { game }: GameRecord) {
      yield* upToDate(league)
      const rated = (yield* walkedLine(game)) ?? rateGame(findMarkBefore(walk, game.gameday), game)
      return { ...rated, inputsHash: yield* hashInputs(secrets, rated.inputs) }
    }),
    stateBefore: (league, { game }) =>
      Effect.zipRight(
        upToDate(league),
        Effect.sync(() => stateBefore(walk, game)),
      ),
  }
}

/** The ratings over a league's port: all that read it share one walk. */
const shareRatings = perObject((_games: object, secrets: Hashing) => make(secrets))

/** The ratings that the lane serves, made by the first call that needs them. */
export class ServedRatings extends Context.Tag("market-signals/core/lanes/football/ServedRatings")<
  ServedRatings,
  Ratings
>() {
  static readonly layer: Layer.Layer<ServedRatings, never, Games | PlatformCrypto> = Layer.effect(
    ServedRatings,
    Effect.gen(function* () {
      return shareRatings(yield* Games, yield* PlatformCrypto)
    }),
  )
}
