import * as Config from "effect/Config"
import * as ConfigError from "effect/ConfigError"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Toolsets from "../../adapters/describe/tools/toolsets.ts"
import { trusting } from "../../adapters/server/http/clientAddress.ts"
import { defaultBounds as connections } from "../../adapters/server/http/connections.ts"
import type { Place } from "../../adapters/server/http/server.ts"
import { hostForm } from "../../adapters/server/webhooks/guard.ts"
import { catalogue } from "../../core/lanes/all.ts"
import { count, hosts, integerBetween, listed, parsed, webUrl } from "./values.ts"

/** Address of the public listener, and the base URL of links. */
export const http = Config.all({
  host: Config.string("HOST").pipe(Config.withDefault("127.0.0.1")),
  port: Config.port("PORT").pipe(Config.withDefault(8080)),
  baseUrl: Config.option(webUrl("BASE_URL")),
})

/** Connection limits and trusted proxies. */
export const network = Config.all({
  trusts: Config.string("TRUSTED_PROXIES").pipe(
    Config.withDefault(""),
    Config.mapOrFail((text) => {
      const trusts = trusting(listed(text))
      return typeof trusts === "function"
        ? Either.right(trusts)
        : Either.left(
            ConfigError.InvalidData(
              ["TRUSTED_PROXIES"],
              `Expected comma-separated addresses or ranges such as 10.0.0.0/8 or 2001:db8::7; got ${JSON.stringify(trusts)}.`,
            ),
          )
    }),
  ),
  most: count("MAX_CONNECTIONS", connections.most),
  perAddress: count("MAX_CONNECTIONS_PER_ADDRESS", connections.perAddress),
})

const adminToken = Config.option(
  parsed(
    "ADMIN_TOKEN",
    Config.redacted("ADMIN_TOKEN"),
    (token) => (Redacted.value(token).length >= 32 ? token : undefined),
    "Expected at least 32 characters.",
  ),
)

/** A port of this machine, a host and a port, or the path of a Unix socket. */
const place = (text: string): Place | undefined => {
  if (/^\.{0,2}\//.test(text)) return { path: text }
  const [, bracketed, named, digits] = /^(?:(?:\[([\da-fA-F:.]+)\]|([^\s:/[\]]+)):)?(\d{1,5})$/.exec(text) ?? []
  const port = Number(digits)
  return digits === undefined || port > 65_535 ? undefined : { host: bracketed ?? named ?? "127.0.0.1", port }
}

/** Where a listener of the operator's own is; absent: it is off. */
const ownListener = (name: string): Config.Config<Option.Option<Place>> =>
  Config.option(
    parsed(
      name,
      Config.string(name),
      place,
      (text) =>
        `Expected a port, a host and a port such as 10.0.0.5:8081, or the path of a Unix socket that begins with / or ./; got ${JSON.stringify(text)}.`,
    ),
  )

/** Traces: off unless the address of a collector is set. */
export const traces = Config.all({
  endpoint: Config.option(webUrl("OTEL_EXPORTER_OTLP_ENDPOINT")),
  ratio: parsed(
    "OTEL_TRACES_SAMPLER_ARG",
    Config.number("OTEL_TRACES_SAMPLER_ARG").pipe(Config.withDefault(0.1)),
    (ratio) => (ratio >= 0 && ratio <= 1 ? ratio : undefined),
    (ratio) => `Expected a share from 0 to 1, such as 0.1; got ${ratio}.`,
  ),
})

/** The metrics: off unless their address is set. */
export const metrics = Config.all({ listen: ownListener("METRICS_LISTEN") })

/** The admin API: off unless both token and address are set. */
export const admin = Config.all({ token: adminToken, listen: ownListener("ADMIN_LISTEN") }).pipe(
  Config.mapOrFail((found) =>
    Option.isSome(found.listen) && Option.isNone(found.token)
      ? Either.left(ConfigError.MissingData(["ADMIN_TOKEN"], "ADMIN_LISTEN needs a token of at least 32 characters."))
      : Either.right(found),
  ),
)

/** Development hosts that the webhook URL check allows, also without TLS. */
export const allowHosts = hosts("WEBHOOK_ALLOW_HOSTS", hostForm, "localhost or 127.0.0.1:9000")

const hostName = (text: string): string | undefined => {
  if (!/^[^/?#@\\\s]+$/.test(text) || !URL.canParse(`http://${text}`)) return undefined
  const { hostname, port } = new URL(`http://${text}`)
  return port === "" ? hostname : undefined
}

/** The toolsets served over MCP; none named: all. */
export const toolsets = Config.string("MCP_TOOLSETS").pipe(
  Config.withDefault(""),
  Config.mapOrFail((text) =>
    Either.mapBoth(Toolsets.read(Toolsets.names(catalogue), text), {
      onLeft: (message) => ConfigError.InvalidData(["MCP_TOOLSETS"], message),
      onRight: (found): ReadonlyArray<string> => [...(found ?? [])],
    }),
  ),
)

export const legacySse = Config.boolean("MCP_LEGACY_SSE")

/** MCP; over stdio only `toolsets`. */
export const mcp = Config.all({
  toolsets,
  legacySse: Config.withDefault(legacySse, true),
  allowedHosts: hosts("MCP_ALLOWED_HOSTS", hostName, "agents.example.com or 10.0.0.5"),
})

/** How long a stopping server still answers, not ready, before it closes its listener, seconds. */
export const stopPauseAsked = Config.option(integerBetween("STOP_PAUSE_SECONDS", 0, 300))

/** Contact for security reports, as a URI (RFC 9116); an e-mail address becomes a mailto URI. */
export const securityContact = Config.option(
  parsed(
    "SECURITY_CONTACT",
    Config.nonEmptyString("SECURITY_CONTACT"),
    (text) => {
      const contact = /^[^\s:/@]+@[^\s:/@]+$/.test(text) ? `mailto:${text}` : text
      return /^(https:\/\/|mailto:|tel:)[\x21-\x7e]{1,200}$/.test(contact) ? contact : undefined
    },
    "Expected an e-mail address or a URI that begins with https:, mailto: or tel:.",
  ),
)
