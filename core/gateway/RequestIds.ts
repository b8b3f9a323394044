import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { PlatformCrypto } from "../account/PlatformCrypto.ts"
import * as Ulid from "../account/Ulid.ts"
import * as Step from "../Step.ts"

const pool = 512

/** `req_` and a ULID, one for every request, failed or not. */
export class RequestIds extends Context.Tag("market-signals/core/gateway/RequestIds")<
  RequestIds,
  { readonly next: () => Effect.Effect<string> }
>() {
  /** Random bytes are drawn for 512 ids at once. */
  static readonly layer: Layer.Layer<RequestIds, never, PlatformCrypto> = Layer.effect(
    RequestIds,
    Effect.gen(function* () {
      const clock = yield* Effect.clock
      const randomBytes = Step.eager((yield* PlatformCrypto).randomBytes)
      let bytes = new Uint8Array(0)
      let used = 0
      const take = (): string => {
        const id = `req_${Ulid.encode(clock.unsafeCurrentTimeMillis(), bytes, used)}`
        used += 10
        return id
      }
      const refill = (): Step.Step<string> =>
        Step.andThen(randomBytes(10 * pool), (fresh) => {
          bytes = fresh as Uint8Array<ArrayBuffer>
          used = 0
          return Exit.succeed(take())
        })
      return { next: Step.methodFrom(() => (used + 10 <= bytes.length ? Exit.succeed(take()) : refill())) }
    }),
  )
}
