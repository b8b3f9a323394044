import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { serve } from "../adapters/server/mcp/bridge.ts"
import { callerKey, requestedToolsets } from "./config/caller.ts"
import { keyPlaces, warnOfKey } from "./keyNotice.ts"

/** Serves one MCP client over stdio with the tools of a remote server; no store is opened. */
export const bridgeMcp = (baseUrl: string) =>
  Effect.gen(function* () {
    const authorization = Option.getOrUndefined(yield* callerKey)
    yield* warnOfKey(authorization, keyPlaces.client)
    const toolsets = yield* requestedToolsets
    yield* serve({ input: process.stdin, output: process.stdout, baseUrl, authorization, toolsets })
  })
