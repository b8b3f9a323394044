import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import type { RateLimits } from "../../../core/account/RateLimits.ts"
import type { Gateway } from "../../../core/gateway/Gateway.ts"
import * as ClientAddress from "./clientAddress.ts"
import * as Listener from "./listener.ts"
import * as Rest from "./rest.ts"
import type { Table } from "./route.ts"
import * as Server from "./server.ts"
import * as UnixSocket from "./unixSocket.ts"

export interface Options {
  readonly place: Server.Place
  readonly limits?: Partial<Server.Limits>
  /** Longest time that running calls may take during shutdown, milliseconds. */
  readonly drainMs?: number
}

/**
 * A listener for the operator's own routes, until the scope closes.
 *
 * @returns its URL or the path of its Unix socket
 */
export const serve = (
  table: Table,
  surface: Rest.Surface,
  { place, limits: given, drainMs }: Options,
): Effect.Effect<string, Server.ListenError, Gateway | RateLimits | Scope> =>
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
    if (typeof bound === "string") return bound
    const { family, address, port } = bound
    return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`
  })
