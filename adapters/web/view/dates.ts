import { day, hour, minute } from "../../../core/time.ts"

// Intl's short September is "Sept" in English of Britain.
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

/** `28 Nov 2026`, of a time or a day; UTC. */
export const dayText = (at: number | string): string => {
  const date = new Date(at)
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`
}

/** `Nov 2026`; UTC. */
export const monthText = (at: number): string => dayText(at).replace(/^\d+ /, "")

/** `14:00`; UTC. */
export const clock = (at: number, isExact = false): string => new Date(at).toISOString().slice(11, isExact ? 19 : 16)

/**
 * `28 Nov 2026, 14:00 UTC`.
 *
 * @param isExact with its seconds
 */
export const timeText = (at: number, isExact = false): string => `${dayText(at)}, ${clock(at, isExact)} UTC`

/** A time on a page of that day, `14:00`; any other with its date. */
export const shortly = (at: number, now: number, isExact = false): string =>
  dayText(at) === dayText(now) ? clock(at, isExact) : timeText(at, isExact)

const isoForm = /^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$/

/** The name of a period, whose days and times are written like those of the pages. */
export const periodText = (name: string): string => {
  const match = isoForm.exec(name)
  if (match === null) return name
  return match[1] === undefined ? dayText(name) : timeText(Date.parse(name))
}

/** Older and later times are shown by their date. */
const longestAge = 2 * day

/** How long ago, or in how long, in words; undefined: too long. Script says the same (`dashboard/browser/ages.js`). */
export const ageOf = (at: number, now: number): string | undefined => {
  const age = Math.abs(now - at)
  if (age >= longestAge) return undefined
  if (age < minute) return at > now ? "in a minute" : "just now"
  const text = age < hour ? `${Math.floor(age / minute)} min` : `${Math.floor(age / hour)} h`
  return at > now ? `in ${text}` : `${text} ago`
}
