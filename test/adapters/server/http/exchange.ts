import { connect, type Socket } from "node:net"
import { assert } from "@effect/vitest"

/** One response as received. */
export interface Answered {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** The head of a request; further headers verbatim. */
export const request = (line: string, ...headers: ReadonlyArray<string>): string =>
  `${[`${line} HTTP/1.1`, "Host: 127.0.0.1", ...headers].join("\r\n")}\r\n\r\n`

/**
 * Splits a stream of responses; throws on unexpected bytes.
 *
 * @param bare which of them answer a HEAD and so have no body
 */
export const responses = (wire: string, bare: ReadonlyArray<boolean> = []): ReadonlyArray<Answered> => {
  const found: Array<Answered> = []
  for (let rest = wire; rest !== ""; ) {
    const end = rest.indexOf("\r\n\r\n")
    const [line = "", ...lines] = rest.slice(0, end).split("\r\n")
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1])
    if (end === -1 || Number.isNaN(status)) throw new Error(`No response: ${JSON.stringify(rest.slice(0, 200))}`)
    const headers = Object.fromEntries(
      lines.map((each) => [each.slice(0, each.indexOf(":")).toLowerCase(), each.slice(each.indexOf(":") + 1).trim()]),
    )
    const length = status === 204 || bare[found.length] === true ? 0 : Number(headers["content-length"])
    found.push({ status, headers, text: rest.slice(end + 4, end + 4 + length) })
    rest = rest.slice(end + 4 + length)
  }
  return found
}

/**
 * Limit for an immediate event, milliseconds: far above its real time, and below the time-outs it must be distinguished
 * from (keep-alive 5 s, drain 8 s).
 */
const atOnceMs = 4_000

/** Waits for an immediate event. */
export const atOnce = async (awaited: () => Promise<unknown>): Promise<void> => {
  const began = performance.now()
  await awaited()
  assert.isBelow(performance.now() - began, atOnceMs)
}

/** A connection that sends bytes verbatim and keeps its side open until the server has closed. */
export const open = (url: string): { readonly socket: Socket; readonly received: Promise<string> } => {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true }).setEncoding("latin1")
  const received = new Promise<string>((resolve, reject) => {
    let wire = ""
    socket.setTimeout(atOnceMs, () => {
      reject(new Error(`The server keeps the connection open after ${JSON.stringify(wire)}`))
      socket.destroy()
    })
    socket.on("data", (chunk) => {
      wire += chunk
    })
    // The server may reset a connection after its last response, which still counts.
    socket.on("error", () => socket.destroy())
    socket.on("end", () => socket.end())
    socket.on("close", () => resolve(wire))
  })
  return { socket, received }
}

/** Writes bytes and returns every response until the server closes the connection. */
export const exchange = async (url: string, bytes: string | Buffer): Promise<ReadonlyArray<Answered>> => {
  const { socket, received } = open(url)
  socket.write(bytes)
  return responses(await received)
}
