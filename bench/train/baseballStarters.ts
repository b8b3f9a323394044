import type { PitcherLine } from "../../core/lanes/baseball/lines.ts"
import { parameters } from "../../core/lanes/baseball/parameters.ts"

/** `JLESTER-L`, `LMCCULLERSJR-R` or `Jon Lester` as `JLESTER`: initial and surname, which some pitchers share. */
export const starterKey = (text: string): string | undefined => {
  const [first = "", ...rest] = text
    .replace(/-[LR]$/, "")
    .trim()
    .split(/\s+/)
  const name = `${rest.length > 0 ? first.slice(0, 1) : first}${rest.join("")}`
  const key = name
    .toUpperCase()
    .replace(/[^A-Z]/g, "")
    .replace(/JR$/, "")
  return key.length < 3 ? undefined : key
}

/** The innings that stand for those of a starter. */
const early = 5

/**
 * What a starter's side allowed in the first innings that the other side batted; `x` is an inning that was not.
 *
 * @param innings runs by inning of the batting side; anything but runs and `x` makes the game's line unknown
 */
export const earlyLine = (innings: ReadonlyArray<string>): PitcherLine | undefined => {
  if (!innings.every((runs) => /^(\d+|x)$/.test(runs))) return undefined
  const batted = innings.slice(0, early).filter((runs) => runs !== "x")
  return batted.length === 0
    ? undefined
    : {
        innings: batted.length,
        earnedRuns: parameters.league.earnedShare * batted.reduce((sum, runs) => sum + Number(runs), 0),
      }
}
