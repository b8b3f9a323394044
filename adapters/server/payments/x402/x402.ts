import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { MicroUsd } from "../../../../core/account/Money.ts"
import { type Failure, fail } from "../../../../core/Failure.ts"
import type { CallPayments } from "../../../../core/payment/CallPayment.ts"
import { Meter } from "../../../../core/telemetry/Meter.ts"
import { hour } from "../../../../core/time.ts"
import * as Bazaar from "./bazaar.ts"
import * as Chain from "./chain.ts"
import * as Facilitator from "./facilitator.ts"
import * as Gas from "./gas.ts"
import * as Packages from "./packages.ts"
import { isSigned, type Payment, read, reference } from "./payload.ts"
import { isDefinite, refusal, refused, unreachable } from "./refusals.ts"
import type { Settings, Unusable } from "./settings.ts"
import { look, type Parts, take } from "./settlement.ts"
import { mostGas } from "./signer.ts"
import { accept, termsOf } from "./terms.ts"

export interface Options {
  /** Whether the node is asked at once if it fits the settings; default yes. */
  readonly isAsked?: boolean
  /** For tests: other limits, and packages that do not load. */
  readonly limits?: Partial<Facilitator.Limits>
  readonly packages?: () => Promise<Packages.Packages>
}

/** Whether the node fits the settings: asked at once, and before each payment until it answers. */
const readiness = (
  { fit }: Chain.Chain,
  limitMs: number,
  isAsked: boolean,
): Effect.Effect<Effect.Effect<void, Failure>, Unusable> =>
  Effect.gen(function* () {
    let isFit = false
    const checked = fit.pipe(
      Effect.timeoutFail({ duration: limitMs, onTimeout: () => unreachable("The payment network") }),
      Effect.tap(() => {
        isFit = true
      }),
    )
    if (isAsked) yield* Effect.catchTag(checked, "Failure", () => Effect.void)
    return Effect.suspend(() =>
      isFit
        ? Effect.void
        : Effect.catchTag(checked, "market-signals/adapters/server/payments/x402/Unusable", (error) =>
            Effect.zipRight(Effect.logError(`Payments are not taken. ${error.message}`), Chain.closed(error)),
          ),
    )
  })

/** The refusal while the gas for the hour is used up; logged once an hour, since each refused call would say it again. */
const makeWithoutGas = (gas: Gas.Gas, perHour: number): Effect.Effect<never, Failure> => {
  let loggedAt = Number.NEGATIVE_INFINITY
  return Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    if (now - loggedAt >= hour) {
      loggedAt = now
      yield* Effect.logError(`Payments are not taken: the ${perHour} units of gas for this hour are used up`)
    }
    return yield* fail("upstream_unavailable", {
      detail: "Payments with calls are not taken at the moment. Nothing was taken.",
      retryAfterMs: gas.waitMs(),
    })
  })
}

/**
 * Payments with a call by version 2 of x402: the scheme `exact` with signed transfers (EIP-3009) on an EVM chain. A
 * facilitator checks and sends them; whether they arrived, our own node says. The token must tell an authorization's use
 * directly before its transfer, as Circle's and their like do.
 *
 * It fails when a setting cannot be right. A node that does not answer at the start is asked before the first payment.
 */
export const make = (settings: Settings, options: Options = {}): Effect.Effect<CallPayments, Unusable> =>
  Effect.gen(function* () {
    const packages = yield* Packages.load(options.packages)
    const terms = yield* termsOf(packages, settings)
    const limits = { ...Facilitator.defaultLimits, ...options.limits }
    const client = Chain.makeClient(packages, terms, settings)
    const chain = Chain.make(packages, terms, client)
    const perHour = settings.gasPerHour ?? Gas.defaultGasPerHour
    const gas = Gas.make(perHour, yield* Meter, yield* Effect.clock)
    const facilitator = yield* Facilitator.make(packages, terms, client, settings, limits, gas)
    const parts: Parts = { packages, terms, chain, facilitator, limits, gas }

    const ready = yield* readiness(chain, limits.verify, options.isAsked !== false)
    const withoutGas = makeWithoutGas(gas, perHour)

    /** Fails unless the chain and the facilitator say that the payment can be taken. True: it was used before. */
    const checked = (payment: Payment): Effect.Effect<boolean, Failure> =>
      Effect.gen(function* () {
        if (!gas.allows(mostGas)) return yield* withoutGas
        yield* ready
        const [isUsed, reason] = yield* Effect.all(
          [chain.isUsed(payment), facilitator.verify(payment, accept(terms, payment.micros))],
          { concurrency: 2 },
        )
        if (isUsed || reason === undefined) return isUsed
        // A facilitator may not say why the token refuses.
        const isShort = !isDefinite(reason) && (yield* chain.balance(payment.from)) < payment.value
        return yield* isShort ? refused("insufficient_balance") : refused(reason)
      }).pipe(
        Effect.timeoutFail({ duration: limits.verify + 1_000, onTimeout: () => unreachable("The payment network") }),
      )

    const offered = Effect.fnUntraced(function* (header: string, amounts: ReadonlyArray<MicroUsd>) {
      const payment = yield* read(terms, header, amounts, yield* Clock.currentTimeMillis)
      if (!(yield* isSigned(packages, terms, payment))) return yield* refused("signature")
      return {
        isUsed: checked(payment),
        payer: payment.from,
        reference: reference(terms, payment),
        micros: payment.micros,
        endsAt: Number(payment.validBefore) * 1_000,
        take: (order) =>
          order.micros === payment.micros
            ? take(parts, payment, accept(terms, payment.micros), order)
            : refusal("payment_underpaid", "payload.authorization.value", "Pay the amount of the order."),
      } as const satisfies Effect.Effect.Success<ReturnType<CallPayments["read"]>>
    })

    return {
      provider: "x402",
      // Every payment once when it is deep in the chain, also if one day's look fails.
      watchedDays: 2,
      keyless: settings.keyless,
      accept: (micros) => accept(terms, micros),
      required: (resource, accepts, reason, endpoint) =>
        packages.http.encodePaymentRequiredHeader({
          x402Version: 2,
          error: reason,
          resource: { url: resource, description: endpoint.summary, mimeType: "application/json" },
          accepts: accepts.map((each) => ({ ...each, network: terms.network })),
          extensions: Bazaar.ofEndpoint(endpoint),
        }),
      read: offered,
      look: (order, opened) => Effect.zipRight(ready, look(parts, order, opened)),
    }
  })
