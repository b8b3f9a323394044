import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { RateLimits } from "../../core/account/RateLimits.ts"
import type { Gateway } from "../../core/gateway/Gateway.ts"
import type { Admin } from "./admin.ts"
import * as ClientAddress from "./clientAddress.ts"
import * as Listener from "./listener.ts"
import * as Rest from "./rest.ts"
import * as Server from "./server.ts"
import * as UnixSocket from "./unixSocket.ts"

export interface Options {
  readonly place: Server.Place
  readonly limits?: Partial<Server.Limits>
  /** Longest time that running calls may take during shutdown, milliseconds. */
  readonly drainMs?: number
}

/** The admin API's URL or Unix socket path; undefined where it is off. */
export class AdminAddress extends Context.Tag("adapters/http/AdminAddress")<
  AdminAddress,
  { readonly at: string | undefined }
>() {}

/** The admin API on a listener of its own, until the scope closes. */
export const layer = (
  { table, surface }: Admin,
  { place, limits: given, drainMs }: Options,
): Layer.Layer<AdminAddress, Server.ListenError, Gateway | RateLimits> =>
  Layer.scoped(
    AdminAddress,
    Effect.gen(function* () {
      if ("path" in place) {
        const inTheWay = yield* UnixSocket.makeRoom(place.path)
        if (inTheWay !== undefined) return yield* new Server.ListenError({ message: inTheWay, cause: undefined })
      }
      const limits = { ...Server.defaultLimits, ...given }
      const trusts = ClientAddress.trustsNobody
      const rest = Rest.make(table, surface)
      const listener = yield* Listener.make({ table, rest, isUnlimited: true, limits, trusts })
      const bound = yield* Server.serve(listener, place, limits, trusts, drainMs)
      if (typeof bound === "string") return { at: bound }
      const { family, address, port } = bound
      return { at: `http://${family === "IPv6" ? `[${address}]` : address}:${port}` }
    }),
  )
