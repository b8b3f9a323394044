import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import type * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Network from "../../../services/config/network.ts"
import { signIn } from "../../../services/config/signIn.ts"
import { expectedPlace, parsePlace, store } from "../../../services/config/store.ts"

const load = <A>(config: Config.Config<A>, given: Readonly<Record<string, string>>) =>
  Effect.runSync(
    Effect.either(Effect.withConfigProvider(config, ConfigProvider.fromMap(new Map(Object.entries(given))))),
  )
const valueOf = <A>(config: Config.Config<A>, given: Readonly<Record<string, string>>): A =>
  Either.getOrThrow(load(config, given))
const errorOf = <A>(config: Config.Config<A>, given: Readonly<Record<string, string>>): string =>
  String(Either.getOrThrow(Either.flip(load(config, given))))

describe("the store's place", () => {
  it("is a file of SQLite, or a database of PostgreSQL, whose address is not shown", () => {
    assert.deepStrictEqual(parsePlace("sqlite:var/a.db"), { _tag: "Sqlite", file: "var/a.db" })
    assert.deepStrictEqual(parsePlace("sqlite::memory:"), { _tag: "Sqlite", file: ":memory:" })
    for (const url of ["postgres://u:word@host/db", "postgresql://host/db"]) {
      const place = parsePlace(url)
      assert.notInclude(JSON.stringify(place), "word")
      assert.strictEqual(place?._tag === "Postgres" ? Redacted.value(place.url) : undefined, url)
    }
  })

  it.each(["", "sqlite:", "var/a.db", "mysql://host/db", "postgres:host", "postgres://[", "file:a.db"])(
    "%j is none",
    (text) => {
      assert.isUndefined(parsePlace(text))
    },
  )

  it("of a wrong form is not quoted", () => {
    const error = errorOf(store.place.config, { DATABASE_URL: "mysql://u:word@host/db" })
    assert.include(error, expectedPlace)
    assert.notInclude(error, "word")
  })

  it("has limits on what it keeps", () => {
    assert.strictEqual(valueOf(store.reserveMb.config, { DISK_RESERVE_MB: "0" }), 0)
    assert.include(errorOf(store.reserveMb.config, { DISK_RESERVE_MB: "-1" }), "at least 0")
    assert.strictEqual(valueOf(store.auditMonths.config, { AUDIT_MONTHS: "2" }), 2)
    assert.include(errorOf(store.auditMonths.config, { AUDIT_MONTHS: "1" }), "at least 2")
  })
})

describe("an operator's own listener", () => {
  const place = (text: string) => Option.getOrThrow(valueOf(Network.metrics.listen.config, { METRICS_LISTEN: text }))

  it("is a port of this machine, or a host and a port", () => {
    assert.deepStrictEqual(place("8081"), { host: "127.0.0.1", port: 8_081 })
    assert.deepStrictEqual(place("65535"), { host: "127.0.0.1", port: 65_535 })
    assert.deepStrictEqual(place("10.0.0.5:0"), { host: "10.0.0.5", port: 0 })
    assert.deepStrictEqual(place("[::1]:8081"), { host: "::1", port: 8_081 })
  })

  it.each(["", "65536", "host", "host:", ":80", "::1:80", "[::1]", "a b:1", "a/b:80", "/run/a", "-1"])(
    "%j is none",
    (text) => {
      const error = errorOf(Network.metrics.listen.config, { METRICS_LISTEN: text })
      assert.include(error, `got ${JSON.stringify(text)}.`)
    },
  )
})

describe("the admin API", () => {
  const token = "t".repeat(32)

  it("needs a token of 32 characters where it listens", () => {
    const { token: read } = valueOf(Network.admin, { ADMIN_TOKEN: token, ADMIN_LISTEN: "8081" })
    assert.strictEqual(Redacted.value(Option.getOrThrow(read)), token)
    assert.include(errorOf(Network.admin, { ADMIN_TOKEN: token.slice(1) }), "Expected at least 32 characters.")
    assert.include(errorOf(Network.admin, { ADMIN_LISTEN: "8081" }), "ADMIN_LISTEN needs a token")
  })

  it("may have a token alone, or nothing", () => {
    assert.isTrue(Option.isNone(valueOf(Network.admin, { ADMIN_TOKEN: token }).listen))
    assert.isTrue(Option.isNone(valueOf(Network.admin, {}).token))
  })
})

