import * as Config from "effect/Config"
import * as ConfigError from "effect/ConfigError"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { trusting } from "../adapters/http/clientAddress.ts"
import { defaultBounds as connections } from "../adapters/http/connections.ts"
import type { Place } from "../adapters/http/server.ts"
import { modules } from "../adapters/lanes/all.ts"
import type { Any, AnySettings, LaneOf, Mode, UpstreamsOf } from "../adapters/lanes/LaneModule.ts"
import type { WorldConfig } from "../adapters/lanes/world.ts"
import { hostForm } from "../adapters/webhooks/guard.ts"

const defaultStore = "sqlite:var/market-signals.db"

/** `sqlite:` and a path; `sqlite::memory:` lives as long as the process. */
const sqliteFile = Config.string("DATABASE_URL").pipe(
  Config.withDefault(defaultStore),
  Config.mapOrFail((url) =>
    url.startsWith("sqlite:") && url.length > "sqlite:".length
      ? Either.right(url.slice("sqlite:".length))
      : Either.left(
          ConfigError.InvalidData(["DATABASE_URL"], "Expected sqlite:<path>; no other store is supported yet."),
        ),
  ),
)

const mode = (name: string) =>
  Config.string(name).pipe(
    Config.mapOrFail((text) =>
      text === "mock" || text === "shadow" || text === "live"
        ? Either.right<Mode>(text)
        : Either.left(ConfigError.InvalidData([name], "Expected mock, shadow or live.")),
    ),
  )

const all = mode("DATA_FRESHNESS").pipe(Config.withDefault<Mode>("mock"))
/** An address without the slashes at its end. Never says what was given: a password may stand in it. */
const webUrl = (name: string) =>
  Config.string(name).pipe(
    Config.mapOrFail((text) => {
      const { protocol, username, password, href } = URL.canParse(text) ? new URL(text) : new URL("about:blank")
      return /^https?:$/.test(protocol) && username === "" && password === ""
        ? Either.right(href.replace(/\/+$/, ""))
        : Either.left(
            ConfigError.InvalidData([name], "Expected a URL that begins with http: or https:, without a password."),
          )
    }),
  )

/** Whom an upstream can write to about our requests: the weather service asks for a name in every User-Agent. */
const userAgent = Config.option(
  Config.string("UPSTREAM_CONTACT").pipe(
    Config.validate({
      message: "Expected 1 to 200 printable ASCII characters, such as an e-mail address.",
      validation: (contact) => /^[\x20-\x7e]{1,200}$/.test(contact),
    }),
  ),
).pipe(Config.map(Option.match({ onNone: () => "market-signals", onSome: (contact) => `market-signals (${contact})` })))

/** What an operator has to say himself. */
const consent = (name: string) =>
  Config.string(name).pipe(
    Config.withDefault("no"),
    Config.mapOrFail((text) =>
      text === "yes" || text === "no"
        ? Either.right(text === "yes")
        : Either.left(ConfigError.InvalidData([name], "Expected yes or no.")),
    ),
  )

type Module = (typeof modules)[number]
/** The lanes whose mode can be chosen. */
type LaneName = Exclude<LaneOf<Module>["name"], "filings">
type Upstream = UpstreamsOf<Module>

const switched: ReadonlyArray<Any> = modules.filter((module: Any) => module.live !== undefined)

const ofEach = <A>(
  items: ReadonlyArray<readonly [name: string, value: Config.Config<A>]>,
): Config.Config<Readonly<Record<string, A>>> => Config.all(Object.fromEntries(items)) as never

/** Modes, addresses and terms of the lanes, as their modules name them. */
const lanes = Config.all({
  modes: ofEach(
    switched.map(({ definition: { lane } }) => [
      lane.name,
      Config.all([all, Config.option(mode(`DATA_FRESHNESS_${lane.name.toUpperCase()}`))]).pipe(
        Config.map(([general, own]) => Option.getOrElse(own, () => general)),
      ),
    ]),
  ) as Config.Config<Readonly<Record<LaneName, Mode>>>,
  upstreams: Config.all({
    // One address per upstream, so that tests and mirrors can stand in.
    urls: ofEach(
      switched.flatMap(({ upstreams }) =>
        Object.entries<string>(upstreams).map(([name, url]) => [
          name,
          webUrl(`${name.toUpperCase()}_URL`).pipe(Config.withDefault(url)),
        ]),
      ),
    ) as Config.Config<Readonly<Record<Upstream, string>>>,
    userAgent,
  }).pipe(Config.map(({ urls, userAgent }) => ({ ...urls, userAgent }))),
  termsAccepted: ofEach(
    switched.flatMap(({ terms, definition: { lane } }) => (terms === undefined ? [] : [[lane.name, consent(terms)]])),
  ),
})

