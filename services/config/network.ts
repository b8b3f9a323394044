import * as Config from "effect/Config"
import * as ConfigError from "effect/ConfigError"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { entries } from "../../adapters/describe/tools/tools.ts"
import * as Toolsets from "../../adapters/describe/tools/toolsets.ts"
import { parseTrustedProxies, trustsNobody } from "../../adapters/server/http/clientAddress.ts"
import { defaultBounds as connections } from "../../adapters/server/http/connections.ts"
import type { ListenAddress } from "../../adapters/server/http/server.ts"
import { normaliseHost } from "../../adapters/server/webhooks/guard.ts"
import { catalogue } from "../../core/lanes/all.ts"
import {
  checked,
  consent,
  hosts,
  integerBetween,
  lastPort,
  numberBetween,
  parsed,
  parseSecureUrl,
  positiveInteger,
  secret,
  splitList,
  trueOrFalse,
  values,
  variable,
  webUrl,
} from "./values.ts"

/** Address of the public listener, and the base URL of links. */
export const http = {
  host: variable("HOST", Config.string, "address that the server listens on", { default: "127.0.0.1" }),
  port: variable("PORT", integerBetween(0, lastPort), "port that it listens on", { default: 8080 }),
  baseUrl: variable("BASE_URL", webUrl, "base URL of links in answers", { defaultText: "from HOST and PORT" }),
}

/** Connection limits and trusted proxies. */
export const network = {
  trusts: variable(
    "TRUSTED_PROXIES",
    checked(Config.string, (text) => {
      const trusts = parseTrustedProxies(splitList(text))
      return typeof trusts === "function"
        ? Either.right(trusts)
        : Either.left(
            `Expected comma-separated addresses or ranges such as 10.0.0.0/8 or 2001:db8::7; got ${JSON.stringify(trusts)}.`,
          )
    }),
    "comma-separated addresses and ranges of proxies whose X-Forwarded-For is trusted",
    { default: trustsNobody },
  ),
  maxConnections: variable(
    "MAX_CONNECTIONS",
    positiveInteger,
    "maximum number of connections, beyond which the longest idle one is closed; fewer if the limit of open files is lower",
    { default: connections.maxConnections },
  ),
  maxPerAddress: variable(
    "MAX_CONNECTIONS_PER_ADDRESS",
    positiveInteger,
    "maximum number of connections of an IPv4 address or an IPv6 /64, at most a quarter of all; a /48 may have four times as many, at most half",
    { default: connections.maxPerAddress },
  ),
}

export const stopPauseSeconds = variable(
  "STOP_PAUSE_SECONDS",
  integerBetween(0, 300),
  "seconds after SIGTERM during which calls are still accepted while /readyz answers 503",
  { defaultText: "0, on PostgreSQL 5" },
)

/** Whether long preparations begin at the start, or with the first call that needs them. */
export const warmUp = consent(
  "WARM_UP",
  "no: the scoreboard too is made by the first call that needs it, like seasons, ratings, open contracts and the demonstration of the record; that call waits some seconds, and an idle server takes less memory",
  true,
)

/** A contact as a URI (RFC 9116); an e-mail address becomes a mailto URI. */
const contact = parsed(
  Config.nonEmptyString,
  (text) => {
    const uri = /^[^\s:/@]+@[^\s:/@]+$/.test(text) ? `mailto:${text}` : text
    return /^(https:\/\/|mailto:|tel:)[\x21-\x7e]{1,200}$/.test(uri) ? uri : undefined
  },
  "Expected an e-mail address or a URI that begins with https:, mailto: or tel:.",
)

export const securityContact = variable(
  "SECURITY_CONTACT",
  contact,
  "e-mail address or URI for security reports, in /.well-known/security.txt and on the dashboard",
)

const page = parsed(
  Config.nonEmptyString,
  (text) => parseSecureUrl(text)?.href,
  "Expected the URL of a page, https (or http on this machine), without query, fragment or password.",
)

