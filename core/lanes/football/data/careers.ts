import type { Career } from "../ports.ts"
import type { QuarterbackLine } from "./quarterbackLine.ts"

type Line = Pick<QuarterbackLine, "attempts" | "code" | "player" | "playerId" | "position" | "season" | "week">

/** Careers summed from weeks. @param lines in order of season and week */
export const careersOf = (lines: Iterable<Line>): ReadonlyArray<Career> => {
  const careers = new Map<string, Career>()
  for (const { playerId, player, position, code, season, week, attempts } of lines) {
    const known = careers.get(playerId)
    careers.set(playerId, {
      playerId,
      player,
      position,
      code,
      firstSeason: known?.firstSeason ?? season,
      lastSeason: season,
      lastWeek: week,
      attempts: (known?.attempts ?? 0) + attempts,
    })
  }
  return [...careers.values()]
}
