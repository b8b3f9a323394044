import { SERVER_INFO_META_KEY } from "@modelcontextprotocol/server"
import { BoundedMap } from "../../../core/BoundedMap.ts"
import type { RequestContext } from "../../../core/gateway/Call.ts"
import type { Served } from "../../../core/gateway/Served.ts"
import { getOrMake } from "../../../core/getOrMake.ts"
import { identity } from "../../describe/tools/protocol.ts"
import type * as ToolList from "../../describe/tools/tools.ts"
import * as Toolsets from "../../describe/tools/toolsets.ts"
import { onClientClosed } from "../http/clientClosed.ts"
import type { Exchange } from "../http/listener.ts"
import type { Finish } from "./calls.ts"
import { send, sendEvent } from "./exchange.ts"
import type { Form, PlainRequest } from "./plain.ts"
import { privateHint } from "./server.ts"
import * as Tools from "./tools.ts"

/*
 * Answers plain requests with the bytes that the library would send, without its server, transport and checks, which cost
 * several times the call. The library answers all other messages.
 */

const serverInfo = `${JSON.stringify(SERVER_INFO_META_KEY)}:${JSON.stringify(identity)}`

/** The text before and after a result, without the id. */
const frames: Readonly<Record<Form, readonly [before: string, after: string]>> = {
  "2025": ['event: message\ndata: {"result":', "}\n\n"],
  "2026": ['{"result":', "}"],
}

const messageEnd = ({ form, id }: PlainRequest): string => `,"jsonrpc":"2.0","id":${id}${frames[form][1]}`

const toMessage = (plain: PlainRequest, result: string): string =>
  `${frames[plain.form][0]}${result}${messageEnd(plain)}`

/** The result of `tools/call` as JSON: that of `Tools.resultOf`, in the library's order. */
const toResultText = (form: Form, served: Served, entry: ToolList.Entry, text: string): string => {
  const facts = JSON.stringify(Tools.toMeta(served))
  const meta = form === "2025" ? facts : `${facts.slice(0, -1)},${serverInfo}}`
  const terms = JSON.stringify(Tools.toPaymentTerms(served, entry))
  const content = terms === undefined ? toContent(text) : `${toContent(terms)},${toContent(text)}`
  const structured = served.status === 200 ? text : terms
  const rest = [
    ...(structured === undefined ? [] : [`"structuredContent":${structured}`]),
    ...(served.status === 200 ? [] : ['"isError":true']),
  ]
  const end = form === "2025" ? "}" : ',"resultType":"complete"}'
  return `{"_meta":${meta},"content":[${content}],${rest.join()}${end}`
}

const toContent = (text: string): string => `{"type":"text","text":${JSON.stringify(text)}}`

/** A list of tools without the request's id. */
const toListBytes = (form: Form, tools: string): Buffer => {
  const rest =
    form === "2025"
      ? ""
      : `,"resultType":"complete",${JSON.stringify(privateHint).slice(1, -1)},"_meta":{${serverInfo}}`
  return Buffer.from(`${frames[form][0]}{"tools":${tools}${rest}}`)
}

/** Most lists in memory; a client's URL and its key's scopes select one. */
const maxLists = 64

/** The tools of a view as the JSON of a list, and the same as the beginning of a message. */
export interface Lists {
  readonly json: (view: Toolsets.View) => string
  readonly beginning: (view: Toolsets.View, form: Form) => Buffer
}

export const makeLists = (entries: ReadonlyArray<ToolList.Entry>): Lists => {
  const serialised = entries.map((entry) => ({ ...entry, json: JSON.stringify(entry.tool) }))
  const byNames = new BoundedMap<string, { readonly json: string } & Record<Form, Buffer>>(maxLists)
  const of = (view: Toolsets.View) => {
    const listed = serialised.filter((entry) => Toolsets.isListed(entry, view))
    const names = listed.map(({ tool }) => tool.name).join()
    return getOrMake(byNames, names, () => {
      const json = `[${listed.map(({ json }) => json).join()}]`
      return { json, "2025": toListBytes("2025", json), "2026": toListBytes("2026", json) }
    })
  }
  return { json: (view) => of(view).json, beginning: (view, form) => of(view)[form] }
}

/** Answers a request; false if the library has to answer it. */
export type Direct = (exchange: Exchange, plain: PlainRequest, view: Toolsets.View, context: RequestContext) => boolean

export const make = (tools: Tools.Tools, lists: Lists, finish: Finish): Direct => {
  const byName = new Map(tools.entries.map((entry) => [entry.tool.name, entry]))

  const write = (exchange: Exchange, { form }: PlainRequest, message: string): void => {
    if (form === "2025") sendEvent(exchange, message)
    else send(exchange, 200, message)
  }

  const called: Direct = (exchange, plain, view, context) => {
    const entry = byName.get(plain.name)
    if (entry === undefined || !Toolsets.isSelected(entry, view)) return false
    const { response } = exchange
    // A client that is gone gets no answer, so it must not be charged.
    if (response.destroyed) return true
    const call = tools.begin(plain.name, plain.args, context)
    if (call === undefined) return false
    finish(
      call,
      (interrupt) => onClientClosed(response.req.socket, interrupt),
      (served) =>
        write(
          exchange,
          plain,
          toMessage(plain, toResultText(plain.form, served, entry, tools.inTools(served, plain.name))),
        ),
    )
    return true
  }

  return (exchange, plain, view, context) => {
    switch (plain.method) {
      case "tools/call":
        return called(exchange, plain, view, context)
      case "ping":
        write(exchange, plain, toMessage(plain, "{}"))
        return true
      case "tools/list": {
        const body = Buffer.concat([lists.beginning(view, plain.form), Buffer.from(messageEnd(plain))])
        if (plain.form === "2025") sendEvent(exchange, body)
        else send(exchange, 200, body)
        return true
      }
    }
  }
}
