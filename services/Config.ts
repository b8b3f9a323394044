import * as Config from "effect/Config"
import * as ConfigError from "effect/ConfigError"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { Mode } from "../adapters/providers/select.ts"

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
const lane = (name: string) =>
  Config.all([all, Config.option(mode(`DATA_FRESHNESS_${name}`))]).pipe(
    Config.map(([general, own]) => Option.getOrElse(own, () => general)),
  )

/** One base URL per upstream, so that tests and mirrors can stand in. */
const upstream = (name: string, url: string) =>
  Config.url(name).pipe(
    Config.withDefault(new URL(url)),
    Config.map((found) => found.toString().replace(/\/+$/, "")),
  )

const http = Config.all({
  host: Config.string("HOST").pipe(Config.withDefault("127.0.0.1")),
  port: Config.port("PORT").pipe(Config.withDefault(8080)),
  baseUrl: Config.option(Config.url("BASE_URL")),
})

/** The operator's surface: without a token there is none. */
const admin = Config.all({
  token: Config.option(
    Config.redacted("ADMIN_TOKEN").pipe(
      Config.validate({
        message: "Expected at least 32 characters.",
        validation: (token) => Redacted.value(token).length >= 32,
      }),
    ),
  ),
  allowRemote: Config.boolean("ADMIN_ALLOW_REMOTE").pipe(Config.withDefault(false)),
})

/** Everything that an operator can set, read from the environment in this one place. */
export const config = Config.all({
  http,
  admin,
  sqliteFile,
  /** Only an operator who named no store gets an account made for them. */
  isDefaultStore: Config.option(Config.string("DATABASE_URL")).pipe(Config.map(Option.isNone)),
  crypto: lane("CRYPTO"),
  weather: lane("WEATHER"),
  upstreams: Config.all({
    coinbase: upstream("COINBASE_URL", "https://api.exchange.coinbase.com"),
    kraken: upstream("KRAKEN_URL", "https://api.kraken.com"),
  }),
})

export type Settings = Config.Config.Success<typeof config>

/** The address that links in answers point to. */
export const baseUrl = ({ http: { host, port, baseUrl: given } }: Settings): string =>
  Option.match(given, {
    onNone: () => `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
    onSome: (url) => url.toString().replace(/\/+$/, ""),
  })
