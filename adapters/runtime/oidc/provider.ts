import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as oidc from "openid-client"
import { type Failure, fail } from "../../../core/Failure.ts"
import type { IdentityProvider, VerifiedIdentity } from "../../../core/people/IdentityProvider.ts"

/** Seconds by which the provider's clock may be ahead of ours. */
const skewSeconds = 60

/** How long all requests for a page may take together, seconds. */
const timeoutSeconds = 10

export interface Settings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
  /** People with this value of this claim are operators. */
  readonly operators?: { readonly claim: string; readonly value: string }
  /** Whether people's e-mail addresses are asked for. */
  readonly asksEmail?: boolean
}

const unreachable = (host: string): Failure =>
  fail("upstream_unavailable", { detail: `${host} does not answer at the moment. Try again in a minute.` })

const refused = (host: string): Failure =>
  fail("invalid_parameter", { detail: `The sign-in at ${host} did not succeed. Begin it again.` })

/** A claim that the library accepts and we refuse. */
class WrongClaim extends Error {
  override readonly name = "WrongClaim"
}

/** Whether an answer of the provider or the browser was wrong. Any other error is an outage. */
const isWrongAnswer = (error: unknown): boolean => {
  if (error instanceof oidc.AuthorizationResponseError || error instanceof oidc.ResponseBodyError) return true
  if (error instanceof WrongClaim) return true
  const code = error instanceof oidc.ClientError ? error.code : undefined
  return code !== undefined && code !== "OAUTH_TIMEOUT" && code !== "OAUTH_RESPONSE_IS_NOT_CONFORM"
}

/** Whether a claim can be a name. PostgreSQL stores no NUL character. */
const isName = (claim: unknown): claim is string =>
  typeof claim === "string" && claim.trim() !== "" && !claim.includes("\u0000")

const readIdentity = (
  claims: oidc.IDToken,
  { operators, asksEmail = false }: Settings,
  now: number,
): VerifiedIdentity => {
  // Otherwise all people without a subject would be one person.
  if (!isName(claims.sub)) throw new WrongClaim("The claim sub is empty, or has a NUL character.")
  if (claims.iat > now / 1_000 + skewSeconds) throw new WrongClaim("The claim iat is in the future.")
  const value = operators === undefined ? undefined : claims[operators.claim]
  const named = [claims["name"], claims["preferred_username"], claims.sub].find(isName)
  return {
    issuer: claims.iss,
    subject: claims.sub,
    name: (named ?? "somebody").slice(0, 64),
    // An unverified address may be another person's.
    ...(asksEmail && claims["email_verified"] === true && isName(claims["email"]) ? { email: claims["email"] } : {}),
    isOperator:
      operators !== undefined && (Array.isArray(value) ? value : [value]).some((each) => each === operators.value),
  }
}

/** Signs people in with OpenID Connect: authorization code, PKCE, state, nonce, issuer and signature are checked. */
export const make = (settings: Settings): IdentityProvider["Type"] => {
  const { issuer, clientId, clientSecret, asksEmail = false } = settings
  const server = new URL(issuer)
  const { host } = server
  let configuration: Promise<oidc.Configuration> | undefined
  const discover = (): Promise<oidc.Configuration> => {
    configuration ??= oidc
      .discovery(server, clientId, undefined, oidc.ClientSecretBasic(Redacted.value(clientSecret)), {
        timeout: timeoutSeconds,
        // Without the checks the library does not verify the signature of a token that came over TLS.
        execute: [
          oidc.enableNonRepudiationChecks,
          ...(server.protocol === "http:" ? [oidc.allowInsecureRequests] : []),
        ],
      })
      .catch((error: unknown) => {
        // The next sign-in tries again.
        configuration = undefined
        throw error
      })
    return configuration
  }
  const ask = <A>(work: () => Promise<A>): Effect.Effect<A, Failure> =>
    Effect.tryPromise({ try: work, catch: (error) => error }).pipe(
      Effect.timeoutFail({
        duration: `${timeoutSeconds} seconds`,
        onTimeout: () => new Error("The provider took too long."),
      }),
      // Only name and message: the error's other fields may contain codes and tokens.
      Effect.tapError((error) =>
        Effect.logWarning(
          `Sign-in at ${host}: ${error instanceof Error ? `${error.name}: ${error.message}` : "failed"}`,
        ),
      ),
      Effect.mapError((error) => (isWrongAnswer(error) ? refused(host) : unreachable(host))),
    )
  return {
    host,
    begin: (redirectUri, { state, nonce, verifier }) =>
      ask(async () => {
        const config = await discover()
        return oidc.buildAuthorizationUrl(config, {
          redirect_uri: redirectUri,
          scope: `openid profile${asksEmail ? " email" : ""}`,
          state,
          nonce,
          code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
          code_challenge_method: "S256",
        }).href
      }),
    finish: (returned, { state, nonce, verifier }) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        ask(async () => {
          const tokens = await oidc.authorizationCodeGrant(await discover(), returned, {
            expectedState: state,
            expectedNonce: nonce,
            pkceCodeVerifier: verifier,
            idTokenExpected: true,
          })
          return readIdentity(tokens.claims()!, settings, now)
        }),
      ),
  }
}
