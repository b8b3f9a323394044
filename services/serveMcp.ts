import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { serve } from "../adapters/server/mcp/stdio.ts"
import { FoldRows } from "../adapters/store/money/sqlite/folded.ts"
import { catalogue } from "../core/lanes/all.ts"
import * as App from "./app.ts"
import { callerKey, config as environment } from "./Config.ts"
import { withExistingStore } from "./existingStore.ts"
import { keyPlaces, warnOfKey } from "./keyNotice.ts"

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
