import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Failure } from "../Failure.ts"
import type { Identity } from "./Person.ts"

/** Values that bind a sign-in to a browser. They are derived from the browser's token and not stored. */
export interface SignInBinding {
  readonly state: string
  readonly nonce: string
  /** The PKCE verifier. */
  readonly verifier: string
}

/** An identity as the provider states it. */
export type VerifiedIdentity = Identity & { readonly isOperator: boolean }

/** Port: sign-in at an external provider. */
export class IdentityProvider extends Context.Tag("market-signals/core/people/IdentityProvider")<
  IdentityProvider,
  {
    /** The provider's host, for people. */
    readonly host: string
    /** The URL to which the browser is sent; the provider sends it back to `redirectUri`. */
    readonly begin: (redirectUri: string, binding: SignInBinding) => Effect.Effect<string, Failure>
    /**
     * Checks the redirect, and asks the provider who the person is.
     *
     * @param callbackUrl the whole URL of the redirect
     */
    readonly finish: (callbackUrl: URL, bound: SignInBinding) => Effect.Effect<VerifiedIdentity, Failure>
  }
>() {}
