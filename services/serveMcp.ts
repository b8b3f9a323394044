import { existsSync } from "node:fs"
import { homedir } from "node:os"
import { isAbsolute, join, resolve } from "node:path"
import type * as ConfigError from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { serve } from "../adapters/server/mcp/stdio.ts"
import { cannot, StoreError } from "../adapters/store/engine/opening.ts"
import { isStore } from "../adapters/store/engine/sqlite/driver.ts"
import { FoldRows } from "../adapters/store/money/sqlite/folded.ts"
import { catalogue } from "../core/lanes/all.ts"
import * as Release from "../core/release.ts"
import * as App from "./app.ts"
import { callerKey, dataFolders, config as environment, type Settings } from "./Config.ts"
import { ownCheckout } from "./checkout.ts"
import { defaultFile } from "./config/store.ts"
import { keyPlaces, warnOfKey } from "./keyNotice.ts"

/** The folder of a user's data, by the conventions of the operating system. */
const userData = Effect.map(dataFolders, ({ xdg, local }): string => {
  // https://specifications.freedesktop.org/basedir-spec: a relative path is ignored.
  if (Option.isSome(xdg) && isAbsolute(xdg.value)) return xdg.value
  if (process.platform === "win32") return Option.getOrElse(local, () => join(homedir(), "AppData/Local"))
  return join(homedir(), process.platform === "darwin" ? "Library/Application Support" : ".local/share")
})

/** The store without DATABASE_URL: that of `npm start` in a checkout, else one in the folder of the user's data. */
const defaultStore = Effect.map(userData, (data): string => {
  const checkout = ownCheckout()
  return checkout === undefined ? join(data, Release.name, `${Release.name}.db`) : join(checkout, defaultFile)
})

/**
 * The settings with the absolute path of a store that exists. The client of a program over stdio chooses its working
 * directory, often `/`, so that a relative path means nothing there, and a new store would have no keys.
 */
const withExistingStore = (config: Settings): Effect.Effect<Settings, StoreError | ConfigError.ConfigError> =>
  Effect.gen(function* () {
    const { sqliteFile, isDefaultStore } = config
    if (sqliteFile === ":memory:") return config
    const file = isDefaultStore ? yield* defaultStore : resolve(sqliteFile)
    const exists = existsSync(file) && (yield* Effect.try({ try: () => isStore(file), catch: cannot(`open ${file}`) }))
    if (exists) return { ...config, sqliteFile: file }
    const message = `There is no store at ${file}. Set DATABASE_URL to sqlite: and the absolute path of one, or MARKET_SIGNALS_URL to the base URL of a server.`
    return yield* new StoreError({ reason: "open", message })
  })

/**
 * Serves one MCP client over stdio, on the same store as a running server and the command line. Standard
 * output carries the protocol, and logs go to standard error.
 */
export const serveMcp = Effect.gen(function* () {
  const config = yield* Effect.flatMap(environment, withExistingStore)
  const authorization = Option.getOrUndefined(yield* callerKey)
  yield* warnOfKey(authorization, keyPlaces.client)
  const { toolsets } = config.mcp
  yield* Effect.flatMap(App.discovery(config), (site) =>
    serve(catalogue, {
      ...site,
      input: process.stdin,
      output: process.stdout,
      authorization,
      keyPlace: keyPlaces.client,
      hasPages: Option.isSome(config.http.baseUrl),
      toolsets,
    }),
  ).pipe(
    Effect.provide(App.gateway(config).pipe(Layer.provideMerge(App.store(config)))),
    Effect.provideService(FoldRows, Number.POSITIVE_INFINITY),
  )
})
