import * as Effect from "effect/Effect"
import type { Secrets } from "../../account/Secrets.ts"
import type { FairLine } from "./fairLine.ts"
import type { Game } from "./Game.ts"
import { learn, predict, start, trained } from "./Model.ts"
import type { GameRecord, League, Season } from "./providers.ts"
import type { State } from "./State.ts"
import { teamWeekKey } from "./TeamWeek.ts"
import { gamedays } from "./walk.ts"

/** A fair line, and what it was computed from. */
export interface Rated {
  readonly line: Omit<FairLine, "margins">
  /** The last gameday that the state has seen, YYYY-MM-DD; empty before the first. */
  readonly through: string
  /** SHA-256 of the model's version, of all that its state has seen in order, and of what is known of the game. */
  readonly inputsHash: string
}

/** The served model over a league: its state is kept, and moved on by what is new. */
export interface Ratings {
  /** Goes through what is new in a league, so that no caller has to wait for it. */
  readonly catchUp: (league: League) => Effect.Effect<void>
  /** The line of a game from the finals of the gamedays before it: of a played game, as it stood at its kickoff. */
  readonly line: (league: League, record: GameRecord) => Effect.Effect<Rated>
  /** The state that a game's line was computed from. Of an old game it has to be walked to again. */
  readonly stateBefore: (league: League, record: GameRecord) => Effect.Effect<State>
}

/** What a line is made from: neither the score, nor the weather that was observed at the game. */
export const beforehand = ({ score: _score, temperature: _temperature, wind: _wind, ...game }: Game): Game => game

interface Mark {
  readonly digest: string
  readonly state: State
}

/** One gameday that the walk went through. */
interface Day {
  readonly day: string
  readonly games: ReadonlyArray<Game>
  /** Of everything up to and including this day. */
  readonly digest: string
  /** After this day; let go where it is cheaper to walk again. */
  state: State | undefined
}

interface Walked {
  readonly season: Season
  readonly before: Mark
  readonly days: ReadonlyArray<Day>
  readonly after: Mark
}

/** Gamedays of the newest season whose states are kept: what comes in late, or is corrected, is mostly that fresh. */
const keptDays = 8
/** Others are let in after this many gamedays of walking. */
const stretch = 4

const withoutMargins = ({ margins: _, ...line }: FairLine): Rated["line"] => line

/** The days that have a final or come before one: nothing is learnt from later ones. */
const walkable = ({ records }: Season): ReadonlyArray<ReadonlyArray<Game>> => {
  const days = gamedays(records.map(({ game }) => game))
  return days.slice(0, days.findLastIndex((day) => day.some(({ score }) => score !== undefined)) + 1)
}

const inputsOf = (games: ReadonlyArray<Game>, { weeks }: Season): string =>
  JSON.stringify(
    games.map((game) => [
      game,
      weeks.get(teamWeekKey(game.season, game.week, game.home.team)) ?? null,
      weeks.get(teamWeekKey(game.season, game.week, game.away.team)) ?? null,
    ]),
  )

/**
 * Ratings that hold the whole walk: the line of every game that was played, and the states from which more can be
 * learnt. A league in which nothing has changed costs a look; a new final costs its gameday; a corrected one, the
 * gamedays since.
 */
