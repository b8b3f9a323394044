import * as Either from "effect/Either"
import type * as Catalogue from "../endpoint/Catalogue.ts"
import * as decode from "../endpoint/decode.ts"
import * as Endpoint from "../endpoint/Endpoint.ts"
import { type Failure, fail } from "../Failure.ts"
import { withAccount } from "../lanes/account/Account.ts"
import type { Call } from "./Call.ts"
import * as Idempotency from "./idempotency.ts"

/**
 * Decodes the parameters of calls; reports a malformed `Idempotency-Key` together with their errors. The decoders are
 * compiled here, so that a bad endpoint fails at the start, not at its first call.
 */
export const make = (catalogue: Catalogue.Any) => {
  const decoders = new Map(
    withAccount(catalogue).entries.map(({ endpoint }) => [endpoint.id, decode.compile(endpoint)]),
  )
  return (
    endpoint: Endpoint.Any,
    raw: decode.Raw,
    { context, startedAt }: Call,
  ): Either.Either<decode.Decoded, Failure> => {
    const decoded = Either.mapLeft(decoders.get(endpoint.id)!(raw, startedAt), (failure) =>
      Endpoint.hasBody(endpoint) ? fail("invalid_request_body", { hints: failure.hints ?? [] }) : failure,
    )
    const key = context.idempotencyKey
    if (key === undefined || Idempotency.isKey(key)) return decoded
    const hints = decoded._tag === "Left" ? (decoded.left.hints ?? []) : []
    const field = context.idempotencyField ?? Idempotency.keyHeader
    const hint = { field, action: "change", suggestion: `${field} must be a UUIDv4.` } as const
    return Either.left(fail("invalid_parameter", { hints: [...hints, hint] }))
  }
}
