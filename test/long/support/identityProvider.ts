import { generateKeyPairSync, type KeyObject, sign } from "node:crypto"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import * as Redacted from "effect/Redacted"
import Provider from "oidc-provider"

/** An answer of the token endpoint in place of the provider's own. */
export type Forged = { readonly status: number; readonly body: unknown } | undefined

export const keyPair = (): KeyObject => generateKeyPairSync("rsa", { modulusLength: 2_048 }).privateKey

const secret = "a-secret-of-the-dashboard"

/** Changes what a response redirects to. */
const redirecting = (response: ServerResponse, change: (to: URL) => void): void => {
  const set = response.setHeader.bind(response)
  response.setHeader = (name, value) => {
    if (name.toLowerCase() !== "location" || !String(value).includes("/dashboard/oidc/callback"))
      return set(name, value)
    const to = new URL(String(value))
    change(to)
    return set(name, to.href)
  }
}

/** A real identity provider on a port of its own, which asks nobody anything. People in its group `operators` are operators. */
export const identityProvider = async (ownKey: KeyObject = keyPair()) => {
  let handler: ReturnType<Provider["callback"]> = () => {}
  const server = createServer((request, response) => handler(request, response))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const told = {
    issuer,
    settings: {
      issuer,
      clientId: "dashboard",
      clientSecret: Redacted.make(secret),
      operators: { claim: "groups", value: "operators" },
    },
    /** Who is signed in at the provider. */
    subject: "ann",
    /** The token endpoint's answer in place of the provider's own. */
    forged: undefined as Forged,
    /** Changes the address to which the browser is sent back. */
    back: undefined as ((to: URL) => void) | undefined,
    /** Changes what a browser asks for. */
    asked: undefined as ((url: URL) => void) | undefined,
    /** Those in the group `operators`. */
    operators: new Set(["root"]),
    /** An answer with an ID token. */
    token: (key: KeyObject, claims: Readonly<Record<string, unknown>>): NonNullable<Forged> => {
      const coded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")
      const now = Math.floor(Date.now() / 1_000)
      const head = { alg: "RS256", kid: "own" }
      const body = { iss: issuer, aud: "dashboard", sub: "ann", iat: now, exp: now + 60, ...claims }
      const text = `${coded(head)}.${coded(body)}`
      const id_token = `${text}.${sign("sha256", Buffer.from(text), key).toString("base64url")}`
      return { status: 200, body: { access_token: "x", token_type: "Bearer", expires_in: 60, id_token } }
    },
    /** Serves the dashboard at an address. */
    serve: (url: string): void => {
      const real: Provider = new Provider(issuer, {
        clients: [{ client_id: "dashboard", client_secret: secret, redirect_uris: [`${url}/dashboard/oidc/callback`] }],
        claims: { openid: ["sub", "name", "groups"], email: ["email", "email_verified"] },
        conformIdTokenClaims: false,
        features: { devInteractions: { enabled: false } },
        cookies: { keys: ["test"] },
        jwks: { keys: [{ ...ownKey.export({ format: "jwk" }), kid: "own", alg: "RS256", use: "sig" }] },
        findAccount: (_: unknown, id: string) => ({
          accountId: id,
          claims: () => ({
            sub: id,
            name: `Name of ${id}`,
            email: `${id}@example.com`,
            email_verified: id !== "eve",
            groups: told.operators.has(id) ? ["operators"] : ["others"],
          }),
        }),
        loadExistingGrant: async (ctx: { oidc: { session: { accountId: string }; client: { clientId: string } } }) => {
          const { session, client } = ctx.oidc
          const grant = new real.Grant({ accountId: session.accountId, clientId: client.clientId })
          grant.addOIDCScope("openid profile email")
          await grant.save()
          return grant
        },
      })
      const answer = real.callback()
      handler = (request, response) => {
        const { forged } = told
        if (request.url === "/token" && forged !== undefined) {
          response.writeHead(forged.status, { "content-type": "application/json" }).end(JSON.stringify(forged.body))
          return
        }
        if (told.back !== undefined) redirecting(response, told.back)
        if (told.asked !== undefined && request.url?.startsWith("/auth?") === true) {
          const url = new URL(request.url, issuer)
          told.asked(url)
          request.url = url.pathname + url.search
        }
        request.url?.startsWith("/interaction/") === true
          ? void real.interactionFinished(request, response, { login: { accountId: told.subject } })
          : answer(request, response)
      }
    },
    stop: (): void => {
      server.close()
      server.closeAllConnections()
    },
  }
  return told
}

export type IdentityProvider = Awaited<ReturnType<typeof identityProvider>>
