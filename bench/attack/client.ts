import { Agent, request } from "node:http"
import { connect, type Socket } from "node:net"

/** An attack's resources. */
export interface Arms {
  readonly url: string
  /** A key, or none. */
  readonly key: string | undefined
  readonly keys: { readonly poor: string; readonly others: ReadonlyArray<string> }
  /** End time, by `performance.now()`. */
  readonly until: number
  /** Counts a result for the table. */
  readonly saw: (what: string | number) => void
}

export interface Asked {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly key?: string | undefined
  /** The caller's address on loopback: requests without a key are limited by address. */
  readonly from?: string
}

export interface Answered {
  readonly status: number
  readonly headers: NodeJS.Dict<string | ReadonlyArray<string>>
  readonly bytes: number
}

/** Sends a request and reads the whole answer; status 0 if there is none. */
export const ask = (
  url: string,
  agent: Agent,
  { method = "GET", path, headers, body, key, from }: Asked,
): Promise<Answered> =>
  new Promise((resolve) => {
    const none: Answered = { status: 0, headers: {}, bytes: 0 }
    const sent = request(
      url + path,
      {
        agent,
        method,
        ...(from !== undefined && { localAddress: from }),
        headers: {
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
          ...(body === undefined
            ? {}
            : { "content-type": "application/json", "content-length": String(Buffer.byteLength(body)) }),
          ...headers,
        },
      },
      (response) => {
        let bytes = 0
        response.on("data", (chunk: Buffer) => {
          bytes += chunk.length
        })
        response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes }))
        response.on("error", () => resolve(none))
      },
    )
    sent.on("error", () => resolve(none))
    sent.end(body)
  })

/** A higher rate would measure the machine. */
const mostASecond = 400

/** Concurrent loops of requests until the attack ends. */
export const flood = async (
  { url, key, until, saw }: Arms,
  atOnce: number,
  make: (turn: number) => Asked,
): Promise<void> => {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce })
  const begun = performance.now()
  let turn = 0
  const one = async () => {
    while (performance.now() < until) {
      const ahead = begun + (turn * 1_000) / mostASecond - performance.now()
      if (ahead > 0) await new Promise((resolve) => setTimeout(resolve, ahead))
      const { status } = await ask(url, agent, { key, ...make(turn++) })
      saw(status)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, one))
  agent.destroy()
}

/** Raw sockets of an attack, closed with it. */
export const sockets = async (
  { url, until, saw }: Arms,
  count: number,
  begin: (socket: Socket, at: number) => void,
): Promise<void> => {
  const { hostname, port } = new URL(url)
  const open = Array.from({ length: count }, (_, at) => {
    const socket = connect({ host: hostname, port: Number(port) })
    socket.on("error", () => saw("reset"))
    socket.on("close", () => saw("closed"))
    socket.on("connect", () => begin(socket, at))
    return socket
  })
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, until - performance.now())))
  saw(`${open.filter(({ destroyed }) => !destroyed).length} open at the end`)
  for (const socket of open) socket.removeAllListeners("close").destroy()
}
