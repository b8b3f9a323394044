import { modules } from "../../adapters/lanes/all.ts"
import type { Any } from "../../adapters/lanes/LaneModule.ts"

/** An environment variable of the program, for people. A test holds the names equal to those that the settings read. */
export interface Variable {
  readonly name: string
  /** What the program does with it, as the end of a sentence. */
  readonly meaning: string
  /** The value without it, or in words where it comes from; absent: none. */
  readonly otherwise?: string
  /** Shown by its length alone. */
  readonly isSecret?: true
}

export interface Group {
  readonly title: string
  readonly variables: ReadonlyArray<Variable>
}

const upper = (name: string): string => name.toUpperCase()

/** The variables of a lane, whose names derive from its module. */
const ofLane = ({ definition: { lane }, live, upstreams, terms }: Any): ReadonlyArray<Variable> =>
  live === undefined
    ? []
    : [
        {
          name: `DATA_FRESHNESS_${upper(lane.name)}`,
          meaning: `mock, shadow or live data of the lane ${lane.name}`,
          otherwise: "as DATA_FRESHNESS",
        },
        ...(terms === undefined
          ? []
          : [
              {
                name: terms,
                meaning: `\`yes\` confirms that you comply with the source's terms (required for live ${lane.name} data)`,
                otherwise: "no",
              },
            ]),
        ...Object.entries(upstreams).map(([name, url]) => ({
          name: `${upper(name)}_URL`,
          meaning: `base URL of the source ${name} of the lane ${lane.name}, or of a mirror`,
          otherwise: url,
        })),
      ]

