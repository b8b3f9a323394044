import type { IncomingMessage, ServerResponse } from "node:http"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import { type Failure, fail } from "../../../core/Failure.ts"
import * as Step from "../../../core/Step.ts"

/** Deepest nesting of objects and arrays in a request. No endpoint needs more than five levels. */
export const maxDepth = 32

/** Most bytes of a request, and of a message of the Model Context Protocol. */
export const maxBodyBytes = 65_536

const [quote, backslash, openArray, closeArray, openObject, closeObject] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d]

/** Whether JSON nests deeper than `most`, without recursion. The result for other text is meaningless. */
const isDeeper = (bytes: Uint8Array, most: number): boolean => {
  let depth = 0
  let isText = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (isText) {
      if (byte === backslash) at++
      else if (byte === quote) isText = false
    } else if (byte === quote) isText = true
    else if (byte === openArray || byte === openObject) {
      if (++depth > most) return true
    } else if (byte === closeArray || byte === closeObject) depth--
  }
  return false
}

const decoder = new TextDecoder("utf-8", { fatal: true })

/**
 * Parses JSON in UTF-8 from a client. Nesting is limited to `deepest` because later steps recurse.
 *
 * @returns the value, or the error
 */
export const parseJson = (bytes: Uint8Array): Either.Either<unknown, "not JSON" | "too deep"> => {
  if (isDeeper(bytes, maxDepth)) return Either.left("too deep")
  try {
    return Either.right(JSON.parse(decoder.decode(bytes)))
  } catch {
    return Either.left("not JSON")
  }
}

/** Limits of a request body. */
export interface Bounds {
  /** Bytes. */
  readonly body: number
  /** Milliseconds until the whole body has arrived. */
  readonly arriveMs: number
}

const refuseBody = (suggestion: string): Failure =>
  fail("invalid_request_body", { hints: [{ field: "body", action: "change", suggestion }] })

export const lateBody = fail("request_timeout", { detail: "The body did not arrive in time." })

/** Requests whose body is being read, each with the function that ends the reading. */
const readsInProgress = new WeakMap<IncomingMessage, (failure: Failure) => void>()

/**
 * Ends the reading of a request's body, as its own timeout would.
 *
 * @returns whether the body was being read
 */
export const abortRead = (request: IncomingMessage, failure: Failure): boolean => {
  const end = readsInProgress.get(request)
  end?.(failure)
  return end !== undefined
}

/**
 * The body's bytes, within limits; the reading begins when the step is run. It is never interrupted: it ends by itself when
 * the time is up and when the client leaves. After a failure the connection closes after the answer, since unread bytes may
 * follow.
 */
export const read = (response: ServerResponse, { body, arriveMs }: Bounds): Step.Step<Buffer, Failure> =>
  new Step.Pending((done) => {
    const request = response.req
    if (request.readableEnded)
      return done(Exit.die(new Error("The body was read before: parse bodies after the mount.")))
    const chunks: Array<Buffer> = []
    let size = 0
    const end = (result: Exit.Exit<Buffer, Failure>) => {
      clearTimeout(timer)
      readsInProgress.delete(request)
      request.off("data", onData).off("end", onEnd).off("close", onClose)
      if (Exit.isFailure(result)) response.shouldKeepAlive = false
      done(result)
    }
    const onData = (chunk: Buffer) => {
      size += chunk.length
      if (size > body) end(Exit.fail(fail("payload_too_large")))
      else chunks.push(chunk)
    }
    const onEnd = () => end(Exit.succeed(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)))
    const onClose = () =>
      end(Exit.fail(refuseBody("The connection closed before the whole body arrived. Send it again.")))
    const onFailure = (failure: Failure) => end(Exit.fail(failure))
    const timer = setTimeout(onFailure, arriveMs, lateBody)
    readsInProgress.set(request, onFailure)
    request.on("data", onData).on("end", onEnd).on("close", onClose)
  })

const parseFailures = {
  "not JSON": refuseBody("The body must be JSON in UTF-8."),
  "too deep": refuseBody(`The body may nest at most ${maxDepth} levels.`),
} as const

/** Reads one JSON object; an empty body is `{}`. */
export const readObject = (
  response: ServerResponse,
  bounds: Bounds,
): Step.Step<Readonly<Record<string, unknown>>, Failure> =>
  Step.andThen(read(response, bounds), (bytes) => {
    if (bytes.length === 0) return Exit.succeed({})
    return Either.match(parseJson(bytes), {
      onLeft: (what) => Exit.fail(parseFailures[what]),
      onRight: (value) =>
        typeof value === "object" && value !== null && !Array.isArray(value)
          ? Exit.succeed(value as Readonly<Record<string, unknown>>)
          : Exit.fail(refuseBody("The body must be a JSON object.")),
    })
  })
