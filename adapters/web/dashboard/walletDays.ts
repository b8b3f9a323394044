import * as Effect from "effect/Effect"
import { Accounts } from "../../../core/account/Accounts.ts"
import { usd } from "../../../core/account/Money.ts"
import { type Span, spanStart, Usage } from "../../../core/account/Usage.ts"
import { plural } from "../../../core/text.ts"
import { addUp, bySpan } from "./spend.ts"

/** A line of a wallet's days: what its calls cost on a day, what was credited or taken back, and the balance after it. */
export interface DayLine {
  /** The beginning of the day, epoch milliseconds; of older lines of the month. */
  readonly at: number
  readonly kind: "charges" | "credit" | "reversal"
  /** Calls, or lines of the journal. */
  readonly count: number
  /** The amount that it adds to the balance. */
  readonly micros: number
  readonly balance: number
}

/** Months before the first day whose charges are added up: ten years with it. */
const monthsBefore = 119

export const sumOf = (lines: ReadonlyArray<{ readonly micros: number }>): number =>
  lines.reduce((sum, { micros }) => sum + micros, 0)

/**
 * The lines of a time, the oldest first, with the balances that follow from all lines before it: a day's credits, its
 * reversals, its charges.
 *
 * @param from the beginning of a day, or of a month by months
 * @param to the end of a day
 */
export const readDays = (accountId: string, from: number, to: number, span: Exclude<Span, "hour"> = "day") =>
  Effect.gen(function* () {
    const { sums } = yield* Usage
    const query = { group: "status", livemode: true } as const
    const month = spanStart("month", from)
    const first = new Date(month)
    const oldest = Math.max(0, first.setUTCMonth(first.getUTCMonth() - monthsBefore))
    const before = addUp([
      ...(yield* sums(accountId, { ...query, from: oldest, to: month, span: "month" })),
      ...(month === from ? [] : yield* sums(accountId, { ...query, from: month, to: from, span: "day" })),
    ])
    const charges = bySpan(yield* sums(accountId, { ...query, from, to, span }), from, to, span)
    const transfers = (yield* (yield* Accounts).transfers(accountId)).filter(({ at }) => at < to)
    const earlier = transfers.filter(({ at }) => at < from)
    const opening = sumOf(earlier) - before.charged
    let balance = opening
    const lines = [
      ...transfers.slice(earlier.length).map(({ lines, ...transfer }) => ({ ...transfer, count: lines })),
      ...charges.flatMap(({ at, calls, charged }) =>
        calls === 0 ? [] : [{ at, kind: "charges" as const, count: calls, micros: 0 - charged }],
      ),
    ]
      .sort((one, other) => spanStart(span, one.at) - spanStart(span, other.at))
      .map((line): DayLine => {
        balance += line.micros
        return { ...line, balance }
      })
    return { opening, lines, closing: balance, hasOlder: earlier.length > 0 || before.calls > 0 }
  })

const names = { charges: "live call", credit: "credit", reversal: "reversal" } as const

/** The line in words. */
export const lineText = ({ kind, count }: DayLine): string => plural(count, names[kind])

/** An amount with its sign, for a list in which both directions are. */
export const signedUsd = (micros: number, decimals?: number): string =>
  `${micros > 0 ? "+" : ""}${usd(micros, decimals)}`
