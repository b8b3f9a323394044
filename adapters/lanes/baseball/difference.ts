import type { Listings, TeamLines } from "../../../core/lanes/baseball/ports.ts"

/** Mock and live games never agree: checks whether all live listings parse. */
export const slatesDiffer = (_mock: unknown, live: unknown): string | undefined => {
  const { unreadable, stale } = live as Listings
  if (unreadable > 0) return `${unreadable} live listings not parsed`
  return stale ? "the live schedule is stale" : undefined
}

/** Compares the number of teams with lines; pitchers cannot be compared. */
export const linesDiffer = (mock: unknown, live: unknown, method: string): string | undefined => {
  if (method !== "teams") return undefined
  const [expected, found] = [mock as TeamLines, live as TeamLines]
  if (found.stale) return "the live standings are stale"
  return expected.lines.size > found.lines.size
    ? `only ${found.lines.size} of ${expected.lines.size} live teams have lines`
    : undefined
}
