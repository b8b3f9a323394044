import type { IncomingMessage } from "node:http"
import { type Failure, fail } from "../../../core/Failure.ts"
import type { Format, RequestContext } from "../../../core/gateway/Call.ts"

export const malformed = fail("invalid_parameter", {
  detail: "The request is not valid HTTP/1.1.",
  hints: [{ field: "request", action: "change", suggestion: "Send a well-formed HTTP/1.1 request." }],
})

/** RFC 9112, 3.2: exactly one Host. Node reads the first of several. */
const hasOneHost = ({ rawHeaders, httpVersion }: IncomingMessage): boolean => {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!
    if (name.length === 4 && name.toLowerCase() === "host") hosts++
  }
  return hosts === 1 || (hosts === 0 && httpVersion === "1.0")
}

/** Whether the headers announce a body. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0

/** The failure of a request that breaks a limit before routing. */
export const violation = (
  request: IncomingMessage,
  limits: { readonly uri: number; readonly body: number },
): Failure | undefined => {
  // Node detects an unsupported coding only after it has handed the request on.
  const coding = request.headers["transfer-encoding"]
  if (!hasOneHost(request) || (coding !== undefined && coding.toLowerCase() !== "chunked")) return malformed
  if (request.url!.length > limits.uri) return fail("uri_too_long")
  if (Number(request.headers["content-length"] ?? 0) > limits.body) return fail("payload_too_large")
  return undefined
}

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
