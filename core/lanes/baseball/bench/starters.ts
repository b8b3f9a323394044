import type { PitcherLine } from "../lines.ts"
import { parameters } from "../parameters.ts"

/** `JLESTER-L`, `LMCCULLERSJR-R` and `Jon Lester` become `JLESTER`: initial and surname, not always unique. */
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

/** Innings attributed to the starter. */
const early = 5

/**
 * Runs allowed by a starter's side in the other side's first innings at bat; `x` is an inning without batting.
 *
 * @param innings runs by inning of the batting side; any other text makes the line unknown
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
