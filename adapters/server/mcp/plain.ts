import type { IncomingHttpHeaders } from "node:http"
import {
  classifyInboundRequest,
  type JSONRPCMessage,
  PROTOCOL_VERSION_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/server"
import { BoundedMap } from "../../../core/BoundedMap.ts"
import * as Protocol from "../../describe/tools/protocol.ts"

type Members = Readonly<Record<string, unknown>>

/** The wire form of a message: that of the revisions with a handshake, or of the stateless one. */
export type Form = "2025" | "2026"

/** A request in its most common form, which the server answers without the library. */
export interface PlainRequest {
  readonly form: Form
  /** The request's id as JSON. */
  readonly id: string
  readonly method: "ping" | "tools/list" | "tools/call"
  /** The tool of `tools/call`, else "". */
  readonly name: string
  readonly args: Members
  /** The request itself. */
  readonly message: JSONRPCMessage
}

const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !Object.hasOwn(value, "__proto__")

const hasOnly = (value: Members, names: ReadonlySet<string>): boolean => {
  for (const name in value) if (!names.has(name)) return false
  return true
}

const requestNames = new Set(["jsonrpc", "id", "method", "params"])
const paramNames = {
  ping: new Set(["_meta"]),
  "tools/list": new Set(["_meta"]),
  "tools/call": new Set(["_meta", "name", "arguments"]),
} as const

const isMethod = (method: unknown): method is PlainRequest["method"] =>
  typeof method === "string" && Object.hasOwn(paramNames, method)

const isTokenOrId = (value: unknown): boolean => typeof value === "string" || Number.isSafeInteger(value)

const [maxEnvelopes, maxEnvelopeLength] = [256, 2_048] as const
/** Whether the library accepts an envelope, by its text: a client repeats its own with every request. */
const envelopes = new BoundedMap<string, boolean>(maxEnvelopes)

const isEnvelope = (meta: Members): boolean => {
  const text = JSON.stringify(meta)
  const envelope = envelopes.get(text)
  if (envelope !== undefined) return envelope
  const method = "tools/list"
  const outcome = classifyInboundRequest({
    httpMethod: "POST",
    protocolVersionHeader: Protocol.stateless,
    mcpMethodHeader: method,
    body: { jsonrpc: "2.0", id: 0, method, params: { _meta: meta } },
  })
  const isValid = outcome.kind === "modern" && outcome.classification.revision === Protocol.stateless
  if (text.length <= maxEnvelopeLength) envelopes.set(text, isValid)
  return isValid
}

const legacyVersions = new Set(SUPPORTED_PROTOCOL_VERSIONS)

/** The form of a request; undefined if the library has to decide. */
const findForm = (
  headers: IncomingHttpHeaders,
  method: PlainRequest["method"],
  { _meta: meta = {}, name }: Members,
): Form | undefined => {
  if (!isObject(meta)) return undefined
  // The library handles progress and payments.
  if (Object.hasOwn(meta, "progressToken") || Object.hasOwn(meta, Protocol.paymentMeta.payment)) return undefined
  const version = headers["mcp-protocol-version"]
  if (!Object.hasOwn(meta, PROTOCOL_VERSION_META_KEY)) {
    const { accept = "" } = headers
    const isAccepted = accept.includes("application/json") && accept.includes("text/event-stream")
    const isLegacy = version === undefined || legacyVersions.has(version as string)
    return isAccepted && isLegacy && Object.keys(meta).length === 0 ? "2025" : undefined
  }
  if (version !== Protocol.stateless || headers["mcp-method"] !== method || headers["mcp-name"] !== name) {
    return undefined
  }
  // This revision has no `ping`.
  return method !== "ping" && isEnvelope(meta) ? "2026" : undefined
}

/**
 * Reads a request that has only the members that every client sends.
 *
 * @param value the parsed body
 * @returns undefined for every other message, erroneous ones included: the library answers them
 */
export const parse = (headers: IncomingHttpHeaders, value: unknown): PlainRequest | undefined => {
  if (!isObject(value) || value["jsonrpc"] !== "2.0" || !hasOnly(value, requestNames)) return undefined
  const { id, method, params = {} } = value
  if (!isTokenOrId(id) || !isMethod(method)) return undefined
  if (!isObject(params) || !hasOnly(params, paramNames[method])) return undefined
  const { name = "" } = params
  const args = params["arguments"] === undefined ? {} : params["arguments"]
  if (typeof name !== "string" || !isObject(args)) return undefined
  const form = findForm(headers, method, params)
  return form && { form, id: JSON.stringify(id), method, name, args, message: value as JSONRPCMessage }
}
