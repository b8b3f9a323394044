import type { IncomingMessage } from "node:http"
import type { Format, RequestContext } from "../../../core/gateway/Call.ts"

type Writable<A> = { -readonly [Name in keyof A]: A[Name] }

/** The headers and the address of a request that the gateway reads. */
export const makeContext = (
  request: IncomingMessage,
  address: string | undefined,
  head: boolean,
  format: Format,
): RequestContext => {
  const { headers, socket } = request
  const { authorization, "idempotency-key": key, "if-none-match": known, "x-request-id": named, traceparent } = headers
  const { "payment-signature": payment } = headers
  const context: Writable<RequestContext> = { authorization, head, format, connection: socket }
  if (typeof key === "string") context.idempotencyKey = key
  if (known !== undefined) context.ifNoneMatch = known
  if (typeof named === "string") context.clientRequestId = named
  if (typeof payment === "string") context.payment = payment
  if (typeof traceparent === "string") context.traceparent = traceparent
  if (address !== undefined) context.address = address
  return context
}
