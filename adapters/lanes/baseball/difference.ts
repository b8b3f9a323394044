import type { Listings, TeamLines } from "../../../core/lanes/baseball/ports.ts"

/** Leagues of different worlds share no game: what is compared is whether the live one can be read whole. */
export const slatesDiffer = (_mock: unknown, live: unknown): string | undefined => {
  const { unreadable, held } = live as Listings
  if (unreadable > 0) return `${unreadable} live listings cannot be read`
  return held ? "the live schedule stands in for a newer one" : undefined
}

/** Thirty teams have lines from opening day on; of a pitcher's nothing can be compared. */
export const linesDiffer = (mock: unknown, live: unknown, method: string): string | undefined => {
  if (method !== "teams") return undefined
  const [expected, found] = [mock as TeamLines, live as TeamLines]
  if (found.held) return "the live standings stand in for newer ones"
  return expected.lines.size > found.lines.size
    ? `${found.lines.size} live teams have lines where there are ${expected.lines.size}`
    : undefined
}
