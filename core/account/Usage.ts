import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Failure } from "../Failure.ts"
import { day, hour } from "../time.ts"
import type { MicroUsd } from "./Money.ts"

/** The spans over which usage is summed, in UTC, with their length in milliseconds (for a month, the longest). */
export const spans = { hour, day, month: 31 * day } as const
export type Span = keyof typeof spans

/** The beginning of the span that an instant is in, epoch milliseconds. */
export const spanStart = (span: Span, at: number): number =>
  span === "month" ? Date.UTC(new Date(at).getUTCFullYear(), new Date(at).getUTCMonth()) : at - (at % spans[span])

/** The beginning of the first span at or after an instant. */
export const nextSpanStart = (span: Span, at: number): number => {
  const start = spanStart(span, at)
  return start === at ? at : spanStart(span, start + spans[span])
}

/** Days after which hourly sums become daily ones, and daily sums monthly ones: a little more than one answer covers. */
export const retentionDays = { hour: 32, day: 550 } as const

/** The first instant for which there are sums by a span. */
export const oldestKept = (span: Span, now: number): number => {
  if (span === "month") return 0
  const kept = now - retentionDays[span] * day
  return kept <= 0 ? 0 : spanStart(span === "hour" ? "day" : "month", kept)
}

export type UsageGroup = "endpoint" | "agent" | "key" | "status"

export interface UsageQuery {
  /** Calls that start at this time or later, epoch milliseconds; the span that contains it counts in full. */
  readonly from: number
  /** Calls that start before this; a span that began earlier counts in full. */
  readonly to: number
  readonly span: Span
  readonly group: UsageGroup
  /** Calls of live or of test keys; absent: both. */
  readonly livemode?: boolean
}

/** Maximum number of spans in one answer: a month of hours, a leap year of days, or ten years of months. */
export const maxSpans: Readonly<Record<Span, number>> = { hour: 31 * 24, day: 366, month: 120 }

export interface UsageSum {
  /** The beginning of the span, epoch milliseconds. */
  readonly at: number
  /** Endpoint, agent or key by its id; the status class as `2xx`. Empty: calls of keys without an agent. */
  readonly group: string
  readonly calls: number
  readonly charged: MicroUsd
}

/** The sum of a group over the whole time. */
export type UsageTotal = Omit<UsageSum, "at">

/** A part of the groups, ordered by charge, then by number of calls (both descending), then by name. */
export interface GroupPage {
  readonly skip: number
  readonly limit: number
  /** Number of groups, from the first one on, whose sums of each span are read too; absent: none. */
  readonly inSpans?: number
}

export interface UsageTotals {
  /** Each span by status class, in order. */
  readonly spans: ReadonlyArray<UsageSum>
  readonly groups: ReadonlyArray<UsageTotal>
  /** The first groups by span, in order of span and group; spans without a call of theirs are absent. */
  readonly inSpans: ReadonlyArray<UsageSum>
  /** Total number of groups across all pages. */
  readonly groupCount: number
}

/** Sums of the audit trail per account. A call counts in the hour in which it began, as its charge in the journal does. */
export class Usage extends Context.Tag("market-signals/core/account/Usage")<
  Usage,
  {
    /**
     * Moves some old sums of hours into those of days, or of days into those of months: some milliseconds of work.
     *
     * @returns whether there were any
     */
    readonly move: Effect.Effect<boolean, Failure>
    /**
     * Sums in order of span and group, up to the last call. Fails with
     * `invalid_parameter`: too many spans, or `from` is before the first one that is kept.
     */
    readonly sums: (accountId: string, query: UsageQuery) => Effect.Effect<ReadonlyArray<UsageSum>, Failure>
    /** The totals of these sums by span and by group, of the same calls: much less to read where groups are many. */
    readonly totals: (accountId: string, query: UsageQuery, page: GroupPage) => Effect.Effect<UsageTotals, Failure>
  }
>() {}
