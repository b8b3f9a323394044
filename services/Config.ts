import * as Config from "effect/Config"
import * as ConfigError from "effect/ConfigError"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { modules } from "../adapters/lanes/all.ts"
import type { Mode } from "../adapters/lanes/LaneModule.ts"
import type { WorldConfig } from "../adapters/lanes/world.ts"
import * as Lanes from "./config/lanes.ts"
import { admin, allowHosts, http, mcp, network, securityContact } from "./config/network.ts"
import { choice, consent } from "./config/values.ts"

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
export const config = Config.all([service, Lanes.config(modules)]).pipe(
  Config.map(([own, { modes, ...rest }]) => ({ ...own, ...rest, ...modes })),
)

export type Settings = Config.Config.Success<typeof config>

/** The address that links in answers point to. */
export const baseUrl = ({ http: { host, port, baseUrl: given } }: Settings): string =>
  Option.match(given, {
    onNone: () => `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
    onSome: (url) => url,
  })

/** The lanes' part of the configuration. */
export const worldOf = (settings: Settings): WorldConfig => Lanes.worldOf(modules, { ...settings, modes: settings })

/** The mode that each lane is served in. */
export const modesOf = (settings: Settings): Readonly<Record<string, Mode>> => worldOf(settings).modes