const http = Config.all({
  host: Config.string("HOST").pipe(Config.withDefault("127.0.0.1")),
  port: Config.port("PORT").pipe(Config.withDefault(8080)),
  baseUrl: Config.option(webUrl("BASE_URL")),
})

/** A whole number above 0. */
const count = (name: string, otherwise: number) =>
  Config.integer(name).pipe(
    Config.withDefault(otherwise),
    Config.mapOrFail((found) =>
      found > 0
        ? Either.right(found)
        : Either.left(ConfigError.InvalidData([name], `Expected a whole number above 0; got ${found}.`)),
    ),
  )

/** Who may connect, and who is believed to say for whom. */
const network = Config.all({
  trusts: Config.string("TRUSTED_PROXIES").pipe(
    Config.withDefault(""),
    Config.mapOrFail((text) => {
      const trusts = trusting(listed(text))
      return typeof trusts === "function"
        ? Either.right(trusts)
        : Either.left(
            ConfigError.InvalidData(
              ["TRUSTED_PROXIES"],
              `Expected addresses or ranges such as 10.0.0.0/8 or 2001:db8::7, with commas between; got ${JSON.stringify(trusts)}.`,
            ),
          )
    }),
  ),
  most: count("MAX_CONNECTIONS", connections.most),
  perAddress: count("MAX_CONNECTIONS_PER_ADDRESS", connections.perAddress),
})

const adminToken = Config.option(
  Config.redacted("ADMIN_TOKEN").pipe(
    Config.mapOrFail((token) =>
      Redacted.value(token).length >= 32
        ? Either.right(token)
        : Either.left(ConfigError.InvalidData(["ADMIN_TOKEN"], "Expected at least 32 characters.")),
    ),
  ),
)

