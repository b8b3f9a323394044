import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Catalogue from "../../../core/endpoint/Catalogue.ts"
import * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import type { RequestContext } from "../../../core/gateway/Call.ts"
import { Gateway } from "../../../core/gateway/Gateway.ts"
import type { Served } from "../../../core/gateway/Served.ts"
import { accountCatalogue } from "../../../core/lanes/account/Account.ts"
import { planEstimate } from "../../../core/lanes/account/plan.ts"
import * as Step from "../../../core/Step.ts"
import * as Pricing from "../../describe/tools/pricing.ts"
import { paymentMeta } from "../../describe/tools/protocol.ts"
import * as Schemas from "../../describe/tools/schemas.ts"
import { type Entry, entries } from "../../describe/tools/tools.ts"
import * as Toolsets from "../../describe/tools/toolsets.ts"
import { toolExtension } from "../payments/x402/bazaar.ts"

type Arguments = Readonly<Record<string, unknown>>

/** A tool's answer: the same envelope as over HTTP, errors included. */
export type Result = {
  readonly isError?: true
  readonly content: Array<{ readonly type: "text"; readonly text: string }>
  /**
   * The envelope. Absent on errors, since clients of older revisions would validate them against the tool's output schema.
   * On a refusal that x402 can pay: its terms, which are the first text too.
   */
  readonly structuredContent?: Arguments
  /** What HTTP says in the status and the headers. */
  readonly _meta: Arguments
}

/** The object in the value of a header of x402. */
const decodeHeader = (header: string): Arguments => JSON.parse(Buffer.from(header, "base64").toString("utf8"))

/** A payment in `_meta` as the value of the header `PAYMENT-SIGNATURE`. */
export const readPayment = (meta: Arguments | undefined): Pick<RequestContext, "payment"> => {
  const payment = meta?.[paymentMeta.payment]
  return payment === undefined ? {} : { payment: Buffer.from(JSON.stringify(payment)).toString("base64") }
}

/** What HTTP says of a reply in the status and the headers. */
export const toMeta = ({ status, limit, replayed, retryAfterMs, receipt }: Served): Arguments => ({
  status,
  ...(limit === undefined
    ? {}
    : { rate_limit: { limit: limit.limit, remaining: limit.remaining, reset_seconds: limit.resetSeconds } }),
  ...(retryAfterMs === undefined ? {} : { retry_after_ms: retryAfterMs }),
  ...(replayed ? { idempotent_replay: true } : {}),
  ...(receipt === undefined ? {} : { [paymentMeta.receipt]: decodeHeader(receipt) }),
})

/** The terms on which x402 can pay for a refused call; undefined where there are none. */
export const toPaymentTerms = ({ required }: Served, { tool, served }: Entry): Arguments | undefined =>
  required === undefined
    ? undefined
    : {
        ...decodeHeader(required),
        resource: { url: `mcp://tool/${tool.name}`, description: tool.description, mimeType: "application/json" },
        extensions: toolExtension(tool, served?.endpoint.example ?? {}),
      }

const toText = (text: string) => ({ type: "text", text }) as const

/** Rewrites the paths of the API in a reply's JSON as tools with arguments. */
type Rewrite = (served: Served, tool: string) => string

