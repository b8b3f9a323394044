import { day, hour, isDay, iso, minute, second } from "../../core/time.ts"
import { type Parameter, parsed, text } from "./parameters.ts"

const units: Readonly<Record<string, number>> = { s: second, m: minute, h: hour, d: day }

/** A duration such as 90s, 30m, 24h or 30d, in milliseconds. */
export const parseDuration = (text: string): number | undefined => {
  const match = /^(\d{1,6})([smhd])$/.exec(text)
  return match === null ? undefined : Number(match[1]) * units[match[2]!]!
}

/** A time: a duration from now, a day (its start in UTC), or an ISO time. */
export const parseInstant = (text: string, now: number): string => {
  const ahead = parseDuration(text)
  if (ahead !== undefined) return iso(now + ahead)
  return isDay(text) ? `${text}T00:00:00Z` : text
}

/** An option for a duration, in seconds. */
export const durationOption = (name: string, examples: string, description: string): Parameter<number> =>
  parsed(
    text(name, description),
    (given) => {
      const ms = parseDuration(given)
      return ms === undefined ? undefined : ms / 1_000
    },
    `${name} must be a duration such as ${examples}.`,
  )
