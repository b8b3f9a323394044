import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { Failure } from "../../../core/Failure.ts"
import { eventLoopTurn } from "../../../core/yieldToEventLoop.ts"

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
              Effect.zipRight(eventLoopTurn, read(cursor)),
              ({ text, next }) => [text, Option.fromNullable(next)] as const,
            ),
          ),
    ).pipe(Stream.filter((text) => text !== "")),
  )
