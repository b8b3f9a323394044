import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { PlatformCrypto } from "../account/PlatformCrypto.ts"
import * as Ulid from "../account/Ulid.ts"

const pool = 512

/** `req_` and a ULID, one for every request, failed or not. */
export class RequestIds extends Context.Tag("core/gateway/RequestIds")<
  RequestIds,
  { readonly next: Effect.Effect<string> }
>() {
  /** Random bytes are drawn for 512 ids at once. */
  static readonly layer: Layer.Layer<RequestIds, never, PlatformCrypto> = Layer.effect(
    RequestIds,
    Effect.map(PlatformCrypto, (secrets) => {
      let bytes = new Uint8Array(0)
      let used = 0
      const take = Clock.clockWith((clock) =>
        Effect.sync(() => {
          const id = `req_${Ulid.encode(clock.unsafeCurrentTimeMillis(), bytes, used)}`
          used += 10
          return id
        }),
      )
      const refill = Effect.map(secrets.randomBytes(10 * pool), (fresh) => {
        bytes = fresh as Uint8Array<ArrayBuffer>
        used = 0
      })
      // No other fiber runs between the check and `take`: both are synchronous.
      return { next: Effect.suspend(() => (used + 10 <= bytes.length ? take : Effect.zipRight(refill, take))) }
    }),
  )
}
