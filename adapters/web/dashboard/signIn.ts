import * as Effect from "effect/Effect"
import type { PlatformCrypto } from "../../../core/account/PlatformCrypto.ts"
import type { IdentityProvider, SignInBinding } from "../../../core/people/IdentityProvider.ts"
import { addressWith } from "../view/addresses.ts"
import type { Origin } from "./site.ts"

/** How people sign in elsewhere. */
export interface SignIn {
  readonly provider: IdentityProvider["Type"]
  /** Whether strangers get an account. */
  readonly isOpen: boolean
}

export const paths = { begin: "/dashboard/oidc/begin", callback: "/dashboard/oidc/callback" } as const

/** The same origin with the cookie of a sign-in that has begun. */
export const underWay = ({ origin, cookie }: Origin): Origin => ({
  origin,
  cookie: { ...cookie, name: cookie.name.replace("session", "sign-in") },
})

export const setCookie = (place: Origin, token: string): string => {
  const { cookie } = underWay(place)
  return `${cookie.name}=${token}; ${cookie.attributes}; Max-Age=600`
}

/** The page after sign-in where no other was requested. */
const first = "/dashboard"

/** A longer address is not kept. */
const longest = 1_000

/**
 * A page of the dashboard with its query; everything else leads to its first page. A path alone is no way to another
 * origin, and the entrance is no place to come back to.
 */
export const returnTo = (given: string | null): string => {
  if (given === null || given.length > longest) return first
  const [path = "", query] = given.split(/\?(.*)/s)
  if (!/^\/dashboard(\/[\w-]+)*$/.test(path) || /^\/dashboard\/(enter|oidc|sign-out)(\/|$)/.test(path)) return first
  return query !== undefined && /^[\w\-.~%=&+]+$/.test(query) ? `${path}?${query}` : path
}

/** An address with the page to return to, unless that is the first page. */
export const withReturn = (path: string, to: string): string =>
  addressWith(path, { return_to: to === first ? undefined : to })

/** State, nonce and verifier of a token: without the cookie nobody can make them. */
export const deriveBound = ({ hmacSha256 }: PlatformCrypto["Type"], token: string): Effect.Effect<SignInBinding> => {
  const derived = (purpose: string) =>
    Effect.map(hmacSha256(Buffer.from(token, "hex"), `sign-in ${purpose}`), (bytes) =>
      Buffer.from(bytes).toString("base64url"),
    )
  return Effect.all({ state: derived("state"), nonce: derived("nonce"), verifier: derived("verifier") })
}
