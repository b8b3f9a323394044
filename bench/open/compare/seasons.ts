/** Some seasons, the first and the last included. */
export interface Seasons {
  readonly from: number
  readonly to: number
}

export const includes = ({ from, to }: Seasons, season: number): boolean => season >= from && season <= to

/** `2024–2025`, or `2026`. */
export const nameOf = ({ from, to }: Seasons): string => (from === to ? String(from) : `${from}–${to}`)

/**
 * The parts of a result by season: the published ones, and all seasons after them as one. Those without a game are left
 * out.
 *
 * @param played the season of each game
 */
export const partsOf = (published: ReadonlyArray<Seasons>, played: Iterable<number>): ReadonlyArray<Seasons> => {
  const seasons = new Set(played)
  const last = Math.max(...published.map(({ to }) => to))
  const newest = Math.max(last, ...seasons)
  return [...published, { from: last + 1, to: newest }].filter((part) =>
    [...seasons].some((season) => includes(part, season)),
  )
}

/**
 * Epoch milliseconds of a gameday's start. It stands for the calendar's day wherever it was played: questions of a day are
 * asked at its start in UTC, and its results are known at the start of the next.
 *
 * @param day YYYY-MM-DD
 */
export const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)
