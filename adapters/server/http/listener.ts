import { type IncomingMessage, type RequestListener, type ServerResponse, STATUS_CODES } from "node:http"
import type { Socket } from "node:net"
import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import { RateLimits } from "../../../core/account/RateLimits.ts"
import type { Raw } from "../../../core/endpoint/decode.ts"
import { type Code, type Failure, fail } from "../../../core/Failure.ts"
import { takeKeylessRequest } from "../../../core/gateway/access.ts"
import type { Format, RequestContext } from "../../../core/gateway/Call.ts"
import { Gateway } from "../../../core/gateway/Gateway.ts"
import type { Served } from "../../../core/gateway/Served.ts"
import * as Step from "../../../core/Step.ts"
import * as Body from "./body.ts"
import * as ClientAddress from "./clientAddress.ts"
import { onClientClosed } from "./clientClosed.ts"
import * as Finish from "./finish.ts"
import * as Pipeline from "./pipeline.ts"
import { listMediaTypes, negotiateFormat, notAcceptable, splitTarget } from "./query.ts"
import { type Exchange, matchPath, type Resource, type RouteHandler, type Table } from "./route.ts"
import * as Wire from "./wire.ts"

const malformed = fail("invalid_parameter", {
  detail: "The request is not valid HTTP/1.1.",
  hints: [{ field: "request", action: "change", suggestion: "Send a well-formed HTTP/1.1 request." }],
})

/** RFC 9112, 3.2: exactly one Host. Node reads the first of several. */
const hasOneHost = ({ rawHeaders, httpVersion }: IncomingMessage): boolean => {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!
    if (name.length === 4 && name.toLowerCase() === "host") hosts++
  }
  return hosts === 1 || (hosts === 0 && httpVersion === "1.0")
}

/** Whether the headers announce a body. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0

/** The failure of a request that breaks a limit before routing. */
export const findViolation = (
  request: IncomingMessage,
  limits: { readonly uri: number; readonly body: number },
): Failure | undefined => {
  // Node detects an unsupported coding only after it has handed the request on.
  const coding = request.headers["transfer-encoding"]
  if (!hasOneHost(request) || (coding !== undefined && coding.toLowerCase() !== "chunked")) return malformed
  if (request.url!.length > limits.uri) return fail("uri_too_long")
  if (Number(request.headers["content-length"] ?? 0) > limits.body) return fail("payload_too_large")
  return undefined
}

type Writable<A> = { -readonly [Name in keyof A]: A[Name] }

/** The headers and the address of a request that the gateway reads. */
export const makeContext = (
  request: IncomingMessage,
  address: string | undefined,
  head: boolean,
  format: Format,
): RequestContext => {
  const { headers, socket } = request
  const { authorization, "idempotency-key": key, "if-none-match": known, "x-request-id": named, traceparent } = headers
  const { "payment-signature": payment } = headers
  const context: Writable<RequestContext> = { authorization, head, format, connection: socket }
  if (typeof key === "string") context.idempotencyKey = key
  if (known !== undefined) context.ifNoneMatch = known
  if (typeof named === "string") context.clientRequestId = named
  if (typeof payment === "string") context.payment = payment
  if (typeof traceparent === "string") context.traceparent = traceparent
  if (address !== undefined) context.address = address
  return context
}

export type { Exchange, Mount } from "./route.ts"

/** Adds the parameters of a request's path to its query, where a name that stands twice is refused. */
const addPathParams = (template: string, path: string, raw: Raw): Raw => {
  if (raw._tag === "Json" || !template.includes("/:")) return raw
  return { _tag: "Text", entries: [...Object.entries(matchPath(template, path) ?? {}), ...raw.entries] }
}

type Call = Extract<RouteHandler, { readonly _tag: "Call" }>

export interface Limits extends Body.Bounds {
  /** Longest request target, characters. */
  readonly uri: number
  /** Longest time for an answer, milliseconds. */
  readonly answerMs: number
}

export const defaultLimits: Limits = { uri: 8_192, body: Body.maxBodyBytes, arriveMs: 10_000, answerMs: 30_000 }

export interface Listener {
  readonly onRequest: RequestListener
  readonly onClientError: (error: ClientError, socket: Socket) => void
  /** From here on each answer closes its connection. */
  readonly onDrain: () => void
}

const timeoutCode = "ERR_HTTP_REQUEST_TIMEOUT"

