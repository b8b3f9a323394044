import { hour, second } from "../../../core/time.ts"

/** The longest pause that is granted, ms: a wrong header must not silence a source for days. */
const maxPauseMs = hour

/**
 * The pause that a response asks for with `Retry-After` (RFC 9110, 10.2.3): seconds, or a date, which is compared with the
 * response's own `Date`. A past date and any other text ask for none.
 *
 * @param now epoch milliseconds, for a response without a `Date`
 */
export const parseRetryAfter = (
  headers: Readonly<Record<string, string>>,
  now: number,
): { readonly retryAfterMs?: number } => {
  const text = headers["retry-after"]?.trim() ?? ""
  const sentAt = Date.parse(headers["date"] ?? "")
  const untilDate = text.endsWith("GMT") ? Date.parse(text) - (Number.isNaN(sentAt) ? now : sentAt) : 0
  const pause = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) * second : untilDate
  return pause > 0 ? { retryAfterMs: Math.min(pause, maxPauseMs) } : {}
}
