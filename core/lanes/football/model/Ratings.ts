import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { PlatformCrypto } from "../../../account/PlatformCrypto.ts"
import type { Failure } from "../../../Failure.ts"
import { perObject } from "../../../perObject.ts"
import * as Step from "../../../Step.ts"
import { yieldToEventLoop } from "../../../yieldToEventLoop.ts"
import { beforehand, type Game, gamedays } from "../data/Game.ts"
import {
  type GameRecord,
  Games,
  type League,
  RatingStates,
  type Season,
  type StateKey,
  type StateStore,
} from "../ports.ts"
import type { FairLine } from "./fairLine.ts"
import { buildGameday, type Gameday, hashInputs, type Inputs, madeFrom } from "./inputs.ts"
import { learn, predict, start } from "./Model.ts"
import type { RatingState } from "./State.ts"

/** A fair line and its inputs. */
export interface Rated {
  readonly line: Omit<FairLine, "margins">
  /** The last gameday in the state, YYYY-MM-DD; empty before the first. */
  readonly through: string
  readonly inputs: Inputs
  /** The hash of the inputs, which stores them when the line is recorded; equal inputs have one hash. */
  readonly inputsHash: string
}

/** Where the walk of a league keeps its states between starts. */
export interface Kept {
  readonly league: StateKey["league"]
  readonly states: StateStore
}

/** The served model over a league: holds its state and updates it with new data. */
export interface Ratings {
  /** Processes new data of a league ahead of the calls. */
  readonly catchUp: (league: League) => Effect.Effect<void>
  /** The line of a game from the finals of the gamedays before it; for a played game, the line before its gameday. */
  readonly line: (league: League, record: GameRecord) => Effect.Effect<Rated>
  /** The state behind a game's line; for an old game it is computed again. */
  readonly stateBefore: (league: League, record: GameRecord) => Effect.Effect<RatingState>
}

/** A position in the walk: the last gameday of each season so far, and the state after it. */
interface Mark {
  readonly seasons: ReadonlyArray<Gameday>
  readonly state: RatingState
}

const beginning: Mark = { seasons: [], state: start }

const sameSeasons = (a: Mark, b: Mark | undefined): boolean =>
  a.seasons.length === b?.seasons.length && a.seasons.every(({ hash }, at) => hash === b.seasons[at]!.hash)

/** One gameday of the walk. */
interface Day {
  readonly seen: Gameday
  /** The state after this day; dropped where it is cheaper to compute it again. */
  state: RatingState | undefined
}

const dayDate = ({ seen: { games } }: Day): string => games[0]!.gameday

interface Walked {
  readonly season: Season
  readonly before: Mark
  readonly days: ReadonlyArray<Day>
  readonly after: Mark
}

/** Gamedays of the newest season whose states are kept: late and corrected finals are mostly that recent. */
const keptDays = 8
/** Gamedays between two yields to other fibers. */
const stretch = 4

/** The days up to the last one with a final. */
const walkable = ({ records }: Season): ReadonlyArray<ReadonlyArray<Game>> => {
  const days = gamedays(records.map(({ game }) => game))
  return days.slice(0, days.findLastIndex((day) => day.some(({ score }) => score !== undefined)) + 1)
}

/** A state that cannot be read or written is only made once more. */
const orNothing = <A>(effect: Effect.Effect<A, Failure>): Effect.Effect<A | undefined> =>
  Effect.catchAll(effect, (failure) =>
    Effect.as(Effect.logWarning("A state of the football rating is not stored.", failure), undefined),
  )

type Line = Omit<Rated, "inputsHash">
type Hashing = Pick<PlatformCrypto["Type"], "sha256">

/** How far the walk of a league has come. */
interface Walk {
  readonly seasons: Map<number, Walked>
  readonly lines: Map<string, Line>
  /** The seasons of the last league. */
  last: ReadonlyArray<Season>
}

const rate = ({ state, seasons: seen }: Mark, game: Game): Line => {
  const scheduled = beforehand(game)
  const { margins: _, ...line } = predict(state, scheduled)
  return { line, through: state.through, inputs: { game: scheduled, seasons: seen } }
}