export const make = ({ sha256 }: Secrets["Type"]): Ratings => {
  const seasons = new Map<number, Walked>()
  const lines = new Map<string, Rated>()
  const taking = Effect.unsafeMakeSemaphore(1)
  let last: ReadonlyArray<Season> = []

  const hashOf = (digest: string, game: Game) => sha256(JSON.stringify([trained.model_version, digest, game]))

  const rate = (state: State, digest: string, game: Game): Effect.Effect<Rated> => {
    const known = beforehand(game)
    return Effect.map(hashOf(digest, known), (inputsHash) => ({
      line: withoutMargins(predict(state, known)),
      through: state.through,
      inputsHash,
    }))
  }

  /** Moves on through one season from where it begins to differ from what was walked before. */
  const through = Effect.fnUntraced(function* (season: Season, before: Mark) {
    const known = seasons.get(season.season)
    const old = known?.before.digest === before.digest ? known.days : []
    const days: Array<Day> = []
    let digest = before.digest
    for (const [at, games] of walkable(season).entries()) {
      digest = yield* sha256(digest + inputsOf(games, season))
      days.push({
        day: games[0]!.gameday,
        games,
        digest,
        state: old[at]?.digest === digest ? old[at].state : undefined,
      })
    }
    const first = days.findIndex(({ digest }, at) => old[at]?.digest !== digest)
    const changed = first === -1 ? days.length : first
    let from = changed
    while (from > 0 && days[from - 1]!.state === undefined) from--
    let state = from === 0 ? before.state : days[from - 1]!.state!
    for (let at = from; at < days.length; at++) {
      const { games } = days[at]!
      if (at >= changed) {
        const seen = at === 0 ? before.digest : days[at - 1]!.digest
        for (const game of games) lines.set(game.id, yield* rate(state, seen, game))
      }
      state = learn(state, games, season.weeks)
      days[at]!.state = state
      if ((at - from) % stretch === stretch - 1) yield* Effect.yieldNow()
    }
    for (let at = 0; at < days.length - keptDays; at++) days[at]!.state = undefined
    const after = { digest, state: days.at(-1)?.state ?? before.state }
    seasons.set(season.season, { season, before, days, after })
  })

  const catchUp = (league: League) =>
    Effect.gen(function* () {
      let mark: Mark = { digest: "", state: start }
      for (const [at, season] of league.seasons.entries()) {
        const known = seasons.get(season.season)
        if (known?.season !== season || known.before.digest !== mark.digest) yield* through(season, mark)
        const walked = seasons.get(season.season)!
        mark = walked.after
        // The last state of a season is what the next one begins from; of finished seasons no other is kept.
        if (at < league.seasons.length - 2) for (const day of walked.days.slice(0, -1)) day.state = undefined
      }
      last = league.seasons
    })

  const isCurrent = ({ seasons: now }: League): boolean =>
    now === last || (now.length === last.length && now.every((season, at) => season === last[at]))

  /** Up to date with the league, one caller at a time. */
  const upToDate = (league: League): Effect.Effect<void> =>
    Effect.suspend(() =>
      isCurrent(league)
        ? Effect.void
        : taking.withPermits(1)(Effect.suspend(() => (isCurrent(league) ? Effect.void : catchUp(league)))),
    )

  /** Where the walk stands before a day that it has not reached. */
  const markBefore = (gameday: string): Mark => {
    let mark: Mark = { digest: "", state: start }
    for (const { season } of last) {
      const { days, after } = seasons.get(season)!
      if (days.length > 0 && days[0]!.day < gameday) mark = after
    }
    return mark
  }

  const isWalked = (gameday: string, season: number): boolean =>
    seasons.get(season)?.days.some(({ day }) => day === gameday) === true

  return {
    catchUp: upToDate,
    line: (league, { game }) =>
      Effect.zipRight(
        upToDate(league),
        Effect.suspend(() => {
          const walked = isWalked(game.gameday, game.season) ? lines.get(game.id) : undefined
          if (walked !== undefined) return Effect.succeed(walked)
          const { digest, state } = markBefore(game.gameday)
          return rate(state, digest, game)
        }),
      ),
    stateBefore: (league, { game }) =>
      Effect.zipRight(
        upToDate(league),
        Effect.sync(() => {
          const walked = seasons.get(game.season)
          if (walked === undefined || !isWalked(game.gameday, game.season)) return markBefore(game.gameday).state
          let state = walked.before.state
          for (const day of walked.days) {
            if (day.day >= game.gameday) break
            state = day.state ?? learn(state, day.games, walked.season.weeks)
          }
          return state
        }),
      ),
  }
}
