import * as Effect from "effect/Effect"
import * as CallContext from "../../core/CallContext.ts"
import { UpstreamError } from "./upstream.ts"

/** Lets one try of a request through when it is its turn. */
export type Turn = <A>(attempt: Effect.Effect<A, UpstreamError>) => Effect.Effect<A, UpstreamError>

/** A try that waits for its turn, or has it. */
interface Ticket {
  readonly rank: CallContext.Rank
  begun: boolean
  begin: () => void
}

/** So many that pay may go before one that waits behind them. */
const overtakings = 4

/** Tries that are free may wait for each other, and no more of them. */
const mostUnpaid = 2

/**
 * Turns at an upstream: so many tries at once, and beyond `atMost` none is kept waiting. A request that waits before its
 * next try has no turn meanwhile.
 *
 * Paid calls go first. What comes behind them has half of the places at the most, and a turn after every fourth of theirs.
 * Calls that are free never have one of these places: where there are several, there is one more, for them alone; where
 * there is one, the upstream is not asked for them.
 */
export const turns = (
  upstream: string,
  { atOnce, atMost }: { readonly atOnce: number; readonly atMost: number },
): Turn => {
  const most = { paid: atOnce, behind: Math.ceil(atOnce / 2), unpaid: atOnce > 1 ? 1 : 0 }
  const known = { paid: atMost, behind: atMost, unpaid: most.unpaid === 0 ? 0 : most.unpaid + mostUnpaid }
  const busy = new UpstreamError({ upstream, reason: "busy", message: "Too many requests wait." })
  const running = { paid: 0, behind: 0, unpaid: 0 }
  const waiting: Readonly<Record<CallContext.Rank, Array<Ticket>>> = { paid: [], behind: [], unpaid: [] }
  let overtaken = 0

  const next = (): CallContext.Rank | undefined => {
    if (waiting.unpaid.length > 0 && running.unpaid < most.unpaid) return "unpaid"
    if (running.paid + running.behind >= atOnce) return undefined
    const isBehind = waiting.behind.length > 0 && running.behind < most.behind
    if (waiting.paid.length > 0 && !(isBehind && overtaken >= overtakings)) return "paid"
    return isBehind ? "behind" : undefined
  }

  /** Gives places to whose turn it is. */
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
        if (running[rank] + waiting[rank].length >= known[rank]) return Effect.fail(busy)
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
