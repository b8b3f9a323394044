import * as Config from "effect/Config"
import * as ConfigError from "effect/ConfigError"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { modules } from "../adapters/lanes/all.ts"
import type { Mode } from "../adapters/lanes/LaneModule.ts"
import type { WorldConfig } from "../adapters/lanes/world.ts"
import * as Lanes from "./config/lanes.ts"
import {
  admin,
  allowHosts,
  http,
  legacySse,
  mcp,
  metrics,
  network,
  securityContact,
  stopPauseAsked,
  traces,
} from "./config/network.ts"
import { expectedPlace, parsePlace } from "./config/place.ts"
import { signIn } from "./config/signIn.ts"
import { misspelled } from "./config/spelling.ts"
import { stripe } from "./config/stripe.ts"
import { choice, consent, integerBetween, listed, parsed, webUrl } from "./config/values.ts"
import { x402 } from "./config/x402.ts"

/** The file of the store, below the working directory of a server. */
export const defaultFile = "var/market-signals.db"
const defaultStore = `sqlite:${defaultFile}`

const store = parsed(
  "DATABASE_URL",
  Config.string("DATABASE_URL").pipe(Config.withDefault(defaultStore)),
  (url): Pick<Stored, "sqliteFile" | "postgres"> | undefined => {
    const place = parsePlace(url)
    if (place === undefined) return undefined
    return place._tag === "Sqlite"
      ? { sqliteFile: place.file, postgres: Option.none() }
      : { sqliteFile: ":memory:", postgres: Option.some(place.url) }
  },
  expectedPlace,
)

interface Stored {
  /** The file of the SQLite store; `:memory:` with PostgreSQL, where nothing is next to the store. */
  readonly sqliteFile: string
  readonly postgres: Option.Option<Redacted.Redacted>
  readonly recordKeyFile: Option.Option<string>
  readonly secretsKeyFile: Option.Option<string>
  readonly mcp: { readonly legacySse: boolean }
  readonly legacySseAsked: Option.Option<boolean>
  readonly stopPauseAsked: Option.Option<number>
}

/** Nodes of one database must have the same keys, so their files are named. Nothing may live in one process alone. */
const forNodes = <A extends Stored>(settings: A): Either.Either<A, ConfigError.ConfigError> => {
  const missing = (name: string) =>
    Either.left(
      ConfigError.MissingData(
        [name],
        "With PostgreSQL, name a file that every node has: a node must not make a key of its own.",
      ),
    )
  if (Option.isNone(settings.postgres)) return Either.right(settings)
  if (Option.isNone(settings.recordKeyFile)) return missing("RECORD_KEY_FILE")
  if (Option.isNone(settings.secretsKeyFile)) return missing("SECRETS_KEY_FILE")
  if (Option.getOrElse(settings.legacySseAsked, () => false)) {
    return Either.left(
      ConfigError.InvalidData(
        ["MCP_LEGACY_SSE"],
        "The deprecated transport keeps its sessions in one process, and PostgreSQL serves several: it is off there.",
      ),
    )
  }
  return Either.right({ ...settings, mcp: { ...settings.mcp, legacySse: false } })
}

/** Time for a balancer to notice that a stopping node is not ready: its probes come every few seconds. SQLite has one server. */
const stopPause = ({ postgres, stopPauseAsked }: Pick<Stored, "postgres" | "stopPauseAsked">): number =>
  Option.getOrElse(stopPauseAsked, () => (Option.isSome(postgres) ? 5 : 0)) * 1_000

/** Log format and level. */
export const logging = Config.all({
  /** Undefined: pretty on a terminal, JSON elsewhere. */
  format: Config.option(choice("LOG_FORMAT", ["json", "pretty", "logfmt"])).pipe(Config.map(Option.getOrUndefined)),
  level: choice("LOG_LEVEL", ["debug", "info", "warn", "error", "none"]).pipe(Config.withDefault("info" as const)),
  /** Secrets to redact by value; anything that looks like a secret is redacted too. */
  secrets: Config.all([
    Config.option(Config.redacted("ADMIN_TOKEN")),
    Config.option(Config.redacted("MARKET_SIGNALS_KEY")),
    Config.option(Config.redacted("OIDC_CLIENT_SECRET")),
    Config.option(Config.redacted("STRIPE_SECRET_KEY")),
    Config.option(Config.redacted("STRIPE_WEBHOOK_SECRET")),
    Config.option(Config.redacted("X402_PRIVATE_KEY")),
    Config.option(Config.redacted("X402_RPC_URL")),
  ]).pipe(
    Config.map((secrets) =>
      secrets
        .flatMap(Option.toArray)
        .map(Redacted.value)
        // One of a webhook may be two.
        .flatMap((secret) => [secret, ...listed(secret)]),
    ),
  ),
})

