import * as Config from "effect/Config"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { secret, splitList, variable, webUrl } from "./values.ts"

/** The key and the server of a program that makes calls. */
export const caller = {
  key: variable(
    "MARKET_SIGNALS_KEY",
    secret,
    "API key of the commands call and mcp: lists of processes show arguments, and never this",
  ),
  url: variable(
    "MARKET_SIGNALS_URL",
    webUrl,
    "base URL of the server whose tools mcp serves over stdio, as --url; without it those of a store here",
  ),
}

/** The `Authorization` header with that key. */
export const callerKey = Config.map(
  caller.key.config,
  Option.map((key) => `Bearer ${Redacted.value(key)}`),
)

/** The toolsets to request; the server checks their names. Empty: all. */
export const requestedToolsets = Config.map(Config.withDefault(Config.string("MCP_TOOLSETS"), ""), splitList)
