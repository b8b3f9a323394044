import * as Either from "effect/Either"
import { day, iso, minute } from "../time.ts"

type Stated = string | number | boolean | undefined

/** How an answer shows that it belongs to a question. Declared once per question and checked in one place. */
export interface Identity<Asked, Answer> {
  /** Name of the answer in a sentence. */
  readonly name: (asked: Asked, answer: Answer) => string
  /** Pairs of a stated and an expected value, by name. An answer that states another value, or none, is refused. */
  readonly says: Readonly<Record<string, (answer: Answer, asked: Asked) => readonly [stated: Stated, expected: Stated]>>
  readonly issued?: (answer: Answer, asked: Asked) => Issued | undefined
}

/** When an answer was issued, and when an answer about its period can be issued. */
export interface Issued {
  /** As written, or in epoch milliseconds. */
  readonly time: string | number | undefined
  /** Epoch milliseconds; nothing is issued before. */
  readonly from: number
  /** The longest time after `from`; a marked correction has none. */
  readonly lagMs: number
  readonly isCorrection?: boolean
}

/** A stated value as it may be shown: short, in one line of printable characters. */
export const shown = (value: Stated): string =>
  String(value ?? "not stated")
    .replace(/[^\x20-\x7e°]/g, "?")
    .slice(0, 60)

/** Allowed difference of clocks. */
const tolerance = 10 * minute
const withOffset = /T.*(Z|[+-]\d{2}:?\d{2})$/

/** Epoch milliseconds of a written time; undefined: it has no offset, and would be read in the zone of this process. */
export const toInstant = (time: string | number | undefined): number | undefined => {
  const instant = typeof time === "string" ? (withOffset.test(time) ? Date.parse(time) : Number.NaN) : time
  return Number.isNaN(instant) ? undefined : instant
}

/** Why an answer cannot have been issued then; undefined: it can. */
export const issueDoubt = ({ time, from, lagMs, isCorrection }: Issued, now: number): string | undefined => {
  const issuedAt = toInstant(time)
  if (issuedAt === undefined) return `its time of issue is ${shown(time ?? "absent")}, without an offset`
  if (issuedAt > now + tolerance) return `it was issued in the future, at ${iso(issuedAt)}`
  if (issuedAt < from) return `it was issued at ${iso(issuedAt)}, before ${iso(from)}`
  return issuedAt <= from + lagMs || isCorrection
    ? undefined
    : `it was issued ${Math.floor((issuedAt - from) / day)} days late and is not marked as a correction`
}

/** Why an answer does not belong to the question; undefined: it does. */
export const identityDoubt = <Asked, Answer>(
  { name, says, issued }: Identity<Asked, Answer>,
  asked: Asked,
  answer: Answer,
  now: number,
): string | undefined => {
  const named = (reason: string) => `${name(asked, answer)}: ${reason}`
  for (const [what, pair] of Object.entries(says)) {
    const [stated, expected] = pair(answer, asked)
    if (stated !== expected) return named(`its ${what} is ${shown(stated)}, not ${expected}`)
  }
  const times = issued?.(answer, asked)
  const reason = times && issueDoubt(times, now)
  return reason && named(reason)
}

/** Judges an answer: it is used, in whole or in part, or a reason why it is not (left). */
export type Judge<Asked, Wire, Answer> = (wire: Wire, asked: Asked, now: number) => Either.Either<Answer, string>

/** Accepts an answer as it is if it identifies itself. */
export const makeIdentityCheck =
  <Asked, Wire>(identity: Identity<Asked, Wire>): Judge<Asked, Wire, Wire> =>
  (wire, asked, now) => {
    const reason = identityDoubt(identity, asked, wire, now)
    return reason === undefined ? Either.right(wire) : Either.left(reason)
  }

/** The value that all parts of an answer state; different values are joined. */
export const sharedValue = (values: ReadonlyArray<string | number>): string | undefined =>
  values.length === 0 ? undefined : [...new Set(values)].join(", ")
