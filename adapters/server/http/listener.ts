import { type IncomingMessage, type RequestListener, type ServerResponse, STATUS_CODES } from "node:http"
import type { Socket } from "node:net"
import { pipeline } from "node:stream"
import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import { RateLimits } from "../../../core/account/RateLimits.ts"
import { type Code, type Failure, fail } from "../../../core/Failure.ts"
import { takeRequestOfAddress } from "../../../core/gateway/access.ts"
import { Gateway } from "../../../core/gateway/Gateway.ts"
import type { Served } from "../../../core/gateway/Served.ts"
import * as Step from "../../../core/Step.ts"
import * as Body from "./body.ts"
import * as ClientAddress from "./clientAddress.ts"
import { onClientClosed } from "./clientClosed.ts"
import * as Finish from "./finish.ts"
import * as Pipeline from "./pipeline.ts"
import { negotiateFormat, notAcceptable, split, typesOf } from "./query.ts"
import { makeContext } from "./requestContext.ts"
import type { Exchange, Handler, Resource, Table } from "./route.ts"
import * as Slices from "./slices.ts"
import { hasBody, malformed, violation } from "./violation.ts"
import * as Wire from "./wire.ts"

export type { Exchange, Mount } from "./route.ts"

type Call = Extract<Handler, { readonly _tag: "Call" }>

export interface Limits extends Body.Bounds {
  /** Longest request target, characters. */
  readonly uri: number
  /** Longest time for an answer, milliseconds. */
  readonly answerMs: number
}

export const defaultLimits: Limits = { uri: 8_192, body: 65_536, arriveMs: 10_000, answerMs: 30_000 }

export interface Listener {
  readonly onRequest: RequestListener
  readonly onClientError: (error: ClientError, socket: Socket) => void
  /** From here on each answer closes its connection. */
  readonly onDrain: () => void
}

const timedOut = "ERR_HTTP_REQUEST_TIMEOUT"

/** Node's error of a malformed request, with the packet. */
interface ClientError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer
}

/** An answer to HEAD has no body, errors included: a client would take it for the next answer. */
const isHead = ({ rawPacket }: ClientError): boolean => rawPacket?.subarray(0, 5).toString("latin1") === "HEAD "

const clientErrors: Readonly<Record<string, Code>> = {
  HPE_HEADER_OVERFLOW: "headers_too_large",
  [timedOut]: "request_timeout",
}

export interface Options {
  readonly table: Table
  /** Handles everything but catalogue calls and mounts. */
  readonly rest: HttpApp.Default
  /** Whether `rest` has no rate limit on any path. */
  readonly isUnlimited?: boolean
  readonly limits: Limits
  readonly trusts: ClientAddress.Trusts
}

/**
 * Catalogue paths go straight from node:http to the gateway, all others to `rest`. A disconnect or the 30 s limit
 * interrupts the call, which costs nothing unless the charge has begun.
 */