/** All environment variables, in the groups in which documents show them. */
export const groups: ReadonlyArray<Group> = [
  {
    title: "Server",
    variables: [
      { name: "HOST", meaning: "address that the server listens on", otherwise: "127.0.0.1" },
      { name: "PORT", meaning: "port that it listens on", otherwise: "8080" },
      { name: "BASE_URL", meaning: "base URL of links in answers", otherwise: "from HOST and PORT" },
      {
        name: "TRUSTED_PROXIES",
        meaning: "comma-separated addresses and ranges whose X-Forwarded-For is trusted",
      },
      {
        name: "MAX_CONNECTIONS",
        meaning: "most connections; fewer if the limit of open files is lower",
        otherwise: "10000",
      },
      {
        name: "MAX_CONNECTIONS_PER_ADDRESS",
        meaning: "most connections of an IPv4 address or an IPv6 /64; never more than a quarter of all",
        otherwise: "256",
      },
      {
        name: "STOP_PAUSE_SECONDS",
        meaning: "seconds after SIGTERM in which calls are still accepted while /readyz is 503",
        otherwise: "0, on PostgreSQL 5",
      },
      {
        name: "SECURITY_CONTACT",
        meaning: "e-mail address or URI for security reports, in /.well-known/security.txt and on the dashboard",
      },
    ],
  },
  {
    title: "Store",
    variables: [
      {
        name: "DATABASE_URL",
        meaning: "the store: sqlite:<path> or postgres://…; if it is set, the first start creates no account",
        otherwise: "sqlite:var/market-signals.db",
      },
      {
        name: "DISK_RESERVE_MB",
        meaning: "free megabytes on the store's disk below which free calls are only counted; 0: no guard",
        otherwise: "256",
      },
      {
        name: "AUDIT_MONTHS",
        meaning: "months of the audit trail to keep, with the current one; at least 2",
        otherwise: "13",
      },
      {
        name: "RECORD_KEY_FILE",
        meaning: "file of the key that signs checkpoints; made by the first start, readable only by its owner",
        otherwise: "next to the SQLite file",
      },
      {
        name: "RECORD_KEY_NEW",
        meaning: "yes: a record whose key is lost continues with a new one, which everybody can see",
        otherwise: "no",
      },
      {
        name: "SECRETS_KEY_FILE",
        meaning: "file of the key that encrypts secrets in the store; made by the first start",
        otherwise: "next to the SQLite file",
      },
      {
        name: "SECRETS_KEY_NEW",
        meaning: "yes: a lost key is replaced; then rotate the secret of every webhook",
        otherwise: "no",
      },
    ],
  },
  {
    title: "Data",
    variables: [
      { name: "DATA_FRESHNESS", meaning: "mock, shadow or live data in every lane", otherwise: "mock" },
      {
        name: "UPSTREAM_CONTACT",
        meaning: "contact in the User-Agent for sources; the weather service requires one",
      },
      ...modules.flatMap(ofLane),
      {
        name: "CRYPTO_MODEL",
        meaning: "module with a model of prices of your own, as `bench crypto --model` takes it; it runs in the server",
        otherwise: "the served one",
      },
    ],
  },
  {
    title: "Dashboard and administration",
    variables: [
      { name: "OIDC_ISSUER", meaning: "OpenID Connect provider with which people sign in to the dashboard" },
      { name: "OIDC_CLIENT_ID", meaning: "client ID from the identity provider" },
      {
        name: "OIDC_CLIENT_SECRET",
        meaning: "its secret; the redirect is <address>/dashboard/oidc/callback",
        isSecret: true,
      },
      { name: "OIDC_OPERATORS", meaning: "claim=value of operators, such as groups=operators" },
      {
        name: "SIGN_UP",
        meaning: "invited, or open: whoever the provider knows gets an account of their own",
        otherwise: "invited",
      },
      {
        name: "ADMIN_TOKEN",
        meaning: "token of /admin/v1, at least 32 characters; without one it is off",
        isSecret: true,
      },
      {
        name: "ADMIN_LISTEN",
        meaning: "where /admin/v1 listens: a loopback port, host:port, or the path of a Unix socket",
      },
      {
        name: "METRICS_LISTEN",
        meaning: "where /metrics listens, in the same forms; without one it is off. It asks for no key",
      },
    ],
  },
  {
    title: "Payments",
    variables: [
      {
        name: "STRIPE_SECRET_KEY",
        meaning:
          "key of a Stripe account, whose pages credit wallets; it needs the package stripe and a webhook secret",
        isSecret: true,
      },
      {
        name: "STRIPE_WEBHOOK_SECRET",
        meaning: "secret of the endpoint <address>/payments/stripe there; while it is rotated, two with a comma",
        isSecret: true,
      },
      { name: "STRIPE_API_URL", meaning: "another host than Stripe's, for tests", otherwise: "https://api.stripe.com" },
      {
        name: "X402_PAY_TO",
        meaning: "address that agents pay with a call (x402); no other installation may have it; without one it is off",
      },
      { name: "X402_NETWORK", meaning: "chain on which they pay, such as eip155:8453 (Base) or eip155:84532" },
      { name: "X402_RPC_URL", meaning: "node of that chain, which says whether payments arrived", isSecret: true },
      {
        name: "X402_PRIVATE_KEY",
        meaning: "key of the account that sends payments to the chain and pays the gas, one for each node",
        isSecret: true,
      },
      { name: "X402_FACILITATOR_URL", meaning: "service that sends them, in place of a key" },
      {
        name: "X402_ASSET",
        meaning: "address of the dollar token, with signed transfers (EIP-3009)",
        otherwise: "the network's, if it is known",
      },
      { name: "X402_ASSET_NAME", meaning: "its name in signatures (EIP-712)", otherwise: "the known token's" },
      { name: "X402_ASSET_VERSION", meaning: "its version in signatures", otherwise: "the known token's" },
      { name: "X402_ASSET_DECIMALS", meaning: "its decimals, at least 6", otherwise: "the known token's, or 6" },
      { name: "X402_CONFIRMATIONS", meaning: "blocks that must show a payment", otherwise: "1" },
      { name: "X402_KEYLESS", meaning: "true: a payment for one call stands in for a key", otherwise: "false" },
      {
        name: "X402_GAS_PER_HOUR",
        meaning:
          "units of gas that each server may spend on payments in an hour; beyond it they are refused until gas is free again",
        otherwise: "100000000, about 1,400 payments",
      },
    ],
  },
  {
    title: "MCP and webhooks",
    variables: [
      {
        name: "MARKET_SIGNALS_KEY",
        meaning: "API key of the commands call and mcp: lists of processes show arguments, and never this",
        isSecret: true,
      },
      {
        name: "MARKET_SIGNALS_URL",
        meaning: "base URL of the server whose tools mcp serves over stdio, as --url; without it mcp opens a store",
      },
      {
        name: "MCP_TOOLSETS",
        meaning: "comma-separated lanes whose tools are served; clients select among them",
        otherwise: "all",
      },
      { name: "MCP_ALLOWED_HOSTS", meaning: "comma-separated further Hosts and Origins allowed on /mcp" },
      {
        name: "MCP_LEGACY_SSE",
        meaning: "false: the deprecated transport over HTTP and SSE is off",
        otherwise: "true, off on PostgreSQL",
      },
      {
        name: "WEBHOOK_ALLOW_HOSTS",
        meaning: "comma-separated development hosts (with a port or without) that webhooks may reach, also over http",
      },
    ],
  },
  {
    title: "Logs",
    variables: [
      {
        name: "LOG_FORMAT",
        meaning: "json, pretty or logfmt, on standard error",
        otherwise: "pretty on a terminal, else json",
      },
      {
        name: "LOG_LEVEL",
        meaning: "debug, info, warn, error or none; debug has a line for every request",
        otherwise: "info",
      },
      {
        name: "ACCESS_LOG",
        meaning: "yes: every call has a line at level info, without values of parameters and without keys",
        otherwise: "no",
      },
      {
        name: "OTEL_EXPORTER_OTLP_ENDPOINT",
        meaning:
          "base URL of a collector of traces (OTLP over HTTP, JSON), such as http://127.0.0.1:4318; none: no traces",
      },
      { name: "OTEL_TRACES_SAMPLER_ARG", meaning: "share of the calls that are traced, from 0 to 1", otherwise: "0.1" },
    ],
  },
]

export const variables: ReadonlyArray<Variable> = groups.flatMap((group) => group.variables)
