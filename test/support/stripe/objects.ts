import { randomBytes } from "node:crypto"

export type Of<Fields> = Fields & { id: string; object: string; [name: string]: unknown }

export type Session = Of<{
  url: string | null
  status: "open" | "complete" | "expired"
  payment_status: "paid" | "unpaid" | "no_payment_required"
  amount_total: number
  currency: string
  payment_intent: string | null
  metadata: Record<string, string>
  success_url: string
  cancel_url: string | null
  expires_at: number
}>
export type Intent = Of<{
  status: string
  latest_charge: string | null
  metadata: Record<string, string>
  amount: number
  currency: string
}>
export type Charge = Of<{
  amount: number
  amount_refunded: number
  disputed: boolean
  payment_intent: string
  currency: string
}>
export type Dispute = Of<{
  amount: number
  status: string
  payment_intent: string
  balance_transactions: Array<{ amount: number }>
}>

export interface StripeEvent {
  readonly id: string
  readonly type: string
  readonly data: { readonly object: unknown }
  readonly [name: string]: unknown
}

/** An error as Stripe's API answers it. */
export class ApiError extends Error {
  readonly status: number
  readonly more: Readonly<Record<string, string>>
  constructor(status: number, message: string, more: Readonly<Record<string, string>> = {}) {
    super(message)
    this.status = status
    this.more = more
  }
}

/** What a test may do to an order. */
export const acts = [
  "decline",
  "pay",
  "later",
  "settle",
  "fail",
  "expire",
  "refund",
  "dispute",
  "inquiry",
  "escalate",
  "win",
] as const
export type Act = (typeof acts)[number]

/** How the account stands on an order, in cents. */
export interface Standing {
  readonly session: string
  readonly status: string
  readonly currency: string
  readonly asked: number
  readonly paid: number
  readonly refunded: number
  readonly disputed: number
}

export const idOf = (prefix: string): string => `${prefix}_${randomBytes(12).toString("hex")}`
export const seconds = (): number => Math.floor(Date.now() / 1_000)
