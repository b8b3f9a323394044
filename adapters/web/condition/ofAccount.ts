import { type Account, type KeyRecord, keyEndsAt } from "../../../core/account/AccountStore.ts"
import { type Agent, isWarning, nextMonth, type Spend } from "../../../core/account/Agent.ts"
import { usd } from "../../../core/account/Money.ts"
import { topUpPath } from "../../../core/account/Quote.ts"
import type { Alert } from "../../../core/alerts/Alert.ts"
import type { Webhook } from "../../../core/events/Webhook.ts"
import type { Code } from "../../../core/Failure.ts"
import { ifDefined } from "../../../core/ifDefined.ts"
import { firstFact, openPayment } from "../../../core/payment/Order.ts"
import type { OrderWithFacts } from "../../../core/payment/OrderStore.ts"
import { plural } from "../../../core/text.ts"
import { dayText } from "../view/dates.ts"
import { attention, type Condition, ok, stopped, waiting, worseFirst } from "./Condition.ts"

/** An account: an operator, or a payment that was taken back, suspends it. */
export const account = ({ suspendedAt }: Pick<Account, "suspendedAt">): Condition =>
  suspendedAt === undefined
    ? ok("active")
    : stopped("suspended", `suspended since ${dayText(suspendedAt)}, calls of all its keys are refused`, {
        label: "How to reach the operator",
        href: topUpPath,
      })

/** @param low the balance at which the account's owner is notified; undefined: never */
export const balance = (micros: number, low: number | undefined): Condition => {
  const next = { label: "Top up", href: topUpPath }
  if (micros <= 0) return stopped("empty", "empty, calls with live keys are refused", next)
  return low !== undefined && micros < low
    ? attention("low", `${usd(micros)} left, below ${usd(low)}`, next)
    : ok(usd(micros))
}

/** Whether a key works. */
export const isOpen = (key: KeyRecord, now: number): boolean =>
  key.revokedAt === undefined && (keyEndsAt(key) ?? now + 1) > now

export const key = (record: KeyRecord, now: number): Condition => {
  if (record.revokedAt !== undefined) return stopped("revoked")
  if (!isOpen(record, now)) return stopped("expired")
  return record.overlapEndsAt === undefined ? ok("active") : waiting("being replaced")
}

/** Where an agent's caps are changed. */
const capsOf = ({ id }: Pick<Agent, "id">) => ({ label: "Raise cap", href: `/dashboard/agents/${id}#caps` })

/** The state of one cap; undefined: it needs no mention. */
const ofCap = (
  agent: Pick<Agent, "id">,
  kind: string,
  cap: number | undefined,
  spent: number,
  { isReached, resets, refused }: { readonly isReached: boolean; readonly resets?: string; readonly refused?: string },
): Condition | undefined => {
  if (cap === undefined) return undefined
  const of = `its ${kind}cap of ${usd(cap)}`
  if (isReached || spent >= cap) {
    const calls = spent >= cap ? `reached ${of}, calls` : `${usd(cap - spent)} left of ${of}, calls that cost more`
    return stopped(
      `${kind}cap reached${resets === undefined ? "" : `, resets ${resets}`}`,
      refused !== undefined && spent >= cap
        ? `reached ${of}, ${refused} refused`
        : `${calls} are refused${resets === undefined ? "" : ` until ${resets}`}`,
      capsOf(agent),
    )
  }
  return isWarning(spent, cap)
    ? attention(
        `near its ${kind}cap`,
        `${usd(cap - spent)} left of ${of}, a call that costs more is refused`,
        capsOf(agent),
      )
    : undefined
}

/**
 * An agent by its status and its caps, those of live keys first: a cap stops its calls as a pause does.
 *
 * @param refused how many of its calls its caps have refused, such as `205 calls`; absent: not counted
 */
export const agent = (of: Agent, spend: ReadonlyArray<Spend>, refused?: string): Condition => {
  if (of.status !== "active") return stopped(of.status)
  const caps = spend.flatMap(({ livemode, month, monthSpent, totalSpent, isRefused = false }) => {
    const kind = livemode ? "" : "test "
    const resets = dayText(nextMonth(Date.parse(`${month}-01T00:00:00Z`)))
    return [
      ofCap(of, `${kind}lifetime `, of.budgetCap, totalSpent, { isReached: false, ...ifDefined("refused", refused) }),
      ofCap(of, kind, of.monthlyCap, monthSpent, { isReached: isRefused, resets, ...ifDefined("refused", refused) }),
    ]
  })
  return caps.filter((each) => each !== undefined).toSorted(worseFirst)[0] ?? ok("active")
}

interface Attempt {
  readonly status?: number
  readonly error?: string
  readonly detail?: string
}

/** How an attempt ended; undefined: it has not, or well. */
const failureOf = ({ status, error, detail }: Attempt): string | undefined => {
  if (error === undefined) return undefined
  // The detail of an answer is its status line, which begins with the status.
  return detail ?? (status === undefined ? error : String(status))
}