const apiPath = /(?:(?:GET|POST) )?(\/v1\/[a-z0-9/-]+)(?:\?([^\s"`]*))?/g
/** The count in `_meta`, which is the last member. */
const lastTokens = /(.*"tokens_estimated":)(\d+)/s
const linksPart = /"_links":\[\{.*?\]\}\]/s

interface ArgumentType {
  readonly type?: string
  readonly items?: ArgumentType
}

const toArgument = (schema: ArgumentType | undefined, text: string): unknown => {
  if (schema?.type === "array") return text.split(",").map((item) => toArgument(schema.items, item))
  if (schema?.type === "boolean") return text === "true"
  return schema?.type === "number" || schema?.type === "integer" ? Number(text) : text
}

/**
 * Callers of tools are told in their own terms what they can do: in the links and next steps of an answer, and in all of a
 * failure. Results are the same as over HTTP.
 */
const makeRewrite = (tools: ReadonlyArray<Entry>): Rewrite => {
  const toolAt = new Map(tools.map(({ tool }) => [tool._meta.endpoint, tool]))
  const rewrite = (text: string): string =>
    text.replace(apiPath, (whole, path: string, query = "") => {
      const tool = toolAt.get(path)
      if (tool === undefined) return whole
      const types = tool.inputSchema["properties"] as Readonly<Record<string, ArgumentType>>
      const args = Array.from(new URLSearchParams(query), ([name, text]) => [name, toArgument(types[name], text)])
      const shown = JSON.stringify(JSON.stringify(Object.fromEntries(args))).slice(1, -1)
      return args.length === 0 ? tool.name : `${tool.name} ${shown}`
    })
  return ({ status, body }, tool) => {
    const text = body.toText()
    if (status !== 200) {
      const rewritten = rewrite(text)
      return tool === Pricing.name
        ? rewritten.replaceAll("endpoint", "tool").replaceAll("params", "arguments")
        : rewritten
    }
    const told = text.replace(linksPart, rewrite).replace(/"_suggestions":\[.*$/s, rewrite)
    const tokens = Math.round((Buffer.byteLength(told) - Buffer.byteLength(text)) / 4)
    return tokens === 0
      ? told
      : told.replace(lastTokens, (_, start: string, count: string) => start + (Number(count) + tokens))
  }
}

/** @param body the reply's text in the words of tools */
export const toResult = (served: Served, entry: Entry, body: string): Result => {
  const text = toText(body)
  const _meta = toMeta(served)
  if (served.status === 200) return { content: [text], structuredContent: JSON.parse(body), _meta }
  const terms = toPaymentTerms(served, entry)
  return terms === undefined
    ? { isError: true, content: [text], _meta }
    : { isError: true, content: [toText(JSON.stringify(terms)), text], structuredContent: terms, _meta }
}

/** The arguments' idempotency key; a value that is not text becomes an invalid key. */
const toKey = (key: unknown): Pick<RequestContext, "idempotencyField" | "idempotencyKey"> =>
  key === undefined
    ? {}
    : { idempotencyKey: typeof key === "string" ? key : "", idempotencyField: Schemas.idempotencyKey }

/** A call's parameters, and its idempotency key where the tool has one. */
const split = (endpoint: Endpoint.Any, args: Arguments): readonly [params: Arguments, key: unknown] => {
  if (Endpoint.isKeyless(endpoint)) return [args, undefined]
  const { [Schemas.idempotencyKey]: key, ...params } = args
  return [params, key]
}

/** Calls a tool by name; undefined for an unknown tool. */
export type Call<R = Effect.Effect<Served>> = (name: string, args: Arguments, context: RequestContext) => R | undefined

export interface Tools {
  readonly entries: ReadonlyArray<Entry>
  readonly call: Call
  /** The same, but the call begins at once. */
  readonly begin: Call<Step.Step<Served>>
  readonly inTools: Rewrite
}

/** The tools of a catalogue, called through the gateway: the same data, price and charge as over HTTP. */
export const make = (
  catalogue: Catalogue.Any,
  toolsets?: ReadonlyArray<string>,
): Effect.Effect<Tools, never, Gateway> =>
  Effect.map(Gateway, ({ serve, manages, waysToPay }) => {
    const all = entries(catalogue, manages && Toolsets.manages(toolsets))
    const byName = new Map(all.map(({ tool, served }) => [tool.name, served]))
    const plan = accountCatalogue.byId.get(planEstimate.id)!
    const list = Pricing.list(catalogue, waysToPay)
    const listText = JSON.stringify(list)
    const prices: Served = {
      status: 200,
      requestId: "",
      body: { toText: () => listText, toValue: () => list },
      retryAfterMs: undefined,
      limit: undefined,
      replayed: false,
    }

    const callWith =
      <R>(ask: (...asked: Parameters<typeof serve>) => R): Call<R | Exit.Exit<Served>> =>
      (name, args, context) => {
        if (name === Pricing.name) {
          // The plan's decoder reports unknown arguments.
          return Object.keys(args).length === 0
            ? Exit.succeed(prices)
            : ask(plan, { _tag: "Json", value: Pricing.toPlan(args) }, context)
        }
        const entry = byName.get(name)
        if (entry === undefined) return undefined
        const [value, key] = split(entry.endpoint, args)
        return ask(entry, { _tag: "Json", value }, { ...context, ...toKey(key) })
      }
    return {
      entries: all,
      call: callWith(serve),
      begin: callWith(Step.eager(serve)),
      inTools: makeRewrite(all),
    }
  })
