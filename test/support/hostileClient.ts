import { Agent, request as ask, type IncomingHttpHeaders } from "node:http"
import { connect } from "node:net"
import type { HostileRequest } from "./hostileRequests.ts"
import type { World } from "./hostileWorld.ts"

/** What came back, or how it went wrong. */
export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** The code of the error of the socket, where there was no answer. */
  readonly error?: string
  readonly ms: number
}

/** No request may take longer, milliseconds. */
const patience = 40_000
/** How long bytes that are no request are given. */
const bytesPatience = 1_500

export const client = (url: string, adminUrl: string) => {
  // Free connections are given up before the server does so, or a request could meet its end.
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 64, timeout: 1_500 })
  const nothing = { status: 0, headers: {}, body: "" }

  const raw = ({ body, from }: HostileRequest): Promise<Answer> =>
    new Promise((resolve) => {
      const start = performance.now()
      const { hostname, port } = new URL(url)
      let text = ""
      const socket = connect({ host: hostname, port: Number(port), localAddress: from })
      const done = (error?: string) => {
        clearTimeout(timer)
        socket.destroy()
        const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0)
        const ms = performance.now() - start
        resolve({ status, headers: {}, body: text, ms, ...(error === undefined ? {} : { error }) })
      }
      const timer = setTimeout(() => done(), bytesPatience)
      socket.setEncoding("latin1").on("data", (chunk: string) => {
        text += chunk
      })
      socket.on("error", (error: NodeJS.ErrnoException) => done(error.code ?? error.message)).on("close", () => done())
      socket.end(body ?? "")
    })

  const send = (request: HostileRequest): Promise<Answer> =>
    request.surface === "bytes"
      ? raw(request)
      : new Promise((resolve) => {
          const start = performance.now()
          const base = request.surface === "admin" ? adminUrl : url
          const { hostname, port } = new URL(base)
          const fail = (error: NodeJS.ErrnoException) =>
            resolve({ ...nothing, error: error.code ?? error.message, ms: performance.now() - start })
          const body = request.body === undefined ? undefined : Buffer.from(request.body)
          const outgoing = ask(
            {
              ...{ hostname, port, agent, method: request.method, path: request.target },
              localAddress: request.from,
              headers: {
                ...request.headers,
                ...(body === undefined ? {} : { "content-length": String(body.length) }),
              },
            },
            (response) => {
              const chunks: Array<Buffer> = []
              response.on("data", (chunk: Buffer) => chunks.push(chunk))
              response.on("error", fail).on("end", () =>
                resolve({
                  status: response.statusCode!,
                  headers: response.headers,
                  body: Buffer.concat(chunks).toString("utf8"),
                  ms: performance.now() - start,
                }),
              )
            },
          )
          outgoing.setTimeout(patience, () => outgoing.destroy(new Error("no answer in time"))).on("error", fail)
          outgoing.end(body)
        })

  return { send, stop: () => agent.destroy() }
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
const longest = 2_000

/** A request as one line for a shell; keys by the names they have in the world. What is too long is cut. */
export const curl = (base: string, { surface, method, target, headers, body, from }: HostileRequest, world: World) => {
  const shown = (text: string) =>
    Object.entries(world.keys).reduce((all, [name, { token }]) => all.replaceAll(token, `$KEY_${name}`), text)
  const payload = body === undefined ? "" : Buffer.from(body).toString("base64")
  const piped = payload === "" ? "" : `echo ${payload} | base64 -d | `
  const line =
    surface === "bytes"
      ? `${piped}nc ${new URL(base).host.replace(":", " ")}`
      : [
          `${piped}curl -sS -i --path-as-is --interface ${from} -X ${method}`,
          ...Object.entries(headers).map(([name, value]) => `-H ${quoted(shown(`${name}: ${value}`))}`),
          ...(payload === "" ? [] : ["--data-binary @-"]),
          quoted(base + target),
        ].join(" ")
  return line.length > longest ? `${line.slice(0, longest)}… (${line.length} characters)` : line
}
