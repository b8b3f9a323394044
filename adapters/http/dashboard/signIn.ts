import * as Effect from "effect/Effect"
import type { PlatformCrypto } from "../../../core/account/PlatformCrypto.ts"
import type { Bound, IdentityProvider } from "../../../core/people/IdentityProvider.ts"
import type { Origin } from "./site.ts"

/** How people sign in elsewhere. */
export interface SignIn {
  readonly provider: IdentityProvider["Type"]
  /** Whether strangers get an account. */
  readonly isOpen: boolean
}

export const paths = { begin: "/dashboard/oidc/begin", callback: "/dashboard/oidc/callback" } as const

/** The same place with the cookie of a sign-in under way. */
export const underWay = ({ origin, cookie }: Origin): Origin => ({
  origin,
  cookie: { ...cookie, name: cookie.name.replace("session", "sign-in") },
})

export const setCookie = (place: Origin, token: string): string => {
  const { cookie } = underWay(place)
  return `${cookie.name}=${token}; ${cookie.attributes}; Max-Age=600`
}

/** A path of the dashboard; everything else leads to its first page. */
export const returnTo = (given: string | null): string =>
  given !== null && /^\/dashboard(\/[\w\-/]*)?$/.test(given) && !given.includes("//") ? given : "/dashboard"

/** State, nonce and verifier of a token: whoever has not the cookie can make none of them. */
export const boundOf = ({ hmacSha256 }: PlatformCrypto["Type"], token: string): Effect.Effect<Bound> => {
  const derived = (purpose: string) =>
    Effect.map(hmacSha256(Buffer.from(token, "hex"), `sign-in ${purpose}`), (bytes) =>
      Buffer.from(bytes).toString("base64url"),
    )
  return Effect.all({ state: derived("state"), nonce: derived("nonce"), verifier: derived("verifier") })
}