describe("the network", () => {
  it("a contact for security is an address of e-mail or a URI", () => {
    const { config } = Network.securityContact
    const contact = (text: string) => Option.getOrThrow(valueOf(config, { SECURITY_CONTACT: text }))
    assert.strictEqual(contact("a@example.com"), "mailto:a@example.com")
    assert.strictEqual(contact("mailto:a@example.com"), "mailto:a@example.com")
    assert.strictEqual(contact("https://example.com"), "https://example.com")
    assert.strictEqual(contact(`tel:${"1".repeat(200)}`), `tel:${"1".repeat(200)}`)
    for (const text of [
      `tel:${"1".repeat(201)}`,
      "http://example.com",
      "somebody",
      "https://a\nExpires: never",
      "a@b@c",
    ]) {
      assert.include(errorOf(config, { SECURITY_CONTACT: text }), "Expected an e-mail address or a URI", text)
    }
  })

  it("the operator's pages are of https", () => {
    const { support, terms } = Network.operator
    assert.strictEqual(
      Option.getOrThrow(valueOf(support.config, { SUPPORT_CONTACT: "a@example.com" })),
      "mailto:a@example.com",
    )
    assert.strictEqual(
      Option.getOrThrow(valueOf(terms.config, { TERMS_URL: "https://example.com/terms" })),
      "https://example.com/terms",
    )
    for (const text of ["http://example.com/terms", "/terms", "javascript:alert(1)"]) {
      assert.include(errorOf(terms.config, { TERMS_URL: text }), "Expected the URL of a page", text)
    }
  })

  it("a share of traces is from 0 to 1", () => {
    const { config } = Network.traces.ratio
    const share = (text: string) => ({ OTEL_TRACES_SAMPLER_ARG: text })
    assert.deepStrictEqual(
      ["0", "0.5", "1"].map((text) => valueOf(config, share(text))),
      [0, 0.5, 1],
    )
    assert.strictEqual(valueOf(config, {}), 0.1)
    for (const text of ["-0.1", "1.1"]) assert.include(errorOf(config, share(text)), `Got "${text}".`)
  })

  it("a pause before the stop is at most 300 seconds", () => {
    const { config } = Network.stopPauseSeconds
    assert.deepStrictEqual(valueOf(config, { STOP_PAUSE_SECONDS: "300" }), Option.some(300))
    assert.include(errorOf(config, { STOP_PAUSE_SECONDS: "301" }), "from 0 to 300")
  })

  it("proxies that are no addresses are named", () => {
    assert.include(errorOf(Network.network.trusts.config, { TRUSTED_PROXIES: "10.0.0.0/8, proxy" }), 'got "proxy".')
    assert.isFunction(valueOf(Network.network.trusts.config, { TRUSTED_PROXIES: "10.0.0.0/8,::1" }))
  })

  it("hosts of MCP are names alone, as browsers write them", () => {
    const { config } = Network.mcp.allowedHosts
    const allowed = (text: string) => valueOf(config, { MCP_ALLOWED_HOSTS: text })
    assert.deepStrictEqual(allowed("Agents.Example.com, 10.0.0.5"), ["agents.example.com", "10.0.0.5"])
    for (const text of ["a.b:8080", "https://a.b", "a b", "a@b"]) {
      assert.include(errorOf(config, { MCP_ALLOWED_HOSTS: text }), "Expected comma-separated hosts", text)
    }
  })
})

describe("how people sign in", () => {
  const provider = { OIDC_ISSUER: "https://id.example.com", OIDC_CLIENT_ID: "a", OIDC_CLIENT_SECRET: "b" }

  it("is off without a provider, and invited unless it is open", () => {
    const off = valueOf(signIn, {})
    assert.isTrue(Option.isNone(off.provider))
    assert.isFalse(off.isOpen)
    assert.isTrue(valueOf(signIn, { SIGN_UP: "open" }).isOpen)
    assert.isFalse(valueOf(signIn, { SIGN_UP: "invited" }).isOpen)
  })

  it("needs issuer, client and secret together", () => {
    const { issuer, clientSecret } = Option.getOrThrow(valueOf(signIn, provider).provider)
    assert.strictEqual(issuer, provider.OIDC_ISSUER)
    assert.strictEqual(Redacted.value(clientSecret), "b")
    const { OIDC_CLIENT_SECRET: _, ...rest } = provider
    assert.include(errorOf(signIn, rest), "OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET go together.")
    const named = { ...rest, OIDC_CLIENT_SECRET_FILE: fileURLToPath(import.meta.url) }
    const ofFile = Option.getOrThrow(valueOf(signIn, named).provider).clientSecret
    assert.strictEqual(Redacted.value(ofFile), readFileSync(named.OIDC_CLIENT_SECRET_FILE, "utf8").trim())
    assert.include(errorOf(signIn, { ...provider, OIDC_ISSUER: "http://id.example.com" }), "https")
  })

  it("knows operators by a claim and its value, which may have an equals sign", () => {
    const operators = (text: string) =>
      Option.getOrThrow(valueOf(signIn, { ...provider, OIDC_OPERATORS: text }).provider).operators
    assert.deepStrictEqual(operators("groups=operators"), { claim: "groups", value: "operators" })
    assert.deepStrictEqual(operators("groups=a=b c"), { claim: "groups", value: "a=b c" })
    for (const text of ["groups", "groups=", "=a", "groups= a", "a b=c"]) {
      assert.include(errorOf(signIn, { ...provider, OIDC_OPERATORS: text }), "Expected a claim and its value", text)
    }
  })
})
