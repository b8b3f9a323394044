import type * as AdminOperation from "../../adapters/admin/AdminOperation.ts"
import { verbs } from "../../adapters/admin/verbs.ts"
import { guidePath } from "../../adapters/describe/guides.ts"
import * as Catalogue from "../../core/endpoint/Catalogue.ts"
import * as Endpoint from "../../core/endpoint/Endpoint.ts"
import { codes } from "../../core/Failure.ts"
import { catalogue } from "../../core/lanes/all.ts"
import { endpoints as proofs, verifierPath } from "../../core/record/log/endpoints.ts"
import { bytes } from "./hostileBytes.ts"
import { type Draws, draws, encoded, text, uuid, value } from "./hostileDraws.ts"
import { bodyOf, type Known, paramsOf, plain, queryOf, sold } from "./hostileInputs.ts"
import * as Mcp from "./hostileMcp.ts"
import { good, rulesOf } from "./hostileParams.ts"
import { adminToken } from "./hostileServer.ts"
import type { KeyName, World } from "./hostileWorld.ts"

/** A request, whole before it is sent. */
export interface HostileRequest {
  readonly surface: "api" | "keyless" | "mcp" | "admin" | "bytes"
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  /** Whose key it carries, where it is one of the world's. */
  readonly key?: KeyName
  /** What it is aimed at, where that is one of the catalogue's. */
  readonly endpoint?: Endpoint.Any
  readonly verb?: AdminOperation.Any
  /** The address it comes from: 127.0.0.0/8. */
  readonly from: string
}

const adminVerbs: ReadonlyArray<AdminOperation.Any> = Object.values(verbs(catalogue))
const verbRules = new Map(adminVerbs.map((verb) => [verb, rulesOf(verb.params)]))

const documents: ReadonlyArray<string> = [
  ...[
    "/healthz",
    "/readyz",
    "/openapi.json",
    "/docs",
    guidePath("webhooks"),
    "/errors",
    "/schemas",
    "/schemas/changelog",
  ],
  ...["/.well-known/openapi", "/.well-known/mcp", "/.well-known/mcp/server-card", "/.well-known/agent-capabilities"],
  ...["/.well-known/security.txt", "/llms.txt", "/llms-full.txt", verifierPath],
  ...["/scoreboard", "/scoreboard/settled.csv", "/scoreboard/settled.json", "/scoreboard/settled.ndjson"],
  ...Object.keys(codes).map((code) => `/errors/${code}`),
  ...["/schemas/WeatherSettlement", "/schemas/Error.json", "/errors/nothing", "/schemas/nothing"],
]

const nowhere: ReadonlyArray<string> = [
  ...["/", "//", "/v1", "/v1/", "/v2/crypto/signal", "/v1/crypto/signal/", "/v1//crypto/signal", "/V1/crypto/signal"],
  ...["/v1/crypto/%73ignal", "/v1/crypto/signal%00", "/v1/crypto/../crypto/signal", "/v1/%2e%2e/admin/v1/accounts"],
  ...["/..%2f..%2fetc/passwd", "/admin", "/admin/v1", "/admin/v1/", "/admin/v1/nothing", "/metrics", "/favicon.ico"],
  ...["/.env", "/.git/config", "/v1/proof", "/v1/proof/", "/v1/key/", "/mcp/", "/errors/", "/schemas/__proto__"],
  ...["/errors/constructor", "/v1/%zz", "/%", "/v1/crypto/signal;x=1", "/?", "/v1/wallet", "/dashboard"],
  ...Catalogue.notOffered.map((path) => path.replace("*", "some-id")),
]

const whose: ReadonlyArray<readonly [number, KeyName]> = [
  [34, "live"],
  [10, "live2"],
  [20, "test"],
  [10, "liveAgent"],
  [6, "testAgent"],
  [3, "capped"],
  [2, "paused"],
  [2, "revoked"],
  [2, "expired"],
  [3, "scoped"],
  [3, "poor"],
  [1, "slow"],
]

