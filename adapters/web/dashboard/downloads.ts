import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { Failure } from "../../../core/Failure.ts"
import { yieldToEventLoop } from "../../../core/yieldToEventLoop.ts"
import { headers } from "./answers.ts"
import type { Download } from "./Page.ts"

/** Pieces of a file between two checks of the person's session. */
const unasked = 8

/**
 * A file as an answer. Its status is sent before its end is known: when it fails, the connection breaks off, so that no
 * part of a file looks like the whole.
 *
 * @param still fails when the rest must not be sent
 */
export const file = (
  { type, fileName }: Pick<Download, "type" | "fileName">,
  text: Stream.Stream<string, Failure>,
  still: Effect.Effect<void, Failure>,
) =>
  Effect.map(HttpServerRequest.HttpServerRequest, (request) => {
    const response = NodeHttpServerRequest.toServerResponse(request)
    const sent = text.pipe(
      Stream.zipWithIndex,
      Stream.mapEffect(([piece, n]) => Effect.as((n + 1) % unasked === 0 ? still : Effect.void, piece)),
      Stream.encodeText,
      Stream.catchAllCause((cause) => {
        const failure = Option.getOrUndefined(Cause.failureOption(cause))
        const isExpected = Cause.isInterruptedOnly(cause) || (failure !== undefined && failure.status < 500)
        return Stream.execute(
          Effect.zipRight(
            isExpected ? Effect.void : Effect.logWarning("A download of the dashboard broke off", cause),
            Effect.sync(() => response.destroy()),
          ),
        )
      }),
    )
    return HttpServerResponse.stream(sent, {
      contentType: type,
      headers: { ...headers, "content-disposition": `attachment; filename="${fileName}"` },
    })
  })

interface Piece<Cursor> {
  readonly text: string
  /** Absent: it is the last one. */
  readonly next: Cursor | undefined
}

/**
 * A file that is read from the store in pieces, each as the one before has been sent: charges go in between. The first
 * piece is read before the answer begins, so that a wrong address is refused with a status.
 *
 * @param read a piece; undefined: the first one
 */
export const inPages = <Cursor>(
  read: (cursor: Cursor | undefined) => Effect.Effect<Piece<Cursor>, Failure>,
): Effect.Effect<Stream.Stream<string, Failure>, Failure> =>
  Effect.map(read(undefined), (first) =>
    Stream.concat(
      Stream.make(first.text),
      first.next === undefined
        ? Stream.empty
        : Stream.paginateEffect(first.next, (cursor) =>
            Effect.map(
              Effect.zipRight(yieldToEventLoop, read(cursor)),
              ({ text, next }) => [text, Option.fromNullable(next)] as const,
            ),
          ),
    ).pipe(Stream.filter((text) => text !== "")),
  )
