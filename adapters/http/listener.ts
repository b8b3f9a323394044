import { type IncomingMessage, type RequestListener, type ServerResponse, STATUS_CODES } from "node:http"
import type { Socket } from "node:net"
import { pipeline, Readable } from "node:stream"
import type * as HttpApp from "@effect/platform/HttpApp"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Runtime from "effect/Runtime"
import * as RuntimeFlags from "effect/RuntimeFlags"
import type * as Catalogue from "../../core/endpoint/Catalogue.ts"
import * as Endpoint from "../../core/endpoint/Endpoint.ts"
import { type Code, type Failure, fail } from "../../core/endpoint/Failure.ts"
import type { Context, Format } from "../../core/gateway/Call.ts"
import { Gateway } from "../../core/gateway/Gateway.ts"
import type { Served } from "../../core/gateway/Served.ts"
import { service } from "../../core/gateway/service.ts"
import { readObject } from "./body.ts"
import { onGone } from "./gone.ts"
import { formatOf, notAcceptable, split, typesOf } from "./query.ts"
import * as Wire from "./wire.ts"

const contextOf = (request: IncomingMessage, head: boolean, format: Format): Context => {
  const key = request.headers["idempotency-key"]
  const known = request.headers["if-none-match"]
  const address = request.socket.remoteAddress
  return {
    authorization: request.headers.authorization,
    head,
    format,
    ...(typeof key === "string" ? { idempotencyKey: key } : {}),
    ...(known === undefined ? {} : { ifNoneMatch: known }),
    ...(address === undefined ? {} : { address }),
  }
}

export interface Limits {
  /** Longest request target, characters. */
  readonly uri: number
  /** Largest request body, bytes. */
  readonly body: number
  /** Longest time for an answer, milliseconds. */
  readonly answerMs: number
}

export const defaultLimits: Limits = { uri: 8_192, body: 65_536, answerMs: 30_000 }

/** A request on its way to an answer in a form of its own. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The path of the request's target. */
  readonly path: string
  /** To be called right before the head of the answer is written. */
  readonly settle: (response: ServerResponse) => void
}

/** Paths outside the catalogue whose answers have a form of their own, refusals included. */
export interface Mount {
  readonly paths: ReadonlySet<string>
  readonly onRequest: (exchange: Exchange) => void
  /** What the listener refuses whatever the path; the body of such a request is not read. */
  readonly onRefused: (exchange: Exchange, failure: Failure) => void
  /** The end was asked for: nothing that lasts may begin, and what has no end of its own must find one. */
  readonly onDrain: () => void
}

export interface Listener {
  readonly onRequest: RequestListener
  readonly onClientError: (error: NodeJS.ErrnoException, socket: Socket) => void
  /** From here on every answer is the last of its connection. */
  readonly onDrain: () => void
}

const clientErrors: Readonly<Record<string, Code>> = {
  HPE_HEADER_OVERFLOW: "headers_too_large",
  ERR_HTTP_REQUEST_TIMEOUT: "request_timeout",
}

const malformed = fail("invalid_parameter", {
  detail: "The request is not valid HTTP/1.1.",
  hints: [{ field: "request", action: "change", suggestion: "Send a well-formed HTTP/1.1 request." }],
})

/** Whether a request has the method of an endpoint; HEAD is GET without a body. */
const takes = (endpoint: Endpoint.Any, { method }: IncomingMessage): boolean =>
  Endpoint.methodOf(endpoint) === (method === "HEAD" ? "GET" : method)

/** RFC 9112, 3.2: one Host, no more and no less. node reads the first of several. */
const hasOneHost = ({ rawHeaders, httpVersion }: IncomingMessage): boolean => {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]!.toLowerCase() === "host") hosts++
  return hosts === 1 || (hosts === 0 && httpVersion === "1.0")
}

/**
 * Catalogue paths go straight from node:http to the gateway; everything else is the `rest` app. A client that goes away
 * or an answer that takes too long interrupts its call, which costs nothing unless the charge has begun.
 */
