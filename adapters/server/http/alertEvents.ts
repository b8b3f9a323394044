import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"
import * as FiberSet from "effect/FiberSet"
import type { Scope } from "effect/Scope"
import type { Caller, Keyring } from "../../../core/account/Keyring.ts"
import type { PlatformCrypto } from "../../../core/account/PlatformCrypto.ts"
import { RateLimits } from "../../../core/account/RateLimits.ts"
import { AlertStore } from "../../../core/alerts/AlertStore.ts"
import type * as Catalogue from "../../../core/endpoint/Catalogue.ts"
import * as Event from "../../../core/events/Event.ts"
import { type Failure, fail } from "../../../core/Failure.ts"
import { authentication, failIfExceeded, takeKeylessRequest } from "../../../core/gateway/access.ts"
import { Gateway } from "../../../core/gateway/Gateway.ts"
import { ifDefined } from "../../../core/ifDefined.ts"
import * as Rights from "../../../core/rights/Rights.ts"
import { second } from "../../../core/time.ts"
import * as Fragments from "../../describe/openapiFragments.ts"
import { onClientClosed } from "./clientClosed.ts"
import { type Exchange, fromMount, type Mount, type Route } from "./route.ts"
import * as Wire from "./wire.ts"

/** Interval of `beat` events, which show that a stream is alive, milliseconds. */
const beatMs = 15_000
/** The delay that clients are told to keep before they reconnect, milliseconds. */
const retryMs = 3_000
/** A stream with more unread bytes is closed. Well above all values of a large account. */
const maxUnreadBytes = 8 * 1024 * 1024

/** One event: its data is a single line. */
const eventText = (event: string, data: string, id?: string): string =>
  `${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`

/** An open stream of server-sent events. */
interface EventStream {
  readonly send: (text: string) => void
  /** Ends it, after a last event if one is given. */
  readonly end: (last?: string) => void
}

/**
 * Begins the answer to an exchange as a stream of server-sent events.
 *
 * @param release called once, when it ends from either side
 * @returns undefined if the client has gone meanwhile
 */
const openStream = (
  { response }: Exchange,
  headers: Readonly<Record<string, string>>,
  release: () => void,
): EventStream | undefined => {
  const { socket } = response.req
  // The socket has already closed: `onClientClosed` would never call.
  if (socket.destroyed) return undefined
  response.writeHead(200, {
    ...headers,
    "content-type": "text/event-stream; charset=utf-8",
    // Keeps proxies from buffering the events.
    "x-accel-buffering": "no",
  })
  const send = (text: string): void => {
    if (response.writableEnded || response.destroyed) return
    response.write(text)
    if (response.writableLength > maxUnreadBytes) response.destroy()
  }
  send(`retry: ${retryMs}\n\n`)
  const beat = setInterval(send, beatMs, eventText("beat", "1")).unref()
  let isOpen = true
  const close = (): boolean => {
    if (!isOpen) return false
    isOpen = false
    clearInterval(beat)
    release()
    return true
  }
  onClientClosed(socket, close)
  return {
    send,
    end: (last) => {
      if (!close()) return
      if (last !== undefined) send(last)
      response.end(() => socket.destroySoon())
    },
  }
}

export const path = "/v1/alerts/events"

/** Open streams of an account, and of the server. */
const [maxPerAccount, maxStreams] = [8, 1_024]

const pollMs = 500
/** A transaction may end this long after the time of its event: events are read again that far back. */
const overlapMs = 10 * second
/** Events per read. */
const pageSize = 100

const wrongMethod = fail("method_not_allowed", { detail: "GET opens the stream." })
const tooMany = (detail: string): Failure => fail("rate_limit_exceeded", { detail, retryAfterMs: 60 * second })

/** The id of an event on the stream. It has the time from which a resumed stream reads on. */
const toStreamId = ({ at, id }: Event.Event): string => `${at}-${id}`

/** Where a stream begins: after the event of `Last-Event-ID`, or now. */
const parseStart = (
  lastId: string | undefined,
  now: number,
): { readonly at: number; readonly sent: ReadonlyArray<string> } => {
  const [at, id] = /^(\d{1,16})-([0-9a-f-]{36})$/.exec(lastId ?? "")?.slice(1) ?? []
  return at === undefined || id === undefined ? { at: now, sent: [] } : { at: Number(at), sent: [id] }
}

/**
 * Sends the events of an account that a key may read, until the key loses the right to follow them.
 *
 * @param laneOf the lane of a call's path
 */