/** A port of this machine, a host and a port, or the path of a Unix socket. */
const place = (text: string): Place | undefined => {
  if (/^\.{0,2}\//.test(text)) return { path: text }
  const [, bracketed, named, digits] = /^(?:(?:\[([\da-fA-F:.]+)\]|([^\s:/[\]]+)):)?(\d{1,5})$/.exec(text) ?? []
  const port = Number(digits)
  return digits === undefined || port > 65_535 ? undefined : { host: bracketed ?? named ?? "127.0.0.1", port }
}

/** The operator's surface: without a token and a place of its own there is none. */
const admin = Config.all({
  token: adminToken,
  listen: Config.option(
    Config.string("ADMIN_LISTEN").pipe(
      Config.mapOrFail((text) =>
        Either.fromNullable(place(text), () =>
          ConfigError.InvalidData(
            ["ADMIN_LISTEN"],
            `Expected a port, a host and a port such as 10.0.0.5:8081, or the path of a Unix socket that begins with / or ./; got ${JSON.stringify(text)}.`,
          ),
        ),
      ),
    ),
  ),
}).pipe(
  Config.mapOrFail((found) =>
    Option.isSome(found.listen) && Option.isNone(found.token)
      ? Either.left(ConfigError.MissingData(["ADMIN_TOKEN"], "ADMIN_LISTEN needs a token of at least 32 characters."))
      : Either.right(found),
  ),
)

/** What stands between commas. */
const listed = (text: string): ReadonlyArray<string> =>
  text.split(",").flatMap((entry) => (entry.trim() === "" ? [] : [entry.trim()]))

/** Hosts with commas between, each in the form that `read` gives it. */
const hosts = (name: string, read: (text: string) => string | undefined, examples: string) =>
  Config.string(name).pipe(
    Config.withDefault(""),
    Config.mapOrFail((text) => {
      const entries = listed(text)
      const found = entries.flatMap((entry) => read(entry) ?? [])
      return found.length === entries.length
        ? Either.right<ReadonlyArray<string>>(found)
        : Either.left(ConfigError.InvalidData([name], `Expected hosts such as ${examples}, with commas between.`))
    }),
  )

/** Development hosts that the guard of webhook URLs lets through, also without TLS. */
const allowHosts = hosts("WEBHOOK_ALLOW_HOSTS", hostForm, "localhost or 127.0.0.1:9000")

const hostName = (text: string): string | undefined => {
  if (!/^[^/?#@\\\s]+$/.test(text) || !URL.canParse(`http://${text}`)) return undefined
  const { hostname, port } = new URL(`http://${text}`)
  return port === "" ? hostname : undefined
}

/** The Model Context Protocol over HTTP. */
const mcp = Config.all({
  legacySse: Config.boolean("MCP_LEGACY_SSE").pipe(Config.withDefault(true)),
  allowedHosts: hosts("MCP_ALLOWED_HOSTS", hostName, "agents.example.com or 10.0.0.5"),
})

/** Whom to write to about a hole, as a URI (RFC 9116); an e-mail address becomes one. */
const securityContact = Config.option(
  Config.nonEmptyString("SECURITY_CONTACT").pipe(
    Config.mapOrFail((text) => {
      const contact = /^[^\s:/@]+@[^\s:/@]+$/.test(text) ? `mailto:${text}` : text
      return /^(https:\/\/|mailto:|tel:)[\x21-\x7e]{1,200}$/.test(contact)
        ? Either.right(contact)
        : Either.left(
            ConfigError.InvalidData(
              ["SECURITY_CONTACT"],
              "Expected an e-mail address or a URI that begins with https:, mailto: or tel:.",
            ),
          )
    }),
  ),
)

/** One of a few words. */
const choice = <const Words extends ReadonlyArray<string>>(name: string, words: Words) =>
  Config.string(name).pipe(
    Config.mapOrFail((text): Either.Either<Words[number], ConfigError.ConfigError> => {
      const word = words.find((each) => each === text)
      return word === undefined
        ? Either.left(ConfigError.InvalidData([name], `Expected ${words.slice(0, -1).join(", ")} or ${words.at(-1)}.`))
        : Either.right(word)
    }),
  )

/** How the programs write what they log, and how much of it. */
export const logging = Config.all({
  /** Undefined: for people at a terminal, for programs elsewhere. */
  format: Config.option(choice("LOG_FORMAT", ["json", "pretty", "logfmt"])).pipe(Config.map(Option.getOrUndefined)),
  level: choice("LOG_LEVEL", ["debug", "info", "warn", "error", "none"]).pipe(Config.withDefault("info" as const)),
  /** What must never stand in a line, whatever else looks like a secret. */
  secrets: Config.all([
    Config.option(Config.redacted("ADMIN_TOKEN")),
    Config.option(Config.redacted("MARKET_SIGNALS_KEY")),
  ]).pipe(Config.map((secrets) => secrets.flatMap(Option.toArray).map(Redacted.value))),
})

/** The API key of a program that makes calls. Never an argument: arguments are visible in process lists. */
export const callerKey = Config.option(Config.redacted("MARKET_SIGNALS_KEY")).pipe(
  Config.map(Option.map((key) => `Bearer ${Redacted.value(key)}`)),
)

const service = Config.all({
  http,
  network,
  admin,
  webhooks: Config.all({ allowHosts }),
  mcp,
  securityContact,
  sqliteFile,
  /** Free bytes on the store's disk below which calls that cost nothing leave no rows of their own. */
  disk: Config.all({
    reserveBytes: Config.integer("DISK_RESERVE_MB").pipe(
      Config.withDefault(256),
      Config.validate({ message: "Expected 0 or more megabytes.", validation: (size) => size >= 0 }),
      Config.map((size) => size * 1_048_576),
    ),
  }),
  /** Months of the audit trail that are kept, the current one included. */
  auditMonths: Config.integer("AUDIT_MONTHS").pipe(
    Config.withDefault(13),
    Config.validate({ message: "Expected 2 or more months.", validation: (months) => months >= 2 }),
  ),
  /** Only an operator who named no store gets an account made for them. */
  isDefaultStore: Config.option(Config.string("DATABASE_URL")).pipe(Config.map(Option.isNone)),
  /** Where the key lies that signs the record's checkpoints. */
  recordKeyFile: Config.option(Config.nonEmptyString("RECORD_KEY_FILE")),
  /** Whether a record that was signed with another key goes on with the one that is found, or made. */
  recordKeyNew: consent("RECORD_KEY_NEW"),
  /** Where the key lies that seals the secrets in the store. */
  secretsKeyFile: Config.option(Config.nonEmptyString("SECRETS_KEY_FILE")),
  /** Whether a key is made although the store holds secrets that were sealed with another one. */
  secretsKeyNew: consent("SECRETS_KEY_NEW"),
})

/** Everything that an operator can set, read from the environment in this one place. */
export const config = Config.all([service, lanes]).pipe(
  Config.map(([own, { modes, ...rest }]) => ({ ...own, ...rest, ...modes })),
)

export type Settings = Config.Config.Success<typeof config>

/** The address that links in answers point to. */
export const baseUrl = ({ http: { host, port, baseUrl: given } }: Settings): string =>
  Option.match(given, {
    onNone: () => `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
    onSome: (url) => url,
  })

/** The mode that each lane is served in. */
export const modesOf = (settings: Settings): Readonly<Record<string, Mode>> =>
  Object.fromEntries(
    modules.map((module: Any) => {
      const name: string = module.definition.lane.name
      return [name, module.live === undefined ? "mock" : settings[name as LaneName]]
    }),
  )

/** The lanes' part of the configuration. */
export const worldOf = (settings: Settings): WorldConfig => ({
  modes: modesOf(settings),
  settings: (lane): AnySettings => ({ ...settings.upstreams, termsAccepted: settings.termsAccepted[lane] ?? false }),
})
