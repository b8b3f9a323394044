import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Failure } from "../Failure.ts"
import type { Identity } from "./Person.ts"

/** What a sign-in is bound to. They are derived from the browser's token and stored nowhere. */
export interface Bound {
  readonly state: string
  readonly nonce: string
  /** The PKCE verifier. */
  readonly verifier: string
}

/** Who an identity provider says somebody is. */
export type Known = Identity & { readonly isOperator: boolean }

/** Signs people in elsewhere. */
export class IdentityProvider extends Context.Tag("market-signals/core/people/IdentityProvider")<
  IdentityProvider,
  {
    /** The provider's host, for people. */
    readonly host: string
    /** The address to go to; the provider sends the browser back to `redirectUri`. */
    readonly begin: (redirectUri: string, bound: Bound) => Effect.Effect<string, Failure>
    /**
     * Checks what the browser brought back, and asks the provider who it is.
     *
     * @param returned the redirect's whole URL
     */
    readonly finish: (returned: URL, bound: Bound) => Effect.Effect<Known, Failure>
  }
>() {}
