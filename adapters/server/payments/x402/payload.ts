import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import type { MicroUsd } from "../../../../core/account/Money.ts"
import type { Code, Failure } from "../../../../core/Failure.ts"
import type { Packages } from "./packages.ts"
import { refusal } from "./refusals.ts"
import { maxValiditySeconds, minValiditySeconds, type Terms, toUnits } from "./terms.ts"

/** Characters of the header; a payment has about 1,500. */
export const maxHeaderLength = 8_192

export type Hex = `0x${string}`

/** A signed transfer (EIP-3009), not checked against the chain. */
export interface Payment {
  readonly signature: Hex
  readonly from: Hex
  readonly to: Hex
  /** Units of the token. */
  readonly value: bigint
  readonly micros: MicroUsd
  /** Epoch seconds. */
  readonly validAfter: bigint
  readonly validBefore: bigint
  readonly nonce: Hex
}

const Envelope = Schema.Struct({
  x402Version: Schema.Literal(2).annotations({ message: () => "Send version 2 of the protocol." }),
  accepted: Schema.Struct({
    scheme: Schema.Literal("exact").annotations({ message: () => "Pay by the scheme exact." }),
    network: Schema.String.annotations({ message: () => "Name the network of the terms." }),
  }),
})

const hexSchema = (bytes: number, what: string) =>
  Schema.String.pipe(
    Schema.filter((text): text is Hex => new RegExp(`^0x[\\da-fA-F]{${2 * bytes}}$`).test(text)),
    Schema.annotations({ message: () => ({ message: what, override: true }) }),
  )

const address = hexSchema(20, "Expected an address: 0x and 40 hexadecimal digits.")

const uint256 = Schema.String.pipe(
  Schema.pattern(/^(0|[1-9]\d{0,76})$/),
  Schema.annotations({ message: () => ({ message: "Expected a whole number in decimal digits.", override: true }) }),
)

const Transfer = Schema.Struct({
  accepted: Schema.Struct({ asset: address, payTo: address, amount: uint256 }),
  payload: Schema.Struct({
    signature: hexSchema(65, "Expected a signature of 65 bytes by the key of the payer: contracts cannot pay."),
    authorization: Schema.Struct({
      from: address,
      to: address,
      value: uint256,
      validAfter: uint256,
      validBefore: uint256,
      nonce: hexSchema(32, "Expected 32 random bytes: 0x and 64 hexadecimal digits."),
    }).annotations({
      message: ({ actual }) =>
        typeof actual === "object" && actual !== null
          ? { message: "", override: false }
          : {
              message: "Sign a transfer by EIP-3009 (transferWithAuthorization). Permit2 is not accepted.",
              override: true,
            },
    }),
  }),
})

const isEqual = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

const decode = <A, I>(schema: Schema.Schema<A, I>, value: unknown): Either.Either<A, Failure> =>
  Either.mapLeft(Schema.decodeUnknownEither(schema)(value), (error) => {
    const [issue] = ParseResult.ArrayFormatter.formatErrorSync(error)
    const field = issue?.path.join(".") ?? ""
    return refusal(
      "payment_invalid",
      field === "" ? "PAYMENT-SIGNATURE" : field,
      issue?.message ?? "Expected an object.",
    )
  })

const decodeHeader = (header: string): Either.Either<unknown, Failure> => {
  const wrong = (suggestion: string) => Either.left(refusal("payment_invalid", "PAYMENT-SIGNATURE", suggestion))
  if (header.length > maxHeaderLength) return wrong(`Send at most ${maxHeaderLength} characters.`)
  const text = Encoding.decodeBase64String(header)
  if (Either.isLeft(text)) return wrong("Send a JSON object in base64.")
  try {
    return Either.right(JSON.parse(text.right))
  } catch {
    return wrong("Send a JSON object in base64.")
  }
}

/**
 * Reads a payment and checks it against the terms; signature and balance are checked later.
 *
 * @param now epoch milliseconds
 */
