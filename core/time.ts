/** Durations in milliseconds. A day is a UTC day: 24 hours. */
export const second = 1_000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour

/** An instant in milliseconds since 1970 as ISO 8601 in UTC, `2026-07-08T12:00:00.000Z`. */
export const iso = (millis: number): string => new Date(millis).toISOString()

/** The UTC day YYYY-MM-DD of an instant in milliseconds since 1970. */
export const dayOf = (millis: number): string => iso(millis).slice(0, 10)

/** The day YYYY-MM-DD that is `days` later, or earlier where `days` is negative. */
export const addDays = (from: string, days: number): string => dayOf(Date.parse(`${from}T00:00:00Z`) + days * day)

const monthDays = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Whether `text` is a day of the Gregorian calendar, written YYYY-MM-DD. */
export const isDay = (text: string): boolean => {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (match === null) return false
  const [year, month, date] = [Number(match[1]), Number(match[2]), Number(match[3])]
  if (month < 1 || month > 12 || date < 1 || date > monthDays[month - 1]!) return false
  return month !== 2 || date < 29 || (year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0))
}
