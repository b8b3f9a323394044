import type { MicroUsd } from "./Money.ts"

export const statuses = ["active", "paused", "revoked"] as const
export type Status = (typeof statuses)[number]

/** A spender within an account, with its own caps. Either cap may be absent. */
export interface Agent {
  readonly id: string
  readonly accountId: string
  readonly name: string
  readonly status: Status
  /** Per UTC month. */
  readonly monthlyCap?: MicroUsd
  /** Over its lifetime. */
  readonly budgetCap?: MicroUsd
  readonly createdAt: number
}

/** An agent's spend at list price, with live keys or with test keys. */
export interface Spend {
  readonly livemode: boolean
  /** The UTC month of `monthSpent`, YYYY-MM. */
  readonly month: string
  readonly monthSpent: MicroUsd
  readonly totalSpent: MicroUsd
  /** The present monthly cap refused a call of the month. Absent: it refused none. */
  readonly isRefused?: true
}

/** The first instant of the next UTC month, epoch milliseconds. */
export const nextMonth = (millis: number): number => {
  const date = new Date(millis)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
}

/** The UTC month of an instant, YYYY-MM. */
export const monthOf = (millis: number): string => new Date(millis).toISOString().slice(0, 7)

export type Cap = "monthly" | "lifetime"

/** The warning level as a share of the monthly cap: numerator and denominator. */
const warningShare = [4, 5] as const

/** Whether the spend has reached the warning level, 80 % of the monthly cap. Compared in integers. */
export const isWarning = (spent: number, cap: number): boolean => spent * warningShare[1] >= cap * warningShare[0]
