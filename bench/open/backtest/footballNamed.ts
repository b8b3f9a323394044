import * as Arr from "effect/Array"
import { type Game, gamedays, type Side } from "../../../core/lanes/football/data/Game.ts"
import type { Played } from "../lanes/football/data.ts"

const sidesOf = ({ home, away }: Pick<Game, "home" | "away">): ReadonlyArray<Side> => [home, away]

const withoutName = ({ quarterback: _id, quarterbackName: _name, ...side }: Side): Side => side

/** A game before its starters are named: models use each team's last one. */
export const unnamed = <A extends Pick<Game, "home" | "away">>(game: A): A => ({
  ...game,
  home: withoutName(game.home),
  away: withoutName(game.away),
})

/** The starters of a week's games as a schedule named them before. */
export interface NamedAhead {
  readonly season: number
  readonly week: number
  /** Sides of games without a result then, which have one in the later file. */
  readonly sides: number
  readonly named: number
  /** Named, and listed in the later file. */
  readonly same: number
  /** The team's last starter then is listed in the later file. */
  readonly lastSame: number
}

/** How far ahead a schedule of the past named the starters, by week. */
export const namedAhead = (earlier: ReadonlyArray<Game>, later: ReadonlyArray<Played>): ReadonlyArray<NamedAhead> => {
  const listed = new Map(later.map((game) => [game.id, game]))
  const last = new Map<string, string>()
  for (const game of gamedays(earlier.filter(({ score }) => score !== undefined)).flat()) {
    for (const { team, quarterback } of sidesOf(game)) if (quarterback !== undefined) last.set(team, quarterback)
  }
  const ahead = earlier.flatMap((game) => {
    const known = game.score === undefined ? listed.get(game.id) : undefined
    return known === undefined
      ? []
      : sidesOf(game).map((side, at) => ({ game, side, actual: sidesOf(known)[at]!.quarterback }))
  })
  return Object.values(Arr.groupBy(ahead, ({ game }) => `${game.season}/${String(game.week).padStart(2, "0")}`)).map(
    (sides) => ({
      season: sides[0].game.season,
      week: sides[0].game.week,
      sides: sides.length,
      named: sides.filter(({ side }) => side.quarterback !== undefined).length,
      same: sides.filter(({ side, actual }) => side.quarterback !== undefined && side.quarterback === actual).length,
      lastSame: sides.filter(({ side, actual }) => actual !== undefined && last.get(side.team) === actual).length,
    }),
  )
}

/**
 * Starts of quarterbacks who have no statistics of the week: the schedule named somebody else than played.
 *
 * @param statistics season, week and player, `2024/9/00-0034855`; seasons without any are left out
 */
export const unlisted = (
  games: ReadonlyArray<Played>,
  statistics: ReadonlySet<string>,
): ReadonlyArray<{ readonly season: number; readonly sides: number; readonly without: number }> => {
  const weeks = new Set([...statistics].map((key) => key.slice(0, key.lastIndexOf("/"))))
  const starts = games.flatMap((game) =>
    weeks.has(`${game.season}/${game.week}`)
      ? sidesOf(game).flatMap(({ quarterback }) =>
          quarterback === undefined
            ? []
            : [{ season: game.season, has: statistics.has(`${game.season}/${game.week}/${quarterback}`) }],
        )
      : [],
  )
  return Object.values(Arr.groupBy(starts, ({ season }) => String(season))).map((all) => ({
    season: all[0].season,
    sides: all.length,
    without: all.filter(({ has }) => !has).length,
  }))
}
