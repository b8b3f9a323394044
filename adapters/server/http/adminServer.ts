import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { RateLimits } from "../../../core/account/RateLimits.ts"
import type { Gateway } from "../../../core/gateway/Gateway.ts"
import type { Admin } from "./admin.ts"
import * as OwnListener from "./ownListener.ts"
import type * as Server from "./server.ts"

/** The admin API's URL or Unix socket path; undefined where it is off. */
export class AdminAddress extends Context.Tag("adapters/server/http/AdminAddress")<
  AdminAddress,
  { readonly at: string | undefined }
>() {}

/** The admin API on a listener of its own, until the scope closes. */
export const layer = (
  { table, surface }: Admin,
  options: OwnListener.Options,
): Layer.Layer<AdminAddress, Server.ListenError, Gateway | RateLimits> =>
  Layer.scoped(
    AdminAddress,
    Effect.map(OwnListener.serve(table, surface, options), (at) => ({ at })),
  )