/** An `Authorization` header: mostly that of a good key. */
const authorization = (draw: Draws, { keys }: World): { readonly header?: string; readonly key?: KeyName } => {
  if (draw.chance(0.9)) {
    const key = draw.weighted(whose)
    return {
      key,
      header: `${draw.weighted([
        [20, "Bearer"],
        [1, "bearer"],
        [1, "BEARER "],
      ])} ${keys[key].token}`,
    }
  }
  const { token } = keys.live
  return draw.pick<{ readonly header?: string }>([
    {},
    { header: "" },
    { header: "Bearer" },
    { header: "Bearer  " },
    { header: "Basic dXNlcjpwYXNz" },
    { header: token },
    { header: `Token ${token}` },
    { header: `Bearer ${token.slice(0, -1)}` },
    { header: `Bearer ${token}x` },
    { header: `Bearer ${token.slice(0, 20)}AA${token.slice(22)}` },
    { header: `Bearer ${token} ${token}` },
    { header: `Bearer ${adminToken}` },
    { header: `Bearer svk_live_${"0".repeat(49)}` },
    { header: `Bearer ${"A".repeat(6_000)}` },
    { header: "Bearer \u00e9\u00ff" },
    { header: `Bearer ${token},Bearer ${token}` },
  ])
}

const latin = (raw: string): string => raw.replace(/[^\t\u0020-\u007e\u0080-\u00ff]/g, "?").slice(0, 2_000)

const aside: ReadonlyArray<(draw: Draws, known: Known) => readonly [string, string]> = [
  (draw) => [
    "accept",
    draw.pick([
      ...["*/*", "application/json", "text/csv", "application/x-ndjson", "text/csv;q=0.5,application/json;q=0.4"],
      ...["text/html", "", ";;;", "application/json;q=0", "*/*;q=nonsense", "text/*", `${"a/b,".repeat(400)}*/*`],
      ...["text/event-stream", "application/json, text/event-stream"],
    ]),
  ],
  (draw) => ["idempotency-key", draw.chance(0.8) ? uuid(draw) : latin(text(draw))],
  (draw, known) => [
    "if-none-match",
    draw.pick([
      ...((known["etag"] ?? []) as ReadonlyArray<string>),
      "*",
      '"x"',
      'W/"x", "y"',
      '"',
      "W/",
      latin(text(draw)),
    ]),
  ],
  (draw) => ["range", draw.pick(["bytes=0-", "bytes=-1", "bytes=9-1", "rows=0-1", "bytes=0-0,2-3"])],
  (draw) => ["content-type", draw.pick(["application/json", "text/plain", "application/json;charset=utf-16", "", ";"])],
  (draw) => ["x-request-id", latin(text(draw))],
  (draw) => ["x-forwarded-for", draw.pick(["10.0.0.1", "::1", "127.0.0.1, 8.8.8.8", latin(text(draw))])],
  (draw) => ["x-http-method-override", draw.pick(["DELETE", "POST", "HEAD"])],
  (draw) => ["accept-encoding", draw.pick(["gzip", "br", "gzip;q=0, *;q=0", "identity", latin(text(draw))])],
  (draw) => ["origin", draw.pick(["https://evil.example", "null", "http://localhost:3000", latin(text(draw))])],
  (draw) => ["cookie", latin(text(draw))],
  (draw) => ["if-modified-since", draw.pick(["Sat, 01 Jan 2000 00:00:00 GMT", "never"])],
  (draw) => ["expect", draw.pick(["100-continue", "200-ok"])],
  () => ["x-long", "x".repeat(12_000)],
]

const others = (draw: Draws, known: Known): Record<string, string> => {
  const headers: Record<string, string> = {}
  while (draw.chance(0.35)) {
    const [name, given] = draw.pick(aside)(draw, known)
    headers[name] = given.trim()
  }
  return headers
}

const api = (draw: Draws, world: World, known: Known): Omit<HostileRequest, "from"> => {
  const endpoint = draw.pick(sold)
  const { header, key } = authorization(draw, world)
  const headers = { ...others(draw, known), ...(header === undefined ? {} : { authorization: header.trim() }) }
  const params = paramsOf(draw, endpoint, known)
  const right = Endpoint.methodOf(endpoint)
  const method = draw.weighted<string>([
    [20, right],
    [2, right === "GET" ? "HEAD" : right],
    [1, draw.pick(["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND", "HEAD"])],
  ])
  const about = { surface: "api", method, headers, endpoint, ...(key === undefined ? {} : { key }) } as const
  return right === "POST" || draw.chance(0.01)
    ? { ...about, target: endpoint.path, body: bodyOf(draw, params) }
    : { ...about, target: endpoint.path + queryOf(draw, params) }
}

