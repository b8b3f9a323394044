import { day, iso } from "../../../time.ts"

/** Offices forecast six and a half days and more. */
const leastReach = 5 * day

/** Why a forecast is not all that is due; undefined: it is. */
export const endsEarly = (what: "forecast" | "grid", ends: ReadonlyArray<number>, now: number): string | undefined => {
  const end = ends.reduce((last, at) => Math.max(last, at), now)
  return end >= now + leastReach ? undefined : `the ${what} ends at ${iso(end)}.`
}
