import * as SqlClient from "@effect/sql/SqlClient"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { parseTrustedProxies, type Trusts } from "../../../../../adapters/server/http/clientAddress.ts"
import { People } from "../../../../../core/people/People.ts"
import { linkOf, ours, visitorOf } from "../../../../adapters/web/dashboard/visitor.ts"
import { type Running, start } from "../../../../support/running.ts"
import { type Forged, type IdentityProvider, identityProvider, keyPair } from "../../../support/identityProvider.ts"

let running: Running
let identities: IdentityProvider
let issuer: string
const ownKey = keyPair()

beforeAll(async () => {
  identities = await identityProvider(ownKey)
  issuer = identities.issuer
  const trusts = parseTrustedProxies(["127.0.0.1"])
  assert.isFunction(trusts)
  running = await start({
    signIn: { provider: Option.some(identities.settings), isOpen: false },
    mail: Option.some({ url: Redacted.make("smtp://127.0.0.1:9"), from: "signals@example.com" }),
    network: { trusts: trusts as Trusts, maxConnections: 10_000, maxPerAddress: 256 },
  })
  identities.serve(running.url)
}, 120_000)
afterAll(async () => {
  await running.stop()
  identities.stop()
})

const cookieIn = (headers: Headers): string => headers.get("set-cookie")!.split(";")[0]!

let addresses = 0

/** An address of somebody else, since one begins ten sign-ins in a minute. */
const address = (): string => `198.51.100.${++addresses % 250}`

/** Goes to the provider. */
const begin = async (code?: string, to = "") => {
  const from = { "x-forwarded-for": address() }
  const url = `${running.url}/dashboard/oidc/begin${to === "" ? "" : `?return_to=${encodeURIComponent(to)}`}`
  const response = await (code === undefined
    ? fetch(url, { headers: from, redirect: "manual" })
    : fetch(url, {
        method: "POST",
        body: new URLSearchParams({ code }),
        headers: { ...ours, ...from },
        redirect: "manual",
      }))
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
    identities.subject = "ann"
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
    assert.deepInclude(people[0]!.person, {
      issuer,
      subject: "ann",
      name: "Name of ann",
      isOperator: false,
      email: "ann@example.com",
    })
    assert.include((await visitorOf(running.url, cookieIn(again.headers)).get("/dashboard")).html, "Name of ann")
  })

  it("keeps no address that the provider has not verified", async () => {
    identities.subject = "eve"
    const { headers } = await signIn(await invitation("eve"), "")
    const session = await running.run(
      Effect.flatMap(People, ({ session }) => session(cookieIn(headers).split("=")[1]!)),
    )
    assert.strictEqual(session!.person.subject, "eve")
    assert.notProperty(session!.person, "email")
  })

  it("makes an operator of whom the claim names", async () => {
    identities.subject = "root"
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
    identities.subject = "ann"
    const { cookie, at } = await begin()
    const url = await back(at)
    change(url)
    return callback(url, cookie)
  }
  /** The address at the provider with another parameter, so that its answer is bound to that. */
  const going = (name: string, value: string) => async () => {
    identities.subject = "ann"
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
  const withToken = async (make: (nonce: string) => Forged): Promise<Response> => {
    identities.subject = "ann"
    const { cookie, at } = await begin()
    const url = await back(at)
    identities.forged = make(new URL(at).searchParams.get("nonce")!)
    try {
      return await callback(url, cookie)
    } finally {
      identities.forged = undefined
    }
  }

  it("a token by another key, for another client, of another issuer, too old, or without the nonce", async () => {
    assert.strictEqual((await withToken((nonce) => identities.token(ownKey, { nonce }))).status, 303)
    const other = keyPair()
    await refused(() => withToken((nonce) => identities.token(other, { nonce })))
    for (const claims of [{ aud: "another" }, { iss: "https://evil.example" }, { exp: 1 }, { nonce: "another" }]) {
      await refused(() => withToken((nonce) => identities.token(ownKey, { nonce, ...claims })))
    }
  })

  it.each([
    ["an empty name", { sub: "" }],
    ["a blank name", { sub: "  " }],
    ["a name with a NUL character", { sub: "ann\u0000" }],
    ["a token of the future", { iat: Math.floor(Date.now() / 1_000) + 600, exp: Math.floor(Date.now() / 1_000) + 900 }],
    ["a token of the year 2286", { iat: 9_999_999_999, exp: 9_999_999_999 }],
  ])("%s", async (_, claims) => {
    await refused(() => withToken((nonce) => identities.token(ownKey, { nonce, ...claims })))
    // A clock that is a little ahead is none.
    const soon = { iat: Math.floor(Date.now() / 1_000) + 20 }
    assert.strictEqual((await withToken((nonce) => identities.token(ownKey, { nonce, ...soon }))).status, 303)
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
      identities.subject = "stranger"
      return signIn()
    }))

  it("a callback again, and its code in another sign-in", async () => {
    identities.subject = "ann"
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
    identities.subject = "ann"
    const url = await back((await begin()).at)
    await refused(() => callback(url, ""))
    const { cookie } = await begin()
    await refused(() => callback(url, cookie))
  })

  it("an expired sign-in", async () => {
    identities.subject = "ann"
    const { cookie, at } = await begin()
    const url = await back(at)
    await running.run(Effect.flatMap(SqlClient.SqlClient, (sql) => sql`UPDATE sign_ins SET expires_at = 1`))
    await refused(() => callback(url, cookie))
  })

  it.each(["https://evil.example", "//evil.example", "/dashboard//evil", "/\\evil", "/docs", "/dashboard/../docs"])(
    "%s is no place to return to",
    async (to) => {
      identities.subject = "ann"
      assert.strictEqual((await signIn(undefined, to)).headers.get("location"), "/dashboard")
    },
  )
})

describe("beginnings from one address", () => {
  it("are ten in a minute: beyond them nothing is stored, and others still begin", async () => {
    const url = `${running.url}/dashboard/oidc/begin`
    const rows = () =>
      running.run(
        Effect.flatMap(SqlClient.SqlClient, (sql) =>
          Effect.map(sql<{ n: number }>`SELECT count(*) AS n FROM sign_ins`, ([row]) => row!.n),
        ),
      )
    const from = (address: string) => fetch(url, { headers: { "x-forwarded-for": address }, redirect: "manual" })
    const before = await rows()
    let begun = 0
    let refused = await from("203.0.113.1")
    for (; refused.status === 303 && begun < 200; begun++) refused = await from("203.0.113.1")
    assert.isAtLeast(begun, 10)
    assert.strictEqual((await rows()) - before, begun)
    assert.strictEqual(refused.status, 429)
    assert.isDefined(refused.headers.get("retry-after"))
    assert.include(await refused.text(), "Too many sign-ins")
    assert.strictEqual((await from("203.0.113.2")).status, 303)
  })
})
