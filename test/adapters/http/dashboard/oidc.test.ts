import { generateKeyPairSync, type KeyObject, sign } from "node:crypto"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import * as SqlClient from "@effect/sql/SqlClient"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import Provider from "oidc-provider"
import { People } from "../../../../core/people/People.ts"
import { type Running, start } from "../../../support/running.ts"
import { linkOf, ours, visitorOf } from "./visitor.ts"

let running: Running
let issuer: string
let stop: () => void
/** The token endpoint's answer in place of the provider's own. */
let forged: { readonly status: number; readonly body: unknown } | undefined
const keyPair = () => generateKeyPairSync("rsa", { modulusLength: 2_048 }).privateKey
const ownKey = keyPair()

/** An answer with an ID token. */
const token = (key: KeyObject, claims: Readonly<Record<string, unknown>>) => {
  const coded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")
  const now = Math.floor(Date.now() / 1_000)
  const text = `${coded({ alg: "RS256", kid: "own" })}.${coded({ iss: issuer, aud: "dashboard", sub: "ann", iat: now, exp: now + 60, ...claims })}`
  const id_token = `${text}.${sign("sha256", Buffer.from(text), key).toString("base64url")}`
  return { status: 200, body: { access_token: "x", token_type: "Bearer", expires_in: 60, id_token } }
}

/** Who is signed in at the provider. */
let subject = "ann"

beforeAll(async () => {
  let handler: ReturnType<Provider["callback"]> = () => {}
  const server = createServer((request, response) => handler(request, response))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const operators = { claim: "groups", value: "operators" }
  const provider = {
    issuer,
    clientId: "dashboard",
    clientSecret: Redacted.make("a-secret-of-the-dashboard"),
    operators,
  }
  running = await start({ signIn: { provider: Option.some(provider), isOpen: false } })
  const real: Provider = new Provider(issuer, {
    clients: [
      {
        client_id: "dashboard",
        client_secret: "a-secret-of-the-dashboard",
        redirect_uris: [`${running.url}/dashboard/oidc/callback`],
      },
    ],
    claims: { openid: ["sub", "name", "groups"] },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ["test"] },
    jwks: { keys: [{ ...ownKey.export({ format: "jwk" }), kid: "own", alg: "RS256", use: "sig" }] },
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, name: `Name of ${id}`, groups: id === "root" ? ["operators"] : ["others"] }),
    }),
    loadExistingGrant: async (ctx: { oidc: { session: { accountId: string }; client: { clientId: string } } }) => {
      const { session, client } = ctx.oidc
      const grant = new real.Grant({ accountId: session.accountId, clientId: client.clientId })
      grant.addOIDCScope("openid profile")
      await grant.save()
      return grant
    },
  })
  const answer = real.callback()
  handler = (request, response) => {
    if (request.url === "/token" && forged !== undefined) {
      response.writeHead(forged.status, { "content-type": "application/json" }).end(JSON.stringify(forged.body))
      return
    }
    request.url?.startsWith("/interaction/") === true
      ? void real.interactionFinished(request, response, { login: { accountId: subject } })
      : answer(request, response)
  }
  stop = () => {
    server.close()
    server.closeAllConnections()
  }
}, 120_000)
afterAll(async () => {
  await running.stop()
  stop()
})

const cookieIn = (headers: Headers): string => headers.get("set-cookie")!.split(";")[0]!

/** Goes to the provider. */
const begin = async (code?: string, to = "") => {
  const url = `${running.url}/dashboard/oidc/begin${to === "" ? "" : `?return_to=${encodeURIComponent(to)}`}`
  const response = await (code === undefined
    ? fetch(url, { redirect: "manual" })
    : fetch(url, { method: "POST", body: new URLSearchParams({ code }), headers: ours, redirect: "manual" }))
  const html = await response.text()
  const link = code === undefined ? response.headers.get("location") : /href="(http[^"]+\/auth\?[^"]+)"/.exec(html)?.[1]
  return { cookie: cookieIn(response.headers), at: (link ?? "").replaceAll("&amp;", "&") }
}

/** Signs in at the provider, as a browser does, up to the redirect back. */
const back = async (at: string): Promise<URL> => {
  const jar = new Map<string, string>()
  for (let url = at; ; ) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ")
    const { headers, status } = await fetch(url, { headers: { cookie }, redirect: "manual" })
    for (const each of headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(each)!
      jar.set(name!, value!)
    }
    const location = headers.get("location")
    if (location === null) throw new Error(`The provider answered ${status}.`)
    const next = new URL(location, url)
    if (next.pathname === "/dashboard/oidc/callback") return next
    url = next.href
  }
}

const callback = (url: URL, cookie: string) => fetch(url, { headers: { cookie }, redirect: "manual" })

const signIn = async (code?: string, to?: string) => {
  const { cookie, at } = await begin(code, to)
  return callback(await back(at), cookie)
}

const invitation = (name: string) => linkOf(running, { account: "tester", name })

const stored = () =>
  running.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      return [yield* sql`SELECT id FROM persons ORDER BY id`, yield* sql`SELECT id FROM sessions ORDER BY id`]
    }),
  )

