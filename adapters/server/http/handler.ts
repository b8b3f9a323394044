import type { IncomingMessage, RequestListener, ServerResponse } from "node:http"
import { Duplex, Readable, Writable } from "node:stream"

/** Whom a request comes from. */
export interface Peer {
  /** The address of the connection; absent: no limit holds per address. */
  readonly address?: string | undefined
}

export type Handler = (request: Request, peer: Peer) => Promise<Response>

/** The part of a connection that a listener uses. Each request has its own, like a stream of HTTP/2. */
const makeSocket = (address: string | undefined): Duplex => {
  const socket = new Duplex({ read: () => {}, write: (_chunk, _encoding, done) => done() })
  return Object.assign(socket, { remoteAddress: address, destroySoon: () => socket.destroy() })
}

/** The part of a request that a listener reads. */
const makeIncomingMessage = (request: Request, socket: Duplex): IncomingMessage => {
  const { pathname, search, host } = new URL(request.url)
  const headers: Record<string, string> = { host, ...Object.fromEntries(request.headers) }
  // A `Request` does not say how its body is framed: without a length it counts as chunked.
  if (request.body !== null && headers["content-length"] === undefined) headers["transfer-encoding"] = "chunked"
  const body = Readable.from(request.body ?? [], { objectMode: false })
  // The reader of the body waits for `close`, which follows an error.
  body.on("error", () => {})
  return Object.assign(body, {
    method: request.method,
    url: pathname + search,
    httpVersion: "1.1",
    headers,
    rawHeaders: Object.entries(headers).flat(),
    socket,
  }) as unknown as IncomingMessage
}

type Value = string | number | ReadonlyArray<string>

const isFlat = (headers: object): headers is ReadonlyArray<string> => Array.isArray(headers)

/** The status that nginx uses for a client that has disconnected. */
const clientClosedRequest = 499

/** The part of a response that a listener writes to; it becomes a `Response`. */
class Answer extends Writable {
  headersSent = false
  shouldKeepAlive = true
  readonly #headers = new Headers()
  #status = 200
  #isGiven = false
  #body: ReadableStreamDefaultController<Uint8Array> | undefined
  /** Asks for the next chunk. */
  #next: (() => void) | undefined

  readonly req: IncomingMessage
  readonly #give: (response: Response) => void
  readonly #fail: (error: Error) => void

  constructor(req: IncomingMessage, give: (response: Response) => void, fail: (error: Error) => void) {
    super()
    this.req = req
    this.#give = give
    this.#fail = fail
  }

  setHeader(name: string, value: Value): this {
    this.#headers.delete(name)
    for (const each of [value].flat()) this.#headers.append(name, String(each))
    return this
  }

  /** @param headers by name, or names and values in turn */
  writeHead(status: number, headers: Readonly<Record<string, Value>> | ReadonlyArray<string> = {}): this {
    this.#status = status
    this.headersSent = true
    if (!isFlat(headers)) for (const [name, value] of Object.entries(headers)) this.setHeader(name, value)
    else for (let at = 0; at < headers.length; at += 2) this.setHeader(headers[at]!, headers[at + 1]!)
    return this
  }

  get #hasBody(): boolean {
    return this.req.method !== "HEAD" && this.#status !== 204 && this.#status !== 304
  }

  #respond(body: BodyInit | null): void {
    this.#isGiven = true
    this.#give(new Response(body, { status: this.#status, headers: this.#headers }))
  }

  #stream(): void {
    const pull = () => {
      const next = this.#next
      this.#next = undefined
      next?.()
    }
    const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      this.#body = controller
    }
    this.#respond(new ReadableStream({ start, pull, cancel: () => void this.destroy() }))
  }

  override _write(chunk: Uint8Array<ArrayBuffer>, encoding: BufferEncoding, done: () => void): void {
    if (!this.#hasBody) return void done()
    if (this.#body !== undefined) {
      this.#next = done
      return void this.#body.enqueue(chunk)
    }
    // The first chunk waits for a microtask: if it is the whole body, no stream is needed.
    queueMicrotask(() => {
      if (this.destroyed) return
      if (this.writableEnded && this.writableLength === chunk.length) {
        this.#respond(chunk)
        return void done()
      }
      this.#stream()
      this._write(chunk, encoding, done)
    })
  }

  override _final(done: () => void): void {
    if (!this.#isGiven) this.#respond(null)
    this.#body?.close()
    done()
  }

  override _destroy(_error: Error | null, done: () => void): void {
    const error = new Error("The answer was cut off.")
    if (!this.#isGiven) this.#fail(error)
    else if (!this.writableFinished) this.#body?.error(error)
    done()
  }
}

/** A listener as a function from `Request` to `Response`. */
export const fromListener =
  (onRequest: RequestListener): Handler =>
  (request, { address }) =>
    new Promise((give, fail) => {
      if (request.bodyUsed) throw new TypeError("The body was read before: pass the request on as it came.")
      const socket = makeSocket(address)
      const incoming = makeIncomingMessage(request, socket)
      const answer = new Answer(incoming, give, fail)
      answer.once("close", () => {
        // The host reads or discards the rest of the body.
        incoming.pause()
        socket.destroy()
      })
      request.signal.addEventListener("abort", () => {
        // Nobody reads this response.
        give(new Response(null, { status: clientClosedRequest }))
        answer.destroy()
      })
      onRequest(incoming, answer as unknown as ServerResponse<IncomingMessage> & { req: IncomingMessage })
    })
