import * as Effect from "effect/Effect"
import * as CallContext from "../../../core/CallContext.ts"
import { UpstreamError } from "./upstream.ts"

/** Runs one attempt of a request when the concurrency limit allows it. */
export type RequestSlot = <A>(attempt: Effect.Effect<A, UpstreamError>) => Effect.Effect<A, UpstreamError>

/** An attempt that is queued or running. */
interface Ticket {
  readonly rank: CallContext.Rank
  begun: boolean
  begin: () => void
}

/** Maximum paid attempts that may start before a queued one of rank `behind`. */
const maxOvertakings = 4

/** Maximum queued attempts of rank `unpaid`. */
const maxUnpaid = 2

/**
 * The concurrency limit of an upstream: `atOnce` attempts run, and `atMost` of a rank run or queue. A request that pauses
 * before a retry does not count.
 *
 * Paid calls go first. Rank `behind` has at most half of the slots, and one start after every four paid ones. Free calls
 * never use these slots: if `atOnce` is above 1 they have a slot of their own, otherwise they fail as busy.
 *
 * @param title the upstream's name in a sentence
 */
export const concurrencyLimit = (
  upstream: string,
  { atOnce, atMost }: { readonly atOnce: number; readonly atMost: number },
  title?: string,
): RequestSlot => {
  const most = { paid: atOnce, behind: Math.ceil(atOnce / 2), unpaid: atOnce > 1 ? 1 : 0 }
  const limits = { paid: atMost, behind: atMost, unpaid: most.unpaid === 0 ? 0 : most.unpaid + maxUnpaid }
  const busyError = (rank: CallContext.Rank) => {
    const message = `${limits[rank]} requests to ${upstream} are running or queued, the limit.`
    return new UpstreamError({ upstream, title, reason: "busy", message })
  }
  const running = { paid: 0, behind: 0, unpaid: 0 }
  const waiting: Readonly<Record<CallContext.Rank, Array<Ticket>>> = { paid: [], behind: [], unpaid: [] }
  let overtaken = 0

  const next = (): CallContext.Rank | undefined => {
    if (waiting.unpaid.length > 0 && running.unpaid < most.unpaid) return "unpaid"
    if (running.paid + running.behind >= atOnce) return undefined
    const isBehind = waiting.behind.length > 0 && running.behind < most.behind
    if (waiting.paid.length > 0 && !(isBehind && overtaken >= maxOvertakings)) return "paid"
    return isBehind ? "behind" : undefined
  }

  /** Starts queued attempts while slots are free. */
  const admit = (): void => {
    for (let rank = next(); rank !== undefined; rank = next()) {
      const ticket = waiting[rank].shift()!
      if (rank === "behind") overtaken = 0
      if (rank === "paid" && waiting.behind.length > 0) overtaken++
      running[rank]++
      ticket.begun = true
      ticket.begin()
    }
  }

  const leave = (ticket: Ticket): void => {
    if (ticket.begun) running[ticket.rank]--
    else waiting[ticket.rank].splice(waiting[ticket.rank].indexOf(ticket), 1)
    admit()
  }

  return (attempt) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(CallContext.rank, (rank) => {
        if (running[rank] + waiting[rank].length >= limits[rank]) return Effect.fail(busyError(rank))
        const ticket: Ticket = { rank, begun: false, begin: () => {} }
        waiting[rank].push(ticket)
        admit()
        const turn = Effect.async<void>((resume) => {
          ticket.begin = () => resume(Effect.void)
          if (ticket.begun) ticket.begin()
        })
        return Effect.ensuring(
          restore(ticket.begun ? attempt : Effect.zipRight(turn, attempt)),
          Effect.sync(() => leave(ticket)),
        )
      }),
    )
}
