import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** One delivery as it came in. */
export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** `webhook-id`. */
  readonly id: string
  readonly at: number
}

export type Answer = (received: Received, response: ServerResponse, request: IncomingMessage) => void

export const answering =
  (status: number, headers: Readonly<Record<string, string>> = {}, body = ""): Answer =>
  (_, response) =>
    void response.writeHead(status, headers).end(body)

export const ok = answering(200)
export const hang: Answer = () => {}
export const reset: Answer = (_, __, request) => void request.socket.resetAndDestroy()

/** A loopback server that takes deliveries and answers as it is told. */
export const receiver = async (answer: Answer = ok) => {
  const received: Array<Received> = []
  let waiting: Array<() => void> = []
  let told = answer
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("error", () => {})
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const one: Received = {
        path: request.url!,
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
        id: String(request.headers["webhook-id"]),
        at: performance.now(),
      }
      received.push(one)
      told(one, response, request)
      for (const check of waiting) check()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    received,
    /** How it answers from here on. */
    answers: (next: Answer) => {
      told = next
    },
    /** Resolves when what has come in is enough. */
    until: (enough: (all: ReadonlyArray<Received>) => boolean) =>
      new Promise<void>((resolve) => {
        const check = () => {
          if (!enough(received)) return
          waiting = waiting.filter((each) => each !== check)
          resolve()
        }
        waiting.push(check)
        check()
      }),
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export type Receiver = Awaited<ReturnType<typeof receiver>>