export const readPayment = (
  terms: Terms,
  header: string,
  amounts: ReadonlyArray<MicroUsd>,
  now: number,
): Either.Either<Payment, Failure> =>
  Either.gen(function* () {
    const value = yield* decodeHeader(header)
    const { network } = (yield* decode(Envelope, value)).accepted
    const check = (holds: boolean, code: Code, field: string, suggestion: string): Either.Either<void, Failure> =>
      holds ? Either.right(undefined) : Either.left(refusal(code, field, suggestion))
    yield* check(network === terms.network, "payment_wrong_network", "accepted.network", `Pay on ${terms.network}.`)
    const { accepted, payload } = yield* decode(Transfer, value)
    const { authorization: sent, signature } = payload
    yield* check(isEqual(accepted.asset, terms.asset), "payment_invalid", "accepted.asset", `Pay with ${terms.asset}.`)
    for (const [field, to] of [
      ["accepted.payTo", accepted.payTo],
      ["payload.authorization.to", sent.to],
    ] as const) {
      yield* check(isEqual(to, terms.payTo), "payment_invalid", field, `Pay to ${terms.payTo}.`)
    }
    const units = BigInt(sent.value)
    const micros = amounts.find((each) => toUnits(each, terms.decimals) === units)
    const asked = amounts.map((each) => toUnits(each, terms.decimals)).join(", ")
    if (micros === undefined || accepted.amount !== sent.value) {
      const field = micros === undefined ? "payload.authorization.value" : "accepted.amount"
      return yield* Either.left(refusal("payment_underpaid", field, `Pay exactly one of ${asked} units of the token.`))
    }
    const [validAfter, validBefore] = [BigInt(sent.validAfter), BigInt(sent.validBefore)]
    const second = BigInt(Math.floor(now / 1_000))
    yield* check(
      validAfter <= second,
      "payment_expired",
      "payload.authorization.validAfter",
      `Sign a payment that is valid now: before second ${second} of the epoch.`,
    )
    yield* check(
      validBefore >= second + BigInt(minValiditySeconds) && validBefore <= second + BigInt(maxValiditySeconds),
      "payment_expired",
      "payload.authorization.validBefore",
      `Sign a payment whose validity ends in ${minValiditySeconds} to ${maxValiditySeconds} s, best in ${terms.maxTimeoutSeconds} s.`,
    )
    const lower = (text: Hex): Hex => text.toLowerCase() as Hex
    return {
      signature,
      from: lower(sent.from),
      to: lower(sent.to),
      value: units,
      micros,
      validAfter,
      validBefore,
      nonce: lower(sent.nonce),
    }
  })

/** Whether the payer's key signed the payment, by the token's name and version. Needs no node. */
export const isSigned = (
  { viem, evm }: Packages,
  { chainId, asset, extra }: Terms,
  { signature, from, to, value, validAfter, validBefore, nonce }: Payment,
): Effect.Effect<boolean> =>
  Effect.tryPromise(() =>
    viem.recoverTypedDataAddress({
      domain: { ...extra, chainId, verifyingContract: asset },
      types: evm.authorizationTypes,
      primaryType: "TransferWithAuthorization",
      message: { from, to, value, validAfter, validBefore, nonce },
      signature,
    }),
  ).pipe(
    Effect.map((signer) => isEqual(signer, from)),
    // Bytes that are not a signature.
    Effect.orElseSucceed(() => false),
  )

/** Identifies a signed payment: the token lets a payer use a nonce once. */
export const toReference = ({ network, asset }: Terms, { from, nonce }: Pick<Payment, "from" | "nonce">): string =>
  `x402:${network}:${asset}:${from}:${nonce}`.toLowerCase()

/** The payer and the nonce of a reference with these terms' network and token; undefined: another network or token. */
export const parseReference = (terms: Terms, text: string): Pick<Payment, "from" | "nonce"> | undefined => {
  const [, from, nonce] = /:(0x[\da-f]{40}):(0x[\da-f]{64})$/.exec(text) ?? []
  if (from === undefined || nonce === undefined) return undefined
  const found = { from: from as Hex, nonce: nonce as Hex }
  return toReference(terms, found) === text ? found : undefined
}

/** The payment for a facilitator, with only what the terms ask for. */
export const toPayload = ({ signature, from, to, value, validAfter, validBefore, nonce }: Payment) => ({
  signature,
  authorization: {
    from,
    to,
    value: String(value),
    validAfter: String(validAfter),
    validBefore: String(validBefore),
    nonce,
  },
})
