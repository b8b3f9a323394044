import { existsSync, readFileSync } from "node:fs"
import { homedir } from "node:os"
import { basename, dirname, isAbsolute, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import type * as ConfigError from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Runtime from "effect/Runtime"
import * as Scope from "effect/Scope"
import { serve as bridge } from "../adapters/server/mcp/bridge.ts"
import { StoreError, toStoreError } from "../adapters/store/engine/opening.ts"
import { isStore } from "../adapters/store/engine/sqlite/driver.ts"
import { type Owned, take } from "../adapters/store/engine/sqlite/owner.ts"
import * as Release from "../core/release.ts"
import * as App from "./app.ts"
import { dataFolders, config as environment, type Settings } from "./Config.ts"
import { callerKey } from "./config/caller.ts"
import { defaultFile } from "./config/store.ts"
import { keyPlaces, warnOfKey } from "./keyNotice.ts"

/** The folder of the checkout that a file is in; undefined for a file of the installed package. */
const findCheckout = (file: string): string | undefined => {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = join(folder, "package.json")
    if (!existsSync(manifest) || JSON.parse(readFileSync(manifest, "utf8")).name !== Release.name) continue
    // The package has no sources.
    return existsSync(join(folder, "services/start.mjs")) ? folder : undefined
  }
  return undefined
}

/** The folder of the checkout that this program runs from; undefined for the installed package. */
const ownCheckout = (): string | undefined => {
  // The bundle of a checkout may be elsewhere, for instance if node_modules is a link.
  const isStarted = basename(process.argv[1] ?? "") === "start.mjs"
  return findCheckout(isStarted ? process.argv[1]! : fileURLToPath(import.meta.url))
}

/** The folder for a user's data by the conventions of the operating system. */
const userData = Effect.map(dataFolders, ({ xdg, local }): string => {
  // https://specifications.freedesktop.org/basedir-spec: a relative path is ignored.
  if (Option.isSome(xdg) && isAbsolute(xdg.value)) return xdg.value
  if (process.platform === "win32") return Option.getOrElse(local, () => join(homedir(), "AppData/Local"))
  return join(homedir(), process.platform === "darwin" ? "Library/Application Support" : ".local/share")
})

/** The store if DATABASE_URL is not set: that of `npm start` in a checkout, otherwise one in the folder for the user's data. */
const defaultStore = Effect.map(userData, (data): string => {
  const checkout = ownCheckout()
  return checkout === undefined ? join(data, Release.name, `${Release.name}.db`) : join(checkout, defaultFile)
})

/**
 * The settings with the absolute path of an existing store. A client over stdio chooses the working directory, often `/`, in which
 * a relative path is useless, and a new store would have no keys.
 */
const withExistingStore = (config: Settings): Effect.Effect<Settings, StoreError | ConfigError.ConfigError> =>
  Effect.gen(function* () {
    const { sqliteFile, isDefaultStore } = config
    if (sqliteFile === ":memory:") return config
    const file = isDefaultStore ? yield* defaultStore : resolve(sqliteFile)
    const exists =
      existsSync(file) && (yield* Effect.try({ try: () => isStore(file), catch: toStoreError(`open ${file}`) }))
    if (exists) return { ...config, sqliteFile: file }
    const message = `There is no store at ${file}. Set DATABASE_URL to sqlite: and the absolute path of one, or MARKET_SIGNALS_URL to the base URL of a server.`
    return yield* new StoreError({ reason: "open", message })
  })

/**
 * Requests of the client: each goes to the server that owns the store at that moment, or to this program, which owns the store
 * until another process asks for it and gets it once the answers in progress have begun.
 */
const makeFetch = (config: Settings) =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const runtime = yield* Effect.runtime<never>()
    const taking = yield* Effect.makeSemaphore(1)
    const permits = 1_000
    const using = yield* Effect.makeSemaphore(permits)
    let owned: Owned | undefined
    const open = Effect.gen(function* () {
      if (owned !== undefined) return owned
      const child = yield* Scope.fork(scope, ExecutionStrategy.sequential)
      const taken = yield* Scope.extend(take(config.sqliteFile, { role: "mcp", version: Release.version }), child)
      if (taken._tag === "Asked") return { ...taken, close: Scope.close(child, Exit.void) }
      yield* Effect.gen(function* () {
        const context = yield* Layer.build(App.gateway(config).pipe(Layer.provideMerge(App.store(config))))
        yield* taken.serve(yield* Effect.provide(App.localCalls(config, Option.isSome(config.http.baseUrl)), context))
      }).pipe(
        Scope.extend(child),
        Effect.onError((cause) => Scope.close(child, Exit.failCause(cause))),
      )
      owned = taken
      // Waits for the answers in progress. Later calls wait too, so that the other process, which polls every 50 ms, gets the store.
      const handOver = Effect.suspend(() => {
        owned = undefined
        return Effect.zipRight(Scope.close(child, Exit.void), Effect.sleep(200))
      }).pipe(using.withPermits(permits), taking.withPermits(1))
      yield* Effect.forkIn(Effect.zipRight(taken.wanted, handOver), scope)
      return taken
    })
    const ask = (target: Parameters<typeof fetch>[0], init?: RequestInit) =>
      Effect.acquireUseRelease(
        taking.withPermits(1)(Effect.zipLeft(open, using.take(1))),
        (line) => {
          const answered = Effect.tryPromise({ try: () => line.ask(target, init), catch: (error) => error as Error })
          if (line._tag === "Owned") return answered
          const close = () => Runtime.runPromise(runtime)(line.close)
          return Effect.map(
            Effect.tapError(answered, () => line.close),
            (answer) => {
              if (answer.body === null) void close()
              const body = answer.body?.pipeThrough(new TransformStream({ flush: close }))
              return new Response(body ?? null, answer)
            },
          )
        },
        () => using.release(1),
      )
    // Fails at the start if the store cannot be opened.
    const first = yield* open
    if (first._tag === "Asked") yield* first.close
    return ((target, init) => Runtime.runPromise(runtime)(ask(target, init))) as typeof fetch
  })

/** Serves one MCP client over stdio. The protocol uses standard output; logs go to standard error. */
export const serveMcp = Effect.gen(function* () {
  const config = yield* Effect.flatMap(environment, withExistingStore)
  const authorization = Option.getOrUndefined(yield* callerKey)
  yield* warnOfKey(authorization, keyPlaces.client)
  const { toolsets } = config.mcp
  const fetch = yield* makeFetch(config)
  const streams = { input: process.stdin, output: process.stdout }
  yield* bridge({ ...streams, baseUrl: "http://localhost", authorization, toolsets, fetch })
}).pipe(Effect.scoped)