/** Node's error of a malformed request, with the packet. */
interface ClientError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer
}

/** An answer to HEAD has no body, errors included: a client would take it for the next answer. */
const isHead = ({ rawPacket }: ClientError): boolean => rawPacket?.subarray(0, 5).toString("latin1") === "HEAD "

const clientErrors: Readonly<Record<string, Code>> = {
  HPE_HEADER_OVERFLOW: "headers_too_large",
  [timeoutCode]: "request_timeout",
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

/** The parts of a listener share these. */
interface Shared extends Pick<Options, "table" | "limits"> {
  readonly gateway: Gateway["Type"]
  readonly rates: RateLimits["Type"]
  readonly fork: Finish.Fork
  readonly connections: Wire.Connections
  readonly addressOf: (request: IncomingMessage) => string | undefined
}

/** The answers to calls, and to requests that fail before. */
const makeReplies = ({ limits, gateway, fork, connections }: Shared) => {
  const refuse = (failure: Failure, response: ServerResponse): void => {
    fork(gateway.errorReply(failure)).addObserver((exit) => {
      if (exit._tag === "Success") Wire.send(connections, response, Wire.of(exit.value))
      else response.destroy()
    })
  }

  const answer = (call: Step.Step<Served>, response: ServerResponse, handler: Call): void =>
    Finish.finish(
      fork,
      // The call sends its own answer, so that a fiber has no result: the runtime keeps results for some time.
      Step.andThen(call, (served) => {
        Wire.sendServed(connections, response, served, handler)
        return Exit.void
      }),
      {
        answerMs: limits.answerMs,
        onCancel: (interrupt) => onClientClosed(response.req.socket, interrupt),
        onEnd: ({ _tag }) => {
          if (_tag === "Failure" && !response.destroyed) refuse(fail("request_timeout"), response)
        },
      },
    )

  return { refuse, answer }
}

const makeExchange = (
  { addressOf, limits, connections }: Shared,
  response: ServerResponse,
  path: string,
): Exchange => ({
  request: response.req,
  response,
  path,
  address: addressOf(response.req),
  body: Body.read(response, limits),
  closeIfDraining: (answer) => Wire.closeIfDraining(connections, answer),
})

/** Starts the work of a request: a call, that of a mount, or that of all other routes. */
const makeDispatch = (
  shared: Shared,
  { refuse, answer }: ReturnType<typeof makeReplies>,
  fallback: RequestListener,
  isUnlimited: boolean,
) => {
  const { table, limits, gateway, rates, fork, addressOf } = shared
  const serve = Step.eager(gateway.serve)

  /** Documents and errors are free, so they count against the requests per minute of the address. */
  const serveLimited = (response: ServerResponse, resource: Resource | undefined): void => {
    const address = addressOf(response.req)
    if (address === undefined || isUnlimited || resource?.isUnlimited === true) {
      return void fallback(response.req, response)
    }
    fork(
      Effect.match(takeKeylessRequest(rates, address), {
        // Without the store, which counts for all nodes, documents and pages are still there.
        onFailure: (failure) =>
          failure.code === "storage_unavailable" ? fallback(response.req, response) : refuse(failure, response),
        onSuccess: () => fallback(response.req, response),
      }),
    )
  }

  const call = (request: IncomingMessage, response: ServerResponse, handler: Call, query: Raw, path: string): void => {
    const { entry } = handler
    const raw = addPathParams(entry.endpoint.path, path, query)
    const lists = entry.endpoint.rows !== undefined
    const format = negotiateFormat(request.headers.accept, lists)
    if (format === undefined) return void refuse(notAcceptable(listMediaTypes(lists)), response)
    const context = makeContext(request, addressOf(request), request.method === "HEAD", format)
    const isPost = request.method === "POST"
    if (!isPost && !hasBody(request)) return void answer(serve(entry, raw, context), response, handler)
    // A needless body is read too: a connection that closes with unread bytes is reset, and an answer that has been charged
    // would be lost.
    const body: Step.Step<Raw, Failure> = isPost
      ? Step.andThen(Body.readObject(response, limits), (value) => Exit.succeed({ _tag: "Json", value } as const))
      : Step.andThen(Body.read(response, limits), () => Exit.succeed(raw))
    const served = Step.andThen(Step.either(body), (read) =>
      Either.isLeft(read) ? gateway.errorReply(read.left) : serve(entry, read.right, context),
    )
    answer(served, response, handler)
  }

  return (request: IncomingMessage, response: ServerResponse): void => {
    const { path, raw: query } = splitTarget(request.url!)
    const resource = table.find(path)
    const handler = resource?.routes.get(request.method!)?.handler
    if (handler?._tag === "Call") return void call(request, response, handler, query, path)
    if (resource?.mount === undefined) return void serveLimited(response, resource)
    resource.mount.onRequest(makeExchange(shared, response, path))
  }
}

/** Answers malformed requests in the same envelope and closes their connections. */
const makeOnClientError = ({ gateway, fork, connections: { newest } }: Shared) => {
  const refuse = (error: ClientError, socket: Socket): void => {
    const code = error.code === undefined ? undefined : clientErrors[error.code]
    fork(gateway.errorReply(code === undefined ? malformed : fail(code))).addObserver((exit) => {
      if (exit._tag === "Failure" || !socket.writable) return void socket.destroy()
      const { status, headers, body } = Wire.of(exit.value, { ...Wire.jsonHeaders, connection: "close" })
      const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
      socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join("")}\r\n${isHead(error) ? "" : body}`)
      // end() alone would keep the socket while the client keeps its side open.
      socket.destroySoon()
    })
  }

  const onClientError = (error: ClientError, socket: Socket): void => {
    if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy()
    const before = newest.get(socket)
    if (before?.req.complete === false) {
      const isLate = error.code === timeoutCode
      // The body is malformed or late: its reader fails and is answered.
      if (Body.abortRead(before.req, isLate ? Body.lateBody : malformed)) return
      if (isLate) {
        // If the answer is already sent, the connection closes.
        if (before.headersSent) return void socket.destroy()
        before.shouldKeepAlive = false
        return
      }
    }
    if (before?.shouldKeepAlive === false) return
    // Earlier answers go first: this one would be taken for one of them, and they may have been charged.
    if (before === undefined || before.writableFinished) refuse(error, socket)
    else before.once("close", () => onClientError(error, socket))
  }
  return onClientError
}

const makeFallback = (rest: HttpApp.Default, addressOf: Shared["addressOf"]) =>
  NodeHttpServer.makeHandler(
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
      const remoteAddress = addressOf(NodeHttpServerRequest.toIncomingMessage(request))
      return remoteAddress === undefined
        ? rest
        : Effect.provideService(rest, HttpServerRequest.HttpServerRequest, request.modify({ remoteAddress }))
    }),
  )

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
    const connections: Wire.Connections = { newest: new WeakMap(), draining: false }
    const { newest } = connections
    const shared: Shared = {
      table,
      limits,
      gateway: yield* Gateway,
      rates: yield* RateLimits,
      fork: yield* Finish.makeFork,
      connections,
      addressOf: (request) => ClientAddress.of(request, trusts),
    }
    const replies = makeReplies(shared)
    const dispatch = makeDispatch(shared, replies, yield* makeFallback(rest, shared.addressOf), isUnlimited)
    const admit = Pipeline.make()

    const refuse = (failure: Failure, response: ServerResponse): void => {
      const { path } = splitTarget(response.req.url!)
      const mount = table.find(path)?.mount
      if (mount === undefined) replies.refuse(failure, response)
      else mount.onRefused(makeExchange(shared, response, path), failure)
    }

    /** Whether a call has a body that it does not need. The connection then closes: proxies differ about where the body ends. */
    const hasNeedlessBody = (request: IncomingMessage): boolean => {
      if (request.method === "POST" || !hasBody(request)) return false
      return table.find(splitTarget(request.url!).path)?.routes.get(request.method!)?.handler._tag === "Call"
    }

    const onRequest: RequestListener = (request, response) => {
      // Nothing is answered after the last answer of a connection, so nothing may be charged there either.
      if (newest.get(request.socket)?.shouldKeepAlive === false) return
      newest.set(request.socket, response)
      const failure = findViolation(request, limits)
      if (failure !== undefined || connections.draining || hasNeedlessBody(request)) response.shouldKeepAlive = false
      const hasRoom = admit(response, () =>
        failure === undefined ? dispatch(request, response) : refuse(failure, response),
      )
      if (!hasRoom) response.shouldKeepAlive = false
    }

    const onDrain = (): void => {
      connections.draining = true
      for (const mount of table.mounts) mount.onDrain()
    }

    return { onRequest, onClientError: makeOnClientError(shared), onDrain }
  })
