import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import * as Port from "../../../endpoint/Port.ts"
import type { Failure } from "../../../Failure.ts"
import type { FormatName, ValueOf } from "./formats.ts"

/** A parsed file with its identity. */
export interface ReadFile<Name extends FormatName = FormatName> extends Omit<KnownFile, "checkedAt"> {
  readonly feed: Name
  /** A path at the source, or the name of an operator's file. */
  readonly name: string
  readonly values: ReadonlyArray<ValueOf<Name>>
  /** The seasons of the file, including those without rows. */
  readonly seasons: ReadonlyArray<number>
  /** True if the file has all seasons of its feed. */
  readonly isWhole?: boolean
}

/** A file was rejected because it contradicts what is stored; nothing of it was written. */
export class FileRefused extends Data.TaggedError("FileRefused")<{
  /** The reason, to follow "Rejected:". */
  readonly reason: string
}> {
  override get message(): string {
    return `Rejected: ${this.reason}.`
  }
}

export interface StoredChanges {
  readonly rows: number
  readonly added: number
  readonly changed: number
  /** Stored rows that are no longer in the file. */
  readonly withdrawn: number
}

/** The stored state of a file after its last fetch. */
export interface KnownFile {
  readonly sha256: string
  readonly etag?: string
  readonly lastModified?: string
  /** Epoch milliseconds. */
  readonly fetchedAt: number
  readonly checkedAt: number
}

/**
 * Write port of the lane's data. The source's corrections apply; finals are never removed, predictions never change.
 */
export const FootballArchive = Port.plain("football/FootballArchive")<{
  /**
   * Stores a file, or rejects it before any write. It is written in slices: new seasons become visible once the file is
   * complete; in other seasons a reader may see some corrections before the rest. After an interruption the file is stored
   * again from its start. Storing the same rows again changes nothing.
   */
  readonly store: <Name extends FormatName>(file: ReadFile<Name>) => Effect.Effect<StoredChanges, Failure | FileRefused>
  readonly known: (name: string) => Effect.Effect<KnownFile | undefined, Failure>
  /** Records that the source has not changed a file. */
  readonly confirm: (
    feed: FormatName,
    name: string,
    seasons: ReadonlyArray<number> | "all",
    checkedAt: number,
  ) => Effect.Effect<void, Failure>
}>()
export type FootballArchive = typeof FootballArchive.Identifier
