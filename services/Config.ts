import * as Config from "effect/Config"
import * as ConfigError from "effect/ConfigError"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import { modules } from "../adapters/lanes/all.ts"
import type { Mode } from "../adapters/lanes/LaneModule.ts"
import type { WorldConfig } from "../adapters/lanes/world.ts"
import type { Place } from "../adapters/store/engine/opening.ts"
import { caller } from "./config/caller.ts"
import * as Lanes from "./config/lanes.ts"
import { mail } from "./config/mail.ts"
import * as Network from "./config/network.ts"
import { signIn } from "./config/signIn.ts"
import { placeIn, store as storeVariables } from "./config/store.ts"
import { stripe } from "./config/stripe.ts"
import { fileVariable, refuseMisspelled, values } from "./config/values.ts"
import { cryptoModel, stationsFile, variables } from "./config/variables.ts"
import { x402 } from "./config/x402.ts"

/** The store's settings. With PostgreSQL `sqliteFile` is in memory, so that no file is looked for beside it. */
const store = values(storeVariables).pipe(
  Config.map(({ place: given, password, reserveMb, ...rest }) => {
    const parsed = placeIn(given, password)
    return {
      ...rest,
      sqliteFile: parsed._tag === "Sqlite" ? parsed.file : ":memory:",
      postgres: parsed._tag === "Postgres" ? Option.some(parsed.url) : Option.none<Redacted.Redacted>(),
      /** With fewer free bytes on the store's disk, calls without a charge are only counted, without rows of their own. */
      disk: { reserveBytes: reserveMb * 1_048_576 },
      /** The first start creates an account only in the default store. */
      isDefaultStore: Option.isNone(given),
    }
  }),
)

type Read = Config.Config.Success<typeof service> & Config.Config.Success<typeof store>

/** Checks the settings of nodes of one database: they share their keys' files, and keep no state in one process. */
const checkNodeSettings = <
  A extends Pick<Read, "mcp" | "postgres" | "recordKeyFile" | "secretsKeyFile" | "stopPauseSeconds">,
>({
  stopPauseSeconds,
  mcp: { legacySse, ...mcp },
  ...settings
}: A) => {
  const missing = (name: string) =>
    Either.left(
      ConfigError.MissingData(
        [name],
        "With PostgreSQL, name a file that every node has: a node must not make a key of its own.",
      ),
    )
  const isShared = Option.isSome(settings.postgres)
  if (isShared && Option.isNone(settings.recordKeyFile)) return missing("RECORD_KEY_FILE")
  if (isShared && Option.isNone(settings.secretsKeyFile)) return missing("SECRETS_KEY_FILE")
  if (isShared && Option.contains(legacySse, true)) {
    return Either.left(
      ConfigError.InvalidData(
        ["MCP_LEGACY_SSE"],
        "The deprecated transport keeps its sessions in one process, and PostgreSQL serves several: it is off there.",
      ),
    )
  }
  return Either.right({
    ...settings,
    mcp: { ...mcp, legacySse: Option.getOrElse(legacySse, () => !isShared) },
    // Balancers probe every few seconds: time to notice that a stopping node is not ready. SQLite has a single server.
    stopPauseMs: Option.getOrElse(stopPauseSeconds, () => (isShared ? 5 : 0)) * 1_000,
  })
}

/** The base URL of the server to which `mcp` passes its client's messages. */
export const callerUrl = caller.url.config

/** The folders of users' data that the environment names. */
export const dataFolders = Config.all({
  xdg: Config.option(Config.string("XDG_DATA_HOME")),
  local: Config.option(Config.string("LOCALAPPDATA")),
})

const service = Config.all({
  http: values(Network.http),
  network: values(Network.network),
  admin: Network.admin,
  metrics: values(Network.metrics),
  accessLog: Network.accessLog.config,
  warmsUp: Network.warmUp.config,
  traces: values(Network.traces),
  webhooks: values(Network.webhooks),
  mail,
  mcp: values(Network.mcp),
  stopPauseSeconds: Network.stopPauseSeconds.config,
  securityContact: Network.securityContact.config,
  operator: values(Network.operator),
  signIn,
  payments: Config.all({ stripe, x402 }),
  store,
  cryptoModel: cryptoModel.config,
  stationsFile: stationsFile.config,
})

/** All settings. This is the only place that reads the environment. */
export const config = Config.all([service, Lanes.laneSettings(modules)]).pipe(
  Config.map(([{ store, ...rest }, { modes, ...lanes }]) => ({ ...rest, ...store, ...lanes, ...modes })),
  Config.mapOrFail(checkNodeSettings),
  Config.mapOrFail(
    refuseMisspelled(
      variables.flatMap(({ name, isSecret }) => (isSecret === true ? [name, fileVariable(name)] : [name])),
    ),
  ),
)

export type Settings = Config.Config.Success<typeof config>

export const storePlace = ({ postgres, sqliteFile }: Settings): Place =>
  Option.match(postgres, {
    onNone: () => ({ _tag: "Sqlite", file: sqliteFile }),
    onSome: (url) => ({ _tag: "Postgres", url }),
  })

/** The base URL of links in answers. */
export const baseUrl = ({ http: { host, port, baseUrl: given } }: Settings): string =>
  Option.match(given, {
    onNone: () => `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
    onSome: (url) => url,
  })

export const worldConfig = (settings: Settings): WorldConfig =>
  Lanes.readWorld(modules, { ...settings, modes: settings })

export const laneModes = (settings: Settings): Readonly<Record<string, Mode>> => worldConfig(settings).modes
