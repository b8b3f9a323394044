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
import { isSigned, type Payment, readPayment, toReference } from "./payload.ts"
import { isDefinite, refusal, refused, unreachable } from "./refusals.ts"
import type { InvalidX402Settings, Settings } from "./settings.ts"
import { type Parts, readFacts, takePayment } from "./settlement.ts"
import { maxGas } from "./signer.ts"
import { makeTerms, toAccept } from "./terms.ts"

export interface Options {
  /** Whether to check the node at start-up. Default: true. */
  readonly checkAtStart?: boolean
  /** For tests: other limits, and packages that do not load. */
  readonly limits?: Partial<Facilitator.Limits>
  readonly packages?: () => Promise<Packages.Packages>
}

/** Checks that the node fits the settings: now, if `checkAtStart`, and before each payment until a check has succeeded. */
const makeNodeCheck = (
  { fit }: Chain.Chain,
  limitMs: number,
  checkAtStart: boolean,
): Effect.Effect<Effect.Effect<void, Failure>, InvalidX402Settings> =>
  Effect.gen(function* () {
    let isFit = false
    const checkNode = fit.pipe(
      Effect.timeoutFail({ duration: limitMs, onTimeout: () => unreachable("The payment network") }),
      Effect.tap(() => {
        isFit = true
      }),
    )
    if (checkAtStart) yield* Effect.catchTag(checkNode, "Failure", () => Effect.void)
    return Effect.suspend(() =>
      isFit
        ? Effect.void
        : Effect.catchTag(checkNode, "InvalidX402Settings", (error) =>
            Effect.zipRight(Effect.logError(`Payments are not taken. ${error.message}`), Chain.misconfigured(error)),
          ),
    )
  })

/** The refusal while the gas for the hour is used up; logged at most once an hour. */
const makeOutOfGas = (gas: Gas.Gas, perHour: number): Effect.Effect<never, Failure> => {
  let loggedAt = Number.NEGATIVE_INFINITY
  return Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    if (now - loggedAt >= hour) {
      loggedAt = now
      yield* Effect.logError(`Payments are not taken: the ${perHour} units of gas for this hour are used up`)
    }
    return yield* fail("upstream_unavailable", {
      detail: "This service cannot take payments with calls at the moment. Nothing was charged.",
      retryAfterMs: gas.waitMs(),
    })
  })
}

/**
 * Payments sent with a call, by version 2 of x402: the scheme `exact` with signed transfers (EIP-3009) on an EVM chain. A
 * facilitator checks and sends them; the operator's node shows whether they arrived. The token must emit `AuthorizationUsed`
 * directly before `Transfer`, as Circle's do.
 *
 * Fails for invalid settings. A node that does not answer at the start is checked before the first payment.
 */
export const make = (settings: Settings, options: Options = {}): Effect.Effect<CallPayments, InvalidX402Settings> =>
  Effect.gen(function* () {
    const packages = yield* Packages.load(options.packages)
    const terms = yield* makeTerms(packages, settings)
    const limits = { ...Facilitator.defaultLimits, ...options.limits }
    const client = Chain.makeClient(packages, terms, settings)
    const chain = Chain.make(packages, terms, client)
    const perHour = settings.gasPerHour ?? Gas.defaultGasPerHour
    const gas = Gas.make(perHour, yield* Meter, yield* Effect.clock)
    const facilitator = yield* Facilitator.make(packages, terms, client, settings, limits, gas)
    const deps: Parts = { packages, terms, chain, facilitator, limits, gas }

    const ready = yield* makeNodeCheck(chain, limits.verify, options.checkAtStart !== false)
    const outOfGas = makeOutOfGas(gas, perHour)

    /**
     * Fails unless chain and facilitator say that the payment can be taken.
     *
     * @returns whether it was already used
     */
    const checkPayment = (payment: Payment): Effect.Effect<boolean, Failure> =>
      Effect.gen(function* () {
        if (!gas.allows(maxGas)) return yield* outOfGas
        yield* ready
        const [isUsed, reason] = yield* Effect.all(
          [chain.isUsed(payment), facilitator.verify(payment, toAccept(terms, payment.micros))],
          { concurrency: 2 },
        )
        if (isUsed || reason === undefined) return isUsed
        // A facilitator may not say that the payer has too little.
        const isShort = !isDefinite(reason) && (yield* chain.balance(payment.from)) < payment.value
        return yield* isShort ? refused("insufficient_balance") : refused(reason)
      }).pipe(
        // The facilitator's own limit ends first, with its own message.
        Effect.timeoutFail({ duration: limits.verify + 1_000, onTimeout: () => unreachable("The payment network") }),
      )

    const readSignedPayment = Effect.fnUntraced(function* (header: string, amounts: ReadonlyArray<MicroUsd>) {
      const payment = yield* readPayment(terms, header, amounts, yield* Clock.currentTimeMillis)
      if (!(yield* isSigned(packages, terms, payment))) return yield* refused("signature")
      return {
        isUsed: checkPayment(payment),
        payer: payment.from,
        reference: toReference(terms, payment),
        micros: payment.micros,
        endsAt: Number(payment.validBefore) * 1_000,
        take: (order) =>
          order.micros === payment.micros
            ? takePayment(deps, payment, toAccept(terms, payment.micros), order)
            : refusal("payment_underpaid", "payload.authorization.value", "Pay the amount of the order."),
      } as const satisfies Effect.Effect.Success<ReturnType<CallPayments["read"]>>
    })

    return {
      provider: "x402",
      // Each payment is checked once after it is final, even if one daily check fails.
      watchedDays: 2,
      keyless: settings.keyless,
      accept: (micros) => toAccept(terms, micros),
      required: (resource, accepts, reason, endpoint) =>
        packages.http.encodePaymentRequiredHeader({
          x402Version: 2,
          error: reason,
          resource: { url: resource, description: endpoint.summary, mimeType: "application/json" },
          accepts: accepts.map((each) => ({ ...each, network: terms.network })),
          extensions: Bazaar.endpointExtension(endpoint),
        }),
      read: readSignedPayment,
      look: (order, opened) => Effect.zipRight(ready, readFacts(deps, order, opened)),
    }
  })
