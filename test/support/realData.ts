import { describe } from "vitest"

/** The folder of recorded real data, or undefined when the machine has none: it is never part of this repository. */
export const realData: string | undefined = process.env["MARKET_SIGNALS_DATA"]

/** A suite over the recorded data; without it the suite is skipped under a name that says why. */
export const describeRealData = (name: string, suite: (root: string) => void): void => {
  if (realData === undefined) describe.skip(`${name} (skipped: MARKET_SIGNALS_DATA is not set)`, () => suite(""))
  else describe(name, () => suite(realData))
}
