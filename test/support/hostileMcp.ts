import * as Protocol from "../../adapters/describe/tools/protocol.ts"
import * as Catalogue from "../../core/endpoint/Catalogue.ts"
import type * as Endpoint from "../../core/endpoint/Endpoint.ts"
import { catalogue } from "../../core/lanes/all.ts"
import { type Draws, jsonText, nested, text, uuid, value, Written } from "./hostileDraws.ts"

/** What a request to the protocol's paths is made of. */
interface Made {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  readonly endpoint?: Endpoint.Any
}

const tools = Catalogue.live(catalogue).map(({ endpoint }) => endpoint)

const idOf = (draw: Draws): unknown =>
  draw.weighted<unknown>([
    [12, draw.integer(1_000_000)],
    [1, text(draw)],
    [1, draw.pick([null, -1, 0.5, {}, [], true, new Written("1e400"), "x".repeat(10_000)])],
  ])

const call = (draw: Draws, paramsOf: (endpoint: Endpoint.Any) => Record<string, unknown>) => {
  const endpoint = draw.pick(tools)
  const own = draw.chance(0.94)
    ? {
        ...paramsOf(endpoint),
        ...(draw.chance(0.1) ? { idempotency_key: draw.chance(0.9) ? uuid(draw) : value(draw) } : {}),
      }
    : value(draw)
  const name = draw.weighted<unknown>([
    [24, endpoint.id],
    [2, "pricing"],
    [1, text(draw)],
    [0.5, value(draw)],
  ])
  return { endpoint, params: { name, arguments: own, ...(draw.chance(0.03) ? { _meta: value(draw) } : {}) } }
}

const methods = [
  "tools/list",
  "initialize",
  "ping",
  "resources/list",
  "resources/templates/list",
  "resources/read",
  "prompts/list",
  "server/discover",
  "logging/setLevel",
]

const message = (draw: Draws, paramsOf: (endpoint: Endpoint.Any) => Record<string, unknown>) => {
  const id = idOf(draw)
  const jsonrpc = draw.weighted<unknown>([
    [30, "2.0"],
    [1, draw.pick(["1.0", 2, null])],
  ])
  const revision = draw.pick([...Protocol.protocolVersions, "1999-01-01", 5])
  return draw.weighted<() => { readonly json: unknown; readonly endpoint?: Endpoint.Any }>([
    [
      22,
      () => {
        const { endpoint, params } = call(draw, paramsOf)
        return { json: { jsonrpc, id, method: "tools/call", params }, endpoint }
      },
    ],
    [
      2,
      () => ({
        json: {
          ...{ jsonrpc, id, method: "initialize" },
          params: { protocolVersion: revision, capabilities: {}, clientInfo: { name: text(draw), version: "1" } },
        },
      }),
    ],
    [2, () => ({ json: { jsonrpc, id, method: draw.pick(methods), params: draw.chance(0.7) ? {} : value(draw) } })],
    [1, () => ({ json: { jsonrpc, id, method: text(draw), params: value(draw) } })],
    [
      1,
      () => ({ json: { jsonrpc, method: draw.pick(["notifications/initialized", "notifications/cancelled", "x"]) } }),
    ],
    [1, () => ({ json: { jsonrpc, id, result: value(draw) } })],
    [
      1,
      () => ({
        json: [
          { jsonrpc, id, method: "ping" },
          { jsonrpc, id, method: "tools/list" },
        ],
      }),
    ],
    [1, () => ({ json: value(draw) })],
    [
      0.5,
      () => ({
        json: {
          ...{ jsonrpc, id, method: "tools/call" },
          params: {
            name: "markets_settled",
            arguments: { domain: new Written(nested(draw.pick([33, 5_000, 20_000]))) },
          },
        },
      }),
    ],
  ])()
}

export const request = (draw: Draws, paramsOf: (endpoint: Endpoint.Any) => Record<string, unknown>): Made => {
  const { json, endpoint } = message(draw, paramsOf)
  const whole = jsonText(json)
  const body = draw.weighted<() => string | Buffer>([
    [30, () => whole],
    [1, () => whole.slice(0, draw.integer(whole.length + 1))],
    [1, () => Buffer.concat([Buffer.from(whole), Buffer.from([0xff, 0xc0])])],
    [0.5, () => `{"pad":"${"x".repeat(70_000)}"}`],
  ])()
  const headers: Record<string, string> = {
    "content-type": draw.weighted([
      [30, "application/json"],
      [1, draw.pick(["text/plain", "application/json; charset=utf-16", "application/x-www-form-urlencoded"])],
    ]),
    accept: draw.weighted([
      [20, "application/json, text/event-stream"],
      [1, draw.pick(["application/json", "text/html", "*/*", ""])],
    ]),
  }
  if (draw.chance(0.2)) {
    headers["mcp-protocol-version"] = draw.pick([...Protocol.protocolVersions, "1999-01-01", "x".repeat(500)])
  }
  if (draw.chance(0.02)) headers["mcp-session-id"] = draw.pick(["x", "y".repeat(2_000)])
  if (draw.chance(0.03)) headers["origin"] = draw.pick(["https://evil.example", "null", "http://localhost:1"])
  if (draw.chance(0.03)) headers["mcp-method"] = draw.pick(["tools/list", "tools/call", "x"])
  if (draw.chance(0.03)) headers["mcp-name"] = draw.pick(["crypto_spot", "x"])
  const [method, target] = draw.weighted<readonly [string, string]>([
    [40, ["POST", Protocol.paths.streamable]],
    [2, ["POST", `${Protocol.paths.streamable}?toolsets=${draw.pick(["weather,crypto", "x", "%", ",", "__proto__"])}`]],
    [1, [draw.pick(["GET", "PUT", "DELETE", "OPTIONS", "HEAD"]), Protocol.paths.streamable]],
    [
      2,
      ["POST", `${Protocol.paths.messages}?sessionId=${draw.pick(["", "x", "00000000-0000-4000-8000-000000000000"])}`],
    ],
    [1, ["POST", Protocol.paths.events]],
  ])
  return {
    method,
    target,
    headers,
    ...(method === "POST" || method === "PUT" ? { body } : {}),
    ...(endpoint === undefined ? {} : { endpoint }),
  }
}
