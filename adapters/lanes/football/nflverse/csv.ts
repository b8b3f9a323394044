import type * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import type { Feed, FileError } from "../../../../core/csv/Feed.ts"
import { type FeedName, feeds, type ValueOf } from "../../../../core/lanes/football/data/feeds.ts"
import * as csv from "../../../runtime/upstream/csv.ts"

/** Reads a file of a feed by the feed's name. */
export const readCsv = <Name extends FeedName>(
  feed: Name,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Effect.Effect<Either.Either<csv.CsvFile<ValueOf<Name>>, FileError>> =>
  csv.readCsv(feeds[feed] as unknown as Feed<Name, ValueOf<Name>>, chunks)
