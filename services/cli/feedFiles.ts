import * as Options from "@effect/cli/Options"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import { type CsvFile, readCsv } from "../../adapters/upstream/csv.ts"
import { type Feed, type FileError, formatError } from "../../core/csv/Feed.ts"
import type { Failure } from "../../core/Failure.ts"
import { filesOf } from "./files.ts"
import { print, readable } from "./shared.ts"

/** An option for files or folders. */
export const files = (name: string, what: string) =>
  Options.text(name).pipe(Options.repeated, Options.withDescription(what))

/** The files given, and those in the given folders whose names match. */
export const named = (paths: ReadonlyArray<string>, form: RegExp) =>
  Effect.gen(function* () {
    const { basename } = yield* Path.Path
    const all = yield* Effect.forEach(paths, (path) =>
      Effect.map(filesOf(path), (found) => found.filter((file) => file === path || form.test(basename(file)))),
    )
    return all.flat()
  })

/** Changes that a file made to the store. */
export interface Counts {
  readonly rows: number
  readonly added: number
  readonly changed: number
  readonly withdrawn: number
}

/** A file, read but not yet stored. */
export interface ParsedFile<A> extends CsvFile<A> {
  readonly name: string
  /** Epoch milliseconds. */
  readonly fetchedAt: number
}

interface Rejected extends FileError {
  readonly file: string
  readonly feed: string
}

interface FileCounts extends Counts {
  readonly file: string
  readonly feed: string
  readonly milliseconds: number
}

/**
 * Ingests one file of a feed.
 *
 * @param store stores the whole file or nothing
 */
export const ingestFile = <A, R>(
  feed: Feed<string, A>,
  path: string,
  store: (file: ParsedFile<A>) => Effect.Effect<Counts, Failure, R>,
): Effect.Effect<Either.Either<FileCounts, Rejected>, Error, FileSystem.FileSystem | Path.Path | R> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const file = (yield* Path.Path).basename(path)
    const fetchedAt = yield* Clock.currentTimeMillis
    const read = yield* readCsv(feed, Stream.toAsyncIterable(fs.stream(path)))
    if (Either.isLeft(read)) return Either.left({ file, feed: feed.name, ...read.left })
    const { rows, added, changed, withdrawn } = yield* Effect.mapError(
      readable(store({ ...read.right, name: file, fetchedAt })),
      ({ message }) => new Error(`${file}: ${message}`),
    )
    const milliseconds = Math.max(1, (yield* Clock.currentTimeMillis) - fetchedAt)
    return Either.right({ file, feed: feed.name, rows, added, changed, withdrawn, milliseconds })
  })

const lineOf = ({ file, rows, added, changed, withdrawn, milliseconds }: FileCounts): string =>
  `${file}: ${rows} rows, ${added} added, ${changed} changed${withdrawn > 0 ? `, ${withdrawn} withdrawn` : ""} (${Math.round((1_000 * rows) / milliseconds)} rows/s)`

/** Ingests files in order. A rejected file does not stop the others, but the command fails. */
export const ingestAll = <R>(
  all: ReadonlyArray<Effect.Effect<Either.Either<FileCounts, Rejected>, Error, R>>,
  asJson: boolean,
) =>
  Effect.gen(function* () {
    const [refused, stored] = yield* Effect.partition(all, (one) =>
      Effect.gen(function* () {
        const outcome = yield* Effect.flatten(one)
        if (!asJson) yield* Console.log(lineOf(outcome))
        return outcome
      }),
    )
    const lines = refused.map((refusal) =>
      "file" in refusal ? `${refusal.file}: ${formatError(refusal)}` : refusal.message,
    )
    yield* print(
      asJson,
      { files: all.length, stored, refused: refused.map((one) => ("file" in one ? one : { reason: one.message })) },
      `${all.length} files: ${stored.length} read, ${refused.length} rejected`,
    )
    if (refused.length > 0) return yield* Effect.fail(new Error(lines.join("\n")))
  })
