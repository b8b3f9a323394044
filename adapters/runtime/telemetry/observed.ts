import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { Meter } from "../../../core/telemetry/Meter.ts"
import * as Tracing from "../../../core/telemetry/Tracing.ts"

const findReason = (cause: Cause.Cause<{ readonly reason: string }>): string =>
  Option.match(Cause.failureOption(cause), {
    onNone: () => (Cause.isInterruptedOnly(cause) ? "interrupted" : "defect"),
    onSome: ({ reason }) => reason,
  })

/** Counts an attempt of an upstream request by its outcome, and makes a span of it. If its caller gave up, it is `interrupted`. */
export const observe =
  (upstream: string) =>
  <A, E extends { readonly reason: string }, R>(attempt: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(Meter, (meter) =>
      Effect.suspend(() => {
        const since = meter.now()
        const traced = Tracing.makeSpan(attempt, `ask ${upstream}`, "client", { "market_signals.upstream": upstream })
        return Effect.onExit(traced, (exit) =>
          Effect.sync(() =>
            meter.asked(upstream, Exit.match(exit, { onSuccess: () => "ok", onFailure: findReason }), since),
          ),
        )
      }),
    )