const deadReasons: Readonly<Record<string, string>> = {
  exhausted: "the last attempt failed",
  expired: "its 24 hours ended",
  gone: "the receiver answered 410 Gone",
  disabled: "the webhook was disabled by a 410",
  deleted: "the webhook was deleted",
}

/** A delivery as the admin API shapes it, as far as its state depends on it. */
export interface Sent {
  readonly state: "pending" | "waiting" | "under_way" | "delivered" | "dead"
  readonly reason?: string
  readonly sent_again: boolean
  readonly attempts: ReadonlyArray<Attempt>
}

/** A dead letter that nothing was done about. */
export const isLeft = ({ state, sent_again }: Pick<Sent, "state" | "sent_again">): boolean =>
  state === "dead" && !sent_again

export const delivery = (of: Sent): Condition => {
  const last = of.attempts.findLast((attempt) => failureOf(attempt) !== undefined)
  switch (of.state) {
    case "delivered":
      return ok("delivered")
    case "dead":
      if (of.sent_again) return waiting("failed, sent again")
      return stopped("failed", deadReasons[of.reason ?? ""] ?? "given up")
    case "waiting":
      return waiting("waiting for its webhook")
    default: {
      if (last === undefined) return waiting(of.state === "pending" ? "pending" : "being sent")
      const failed = plural(of.attempts.filter((attempt) => failureOf(attempt) !== undefined).length, "attempt")
      return attention("retrying", `${failed} failed: ${failureOf(last)}`)
    }
  }
}

/** Failed attempts since the last delivery that arrived, and how the newest of them ended. */
const recentFailures = (newest: ReadonlyArray<Sent>) => {
  const arrived = newest.findIndex(({ state }) => state === "delivered")
  const since = (arrived === -1 ? newest : newest.slice(0, arrived)).filter(
    (each) => each.state !== "dead" || isLeft(each),
  )
  const ends = since.flatMap(({ attempts }) => attempts.toReversed().flatMap((each) => failureOf(each) ?? []))
  return { count: ends.length, last: ends[0], isGivenUp: since.some(isLeft) }
}

/** @param newest its newest deliveries, newest first */
export const webhook = ({ id, status }: Pick<Webhook, "id" | "status">, newest: ReadonlyArray<Sent>): Condition => {
  const href = `/dashboard/webhooks/${id}`
  if (status === "paused") return stopped("paused")
  if (status === "disabled") {
    return stopped("disabled", "its receiver answered 410 Gone, nothing is sent to it", { label: "Resume", href })
  }
  const { count, last, isGivenUp } = recentFailures(newest)
  if (last === undefined || (count === 1 && !isGivenUp)) return ok("active")
  const attempts = count === 1 ? "the last attempt" : `the last ${count} attempts`
  return attention("failing", `${attempts} failed: ${last}`, { label: "See attempts", href })
}

/** Why an alert is paused, with a link to the remedy. */
const alertReasons: { readonly [Reason in Code]?: readonly [cause: string, label: string, href: string] } = {
  insufficient_funds: ["the wallet did not cover its call", "Top up", topUpPath],
  agent_budget_exceeded: ["its agent's cap did not cover its call", "Raise cap", "/dashboard/agents"],
  invalid_api_key: ["its key was revoked", "Delete it", "/dashboard/alerts"],
}

/** An alert: a firing that could not be paid pauses it. */
export const alert = ({
  status,
  reason,
}: Pick<Alert, "status"> & { readonly reason?: Code | undefined }): Condition => {
  if (status === "active") return ok("active")
  if (reason === undefined) return stopped("paused")
  const [cause, label, href] = alertReasons[reason] ?? [
    `its call was refused: ${reason}`,
    "Resume",
    "/dashboard/alerts",
  ]
  return stopped("paused", `${cause}, nothing fires until it is resumed`, { label, href })
}

/** How an unpaid order ended, as far as its provider says. */
const unpaidReason = (payment: OrderWithFacts): string => {
  const detail = firstFact(payment, "ended")?.detail ?? ""
  return /(expired|failed)/.exec(detail)?.[1] ?? "expired or failed"
}

/** A payment into the wallet. */
export const order = (payment: OrderWithFacts, now: number): Condition => {
  switch (payment.state) {
    case "open":
      return openPayment(payment, now) === undefined ? stopped("unpaid, expired") : waiting("unpaid")
    case "paid":
      return ok("paid")
    case "ended":
      return stopped(unpaidReason(payment))
    case "returned":
      return waiting(`${usd(payment.takenBackMicros)} refunded`)
    case "mismatched":
      return attention(
        "under review",
        `the amount paid differs from the ${usd(payment.micros)} of the order, nothing was credited yet`,
        { label: "See payment", href: `${topUpPath}?order=${payment.id}` },
      )
  }
}