/** Walks one season from its first changed gameday, or takes the state of an earlier walk. */
const seasonWalker = (secrets: Hashing, { seasons, lines }: Walk) =>
  Effect.fnUntraced(function* ({ league, states }: Kept, season: Season, before: Mark, isOld: boolean) {
    const walked = seasons.get(season.season)
    const old = sameSeasons(before, walked?.before) ? walked!.days : []
    const days: Array<Day> = []
    for (const [at, games] of walkable(season).entries()) {
      const seen = yield* buildGameday(secrets, days.at(-1)?.seen, games, season.weeks)
      days.push(old[at]?.seen.hash === seen.hash ? old[at] : { seen, state: undefined })
      if (at % stretch === stretch - 1) yield* yieldToEventLoop
    }
    const first = days.findIndex((day, at) => day !== old[at])
    const changed = first === -1 ? days.length : first
    const end = days.at(-1)
    if (end === undefined) {
      seasons.set(season.season, { season, before, days, after: before })
      return
    }
    const ends = [...before.seasons, end.seen]
    const key = { league, season: season.season, madeFrom: yield* madeFrom(secrets, ends) }
    if (walked === undefined) {
      const stored = yield* orNothing(states.load(key))
      if (stored !== undefined) {
        end.state = stored
        seasons.set(season.season, { season, before, days, after: { seasons: ends, state: stored } })
        return
      }
    }
    let from = changed
    while (from > 0 && days[from - 1]!.state === undefined) from--
    let state = from === 0 ? before.state : days[from - 1]!.state!
    for (let at = from; at < days.length; at++) {
      const { games } = days[at]!.seen
      if (at >= changed) {
        const mark = at === 0 ? before : { seasons: [...before.seasons, days[at - 1]!.seen], state }
        // Lines of an old season are made when one is asked for.
        for (const game of games) isOld ? lines.delete(game.id) : lines.set(game.id, rate(mark, game))
      }
      state = learn(state, games, season.weeks)
      days[at]!.state = state
      if ((at - from) % stretch === stretch - 1) yield* yieldToEventLoop
    }
    for (let at = 0; at < days.length - keptDays; at++) days[at]!.state = undefined
    seasons.set(season.season, { season, before, days, after: { seasons: ends, state } })
    if (changed < days.length || days.length < old.length) yield* orNothing(states.save(key, state))
  })

/** The lines of a season that was not walked in this process. */
const rateSeason = Effect.fnUntraced(function* (lines: Walk["lines"], { season, before, days }: Walked) {
  let mark = before
  for (const [at, { seen, state }] of days.entries()) {
    for (const game of seen.games) if (!lines.has(game.id)) lines.set(game.id, rate(mark, game))
    const after = state ?? learn(mark.state, seen.games, season.weeks)
    mark = { seasons: [...before.seasons, seen], state: after }
    if (at % stretch === stretch - 1) yield* yieldToEventLoop
  }
})

/** Walks the seasons of a league that have changed, in order. */
const catchUpOver = (secrets: Hashing, walk: Walk) => {
  const through = seasonWalker(secrets, walk)
  return (kept: Kept, league: League) =>
    Effect.gen(function* () {
      let mark = beginning
      for (const [at, season] of league.seasons.entries()) {
        const previous = walk.seasons.get(season.season)
        const isOld = at < league.seasons.length - 2
        if (previous?.season !== season || !sameSeasons(mark, previous.before))
          yield* through(kept, season, mark, isOld)
        const walked = walk.seasons.get(season.season)!
        mark = walked.after
        // Of finished seasons only the last state is kept: the next season starts from it.
        if (isOld) for (const day of walked.days.slice(0, -1)) day.state = undefined
      }
      walk.last = league.seasons
    })
}

const isCurrent = (last: Walk["last"], { seasons: now }: League): boolean =>
  now === last || (now.length === last.length && now.every((season, at) => season === last[at]))