const keyless = (draw: Draws, world: World, known: Known): Omit<HostileRequest, "from"> => {
  const proof = draw.pick(Object.values(proofs))
  const target = draw.weighted<() => string>([
    [5, () => proof.path + queryOf(draw, paramsOf(draw, proof, known))],
    [5, () => draw.pick(documents) + (draw.chance(0.1) ? queryOf(draw, { [text(draw)]: text(draw) }) : "")],
    [3, () => draw.pick(nowhere)],
    [1, () => `/${encoded(text(draw))}`],
    [0.3, () => `/v1/${"a".repeat(draw.pick([8_000, 8_190, 9_000]))}`],
  ])()
  const { header } = draw.chance(0.1) ? authorization(draw, world) : {}
  const method = draw.weighted<string>([
    [16, "GET"],
    [2, "HEAD"],
    [2, draw.pick(["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])],
  ])
  return {
    surface: "keyless",
    method,
    target,
    headers: { ...others(draw, known), ...(header === undefined ? {} : { authorization: header.trim() }) },
    ...(method === "POST" ? { body: bodyOf(draw, {}) } : {}),
  }
}

/** What the operator's verbs may break: nothing that the other requests pay with. */
const broken = (draw: Draws, { victim }: World): Readonly<Record<string, unknown>> => ({
  account: draw.pick([victim.account, "victim", "nobody"]),
  agent: draw.pick([victim.agent, "broken"]),
  key: draw.pick(victim.keys),
  webhook: victim.webhook,
  url: draw.pick([
    "https://hook.example/x",
    "http://127.0.0.1/",
    "https://[::1]/",
    "ftp://x",
    "https://user:pw@x.example",
  ]),
  events: ["agent.budget_warning"],
  name: `name ${draw.integer(100_000)}`,
})

const admin = (draw: Draws, world: World, known: Known): Omit<HostileRequest, "from"> => {
  const verb = draw.pick(adminVerbs)
  const wild = draw.pick([0, 0, 0.3])
  const names = broken(draw, world)
  const input: Record<string, unknown> = {}
  for (const [name, rule] of verbRules.get(verb)!) {
    if (name in names) input[name] = draw.chance(0.85) ? names[name] : draw.chance(0.5) ? value(draw) : text(draw)
    else if (draw.chance(0.6)) input[name] = draw.chance(wild) ? value(draw) : good(draw, rule)
  }
  const inPath = Endpoint.pathParamNames(verb)
  const path = verb.path.replace(/:(\w+)/g, (_, name: string) => encoded(plain(input[name] ?? "nothing")))
  const rest = Object.fromEntries(Object.entries(input).filter(([name]) => !inPath.has(name) || draw.chance(0.02)))
  const token = draw.weighted([
    [20, `Bearer ${adminToken}`],
    [1, "Bearer wrong"],
    [1, `Bearer ${world.keys.live.token}`],
    [1, ""],
  ])
  const method = draw.chance(0.95)
    ? Endpoint.methodOf(verb)
    : draw.pick(["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
  const headers = {
    ...(draw.chance(0.2) ? others(draw, known) : {}),
    ...(token === "" ? {} : { authorization: token }),
    "content-type": "application/json",
  }
  return Endpoint.methodOf(verb) === "GET"
    ? { surface: "admin", method, verb, headers, target: path + queryOf(draw, rest) }
    : { surface: "admin", method, verb, headers, target: path, body: bodyOf(draw, rest) }
}

const mcp = (draw: Draws, world: World, known: Known): Omit<HostileRequest, "from"> => {
  const { header, key } = draw.chance(0.85) ? authorization(draw, world) : {}
  const made = Mcp.request(draw, (endpoint) => paramsOf(draw, endpoint, known))
  return {
    surface: "mcp",
    ...made,
    headers: { ...made.headers, ...(header === undefined ? {} : { authorization: header.trim() }) },
    ...(key === undefined ? {} : { key }),
  }
}

/** The request of that number: the same for the same seed, whatever came before it. */
export const request = (seed: number, at: number, world: World, known: Known): HostileRequest => {
  const draw = draws(Math.imul(seed, 0x9e_37_79_b1) ^ Math.imul(at + 1, 0x85_eb_ca_77))
  const made = draw.weighted([
    [55, () => api(draw, world, known)],
    [16, () => keyless(draw, world, known)],
    [16, () => mcp(draw, world, known)],
    [10, () => admin(draw, world, known)],
    [2, (): Omit<HostileRequest, "from"> => bytes(draw, world)],
  ])()
  // As many addresses as it takes for none without a key to be refused for its pace alone.
  return { ...made, from: `127.0.${1 + draw.integer(3)}.${1 + draw.integer(250)}` }
}
