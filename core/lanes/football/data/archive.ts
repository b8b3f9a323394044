import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Failure } from "../../../Failure.ts"
import type { FeedName, ValueOf } from "./feeds.ts"

/** A file that was read, with what identifies it. */
export interface ReadFile<Name extends FeedName = FeedName> {
  readonly feed: Name
  /** A path at the source, or the name of a file that an operator brought. */
  readonly name: string
  readonly sha256: string
  readonly etag?: string
  readonly lastModified?: string
  /** Epoch milliseconds. */
  readonly fetchedAt: number
  readonly values: ReadonlyArray<ValueOf<Name>>
  /** Seasons that the file is about, also when it has no rows of them. */
  readonly seasons: ReadonlyArray<number>
}

/** What a file has changed. */
export interface Stored {
  readonly rows: number
  readonly added: number
  readonly changed: number
  /** Games that are on the schedule no more. */
  readonly withdrawn: number
}

/** A file as it was last seen. */
export interface KnownFile {
  readonly sha256: string
  readonly etag?: string
  readonly lastModified?: string
  readonly fetchedAt: number
  readonly checkedAt: number
}

/**
 * Write port of the lane's data. What a source corrects is corrected; a final is never taken back, and no prediction is
 * touched.
 */
export class FootballArchive extends Context.Tag("core/lanes/football/FootballArchive")<
  FootballArchive,
  {
    /**
     * Takes in a file, or refuses it before any of it is written. It may be written piece by piece: seasons that are new
     * are there when all of it is, of others a reader may see some rows corrected before the rest. Where it breaks off it
     * is not known as read, and goes on from its beginning the next time. The same rows again change nothing.
     */
    readonly store: <Name extends FeedName>(file: ReadFile<Name>) => Effect.Effect<Stored, Failure>
    readonly known: (name: string) => Effect.Effect<KnownFile | undefined, Failure>
    /** The source says that a file has not changed, or that it has none of these seasons yet. */
    readonly confirm: (
      feed: FeedName,
      name: string,
      seasons: ReadonlyArray<number> | "all",
      checkedAt: number,
    ) => Effect.Effect<void, Failure>
  }
>() {}
