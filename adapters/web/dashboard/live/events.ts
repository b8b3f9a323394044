import * as Headers from "@effect/platform/Headers"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"
import * as FiberSet from "effect/FiberSet"
import type { Scope } from "effect/Scope"
import { RateLimits } from "../../../../core/account/RateLimits.ts"
import { BaseUrl } from "../../../../core/call/BaseUrl.ts"
import { takeRequestOfAddress } from "../../../../core/gateway/access.ts"
import { People } from "../../../../core/people/People.ts"
import { eventText, openStream } from "../../../server/http/eventStream.ts"
import type { Exchange, Mount } from "../../../server/http/route.ts"
import { headers as pageHeaders, retryAfter } from "../answers.ts"
import type { Services } from "../Page.ts"
import * as Places from "../site.ts"
import * as Reading from "./reading.ts"
import * as Watching from "./watching.ts"

export const path = "/dashboard/events"

export interface Bounds {
  /** Maximum open streams. */
  readonly most: number
  /** Maximum open streams of a session. A browser has six connections to a server: two are left for pages. */
  readonly perSession: number
  /** Interval of the looks at a stream's session, milliseconds. */
  readonly lookMs: number
}

export const defaultBounds: Bounds = { most: 256, perSession: 4, lookMs: 2_000 }

/** Why a stream is over for good. */
type Reason = "signed out" | "other account"

interface Open {
  readonly sessionId: string
  /** Without a reason the browser asks again. */
  readonly end: (reason?: Reason) => void
}

/** Who opens a stream, and of which account. */
interface Visitor {
  readonly sessionId: string
  readonly accountId: string
  readonly token: string
}

/** An answer without a stream. A browser does not ask again by itself. */
interface Refused {
  readonly status: number
  readonly text: string
  readonly headers?: Readonly<Record<string, string>>
}

const refuse = ({ response, closeIfDraining }: Exchange, { status, text, headers }: Refused): void => {
  if (response.destroyed || response.headersSent) return
  closeIfDraining(response)
  response.writeHead(status, { ...pageHeaders, "content-type": "text/plain; charset=utf-8", ...headers })
  response.end(`${text}\n`)
}

const wait = { "retry-after": "60" }

const stopping: Refused = { status: 503, text: "The server is stopping." }

/** Why no further stream is opened; undefined: there is room for it. */
const findFull = (
  streams: ReadonlySet<Open>,
  { sessionId }: Visitor,
  { most, perSession }: Bounds,
): Refused | undefined => {
  if (streams.size >= most) return { status: 503, text: `${most} streams are open, and no more are served.` }
  return [...streams].filter((stream) => stream.sessionId === sessionId).length >= perSession
    ? { status: 429, text: `This session has ${perSession} open streams.` }
    : undefined
}

/** Looks at a session until a stream of it is over. */
const lookAt = (people: People["Type"], { token, accountId }: Visitor, lookMs: number) =>
  Effect.delay(people.glance(token), lookMs).pipe(
    Effect.repeat({ until: (session) => session?.accountId !== accountId }),
    Effect.map((session): Reason => (session === undefined ? "signed out" : "other account")),
    Effect.tapErrorCause((cause) => Effect.logWarning("The session of a stream was not read", cause)),
  )

interface Ports {
  readonly people: People["Type"]
  readonly limits: RateLimits["Type"]
  readonly baseUrl: string
}

/** Whom a request is from, or why it is refused. */
const entering = (
  { request, address }: Exchange,
  { people, limits, baseUrl }: Ports,
): Effect.Effect<Refused | Visitor> =>
  Effect.gen(function* () {
    if (address !== undefined) yield* takeRequestOfAddress(limits, address)
    const headers = Headers.fromInput(request.headers)
    const place = Places.acceptedOrigin({ headers }, baseUrl, Places.isLocal(request))
    const isStated = (headers["sec-fetch-site"] ?? headers["origin"]) !== undefined
    if (place === undefined || (isStated && !Places.isOurs({ headers }, place))) {
      return { status: 403, text: "Only pages of the dashboard open this stream." }
    }
    const token = Places.cookieOf(headers["cookie"], place.cookie.name)
    const session = token === undefined ? undefined : yield* people.glance(token)
    if (token === undefined || session === undefined) return { status: 401, text: "No session is open." }
    if (session.accountId === undefined) return { status: 404, text: "This session shows no account." }
    return { sessionId: session.id, accountId: session.accountId, token }
  }).pipe(
    Effect.catchAll((failure) =>
      Effect.succeed({ status: failure.status, text: failure.message, headers: retryAfter(failure) }),
    ),
  )

/**
 * The values of an account as server-sent events: `values`, a JSON object of those that changed, by name; `beat`, each
 * 15 s; `over`, with a reason, before an end for good. A stream ends with its session, when the session turns to another
 * account, and when the server stops. It does not count as use of the session.
 */
export const make = (
  bounds: Bounds = defaultBounds,
): Effect.Effect<Mount, never, Services | People | RateLimits | Scope> =>
  Effect.gen(function* () {
    const { baseUrl } = yield* BaseUrl
    const people = yield* People
    const limits = yield* RateLimits
    const watch = yield* Watching.make(yield* Reading.make)
    const fork = yield* FiberSet.runtime(yield* FiberSet.make<unknown, unknown>())<never>()
    const streams = new Set<Open>()
    let draining = false

    const open = (exchange: Exchange, visitor: Visitor): void => {
      const full = draining ? stopping : findFull(streams, visitor, bounds)
      if (full !== undefined) return void refuse(exchange, { ...full, headers: wait })
      const sent = openStream(exchange, pageHeaders, () => {
        streams.delete(stream)
        leave()
        fiber.unsafeInterruptAsFork(FiberId.none)
      })
      if (sent === undefined) return
      const end = (reason?: Reason): void => sent.end(reason === undefined ? undefined : eventText("over", reason))
      const stream: Open = { sessionId: visitor.sessionId, end }
      streams.add(stream)
      const fiber = fork(lookAt(people, visitor, bounds.lookMs))
      const leave = watch(visitor.accountId, {
        changed: (values) => sent.send(eventText("values", values)),
        failed: end,
      })
      fiber.addObserver((exit) => end(Exit.isSuccess(exit) ? (exit.value as Reason) : undefined))
    }

    const onRequest = (exchange: Exchange): void => {
      const { method } = exchange.request
      if (method !== "GET" && method !== "HEAD") {
        return void refuse(exchange, { status: 405, text: "GET opens the stream.", headers: { allow: "GET, HEAD" } })
      }
      const enter = Effect.map(entering(exchange, { people, limits, baseUrl }), (found) => {
        if ("status" in found) refuse(exchange, found)
        // Scripts are not told why a stream was refused, and ask by HEAD.
        else if (method === "HEAD") refuse(exchange, { status: 200, text: "" })
        else open(exchange, found)
      })
      fork(Effect.tapErrorCause(enter, (cause) => Effect.logError("A stream was not opened", cause))).addObserver(
        (exit) => {
          if (Exit.isFailure(exit)) refuse(exchange, { status: 500, text: "Unexpected server error." })
        },
      )
    }

    return {
      paths: new Set([path]),
      onRequest,
      onRefused: (exchange, { status, message }) => refuse(exchange, { status, text: message }),
      onDrain: () => {
        draining = true
        for (const { end } of [...streams]) end()
      },
    }
  })