/** Links to the operator and the terms, at the foot of every page. */
export const operator = {
  support: variable(
    "SUPPORT_CONTACT",
    contact,
    "e-mail address or URI for help and new accounts, at the foot of every page and on /get-a-key",
  ),
  terms: variable("TERMS_URL", page, "page with the terms of use, linked at the foot of every page"),
  privacy: variable("PRIVACY_URL", page, "page on privacy, linked at the foot of every page"),
}

/** Parses a port of this machine, or a host and a port. */
const parseListenAddress = (text: string): ListenAddress | undefined => {
  const [, bracketed, named, digits] = /^(?:(?:\[([\da-fA-F:.]+)\]|([^\s:/[\]]+)):)?(\d{1,5})$/.exec(text) ?? []
  const port = Number(digits)
  return digits === undefined || port > lastPort ? undefined : { host: bracketed ?? named ?? "127.0.0.1", port }
}

/** The address of a listener for operators; absent: it is off. */
const listenAddress = parsed(
  Config.string,
  parseListenAddress,
  (text) => `Expected a port, or a host and a port such as 10.0.0.5:8081; got ${JSON.stringify(text)}.`,
)

export const adminVariables = {
  token: variable(
    "ADMIN_TOKEN",
    parsed(
      secret,
      (token) => (Redacted.value(token).length >= 32 ? token : undefined),
      "Expected at least 32 characters.",
    ),
    "token of /admin/v1, at least 32 characters; without one /admin/v1 is off",
  ),
  listen: variable("ADMIN_LISTEN", listenAddress, "address on which /admin/v1 listens: a loopback port, or host:port"),
}

/** The admin API; without `listen` it has no listener of its own. */
export const admin = Config.mapOrFail(values(adminVariables), (given) =>
  Option.isSome(given.listen) && Option.isNone(given.token)
    ? Either.left(ConfigError.MissingData(["ADMIN_TOKEN"], "ADMIN_LISTEN needs a token of at least 32 characters."))
    : Either.right(given),
)

/** The metrics: off unless their address is set. */
export const metrics = {
  listen: variable(
    "METRICS_LISTEN",
    listenAddress,
    "address on which /metrics listens, in the same forms, without a key; without an address it is off",
  ),
}

const hostName = (text: string): string | undefined => {
  if (!/^[^/?#@\\\s]+$/.test(text) || !URL.canParse(`http://${text}`)) return undefined
  const { hostname, port } = new URL(`http://${text}`)
  return port === "" ? hostname : undefined
}

/** MCP. Over stdio only `toolsets` is read; an empty list means all. */
export const mcp = {
  toolsets: variable(
    "MCP_TOOLSETS",
    checked(Config.string, (text) =>
      Either.map(
        Toolsets.read(Toolsets.names(entries(catalogue)), text),
        (names): ReadonlyArray<string> => [...(names ?? [])],
      ),
    ),
    "comma-separated lanes whose tools are served; clients choose among them",
    { default: [], defaultText: "all" },
  ),
  allowedHosts: variable(
    "MCP_ALLOWED_HOSTS",
    hosts(hostName, "agents.example.com or 10.0.0.5"),
    "comma-separated additional hosts that are accepted as Host and Origin on /mcp",
    { default: [] },
  ),
  legacySse: variable("MCP_LEGACY_SSE", trueOrFalse, "false: the deprecated transport over HTTP and SSE is off", {
    defaultText: "true, off on PostgreSQL",
  }),
}

/** Development hosts that webhooks may reach, also without TLS. */
export const webhooks = {
  allowHosts: variable(
    "WEBHOOK_ALLOW_HOSTS",
    hosts(normaliseHost, "localhost or 127.0.0.1:9000"),
    "comma-separated development hosts (with a port or without) that webhooks may reach, also over http",
    { default: [] },
  ),
}

export const accessLog = consent(
  "ACCESS_LOG",
  "yes: every call is logged at level info, without parameter values and keys",
)

export const traces = {
  endpoint: variable(
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    webUrl,
    "base URL of a collector of traces (OTLP over HTTP, JSON), such as http://127.0.0.1:4318; none: no traces",
  ),
  ratio: variable("OTEL_TRACES_SAMPLER_ARG", numberBetween(0, 1), "share of calls that are traced, from 0 to 1", {
    default: 0.1,
  }),
}
