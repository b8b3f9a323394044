import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { PlatformCrypto } from "../account/PlatformCrypto.ts"
import * as Ulid from "../account/Ulid.ts"
import * as Step from "../Step.ts"

/** `req_` and a ULID, one for every request, failed or not. */
export class RequestIds extends Context.Tag("market-signals/core/gateway/RequestIds")<
  RequestIds,
  { readonly next: () => Effect.Effect<string> }
>() {
  static readonly layer: Layer.Layer<RequestIds, never, PlatformCrypto> = Layer.effect(
    RequestIds,
    Effect.gen(function* () {
      const clock = yield* Effect.clock
      const randomBytes = Step.eager((yield* PlatformCrypto).randomBytes)
      return {
        next: Step.methodFrom(() =>
          Step.map(randomBytes(10), (bytes) => `req_${Ulid.encode(clock.unsafeCurrentTimeMillis(), bytes)}`),
        ),
      }
    }),
  )
}
