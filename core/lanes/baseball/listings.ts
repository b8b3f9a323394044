import { dayOf, iso } from "../../time.ts"
import type { ListedGame, ListedSide } from "./ports.ts"

/** An instant to the second, the league's format. */
export const stamp = (millis: number): string => `${iso(millis).slice(0, 19)}Z`

export const formatRecord = ({ wins, losses }: ListedSide): string => `${wins}-${losses}`

/** The position of a row within the slate of a day: by first pitch, then by id. */
export const listingKey = ({ firstPitch, gamePk }: ListedGame): string =>
  `${stamp(firstPitch)}/${String(gamePk).padStart(9, "0")}`

/** A listing under which the game is played wins. */
const isBetter = (a: ListedGame, b: ListedGame): boolean => a.phase !== "off" && b.phase === "off"

/** The games with their first pitch on a UTC day, each once, in order. */
export const gamesOnDay = (games: ReadonlyArray<ListedGame>, day: string): ReadonlyArray<ListedGame> => {
  const byGame = new Map<number, ListedGame>()
  for (const game of games) {
    if (dayOf(game.firstPitch) !== day) continue
    const previous = byGame.get(game.gamePk)
    if (previous === undefined || isBetter(game, previous)) byGame.set(game.gamePk, game)
  }
  return [...byGame.values()].sort((a, b) => (listingKey(a) < listingKey(b) ? -1 : 1))
}

/**
 * The listing of a game: the first one under which it is played, so that a suspended game keeps its first pitch; without
 * such a one, the newest.
 */
export const latestListing = (games: ReadonlyArray<ListedGame>): ListedGame | undefined => {
  const inOrder = [...games].sort((a, b) => a.firstPitch - b.firstPitch)
  return inOrder.find(({ phase }) => phase !== "off") ?? inOrder.at(-1)
}

/** Whether a game has started, by the clock or by the league's state, whichever is first. */
export const hasBegun = ({ phase, firstPitch }: ListedGame, now: number): boolean =>
  phase === "live" || phase === "over" || now >= firstPitch
