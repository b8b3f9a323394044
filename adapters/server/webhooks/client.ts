import { type ClientRequest, request as http, type IncomingMessage } from "node:http"
import { request as https } from "node:https"
import type { Socket } from "node:net"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import { timeoutMs as usualTimeoutMs } from "../../../core/events/retry.ts"
import type { ErrorClass } from "../../../core/events/Webhook.ts"
import { ifDefined } from "../../../core/ifDefined.ts"
import * as Guard from "./guard.ts"

/** A receiver's response, with any status. */
export interface HttpReply {
  readonly status: number
  /** The reason phrase of its status line. */
  readonly phrase: string
  readonly retryAfter?: string
  /** The first 1,024 bytes of its body. */
  readonly response: string
}

/** There was no response. */
export class DeliveryError extends Data.TaggedError("Unanswered")<{
  readonly error: ErrorClass
  readonly detail: string
}> {}

export class WebhookClient extends Context.Tag("market-signals/adapters/server/webhooks/WebhookClient")<
  WebhookClient,
  {
    readonly post: (
      url: string,
      headers: Readonly<Record<string, string>>,
      body: string,
    ) => Effect.Effect<HttpReply, DeliveryError>
  }
>() {}

export interface Options extends Guard.Options {
  readonly timeoutMs?: number
  /** Certificate authorities instead of the public ones, PEM. */
  readonly ca?: string
}

/** Maximum bytes of a response body that are read, and that are stored. */
const maxReplyBytes = 65_536
const maxStoredBytes = 1_024

const classifyError = (error: NodeJS.ErrnoException): ErrorClass => {
  if (error instanceof Guard.BlockedUrl) return "blocked"
  if (error instanceof Guard.UnresolvedHost) return "dns"
  const { code = "" } = error
  if (/^HPE_/.test(code)) return "protocol"
  if (code === "ECONNRESET" || code === "EPIPE") return "reset"
  return /TLS|SSL|CERT|^EPROTO$|UNABLE_TO/.test(code) ? "tls" : "connect"
}

/** The first error, if several addresses were tried. */
const innermost = (error: Error): NodeJS.ErrnoException =>
  error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error

/** An error as one line: code and message, without the request. */
const showError = (error: NodeJS.ErrnoException): string =>
  [error.code, error.message.split("\n")[0]!].filter((part) => part !== undefined && part !== "").join(": ")

/** One line of printable ASCII, safe for terminals. */
const clean = (text: string): string => text.replace(/[^\x20-\x7e]+/g, " ").slice(0, 200)

/** Reads up to `maxReplyBytes` bytes and then closes the connection; the status alone decides. */
const read = (message: IncomingMessage, keep: (chunk: Buffer) => void, done: () => void): void => {
  let size = 0
  message.on("data", (chunk: Buffer) => {
    keep(chunk)
    size += chunk.length
    if (size >= maxReplyBytes) message.destroy()
  })
  message.once("close", done)
  // A body that ends early does not change the status.
  message.on("error", () => {})
}

const post =
  (guard: Guard.Guard, { timeoutMs: limitMs = usualTimeoutMs, ca }: Options) =>
  (text: string, headers: Readonly<Record<string, string>>, body: string): Effect.Effect<HttpReply, DeliveryError> =>
    Effect.suspend(() => {
      const target = guard.read(text)
      if (Either.isLeft(target)) return new DeliveryError({ error: "blocked", detail: target.left.message })
      const { right: to } = target
      let message: IncomingMessage | undefined
      let start = Buffer.alloc(0)
      const answered = ({ statusCode, statusMessage, headers }: IncomingMessage): HttpReply => ({
        status: statusCode!,
        phrase: clean(statusMessage ?? ""),
        ...ifDefined("retryAfter", headers["retry-after"]),
        // PostgreSQL cannot store U+0000.
        response: new TextDecoder().decode(start).replaceAll("\u0000", "\uFFFD"),
      })
      return Effect.async<HttpReply, DeliveryError>((resume) => {
        const fail = (error: Error) => {
          const inner = innermost(error)
          resume(new DeliveryError({ error: classifyError(inner), detail: clean(showError(inner)) }))
        }
        const request: ClientRequest = (to.url.protocol === "https:" ? https : http)(to.url, {
          method: "POST",
          // A new connection for each attempt, so that its host is looked up and checked again.
          agent: false,
          lookup: guard.lookup(to),
          headers: { ...headers, "content-length": Buffer.byteLength(body) },
          ...ifDefined("ca", ca),
        })
        request.once("socket", (socket: Socket) =>
          socket.once("connect", () => {
            if (!guard.mayReach(to, socket.remoteAddress)) {
              request.destroy(new Guard.BlockedUrl(`The connection reached ${socket.remoteAddress}.`))
            }
          }),
        )
        // A status that has arrived is the answer: newer versions of Node report the end of its connection here too.
        request.on("error", (error) => {
          if (message === undefined) fail(error)
        })
        request.once("response", (response) => {
          message = response
          read(
            response,
            (chunk) => {
              if (start.length < maxStoredBytes) start = Buffer.concat([start, chunk]).subarray(0, maxStoredBytes)
            },
            () => resume(Effect.succeed(answered(response))),
          )
        })
        request.once("upgrade", (response, socket) => {
          socket.destroy()
          resume(Effect.succeed(answered(response)))
        })
        request.end(body)
        return Effect.sync(() => request.destroy())
      }).pipe(
        Effect.timeoutTo({
          duration: limitMs,
          onSuccess: (answer): Effect.Effect<HttpReply, DeliveryError> => Effect.succeed(answer),
          onTimeout: () =>
            message === undefined
              ? new DeliveryError({ error: "timeout", detail: `No response within ${limitMs} ms.` })
              : Effect.succeed(answered(message)),
        }),
        Effect.flatten,
      )
    })

export const layer = (options: Options = {}): Layer.Layer<WebhookClient> =>
  Layer.sync(WebhookClient, () => ({ post: post(Guard.make(options), options) }))