export const make = (
  catalogue: Catalogue.Any,
  rest: HttpApp.Default,
  limits: Limits,
  mount?: Mount,
): Effect.Effect<Listener, never, Gateway> =>
  Effect.gen(function* () {
    const gateway = yield* Gateway
    // Where a call can be interrupted is the gateway's to say: an answer whose charge has begun must not be lost.
    const fork = Runtime.runFork(Runtime.disableRuntimeFlag(yield* Effect.runtime<never>(), RuntimeFlags.Interruption))
    const others = yield* NodeHttpServer.makeHandler(rest)

    /** The newest answer of each connection; it is written after those before it. */
    const newest = new WeakMap<Socket, ServerResponse>()
    let draining = false

    /** The headers of each endpoint's answers, made once. */
    const own = new Map(
      [...catalogue.entries, ...service.entries].map(({ endpoint }) => [endpoint, Wire.headersOf(endpoint)]),
    )

    /** While the server ends, the newest answer of a connection is its last. */
    const settle = (response: ServerResponse): void => {
      if (draining && newest.get(response.req.socket) === response) response.shouldKeepAlive = false
    }

    const send = (response: ServerResponse, { status, headers, body, pieces }: Wire.Wire): void => {
      if (response.destroyed || response.headersSent) return
      settle(response)
      // A GET also says what it charged, so its length is not this body's (RFC 9110, 8.6).
      if (response.req.method === "HEAD") delete headers["content-length"]
      response.writeHead(status, headers)
      if (pieces === undefined || response.req.method === "HEAD") response.end(body)
      // What goes wrong here is the client's going away: the pieces are in memory.
      else pipeline(Readable.from(pieces), response, () => {})
    }

    /** Runs a call and writes what it served. */
    const answer = (call: Effect.Effect<Served>, response: ServerResponse, endpoint: Endpoint.Any): void => {
      const { succeeded, failed } = own.get(endpoint)!
      // Sent by the call itself, so that its fiber ends with nothing: what a fiber ends with is kept for some time.
      const fiber = fork(
        Effect.map(call, (served) =>
          send(response, Wire.of(served, served.status < 400 ? succeeded : failed, response.req.url)),
        ),
      )
      const interrupt = () => fork(Fiber.interruptFork(fiber))
      const timer = setTimeout(interrupt, limits.answerMs)
      const forget = onGone(response.req.socket, interrupt)
      fiber.addObserver((exit) => {
        clearTimeout(timer)
        forget()
        if (exit._tag === "Failure" && !response.destroyed) refuse(fail("request_timeout"), response)
      })
    }

    const refuse = (failure: Failure, response: ServerResponse): void => {
      fork(gateway.refuse(failure)).addObserver((exit) => {
        if (exit._tag === "Success") send(response, Wire.of(exit.value))
        else response.destroy()
      })
    }

    /** What the envelope forbids before any route is looked at. */
    const violation = (request: IncomingMessage): Failure | undefined => {
      // node finds a coding that it cannot read only after it has handed the request on.
      const coding = request.headers["transfer-encoding"]
      if (!hasOneHost(request) || (coding !== undefined && coding.toLowerCase() !== "chunked")) return malformed
      if (request.url!.length > limits.uri) return fail("uri_too_long")
      if (Number(request.headers["content-length"] ?? 0) > limits.body) return fail("payload_too_large")
      return undefined
    }

    const onRequest: RequestListener = (request, response) => {
      // Nothing is answered behind the last answer of a connection, so nothing may be charged there either.
      if (newest.get(request.socket)?.shouldKeepAlive === false) return
      newest.set(request.socket, response)
      const refused = violation(request)
      if (refused !== undefined || draining) response.shouldKeepAlive = false
      if (refused !== undefined) {
        const { path } = split(request.url!)
        return mount?.paths.has(path)
          ? mount.onRefused({ request, response, path, settle }, refused)
          : refuse(refused, response)
      }
      const head = request.method === "HEAD"
      const { path, raw } = split(request.url!)
      const entry = catalogue.byPath.get(path) ?? service.byPath.get(path)
      if (entry === undefined || !takes(entry.endpoint, request)) {
        return mount?.paths.has(path) ? mount.onRequest({ request, response, path, settle }) : others(request, response)
      }
      const { endpoint } = entry
      const hasBody =
        request.headers["transfer-encoding"] !== undefined || Number(request.headers["content-length"] ?? 0) > 0
      const isPost = request.method === "POST"
      // A body on a GET is not read: the connection ends with the answer, so that what follows is not taken for a request.
      if (hasBody && !isPost) response.shouldKeepAlive = false
      const lists = endpoint.rows !== undefined
      const format = formatOf(request.headers.accept, lists)
      if (format === undefined) return refuse(notAcceptable(typesOf(lists)), response)
      const context = contextOf(request, head, format)
      if (!isPost) return answer(gateway.serve(entry, raw, context), response, endpoint)
      const posted = Effect.matchEffect(Effect.interruptible(readObject(request, limits.body)), {
        onFailure: (failure) => {
          // The rest of the body is not read.
          response.shouldKeepAlive = false
          return gateway.refuse(failure)
        },
        onSuccess: (value) => gateway.serve(entry, { _tag: "Json", value }, context),
      })
      answer(posted, response, endpoint)
    }

    /** What node could not read as HTTP is answered in the same envelope, and the connection is closed. */
    const onClientError = (error: NodeJS.ErrnoException, socket: Socket): void => {
      if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy()
      const before = newest.get(socket)
      if (before?.shouldKeepAlive === false) return
      // Answers under way come first: this one would be taken for one of theirs, and they may have been charged.
      if (before !== undefined && !before.writableFinished) {
        return void before.once("close", () => onClientError(error, socket))
      }
      const failure = error.code === undefined ? undefined : clientErrors[error.code]
      fork(gateway.refuse(failure === undefined ? malformed : fail(failure))).addObserver((exit) => {
        if (exit._tag === "Failure" || !socket.writable) return void socket.destroy()
        const { status, headers, body } = Wire.of(exit.value, { ...Wire.json, connection: "close" })
        const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
        socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join("")}\r\n${body}`)
        // An end alone leaves the socket to a client that keeps its own side open.
        socket.destroySoon()
      })
    }

    const onDrain = (): void => {
      draining = true
      mount?.onDrain()
    }

    return { onRequest, onClientError, onDrain }
  })
