import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import type * as Schema from "effect/Schema"
import { type Upstream, type UpstreamError, undecodable } from "../../runtime/upstream/upstream.ts"

/** The readable rows; fails when all are unreadable, as after a change at the venue. */
export const readable =
  <A, I>(schema: Schema.Schema<A, I>, upstream: Upstream) =>
  (rows: ReadonlyArray<unknown>): Effect.Effect<ReadonlyArray<A>, UpstreamError> => {
    const decode = ParseResult.decodeUnknownEither(schema)
    const read = rows.map((row) => decode(row))
    const good = read.flatMap((row) => (Either.isRight(row) ? [row.right] : []))
    const bad = read.find(Either.isLeft)
    return bad !== undefined && good.length === 0 ? Effect.fail(undecodable(upstream, bad.left)) : Effect.succeed(good)
  }