describe("signing in at a provider", () => {
  it("joins with an invitation, and then enters as the same person", async () => {
    subject = "ann"
    const first = await signIn(await invitation("ann"), "")
    assert.deepStrictEqual([first.status, first.headers.get("location")], [303, "/dashboard"])
    const again = await signIn(undefined, "/dashboard/keys")
    assert.strictEqual(again.headers.get("location"), "/dashboard/keys")
    const people = await Promise.all(
      [first, again].map(({ headers }) =>
        running.run(Effect.flatMap(People, ({ session }) => session(cookieIn(headers).split("=")[1]!))),
      ),
    )
    assert.strictEqual(people[0]!.person.id, people[1]!.person.id)
    assert.deepInclude(people[0]!.person, { issuer, subject: "ann", name: "Name of ann", isOperator: false })
    assert.include((await visitorOf(running.url, cookieIn(again.headers)).get("/dashboard")).html, "Name of ann")
  })

  it("makes an operator of whom the claim names", async () => {
    subject = "root"
    const response = await signIn()
    const visitor = visitorOf(running.url, cookieIn(response.headers))
    assert.strictEqual((await visitor.get("/dashboard/operator")).status, 200)
  })

  it("offers itself on the page to enter", async () => {
    const html = await (await fetch(`${running.url}/dashboard/enter`)).text()
    assert.include(html, `Sign in with ${new URL(issuer).host}`)
  })
})

describe("a wrong answer begins no session and stores nothing:", () => {
  const refused = async (answer: () => Promise<Response>) => {
    const before = await stored()
    const response = await answer()
    assert.strictEqual(response.status, 400)
    assert.notMatch(response.headers.get("set-cookie") ?? "", /session/)
    assert.deepStrictEqual(await stored(), before)
  }
  const changed = (change: (url: URL) => void) => async () => {
    subject = "ann"
    const { cookie, at } = await begin()
    const url = await back(at)
    change(url)
    return callback(url, cookie)
  }
  /** The address at the provider with another parameter, so that its answer is bound to that. */
  const going = (name: string, value: string) => async () => {
    subject = "ann"
    const { cookie, at } = await begin()
    const url = new URL(at)
    url.searchParams.set(name, value)
    return callback(await back(url.href), cookie)
  }

  it.each([
    ["another state", changed((url) => url.searchParams.set("state", "x"))],
    ["no state", changed((url) => url.searchParams.delete("state"))],
    ["a foreign issuer", changed((url) => url.searchParams.set("iss", "https://evil.example"))],
    ["no issuer, of a provider that names itself", changed((url) => url.searchParams.delete("iss"))],
    ["a guessed code", changed((url) => url.searchParams.set("code", "x"))],
    ["an error", changed((url) => (url.search = url.search.replace(/code=[^&]*/, "error=access_denied")))],
    ["another nonce", going("nonce", "x".repeat(43))],
    ["another verifier", going("code_challenge", "x".repeat(43))],
  ])("%s", (_, answer) => refused(answer))

  /** Signs in while the token endpoint answers something else. */
  const withToken = async (make: (nonce: string) => typeof forged): Promise<Response> => {
    subject = "ann"
    const { cookie, at } = await begin()
    const url = await back(at)
    forged = make(new URL(at).searchParams.get("nonce")!)
    try {
      return await callback(url, cookie)
    } finally {
      forged = undefined
    }
  }

  it("a token by another key, for another client, of another issuer, too old, or without the nonce", async () => {
    assert.strictEqual((await withToken((nonce) => token(ownKey, { nonce }))).status, 303)
    const other = keyPair()
    await refused(() => withToken((nonce) => token(other, { nonce })))
    for (const claims of [{ aud: "another" }, { iss: "https://evil.example" }, { exp: 1 }, { nonce: "another" }]) {
      await refused(() => withToken((nonce) => token(ownKey, { nonce, ...claims })))
    }
  })

  it("a provider that is out of order, whose page says so", async () => {
    const before = await stored()
    const response = await withToken(() => ({ status: 503, body: "busy" }))
    assert.strictEqual(response.status, 503)
    assert.include(await response.text(), "does not answer at the moment")
    assert.deepStrictEqual(await stored(), before)
  })

  it("a stranger without an invitation", () =>
    refused(() => {
      subject = "stranger"
      return signIn()
    }))

  it("a callback again, and its code in another sign-in", async () => {
    subject = "ann"
    const { cookie, at } = await begin()
    const url = await back(at)
    assert.strictEqual((await callback(url, cookie)).status, 303)
    await refused(() => callback(url, cookie))
    const other = await begin()
    const next = await back(other.at)
    next.searchParams.set("code", url.searchParams.get("code")!)
    await refused(() => callback(next, other.cookie))
  })

  it("no cookie, and the cookie of another browser", async () => {
    subject = "ann"
    const url = await back((await begin()).at)
    await refused(() => callback(url, ""))
    const { cookie } = await begin()
    await refused(() => callback(url, cookie))
  })

  it("an expired sign-in", async () => {
    subject = "ann"
    const { cookie, at } = await begin()
    const url = await back(at)
    await running.run(Effect.flatMap(SqlClient.SqlClient, (sql) => sql`UPDATE sign_ins SET expires_at = 1`))
    await refused(() => callback(url, cookie))
  })

  it.each(["https://evil.example", "//evil.example", "/dashboard//evil", "/\\evil", "/docs", "/dashboard/../docs"])(
    "%s is no place to return to",
    async (to) => {
      subject = "ann"
      assert.strictEqual((await signIn(undefined, to)).headers.get("location"), "/dashboard")
    },
  )
})
