import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as ApiKey from "../core/account/ApiKey.ts"
import { parseBearer } from "../core/gateway/access.ts"
import type { KeyPlace } from "../core/gateway/Call.ts"

const variable = "MARKET_SIGNALS_KEY"

/** Where an MCP client and a command set their key. */
export const keyPlaces = {
  client: { field: variable, suggestion: `Set ${variable} in the client's configuration.` },
  command: { field: variable, suggestion: `Set ${variable} in the environment of the command.` },
} as const satisfies Readonly<Record<string, KeyPlace>>

/** Warns once, on standard error, that calls will have no key. */
export const warnOfKey = (authorization: string | undefined, { suggestion }: KeyPlace): Effect.Effect<void> => {
  const token = parseBearer(authorization)
  if (token !== undefined && ApiKey.parseEnvironment(token) !== undefined) return Effect.void
  const [live, test] = [ApiKey.prefixes.live, ApiKey.prefixes.test]
  return Console.error(
    token === undefined
      ? `${variable} is not set: only what needs no key can be called. ${suggestion}`
      : `${variable} is not an API key: they begin with ${live} or ${test} and end with a checksum. ${suggestion}`,
  )
}
