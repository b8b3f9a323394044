import { type Listings, PitchingLines, SeasonLines, Slates } from "../../../core/lanes/baseball/ports.ts"
import { compared } from "../LaneModule.ts"

/** Mock and live games never agree: checks whether all live listings parse. */
const listingsDiffer = (_mock: unknown, { unreadable, stale }: Listings): string | undefined => {
  if (unreadable > 0) return `${unreadable} live listings not parsed`
  return stale ? "the live schedule is stale" : undefined
}

export const slates = compared(Slates, { around: listingsDiffer, of: listingsDiffer, lineUps: undefined })

/** Both are computed from stored or generated games, which never agree. */
export const pitchingLines = compared(PitchingLines, { until: undefined })

/** Compares the number of teams with lines; players cannot be compared. */
export const seasonLines = compared(SeasonLines, {
  pitcher: undefined,
  batters: undefined,
  teams: (mock, live) => {
    if (live.stale) return "the live standings are stale"
    return mock.lines.size > live.lines.size
      ? `only ${live.lines.size} of ${mock.lines.size} live teams have lines`
      : undefined
  },
})
