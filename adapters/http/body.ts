import type { IncomingMessage } from "node:http"
import * as Effect from "effect/Effect"
import { type Failure, fail } from "../../core/endpoint/Failure.ts"

const bad = (suggestion: string): Failure =>
  fail("invalid_request_body", { hints: [{ field: "body", action: "change", suggestion }] })

/** The bytes of a request up to a limit. What is beyond is not kept, and the connection lives to hear the answer. */
export const read = (request: IncomingMessage, limit: number): Effect.Effect<Buffer, Failure> =>
  Effect.async((resume) => {
    const chunks: Array<Buffer> = []
    let size = 0
    const end = (result: Effect.Effect<Buffer, Failure>) => {
      request.off("data", onData).off("end", onEnd).off("close", onClose)
      resume(result)
    }
    const onData = (chunk: Buffer) => {
      size += chunk.length
      if (size > limit) end(Effect.fail(fail("payload_too_large")))
      else chunks.push(chunk)
    }
    const onEnd = () => end(Effect.succeed(Buffer.concat(chunks)))
    const onClose = () => end(Effect.fail(bad("Send the whole body.")))
    request.on("data", onData).on("end", onEnd).on("close", onClose)
    return Effect.sync(() => end(Effect.never))
  })

/** A body that is one JSON object; an empty body is an empty one. */
export const readObject = (
  request: IncomingMessage,
  limit: number,
): Effect.Effect<Readonly<Record<string, unknown>>, Failure> =>
  Effect.flatMap(read(request, limit), (bytes) => {
    if (bytes.length === 0) return Effect.succeed({})
    return Effect.flatMap(
      Effect.try({
        try: (): unknown => JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)),
        catch: () => bad("The body must be JSON in UTF-8."),
      }),
      (value) =>
        typeof value === "object" && value !== null && !Array.isArray(value)
          ? Effect.succeed(value as Readonly<Record<string, unknown>>)
          : Effect.fail(bad("The body must be a JSON object.")),
    )
  })
