import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as Effect from "effect/Effect"
import { Payments } from "../../core/payment/Payments.ts"
import * as Body from "./body.ts"
import { defaultLimits } from "./listener.ts"
import type { Route } from "./route.ts"
import * as Wire from "./wire.ts"

/** Where a provider sends its messages. */
export const path = (provider: string): string => `/payments/${provider}`

/**
 * The routes of payment providers' messages. A message that is not genuine is refused; one that is answered with 200 has
 * been written, so the provider need not repeat it.
 */
export const make: Effect.Effect<ReadonlyArray<Route>, never, Payments> = Effect.map(Payments, ({ ways, receive }) =>
  ways.map(({ provider }) => ({
    method: "POST",
    path: path(provider),
    auth: "none",
    types: ["application/json"],
    limit: "requests",
    handler: {
      _tag: "App",
      app: Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const body = yield* Body.read(NodeHttpServerRequest.toIncomingMessage(request), defaultLimits)
        const noted = yield* receive(provider, request.headers, body)
        const text = JSON.stringify({ orders: noted.map(({ id, state }) => ({ id, state })) })
        return HttpServerResponse.text(text, { headers: Wire.json })
      }),
    },
  })),
)