const follow = (
  store: AlertStore["Type"],
  laneOf: (path: string) => string | undefined,
  caller: Caller,
  authenticateAgain: Effect.Effect<Caller, Failure>,
  start: ReturnType<typeof parseStart>,
  stream: EventStream,
): Effect.Effect<void, Failure> =>
  Effect.gen(function* () {
    const { accountId } = caller
    const sent = new Map<string, number>(start.sent.map((id) => [id, start.at]))
    let since = start.at
    let rights = Rights.ofKey(caller)
    while (rights.follow === undefined) {
      const events = yield* store.fired(accountId, since, pageSize)
      for (const event of events) {
        if (sent.has(event.id)) continue
        sent.set(event.id, event.at)
        const { agent_id, call } = event.data
        if (rights.read({ accountId, ...ifDefined("agentId", agent_id) }, laneOf(call.split("?")[0]!))) {
          stream.send(eventText(event.type, Event.toBody(event), toStreamId(event)))
        }
      }
      // A full page: the next one begins at its end.
      const last = events.length === pageSize ? events.at(-1)!.at : (yield* Clock.currentTimeMillis) - overlapMs
      since = Math.max(start.at, since, last)
      for (const [id, at] of sent) if (at < since) sent.delete(id)
      yield* Effect.sleep(pollMs)
      // While the store cannot be read, the key keeps its rights.
      rights = yield* Effect.match(authenticateAgain, {
        onSuccess: Rights.ofKey,
        onFailure: ({ status }) => (status < 500 ? Rights.nobody : rights),
      })
    }
  })

/**
 * Fired alerts as server-sent events, for live keys: `alert.fired`, with the body of a webhook's delivery, and `beat` every
 * 15 s. `Last-Event-ID` resumes after that event. Free; a stream ends when its key is revoked or the server stops.
 */
export const make = (
  catalogue: Catalogue.Any,
): Effect.Effect<ReadonlyArray<Route>, never, AlertStore | Gateway | Keyring | PlatformCrypto | RateLimits | Scope> =>
  Effect.gen(function* () {
    const store = yield* AlertStore
    const gateway = yield* Gateway
    const limits = yield* RateLimits
    const authenticate = yield* authentication
    const fork = yield* FiberSet.runtime(yield* FiberSet.make<unknown, unknown>())<never>()
    const streams = new Map<EventStream, string>()
    let draining = false

    const refuse = ({ response, closeIfDraining }: Exchange, failure: Failure): Effect.Effect<void> =>
      Effect.map(gateway.errorReply(failure), (served) => {
        if (response.destroyed || response.headersSent) return
        closeIfDraining(response)
        const { status, headers, body } = Wire.of(served)
        response.writeHead(status, failure === wrongMethod ? { ...headers, allow: "GET" } : headers)
        response.end(body)
      })

    /** The caller of an exchange that may open one more stream. */
    const admit = Effect.fnUntraced(function* ({ request, address }: Exchange) {
      if (request.method !== "GET") return yield* wrongMethod
      if (draining) return yield* tooMany("The server is stopping.")
      const caller = yield* Effect.tapError(authenticate(request.headers.authorization), () =>
        address === undefined ? Effect.void : takeKeylessRequest(limits, address),
      )
      yield* failIfExceeded(yield* limits.take(`requests:${caller.keyId}`, caller.perMinute), "key")
      const refused = Rights.ofKey(caller).follow
      if (refused !== undefined) return yield* refused
      if (streams.size >= maxStreams) return yield* tooMany(`${maxStreams} streams are open, and no more are served.`)
      const ofAccount = [...streams.values()].filter((accountId) => accountId === caller.accountId)
      if (ofAccount.length >= maxPerAccount) return yield* tooMany(`The account has ${maxPerAccount} open streams.`)
      return caller
    })

    const open = (exchange: Exchange, caller: Caller, now: number): void => {
      const { authorization, "last-event-id": lastId } = exchange.request.headers
      const stream = openStream(exchange, { ...Wire.jsonHeaders }, () => {
        streams.delete(stream!)
        fiber.unsafeInterruptAsFork(FiberId.none)
      })
      if (stream === undefined) return
      streams.set(stream, caller.accountId)
      const start = parseStart(typeof lastId === "string" ? lastId : undefined, now)
      const laneOf = (path: string) => catalogue.byPath.get(path)?.lane.name
      const following = follow(store, laneOf, caller, authenticate(authorization), start, stream)
      const fiber = fork(
        Effect.tapErrorCause(following, (cause) => Effect.logWarning("A stream of alerts ended", cause)),
      )
      fiber.addObserver(() => stream.end())
    }

    const answer = (exchange: Exchange) =>
      Effect.gen(function* () {
        const caller = yield* admit(exchange)
        open(exchange, caller, yield* Clock.currentTimeMillis)
      }).pipe(Effect.catchAll((failure) => refuse(exchange, failure)))

    const mount: Mount = {
      paths: new Set([path]),
      onRequest: (exchange) => {
        const failed = refuse(exchange, fail("internal_error"))
        fork(
          Effect.catchAllCause(answer(exchange), (cause) =>
            Effect.zipRight(Effect.logError("A stream of alerts was not opened", cause), failed),
          ),
        ).addObserver((exit) => Exit.isFailure(exit) && exchange.response.destroy())
      },
      onRefused: (exchange, failure) => void fork(refuse(exchange, failure)),
      onDrain: () => {
        draining = true
        for (const stream of [...streams.keys()]) stream.end()
      },
    }
    return fromMount(mount).map((route) => ({
      ...route,
      method: "GET",
      types: [Fragments.eventStream],
      description: { _tag: "Operation", operation: Fragments.alertEvents },
    }))
  })
