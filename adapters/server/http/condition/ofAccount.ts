import { type Account, endOf, type KeyRecord } from "../../../../core/account/AccountStore.ts"
import { type Agent, isWarning, nextMonth, type Spend } from "../../../../core/account/Agent.ts"
import { usd } from "../../../../core/account/Money.ts"
import { topUpPath } from "../../../../core/account/Quote.ts"
import { ifDefined } from "../../../../core/endpoint/Field.ts"
import type { Webhook } from "../../../../core/events/Webhook.ts"
import { placeOf } from "../../../../core/payment/Order.ts"
import type { KnownOrder } from "../../../../core/payment/OrderStore.ts"
import { plural } from "../../../../core/text.ts"
import { type Condition, ok, waiting, worseFirst } from "./Condition.ts"

const dayForm = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" })

/** A day in words, such as `1 Dec`; UTC. */
export const dayWords = (at: number): string => dayForm.format(at)

/** An account: an operator, or a payment that was taken back, suspends it. */
export const account = ({ suspendedAt }: Pick<Account, "suspendedAt">): Condition =>
  suspendedAt === undefined
    ? ok("active")
    : {
        tone: "stopped",
        label: "suspended",
        cause: `suspended since ${dayWords(suspendedAt)}, calls of all its keys are refused`,
        next: { label: "How to reach the operator", href: topUpPath },
      }

/** @param low the balance that the account's owner wants to be told of; undefined: none */
export const balance = (micros: number, low: number | undefined): Condition => {
  const next = { label: "Top up", href: topUpPath }
  if (micros <= 0) return { tone: "stopped", label: "empty", cause: "empty, calls with live keys are refused", next }
  return low !== undefined && micros < low
    ? { tone: "attention", label: "low", cause: `${usd(micros)} left, below ${usd(low)}`, next }
    : ok(usd(micros))
}

/** Whether a key works. */
export const isOpen = (key: KeyRecord, now: number): boolean =>
  key.revokedAt === undefined && (endOf(key) ?? now + 1) > now

export const key = (record: KeyRecord, now: number): Condition => {
  if (record.revokedAt !== undefined) return { tone: "stopped", label: "revoked" }
  if (!isOpen(record, now)) return { tone: "stopped", label: "expired" }
  return record.overlapEndsAt === undefined ? ok("active") : waiting("being replaced")
}

/** Where an agent's caps are changed. */
const capsOf = ({ id }: Pick<Agent, "id">) => ({ label: "Raise cap", href: `/dashboard/agents/${id}#caps` })

/** The state of one cap; undefined: nothing is to be said of it. */
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
    return {
      tone: "stopped",
      label: `${kind}cap reached${resets === undefined ? "" : `, resets ${resets}`}`,
      cause:
        refused !== undefined && spent >= cap
          ? `reached ${of}, ${refused} refused`
          : `${spent >= cap ? `reached ${of}, calls` : `${usd(cap - spent)} left of ${of}, calls that cost more`} are refused${
              resets === undefined ? "" : ` until ${resets}`
            }`,
      next: capsOf(agent),
    }
  }
  return isWarning(spent, cap)
    ? {
        tone: "attention",
        label: `near its ${kind}cap`,
        cause: `${usd(cap - spent)} left of ${of}, a call that costs more is refused`,
        next: capsOf(agent),
      }
    : undefined
}

/**
 * An agent by its status and its caps, those of live keys first: a cap stops its calls as a pause does.
 *
 * @param refused how many of its calls its caps have refused, such as `205 calls`; absent: not counted
 */
export const agent = (of: Agent, spend: ReadonlyArray<Spend>, refused?: string): Condition => {
  if (of.status !== "active") return { tone: "stopped", label: of.status }
  const caps = spend.flatMap(({ livemode, month, monthSpent, totalSpent, isRefused = false }) => {
    const kind = livemode ? "" : "test "
    const resets = dayWords(nextMonth(Date.parse(`${month}-01T00:00:00Z`)))
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
      return { tone: "stopped", label: "failed", cause: deadReasons[of.reason ?? ""] ?? "given up" }
    case "waiting":
      return waiting("waiting for its webhook")
    default: {
      if (last === undefined) return waiting(of.state === "pending" ? "pending" : "being sent")
      const failed = plural(of.attempts.filter((attempt) => failureOf(attempt) !== undefined).length, "attempt")
      return { tone: "attention", label: "retrying", cause: `${failed} failed: ${failureOf(last)}` }
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
  if (status === "paused") return { tone: "stopped", label: "paused" }
  if (status === "disabled") {
    const cause = "its receiver answered 410 Gone, nothing is sent to it"
    return { tone: "stopped", label: "disabled", cause, next: { label: "Resume", href } }
  }
  const { count, last, isGivenUp } = recentFailures(newest)
  if (last === undefined || (count === 1 && !isGivenUp)) return ok("active")
  return {
    tone: "attention",
    label: "failing",
    cause: `${count === 1 ? "the last attempt" : `the last ${count} attempts`} failed: ${last}`,
    next: { label: "See attempts", href },
  }
}

/** A payment into the wallet. */
export const order = (known: KnownOrder, now: number): Condition => {
  const next = { label: "See payment", href: `${topUpPath}?order=${known.id}` }
  switch (known.state) {
    case "open":
      return placeOf(known, now) === undefined ? { tone: "stopped", label: "unpaid, expired" } : waiting("unpaid")
    case "paid":
      return ok("paid")
    case "ended":
      return { tone: "stopped", label: "expired or failed" }
    case "returned":
      return { tone: "stopped", label: `${usd(known.takenBack)} refunded` }
    case "mismatched":
      return {
        tone: "attention",
        label: "under review",
        cause: `the amount paid differs from the ${usd(known.micros)} of the order, nothing was credited yet`,
        next,
      }
  }
}
