import type { IncomingMessage } from "node:http"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { type Failure, fail } from "../../core/Failure.ts"
import * as Json from "./json.ts"

/** What a body may take. */
export interface Bounds {
  /** Largest, bytes. */
  readonly body: number
  /** Longest time to arrive, milliseconds. */
  readonly arriveMs: number
}

const bad = (suggestion: string): Failure =>
  fail("invalid_request_body", { hints: [{ field: "body", action: "change", suggestion }] })

/** Gives up on the bodies that are being read. */
const reading = new WeakMap<IncomingMessage, () => void>()

/**
 * Gives up on the body of a request whose time is over, as if the time of the body alone were.
 *
 * @returns whether it is being read
 */
export const giveUp = (request: IncomingMessage): boolean => {
  const end = reading.get(request)
  end?.()
  return end !== undefined
}

/**
 * The bytes of a request, within bounds. What is beyond is not kept, and the connection lives to hear the answer: whoever
 * gives it has to end the connection.
 */
export const read = (request: IncomingMessage, { body, arriveMs }: Bounds): Effect.Effect<Buffer, Failure> =>
  Effect.async((resume) => {
    const chunks: Array<Buffer> = []
    let size = 0
    const end = (result: Effect.Effect<Buffer, Failure>) => {
      clearTimeout(timer)
      reading.delete(request)
      request.off("data", onData).off("end", onEnd).off("close", onClose)
      resume(result)
    }
    const onData = (chunk: Buffer) => {
      size += chunk.length
      if (size > body) end(Effect.fail(fail("payload_too_large")))
      else chunks.push(chunk)
    }
    const onEnd = () => end(Effect.succeed(Buffer.concat(chunks)))
    const onClose = () => end(Effect.fail(bad("Send the whole body.")))
    const onLate = () => end(Effect.fail(fail("request_timeout", { detail: "The body did not arrive in time." })))
    const timer = setTimeout(onLate, arriveMs)
    reading.set(request, onLate)
    request.on("data", onData).on("end", onEnd).on("close", onClose)
    return Effect.sync(() => end(Effect.never))
  })

const wrong = {
  "not JSON": bad("The body must be JSON in UTF-8."),
  "too deep": bad(`The body may nest objects and arrays ${Json.deepest} deep.`),
} as const

/** A body that is one JSON object; an empty body is an empty one. */
export const readObject = (
  request: IncomingMessage,
  bounds: Bounds,
): Effect.Effect<Readonly<Record<string, unknown>>, Failure> =>
  Effect.flatMap(read(request, bounds), (bytes) => {
    if (bytes.length === 0) return Effect.succeed({})
    return Either.match(Json.parse(bytes), {
      onLeft: (what) => Effect.fail(wrong[what]),
      onRight: (value) =>
        typeof value === "object" && value !== null && !Array.isArray(value)
          ? Effect.succeed(value as Readonly<Record<string, unknown>>)
          : Effect.fail(bad("The body must be a JSON object.")),
    })
  })
