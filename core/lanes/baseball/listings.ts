import { dayOf, iso } from "../../time.ts"
import type { ListedGame, ListedSide } from "./ports.ts"

/** An instant to the second, as the league writes it. */
export const toSecondStamp = (millis: number): string => `${iso(millis).slice(0, 19)}Z`

export const formatRecord = ({ wins, losses }: ListedSide): string => `${wins}-${losses}`

/** The key by which the slate of a day is sorted: first pitch, then id. */
export const toListingKey = ({ firstPitch, gamePk }: ListedGame): string =>
  `${toSecondStamp(firstPitch)}/${String(gamePk).padStart(9, "0")}`

/** Whether a listing is preferred to another one of the same game: one under which it is played is. */
const isPreferred = (a: ListedGame, b: ListedGame): boolean => a.phase !== "off" && b.phase === "off"

/** The games with their first pitch on a UTC day, each once, in order. */
export const listGamesOnDay = (games: ReadonlyArray<ListedGame>, day: string): ReadonlyArray<ListedGame> => {
  const byGame = new Map<number, ListedGame>()
  for (const game of games) {
    if (dayOf(game.firstPitch) !== day) continue
    const previous = byGame.get(game.gamePk)
    if (previous === undefined || isPreferred(game, previous)) byGame.set(game.gamePk, game)
  }
  return [...byGame.values()].sort((a, b) => (toListingKey(a) < toListingKey(b) ? -1 : 1))
}

/** The listing of a game that counts: the first played one, as a suspended game keeps its first pitch, else the newest. */
export const pickListing = (games: ReadonlyArray<ListedGame>): ListedGame | undefined => {
  const inOrder = [...games].sort((a, b) => a.firstPitch - b.firstPitch)
  return inOrder.find(({ phase }) => phase !== "off") ?? inOrder.at(-1)
}

/** Whether a game has started, by the clock or by the league's state. */
export const hasBegun = ({ phase, firstPitch }: ListedGame, now: number): boolean =>
  phase === "live" || phase === "over" || now >= firstPitch
