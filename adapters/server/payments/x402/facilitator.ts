import type { HTTPFacilitatorClient } from "@x402/core/http"
import type { PaymentPayload, PaymentRequirements } from "@x402/core/types"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type { PublicClient } from "viem"
import type { Accept } from "../../../../core/call/Accept.ts"
import type { Failure } from "../../../../core/Failure.ts"
import { makeClient, showError } from "./chain.ts"
import type { Gas } from "./gas.ts"
import * as Packages from "./packages.ts"
import { type Hex, type Payment, toPayload } from "./payload.ts"
import { isDefinite, isOutage, unreachable } from "./refusals.ts"
import type { InvalidX402Settings, Settings } from "./settings.ts"
import * as Signer from "./signer.ts"
import { makeTerms, type Terms } from "./terms.ts"

/** The fate of a payment that was to be sent. */
export type Settled =
  /** It is in a transaction that we sent, or that a service claims to have sent. */
  | { readonly _tag: "Sent"; readonly hash: Hex; readonly isClaimed: boolean }
  /** It was not sent, and will not be. */
  | { readonly _tag: "Refused"; readonly reason: string }
  /** The node failed before it was sent, or our gas for the hour was used up. */
  | { readonly _tag: "Unsent"; readonly isOutOfGas: boolean }
  /** It is not known whether it was sent. */
  | { readonly _tag: "Unknown" }

/** Who checks signed payments and sends them to the chain. */
export interface Facilitator {
  /** The reason for which a payment is not valid; undefined: it is. */
  readonly verify: (payment: Payment, accept: Accept) => Effect.Effect<string | undefined, Failure>
  readonly settle: (payment: Payment, accept: Accept) => Effect.Effect<Settled>
}

/** Milliseconds. */
export interface Limits {
  /** For the check of a payment. */
  readonly verify: number
  /** For our own transaction to be sent. */
  readonly send: number
  /** For a service to settle. */
  readonly settle: number
  /** In all, until the chain shows the payment. */
  readonly take: number
}

export const defaultLimits: Limits = { verify: 4_000, send: 8_000, settle: 14_000, take: 20_000 }

const toRequest = (payment: Payment, accept: Accept): readonly [PaymentPayload, PaymentRequirements] => {
  const accepted = accept as PaymentRequirements
  return [{ x402Version: 2, accepted, payload: toPayload(payment) }, accepted]
}

/** In this process: it signs transactions with the key and pays the gas. */
const makeLocal = (
  packages: Packages.Packages,
  terms: Terms,
  client: PublicClient,
  key: Redacted.Redacted,
  limits: Pick<Limits, "verify" | "send">,
  gas: Gas,
) =>
  Effect.gen(function* () {
    const account = yield* Packages.readAccount(packages, key)
    const signer = Signer.make({
      packages,
      chainId: terms.chainId,
      client,
      account,
      budget: gas,
      clock: yield* Effect.clock,
    })
    const facilitatorOf = (attempt: Signer.Attempt) =>
      new packages.facilitator.x402Facilitator().register(
        terms.network,
        new packages.scheme.ExactEvmScheme(signer(attempt)),
      )
    const warn = (attempt: Signer.Attempt) =>
      attempt.outage === undefined || attempt.isOutOfGas === true
        ? Effect.void
        : Effect.logWarning(`The node of ${terms.network}: ${showError(packages, attempt.outage)}`)
    const facilitator: Facilitator = {
      verify: (payment, accept) =>
        Effect.gen(function* () {
          const attempt: Signer.Attempt = { isOver: false }
          const found = yield* Effect.tryPromise(() =>
            facilitatorOf(attempt).verify(...toRequest(payment, accept)),
          ).pipe(Effect.timeout(limits.verify), Effect.option)
          if (found._tag === "Some" && found.value.isValid) return undefined
          // The packages report a node that does not answer as a wrong signature.
          if (found._tag === "None" || attempt.outage !== undefined) {
            yield* warn(attempt)
            return yield* unreachable("The payment network")
          }
          return found.value.invalidReason ?? "refused"
        }),
      settle: (payment, accept) =>
        Effect.suspend(() => {
          const attempt: Signer.Attempt = { isOver: false }
          const over = Effect.sync(() => {
            attempt.isOver = true
          })
          return Effect.tryPromise(() => facilitatorOf(attempt).settle(...toRequest(payment, accept))).pipe(
            Effect.timeout(limits.send),
            Effect.option,
            // From here on nothing more is sent.
            Effect.ensuring(over),
            Effect.tap(() => warn(attempt)),
            Effect.map((found): Settled => {
              if (attempt.sent !== undefined) return { _tag: "Sent", hash: attempt.sent, isClaimed: false }
              if (found._tag === "None" || attempt.outage !== undefined) {
                return { _tag: "Unsent", isOutOfGas: attempt.isOutOfGas === true }
              }
              return {
                _tag: "Refused",
                reason: found.value.success ? "refused" : (found.value.errorReason ?? "refused"),
              }
            }),
          )
        }),
    }
    return facilitator
  })