export const make = ({
  table,
  rest,
  isUnlimited = false,
  limits,
  trusts,
}: Options): Effect.Effect<Listener, never, Gateway | RateLimits> =>
  Effect.gen(function* () {
    const gateway = yield* Gateway
    const serve = Step.eager(gateway.serve)
    const rates = yield* RateLimits
    const fork = yield* Finish.forking
    const addressOf = (request: IncomingMessage) => ClientAddress.of(request, trusts)
    const fallback = yield* NodeHttpServer.makeHandler(
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
        const remoteAddress = addressOf(NodeHttpServerRequest.toIncomingMessage(request))
        return remoteAddress === undefined
          ? rest
          : Effect.provideService(rest, HttpServerRequest.HttpServerRequest, request.modify({ remoteAddress }))
      }),
    )
    const admit = Pipeline.make()

    /** The newest answer of each connection; it is written after the earlier ones. */
    const newest = new WeakMap<Socket, ServerResponse>()
    let draining = false

    /** During shutdown the newest answer of a connection is its last. */
    const closeIfDraining = (response: ServerResponse): void => {
      if (draining && newest.get(response.req.socket) === response) response.shouldKeepAlive = false
    }

    /** Whether an answer can be written; call it right before its head. */
    const canWrite = (response: ServerResponse): boolean => {
      if (response.destroyed || response.headersSent) return false
      closeIfDraining(response)
      return true
    }

    const writeBody = (response: ServerResponse, body: string): void => {
      if (body.length <= Slices.bytesPerWrite) response.end(body)
      else pipeline(Slices.readable(body), response, () => {})
    }

    const send = (response: ServerResponse, { status, headers, body, pieces }: Wire.Wire): void => {
      if (!canWrite(response)) return
      // A GET reports its charge in the body, so its length may differ from this one's (RFC 9110, 8.6).
      if (response.req.method === "HEAD") delete headers["content-length"]
      response.writeHead(status, headers)
      if (response.req.method === "HEAD") response.end()
      // The only error here is a disconnect: the pieces are in memory.
      else if (pieces !== undefined) pipeline(Slices.ofLines(pieces), response, () => {})
      else writeBody(response, body)
    }

    const sendAnswer = (response: ServerResponse, served: Served, { succeeded, failed }: Call): void => {
      const known = served.status < 400 ? succeeded : failed
      const { method, url } = response.req
      if (method === "HEAD" || served.rows !== undefined || served.status === 304) {
        send(response, Wire.of(served, known.named, method === "HEAD" ? undefined : url))
      } else if (canWrite(response)) {
        const body = served.body.toText()
        response.writeHead(served.status, Wire.flatHeaders(served, body, known))
        writeBody(response, body)
      }
    }

    /** Writes the answer of a call that has begun. */
    const answer = (call: Step.Step<Served>, response: ServerResponse, handler: Call): void =>
      // The call sends its own answer, so that a fiber has no result: the runtime keeps results for some time.
      finish(
        Step.andThen(call, (served) => {
          sendAnswer(response, served, handler)
          return Exit.void
        }),
        response,
      )

    const finish = (sent: Step.Step<void>, response: ServerResponse): void =>
      Finish.finish(fork, sent, {
        answerMs: limits.answerMs,
        onCancel: (interrupt) => onClientClosed(response.req.socket, interrupt),
        ended: ({ _tag }) => {
          if (_tag === "Failure" && !response.destroyed) refuse(fail("request_timeout"), response)
        },
      })

    const refuse = (failure: Failure, response: ServerResponse): void => {
      fork(gateway.errorReply(failure)).addObserver((exit) => {
        if (exit._tag === "Success") send(response, Wire.of(exit.value))
        else response.destroy()
      })
    }

    /** Reads a request's body. On failure the connection closes after the answer, since unread bytes may follow. */
    const closeOnFailure = <A>(response: ServerResponse, body: Step.Step<A, Failure>): Step.Step<A, Failure> =>
      Step.catchCause(body, (cause) => {
        response.shouldKeepAlive = false
        return Exit.failCause(cause)
      })

    const makeExchange = (response: ServerResponse, path: string): Exchange => ({
      request: response.req,
      response,
      path,
      address: addressOf(response.req),
      body: closeOnFailure(response, Body.read(response.req, limits)),
      closeIfDraining,
    })

    /** Documents and errors are free, so they count against the requests per minute of the address. */
    const limitThenRest = (response: ServerResponse, resource: Resource | undefined): void => {
      const address = addressOf(response.req)
      if (address === undefined || isUnlimited || resource?.isUnlimited === true)
        return void fallback(response.req, response)
      fork(
        Effect.match(takeRequestOfAddress(rates, address), {
          // Without the store, which counts for all nodes, documents and pages are still there.
          onFailure: (failure) =>
            failure.code === "storage_unavailable" ? fallback(response.req, response) : refuse(failure, response),
          onSuccess: () => fallback(response.req, response),
        }),
      )
    }

    const dispatch = (request: IncomingMessage, response: ServerResponse): void => {
      const { path, raw } = split(request.url!)
      const resource = table.find(path)
      const handler = resource?.routes.get(request.method!)?.handler
      if (handler?._tag !== "Call") {
        const mount = resource?.mount
        return void (mount === undefined
          ? limitThenRest(response, resource)
          : mount.onRequest(makeExchange(response, path)))
      }
      const { entry } = handler
      const lists = entry.endpoint.rows !== undefined
      const format = negotiateFormat(request.headers.accept, lists)
      if (format === undefined) return void refuse(notAcceptable(typesOf(lists)), response)
      const context = makeContext(request, addressOf(request), request.method === "HEAD", format)
      if (request.method !== "POST") return void answer(serve(entry, raw, context), response, handler)
      const value = Step.either(closeOnFailure(response, Body.readObject(request, limits)))
      const call = Step.andThen(value, (read) =>
        Either.isLeft(read)
          ? gateway.errorReply(read.left)
          : serve(entry, { _tag: "Json", value: read.right }, context),
      )
      answer(call, response, handler)
    }

    const refuseAtOnce = (failure: Failure, response: ServerResponse): void => {
      const { path } = split(response.req.url!)
      const mount = table.find(path)?.mount
      if (mount !== undefined) mount.onRefused(makeExchange(response, path), failure)
      else refuse(failure, response)
    }

    /** Whether a body stays unread. The connection then closes, or the body would be parsed as the next request. */
    const hasUnreadBody = (request: IncomingMessage): boolean => {
      if (request.method === "POST" || !hasBody(request)) return false
      return table.find(split(request.url!).path)?.routes.get(request.method!)?.handler._tag === "Call"
    }

    const onRequest: RequestListener = (request, response) => {
      // Nothing is answered after the last answer of a connection, so nothing may be charged there either.
      if (newest.get(request.socket)?.shouldKeepAlive === false) return
      newest.set(request.socket, response)
      const refused = violation(request, limits)
      if (refused !== undefined || draining || hasUnreadBody(request)) response.shouldKeepAlive = false
      const hasRoom = admit(response, () =>
        refused === undefined ? dispatch(request, response) : refuseAtOnce(refused, response),
      )
      if (!hasRoom) response.shouldKeepAlive = false
    }

    /** Answers a malformed request in the same envelope and closes the connection. */
    const onClientError = (error: ClientError, socket: Socket): void => {
      if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy()
      const before = newest.get(socket)
      if (error.code === timedOut && before !== undefined && !before.req.complete) {
        // The body timed out: its reader fails and is answered. If the answer is already sent, the connection closes.
        if (Body.giveUp(before.req)) return
        if (before.headersSent) return void socket.destroy()
        before.shouldKeepAlive = false
        return
      }
      if (before?.shouldKeepAlive === false) return
      // Earlier answers go first: this one would be taken for one of them, and they may have been charged.
      if (before !== undefined && !before.writableFinished) {
        return void before.once("close", () => onClientError(error, socket))
      }
      const failure = error.code === undefined ? undefined : clientErrors[error.code]
      fork(gateway.errorReply(failure === undefined ? malformed : fail(failure))).addObserver((exit) => {
        if (exit._tag === "Failure" || !socket.writable) return void socket.destroy()
        const { status, headers, body } = Wire.of(exit.value, { ...Wire.json, connection: "close" })
        const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
        socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join("")}\r\n${isHead(error) ? "" : body}`)
        // end() alone would keep the socket while the client keeps its side open.
        socket.destroySoon()
      })
    }

    const onDrain = (): void => {
      draining = true
      for (const mount of table.mounts) mount.onDrain()
    }

    return { onRequest, onClientError, onDrain }
  })