/** The base URL of the server that `mcp` passes its client's messages to. */
export const callerUrl = Config.option(webUrl("MARKET_SIGNALS_URL"))

/** Where the operating system has users' data, if the environment says so. */
export const dataFolders = Config.all({
  xdg: Config.option(Config.string("XDG_DATA_HOME")),
  local: Config.option(Config.string("LOCALAPPDATA")),
})

/** The API key of a program that makes calls. Never an argument: process lists show arguments. */
export const callerKey = Config.option(Config.redacted("MARKET_SIGNALS_KEY")).pipe(
  Config.map(Option.map((key) => `Bearer ${Redacted.value(key)}`)),
)

const service = Config.all({
  http,
  network,
  admin,
  metrics,
  accessLog: consent("ACCESS_LOG"),
  traces,
  webhooks: Config.all({ allowHosts }),
  mcp,
  legacySseAsked: Config.option(legacySse),
  stopPauseAsked,
  securityContact,
  signIn,
  payments: Config.all({ stripe, x402 }),
  store,
  /** Below this many free bytes on the store's disk, free calls are only counted, without rows of their own. */
  disk: Config.all({
    reserveBytes: integerBetween("DISK_RESERVE_MB", 0).pipe(
      Config.withDefault(256),
      Config.map((size) => size * 1_048_576),
    ),
  }),
  /** A module with a model of prices, in place of ours. */
  cryptoModel: Config.option(Config.nonEmptyString("CRYPTO_MODEL")),
  /** Months of the audit trail to keep, including the current one. */
  auditMonths: integerBetween("AUDIT_MONTHS", 2).pipe(Config.withDefault(13)),
  /** The first start creates an account only in the default store. */
  isDefaultStore: Config.option(Config.string("DATABASE_URL")).pipe(Config.map(Option.isNone)),
  /** File of the key that signs checkpoints. */
  recordKeyFile: Config.option(Config.nonEmptyString("RECORD_KEY_FILE")),
  /** Whether a record signed with another key may continue with this one. */
  recordKeyNew: consent("RECORD_KEY_NEW"),
  /** File of the key that encrypts the secrets in the store. */
  secretsKeyFile: Config.option(Config.nonEmptyString("SECRETS_KEY_FILE")),
  /** Whether a new key may be created although the store holds secrets encrypted with another one. */
  secretsKeyNew: consent("SECRETS_KEY_NEW"),
})

/** A near miss of a variable's name: what it sets would not hold. */
const refuseMisspelled = <A>(settings: A): Either.Either<A, ConfigError.ConfigError> =>
  misspelled(Object.keys(process.env)).reduce<Either.Either<A, ConfigError.ConfigError>>((before, [name, near]) => {
    const error = ConfigError.InvalidData([name], `This program has no such variable. Did you mean ${near}?`)
    return Either.left(Either.isLeft(before) ? ConfigError.And(before.left, error) : error)
  }, Either.right(settings))

/** All settings. This is the only place that reads the environment. */
export const config = Config.all([service, Lanes.config(modules)]).pipe(
  Config.map(([{ store, ...own }, { modes, ...rest }]) => ({ ...own, ...store, ...rest, ...modes })),
  Config.mapOrFail(forNodes),
  Config.mapOrFail(refuseMisspelled),
  Config.map(({ legacySseAsked: _, stopPauseAsked, ...settings }) => ({
    ...settings,
    stopPauseMs: stopPause({ ...settings, stopPauseAsked }),
  })),
)

export type Settings = Config.Config.Success<typeof config>

/** The base URL of links in answers. */
export const baseUrl = ({ http: { host, port, baseUrl: given } }: Settings): string =>
  Option.match(given, {
    onNone: () => `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
    onSome: (url) => url,
  })

export const worldConfig = (settings: Settings): WorldConfig =>
  Lanes.readWorld(modules, { ...settings, modes: settings })

/** Each lane's mode. */
export const modesOf = (settings: Settings): Readonly<Record<string, Mode>> => worldConfig(settings).modes