const isHash = (text: string | undefined): text is Hex => text !== undefined && /^0x[\da-fA-F]{64}$/.test(text)

/** A service, whose statements are checked against the chain. */
const makeRemote = (
  packages: Packages.Packages,
  url: string,
  limits: Pick<Limits, "verify" | "settle">,
): Facilitator => {
  const service = (timeoutMs: number): HTTPFacilitatorClient =>
    new packages.http.HTTPFacilitatorClient({ url, timeoutMs })
  const [verifying, settling] = [service(limits.verify), service(limits.settle)]
  const warn = (error: unknown) => Effect.logWarning(`The facilitator: ${showError(packages, error)}`)
  /** The answer in an error of the package: facilitators answer 4xx to payments that they refuse. */
  const readField = <K extends string>(error: unknown, key: K): string | undefined => {
    const value: unknown = error instanceof Error ? Reflect.get(error, key) : undefined
    return typeof value === "string" ? value : undefined
  }
  return {
    verify: (payment, accept) =>
      Effect.tryPromise({ try: () => verifying.verify(...toRequest(payment, accept)), catch: (error) => error }).pipe(
        Effect.map(({ isValid, invalidReason }) => (isValid ? undefined : (invalidReason ?? "refused"))),
        Effect.catchAll((error) => {
          const reason = readField(error, "invalidReason")
          return reason === undefined ? Effect.fail(error) : Effect.succeed(reason)
        }),
        Effect.filterOrFail(
          (reason) => reason === undefined || !isOutage(reason),
          (reason) => new Error(`verify says ${reason}`),
        ),
        Effect.timeout(limits.verify + 500),
        Effect.tapError(warn),
        Effect.mapError(() => unreachable("The payment facilitator")),
      ),
    settle: (payment, accept) =>
      Effect.tryPromise({ try: () => settling.settle(...toRequest(payment, accept)), catch: (error) => error }).pipe(
        Effect.tapError(warn),
        Effect.timeout(limits.settle + 500),
        Effect.catchAll((error) =>
          Effect.succeed({
            success: false,
            errorReason: readField(error, "errorReason"),
            transaction: readField(error, "transaction"),
          }),
        ),
        Effect.map(({ success, errorReason, transaction }): Settled => {
          if (isHash(transaction)) return { _tag: "Sent", hash: transaction, isClaimed: success }
          // A nonce may be used by the payment itself, asked for twice.
          return !success && errorReason !== undefined && isDefinite(errorReason) && !/used/i.test(errorReason)
            ? { _tag: "Refused", reason: errorReason }
            : { _tag: "Unknown" }
        }),
      ),
  }
}

export const make = (
  packages: Packages.Packages,
  terms: Terms,
  client: PublicClient,
  { facilitator }: Pick<Settings, "facilitator">,
  limits: Limits,
  gas: Gas,
): Effect.Effect<Facilitator, InvalidX402Settings> =>
  "url" in facilitator
    ? Effect.sync(() => makeRemote(packages, facilitator.url, limits))
    : makeLocal(packages, terms, client, facilitator.privateKey, limits, gas)

/**
 * Reads the balance of the account that pays the gas, in the chain's currency, such as ether; undefined: a service pays it.
 */
export const gasBalance = (
  settings: Settings,
): Effect.Effect<Effect.Effect<number, Failure> | undefined, InvalidX402Settings> =>
  Effect.gen(function* () {
    const { facilitator } = settings
    if (!("privateKey" in facilitator)) return undefined
    const packages = yield* Packages.load()
    const client = makeClient(packages, yield* makeTerms(packages, settings), settings)
    const { address } = yield* Packages.readAccount(packages, facilitator.privateKey)
    return Effect.tryPromise({
      try: async () => Number(packages.viem.formatEther(await client.getBalance({ address }))),
      catch: () => unreachable("The payment network"),
    })
  })