/** The walk's position before a day that it has not reached. */
const markBefore = ({ seasons, last }: Walk, gameday: string): Mark => {
  let mark = beginning
  for (const { season } of last) {
    const { days, after } = seasons.get(season)!
    if (days.length > 0 && dayDate(days[0]!) < gameday) mark = after
  }
  return mark
}

const isWalked = ({ seasons }: Walk, { gameday, season }: Game): boolean =>
  seasons.get(season)?.days.some((day) => dayDate(day) === gameday) === true

/** The state behind a game's line. */
const stateBefore = (walk: Walk, game: Game): RatingState => {
  const walked = walk.seasons.get(game.season)
  if (walked === undefined || !isWalked(walk, game)) return markBefore(walk, game.gameday).state
  let { state } = walked.before
  for (const day of walked.days) {
    if (dayDate(day) >= game.gameday) break
    state = day.state ?? learn(state, day.seen.games, walked.season.weeks)
  }
  return state
}

/**
 * Ratings that hold the whole walk: the lines of played games, and the newest states. An unchanged league costs a
 * comparison; a new final, its gameday; a corrected one, the gamedays since. Seasons whose states an earlier process stored
 * are not walked again until a line of one of their games is asked for.
 */
const walking = (secrets: Hashing): ((kept: Kept) => Ratings) => {
  const walk: Walk = { seasons: new Map(), lines: new Map(), last: [] }
  const { seasons, lines } = walk
  const taking = Effect.unsafeMakeSemaphore(1)
  const catchUp = catchUpOver(secrets, walk)

  /** Brings the walk up to date with the league, one caller at a time. */
  const upToDate = (kept: Kept, league: League): Effect.Effect<void> =>
    Step.suspend(() =>
      isCurrent(walk.last, league)
        ? Effect.void
        : taking.withPermits(1)(
            Effect.suspend(() => (isCurrent(walk.last, league) ? Effect.void : catchUp(kept, league))),
          ),
    )

  /** The line of a game whose day the walk has reached; undefined for any other. */
  const walkedLine = (game: Game): Effect.Effect<Line | undefined> =>
    Step.gen(function* () {
      const line = lines.get(game.id)
      if (!isWalked(walk, game)) return undefined
      if (line !== undefined) return line
      const rated = Effect.suspend(() =>
        lines.has(game.id) ? Effect.void : rateSeason(lines, seasons.get(game.season)!),
      )
      yield* taking.withPermits(1)(rated)
      return lines.get(game.id)
    })

  return (kept) => ({
    catchUp: (league) => upToDate(kept, league),
    line: Step.method(function* (league: League, { game }: GameRecord) {
      yield* upToDate(kept, league)
      const rated = (yield* walkedLine(game)) ?? rate(markBefore(walk, game.gameday), game)
      return { ...rated, inputsHash: yield* hashInputs(secrets, rated.inputs) }
    }),
    stateBefore: (league, { game }) =>
      Effect.zipRight(
        upToDate(kept, league),
        Effect.sync(() => stateBefore(walk, game)),
      ),
  })
}

/** Ratings of their own. */
export const make = (secrets: Hashing, kept: Kept): Ratings => walking(secrets)(kept)

/** Whoever reads one league shares its walk. */
const shared = perObject((_games: object, secrets: Hashing) => walking(secrets))

/**
 * The ratings over a league's port: made once for each, so that lanes over the same one go through it once. Each keeps the
 * states that it comes to in its own store.
 *
 * @param games the port that leagues come from
 */
export const over = (games: Pick<typeof Games.Service, "freshness">, secrets: Hashing, states: StateStore): Ratings =>
  shared(games, secrets)({ league: games.freshness, states })

/** The ratings that the lane serves, made by the first call that needs them. */
export class ServedRatings extends Context.Tag("market-signals/core/lanes/football/ServedRatings")<
  ServedRatings,
  Ratings
>() {
  static readonly layer: Layer.Layer<ServedRatings, never, Games | PlatformCrypto | RatingStates> = Layer.scoped(
    ServedRatings,
    Effect.gen(function* () {
      return over(yield* Games, yield* PlatformCrypto, yield* RatingStates)
    }),
  )
}
