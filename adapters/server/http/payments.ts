import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { RateLimits } from "../../../core/account/RateLimits.ts"
import { type Failure, fail } from "../../../core/Failure.ts"
import { Payments } from "../../../core/payment/Payments.ts"
import * as Step from "../../../core/Step.ts"
import { minute } from "../../../core/time.ts"
import * as Body from "./body.ts"
import { defaultLimits } from "./listener.ts"
import type { Route } from "./route.ts"
import * as Wire from "./wire.ts"

/** Where a provider sends its messages. */
export const webhookPath = (provider: string): string => `/payments/${provider}`

/** Refused messages per minute after which no message of an address is read. */
export const maxRefusedPerMinute = 60

/**
 * The routes of payment providers' messages. A message that is not genuine is refused; one that is answered with 200 has
 * been written, so the provider need not repeat it. A provider sends all its messages from few addresses, many at once
 * after an outage: genuine ones count against no limit.
 */
export const make: Effect.Effect<ReadonlyArray<Route>, never, Payments | RateLimits> = Effect.gen(function* () {
  const { ways, receive } = yield* Payments
  const limits = yield* RateLimits

  const admit = (bucket: string): Effect.Effect<void, Failure> =>
    Effect.flatMap(limits.peek(bucket, maxRefusedPerMinute), ({ remaining }) =>
      remaining > 0
        ? Effect.void
        : fail("rate_limit_exceeded", {
            detail: `More than ${maxRefusedPerMinute} messages of this address were refused within a minute.`,
            retryAfterMs: minute / maxRefusedPerMinute,
          }),
    )

  return ways.map(({ provider }) => ({
    method: "POST",
    path: webhookPath(provider),
    auth: "none",
    types: ["application/json"],
    limit: "none",
    handler: {
      _tag: "App",
      app: Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const bucket = `payments:${Option.getOrElse(request.remoteAddress, () => "")}`
        yield* admit(bucket)
        const orders = yield* Step.run(Body.read(NodeHttpServerRequest.toServerResponse(request), defaultLimits)).pipe(
          Effect.flatMap((body) => receive(provider, request.headers, body)),
          Effect.tapError(({ status }) => Effect.when(limits.take(bucket, maxRefusedPerMinute), () => status < 500)),
        )
        const text = JSON.stringify({ orders: orders.map(({ id, state }) => ({ id, state })) })
        return HttpServerResponse.text(text, { headers: Wire.jsonHeaders })
      }),
    },
  }))
})
