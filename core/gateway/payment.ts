import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Agent from "../account/Agent.ts"
import type { Caller } from "../account/Keyring.ts"
import { type Audit, Ledger, type Remembered, type Verdict } from "../account/Ledger.ts"
import { type MicroUsd, zero } from "../account/Money.ts"
import type { Price } from "../account/Pricing.ts"
import * as Quote from "../account/Quote.ts"
import type * as Endpoint from "../endpoint/Endpoint.ts"
import { type Failure, fail } from "../Failure.ts"
import type { Captured } from "../record/captures/Captures.ts"
import type { Call } from "./Call.ts"
import { unkept } from "./idempotency.ts"
import { Site } from "./Site.ts"

/** How a call ended, for its audit row. */
export interface End {
  readonly status: number
  readonly code?: string
  readonly endpoint: string
  readonly paramsHash: string
}

/** Budget → wallet before the work, both again and for good after it, and the audit row of every keyed call. */
export const make = Effect.gen(function* () {
  const ledger = yield* Ledger
  const { baseUrl } = yield* Site

  const refused = (verdict: Verdict, caller: Caller, endpoint: Endpoint.Any, price: Price, now: number): Failure => {
    switch (verdict._tag) {
      case "Capped":
        return verdict.cap === "monthly"
          ? fail("agent_budget_exceeded", {
              detail: "The agent of this key has reached its monthly cap.",
              retryAfterMs: Agent.nextMonth(now) - now,
            })
          : fail("agent_budget_exceeded", { detail: "The agent of this key has reached its lifetime cap." })
      case "Insufficient":
        return fail("insufficient_funds", {
          quote: Quote.make({
            endpoint: endpoint.path,
            price: price.micros,
            balance: verdict.balance,
            now,
            topupUrl: `${baseUrl}/errors/insufficient_funds`,
            forAgent: caller.agent !== undefined,
          }),
        })
      default:
        return fail("idempotency_in_progress", { retryAfterMs: 1_000 })
    }
  }

  const accept = (verdict: Verdict, caller: Caller, endpoint: Endpoint.Any, price: Price, now: number) =>
    verdict._tag === "Settled" ? Effect.void : Effect.fail(refused(verdict, caller, endpoint, price, now))

  const auditOf = (call: Call, caller: Caller, end: End, charged: MicroUsd, now: number): Audit => ({
    at: call.startedAt,
    requestId: call.requestId,
    accountId: caller.accountId,
    ...(caller.agent === undefined ? {} : { agentId: caller.agent.id }),
    keyId: caller.keyId,
    charged,
    latencyMs: Math.max(0, now - call.startedAt),
    ...end,
  })

  return {
    /** A cheap look before the work. Free calls pass without one. */
    afford: (call: Call, caller: Caller, endpoint: Endpoint.Any, price: Price): Effect.Effect<void, Failure> =>
      price.micros === 0 && (price.list === 0 || caller.agent === undefined)
        ? Effect.void
        : Effect.flatMap(ledger.look(caller, price.list, price.micros, call.startedAt), (verdict) =>
            accept(verdict, caller, endpoint, price, call.startedAt),
          ),

    /** Decides and pays. What needs no durable step — free calls, test keys without an agent — is only audited. */
    settle: (
      call: Call,
      caller: Caller,
      endpoint: Endpoint.Any,
      price: Price,
      end: End,
      remember: Remembered | undefined,
      captured: Captured | undefined,
    ): Effect.Effect<MicroUsd, Failure> =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const audit = auditOf(call, caller, end, price.micros, now)
        if (
          price.micros === 0 &&
          (price.list === 0 || caller.agent === undefined) &&
          (remember ?? captured) === undefined
        ) {
          return Effect.as(ledger.note(audit), zero)
        }
        return Effect.flatMap(
          ledger.settle({
            caller,
            list: price.list,
            micros: price.micros,
            audit,
            ...(remember === undefined ? {} : { remember }),
            ...(captured === undefined ? {} : { captured }),
          }),
          (verdict) =>
            verdict._tag === "Unkept"
              ? Effect.fail(unkept(call, now))
              : Effect.as(accept(verdict, caller, endpoint, price, now), price.micros),
        )
      }),

    /** The audit row of a keyed call that failed. */
    note: (call: Call, caller: Caller, end: End): Effect.Effect<void> =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => ledger.note(auditOf(call, caller, end, zero, now))),
  }
})
