import type * as HttpClientError from "@effect/platform/HttpClientError"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { yieldToEventLoop } from "../../../core/yieldToEventLoop.ts"
import { errorOf, type Named, type UpstreamError } from "./UpstreamError.ts"

export const decodeText = (chunks: ReadonlyArray<Uint8Array>): string => {
  const decoder = new TextDecoder()
  return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join("") + decoder.decode()
}

const maxErrorBodyBytes = 4_096

/** The first characters of an error response's body, as far as they arrive within a second. */
export const excuse = (response: HttpClientResponse.HttpClientResponse): Effect.Effect<{ readonly body?: string }> => {
  const chunks: Array<Uint8Array> = []
  let size = 0
  const reading = response.stream.pipe(
    Stream.runForEachWhile((chunk) =>
      Effect.suspend(() => {
        chunks.push(chunk)
        size += chunk.length
        return Effect.as(yieldToEventLoop, size < maxErrorBodyBytes)
      }),
    ),
    Effect.timeoutOption("1 second"),
    Effect.ignore,
  )
  // The first failure of a process runs much code that is not compiled yet: its parts take a turn of the event loop each.
  return Effect.zipRight(yieldToEventLoop, Effect.zipRight(reading, yieldToEventLoop)).pipe(
    Effect.map(() => (size === 0 ? {} : { body: decodeText(chunks).slice(0, maxErrorBodyBytes) })),
  )
}

/** Bytes of a body read in one turn of the event loop; one socket brings up to 2 MiB in a turn. */
const inOneTurn = 131_072

/**
 * Reads a body's chunks up to a limit, since an upstream may never stop sending. Yields between parts of a long body, so
 * that a fast upstream does not occupy the thread.
 */
export const bounded = (
  upstream: Named & { readonly maxBytes?: number },
  response: HttpClientResponse.HttpClientResponse,
): Effect.Effect<ReadonlyArray<Uint8Array>, UpstreamError | HttpClientError.ResponseError> => {
  const limit = upstream.maxBytes ?? 8 * 1_048_576
  const chunks: Array<Uint8Array> = []
  let [size, read] = [0, 0]
  return response.stream.pipe(
    Stream.runForEach((chunk) => {
      size += chunk.length
      read += chunk.length
      if (size > limit) {
        return Effect.fail(errorOf(upstream, { reason: "too-large", message: `More than ${limit} bytes.` }))
      }
      chunks.push(chunk)
      if (read < inOneTurn) return Effect.void
      read = 0
      return yieldToEventLoop
    }),
    Effect.as(chunks),
  )
}
